//===- SwizzleDialect.h - The swizzle dialect -------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C++ side of SwizzleDialect.td, and conversions between `#swizzle.formula` and
// the formula library.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_IR_SWIZZLEDIALECT_H
#define SWIZZLE_IR_SWIZZLEDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "swizzle/Formula/Formula.h"

#include "swizzle/IR/SwizzleDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "swizzle/IR/SwizzleAttributes.h.inc"

#define GET_OP_CLASSES
#include "swizzle/IR/SwizzleOps.h.inc"

namespace swizzle {

/// Discardable attribute of a kernel that carries a materialised remap; its
/// value is the `FormulaAttr`.
inline constexpr llvm::StringLiteral kAppliedAttrName = "swizzle.applied";

/// Beside it, on a kernel that was remapped on top of a remap: how many times
/// in all. `swizzle.applied` has the last formula alone.
inline constexpr llvm::StringLiteral kComposedAttrName = "swizzle.composed";

/// The attribute for `formula` bound in `environment`: canonical text, the
/// parameters' values, and only those hardware constants that the formula
/// reads.
FormulaAttr getFormulaAttr(mlir::MLIRContext *context, const Formula &formula,
                           const Environment &environment);

/// Inverse of `getFormulaAttr` on a given grid. Fails if the text is not a
/// formula.
llvm::Expected<std::pair<Formula, Environment>>
readFormulaAttr(FormulaAttr attr, llvm::ArrayRef<int64_t> grid);

} // namespace swizzle

#endif // SWIZZLE_IR_SWIZZLEDIALECT_H
