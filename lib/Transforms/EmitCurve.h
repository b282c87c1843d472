//===- EmitCurve.h - Curves as loops -------------------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The curves of the formula language as bounded loops. See EmitCurve.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_TRANSFORMS_EMITCURVE_H
#define SWIZZLE_LIB_TRANSFORMS_EMITCURVE_H

#include "mlir/IR/Builders.h"

namespace swizzle {

struct CurveOperands {
  mlir::Value i, w, h; ///< of one integer type
  int64_t maxW, maxH;  ///< at least 1: the largest values of w and h
};

/// The i-th point of a curve over w x h, as (x, y) of the operands' type; any
/// value if there is no such point. Never traps.
std::pair<mlir::Value, mlir::Value> emitHilbert(mlir::OpBuilder &builder,
                                                mlir::Location loc,
                                                const CurveOperands &curve);
std::pair<mlir::Value, mlir::Value> emitMorton(mlir::OpBuilder &builder,
                                               mlir::Location loc,
                                               const CurveOperands &curve);

} // namespace swizzle

#endif // SWIZZLE_LIB_TRANSFORMS_EMITCURVE_H
