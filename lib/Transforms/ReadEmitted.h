//===- ReadEmitted.h - Emitted arith, read back --------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the few `arith` and `scf` operations that emission makes to a program
// that can be run. See ReadEmitted.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_TRANSFORMS_READEMITTED_H
#define SWIZZLE_LIB_TRANSFORMS_READEMITTED_H

#include "mlir/IR/Value.h"
#include "swizzle/Emit/EmittedProgram.h"

namespace swizzle {

/// Reads what defines `outputs`, starting from `inputs`, all of type index; all
/// stand in one block. Fails on an operation that emission does not make.
llvm::Expected<EmittedProgram> readEmitted(llvm::ArrayRef<mlir::Value> inputs,
                                           llvm::ArrayRef<mlir::Value> outputs);

} // namespace swizzle

#endif // SWIZZLE_LIB_TRANSFORMS_READEMITTED_H
