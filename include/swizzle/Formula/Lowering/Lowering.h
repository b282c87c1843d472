//===- Lowering.h - A formula as machine arithmetic ----------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between a proved formula and the IR stands `LoweredFormula`: a list of
// fixed-width operations with shared sub-expressions, known ranges, narrow
// integers, shifts and masks for powers of two, and divisions by one of a few
// constants where a ragged group would divide by a variable. It is plain data:
// the MLIR and LLVM emitters walk it one to one, and tests interpret it.
//
// Nothing here is speculated that could trap: a division whose divisor is not
// proved nonzero has a clamped divisor, and a shift whose amount is not proved
// small has a masked one.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_FORMULA_LOWERING_LOWERING_H
#define SWIZZLE_FORMULA_LOWERING_LOWERING_H

#include "swizzle/Formula/Formula.h"

namespace swizzle {

/// Operations wrap modulo 2^width unless said otherwise. Operands have the
/// width of the result, except where a comment says so.
enum class LoweredKind : uint8_t {
  Constant, ///< `value`
  Id,       ///< workgroup id of axis `value`
  Extent,   ///< grid extent of axis `value` (dynamic grids only)
  Add,
  Sub,
  Mul,
  UMulHi, ///< upper half of the unsigned product
  UDiv,
  URem, ///< truncating; the divisor is never zero
  SDiv,
  SRem, ///< truncating; the divisor is never 0 or -1
  And,
  Or,
  Xor,
  Shl,
  LShr,
  AShr, ///< the amount is below the width
  UMin,
  UMax,
  SMin,
  SMax,
  CmpEq,
  CmpNe,
  CmpULt,
  CmpULe,
  CmpSLt,
  CmpSLe, ///< result of width 1
  Select, ///< condition (width 1), then, otherwise
  ZExt,
  SExt,
  Trunc, ///< change of width
  HilbertX,
  HilbertY,
  MortonX,
  MortonY, ///< i, w, h: a bounded loop
};

struct LoweredOp {
  LoweredKind kind = LoweredKind::Constant;
  uint8_t width = 32; ///< of the result: 1, 32 or 64
  int64_t value = 0;
  uint32_t operands[3] = {0, 0, 0}; ///< indices of earlier operations
  uint8_t numOperands = 0;
  /// Range of the result, as the integer that the formula means: a value of
  /// width 32 is unsigned if `low` >= 0, else signed.
  int64_t low = 0, high = 0;
  /// The range holds for every workgroup, also for those whose results do not
  /// depend on this operation, and under whatever a guard finds.
  bool total = false;
};

struct LoweredFormula {
  std::vector<LoweredOp> ops;
  uint32_t results[3] = {0, 0, 0}; ///< new x, y, z
  Grid grid;                       ///< extents may be unknown

  /// Dynamic grids: where the product of the extents is larger, the operations
  /// yield the identity. 0: no such guard is needed.
  int64_t maxExtentProduct = 0;

  /// One operation a line, for messages and tests.
  std::string print() const;
};

struct LoweringOptions {
  /// The grid is somebody's claim: the operations must stay free of traps for
  /// ids outside it as well (what they yield there does not matter).
  bool gridIsAssumed = false;
};

/// Lowers a formula that has been proved legal in `environment`. A known grid
/// of up to 2^22 workgroups is enumerated to find ranges, constants, small sets
/// of divisors and moves of bit fields; any other grid needs a formula that is
/// recognised as a loop nest. Fails on a formula that is neither, or that fails
/// to evaluate on some workgroup.
llvm::Expected<LoweredFormula> lower(const Formula &formula,
                                     const Environment &environment,
                                     const LoweringOptions &options = {});

/// Rough number of scalar instructions, for weighing orders: shifts, masks,
/// additions, multiplications, selections 1; a division by a variable about 20;
/// a level of a curve, for each of x and y, 7 where all squares are whole, 24
/// for Hilbert and 9 for Morton elsewhere (measured on gfx942,
/// benchmarks/remap_cost).
int64_t estimateCost(const LoweredFormula &lowered);

/// Rough number of vector instructions on gfx942: none where all can be scalar,
/// 5 for each variable of 32 bits that is divided by (its reciprocal exists for
/// vectors only). nullopt where nothing tells: a curve's loop, whose conditions
/// the back end may keep in vector registers, and divisions by a variable of 64
/// bits.
std::optional<int64_t> estimateVectorCost(const LoweredFormula &lowered);

} // namespace swizzle

#endif // SWIZZLE_FORMULA_LOWERING_LOWERING_H
