//===- AppliedTag.h - What a remap leaves on its kernel ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that was remapped says so, and by which formula: another run leaves
// it alone. On functions of the llvm dialect the tag is text among the
// attributes that are passed through to LLVM IR, since tools that take nothing
// but that dialect know no other.
//
//   gpu.func @k() kernel attributes {swizzle.applied = #swizzle.formula<...>}
//   llvm.func @k() attributes {passthrough = [["swizzle.applied", "#swi..."]]}
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_IR_APPLIEDTAG_H
#define SWIZZLE_IR_APPLIEDTAG_H

#include "swizzle/IR/SwizzleDialect.h"

namespace swizzle {

/// How many remaps, one on top of another, `kernel` says that it carries.
int64_t timesRemapped(mlir::Operation *kernel);

/// The last formula that `kernel` says was applied to it; null if it says none,
/// or none that can be read.
FormulaAttr readApplied(mlir::Operation *kernel);

/// The text that the pass on LLVM IR left instead (see AppliedText.h); empty if
/// there is none.
llvm::StringRef readAppliedText(mlir::Operation *kernel);

/// Notes that one more remap was applied.
void markApplied(mlir::Operation *kernel, FormulaAttr formula);

/// Removes what `markApplied` left; false if there is nothing.
bool stripApplied(mlir::Operation *kernel);

} // namespace swizzle

#endif // SWIZZLE_IR_APPLIEDTAG_H
