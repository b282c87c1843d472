//===- Lowering.h - A formula as straight-line machine arithmetic *- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between a proved formula and the IR stands `LoweredFormula`: a list of
// fixed-width operations with shared sub-expressions, known ranges, narrow
// integers, shifts and masks for powers of two, and divisions by one of two
// constants where a ragged group would divide by a variable. It is plain data:
// the MLIR and LLVM emitters walk it one to one, and tests interpret it.
//
// Nothing here is speculated that could trap: a division whose divisor is not
// proved nonzero has a clamped divisor.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_FORMULA_LOWERING_H
#define SWIZZLE_FORMULA_LOWERING_H

#include "swizzle/Formula/Formula.h"

namespace swizzle {

enum class LoweredKind : uint8_t {
  Constant,           ///< `value`
  Id,                 ///< workgroup id of axis `value`
  Extent,             ///< grid extent of axis `value` (dynamic grids only)
  Add, Sub, Mul,
  UDiv, URem, SDiv, SRem, ///< divisor proved nonzero; SDiv/SRem are floor forms' parts
  And, Or, Xor, Shl, LShr, AShr,
  UMin, UMax, SMin, SMax,
  CmpEq, CmpNe, CmpULt, CmpULe, CmpSLt, CmpSLe, ///< width 1
  Select,             ///< condition (width 1), then, otherwise
  ZExt, SExt, Trunc,  ///< change of width
  HilbertX, HilbertY, MortonX, MortonY, ///< i, w, h: a bounded loop
};

struct LoweredOp {
  LoweredKind kind = LoweredKind::Constant;
  uint8_t width = 32; ///< of the result: 1, 32 or 64
  int64_t value = 0;
  uint32_t operands[3] = {0, 0, 0}; ///< indices of earlier operations
  uint8_t numOperands = 0;
  int64_t low = 0, high = 0; ///< proved range of the result
};

struct LoweredFormula {
  std::vector<LoweredOp> ops;
  uint32_t results[3] = {0, 0, 0}; ///< new x, y, z
  Grid grid;                       ///< extents may be unknown

  /// Dynamic grids: for extents beyond these the identity must be taken; the
  /// emitter guards once, on extents alone.
  int64_t maxExtentProduct = 0;

  /// Interprets the operations; `grid` gives the extents of a dynamic grid.
  WorkgroupId evaluate(WorkgroupId id, const Grid &grid) const;
};

/// Lowers a formula that has been proved legal in `environment`.
llvm::Expected<LoweredFormula> lower(const Formula &formula,
                                     const Environment &environment);

/// Rough number of scalar instructions, for weighing orders: shifts, masks,
/// additions 1; multiplications 1; a division by a constant 3 to 4, by a
/// variable about 20; a curve step about 12 per level.
int64_t estimateCost(const LoweredFormula &lowered);

} // namespace swizzle

#endif // SWIZZLE_FORMULA_LOWERING_H
