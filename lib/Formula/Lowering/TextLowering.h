//===- TextLowering.h - Lowers without enumerating ------------ -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For formulas that are proved permutations without being a `LoopNest`:
// mirrored loops, identity tails, nests that keep an axis. See
// TextLowering.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_LOWERING_TEXTLOWERING_H
#define SWIZZLE_LIB_FORMULA_LOWERING_TEXTLOWERING_H

#include "Eval/Program.h"
#include "MachineBuilder.h"

namespace swizzle::formula {

/// Lowers a formula, all of whose divisors are positive, on a grid that may be
/// unknown. Fails where a value cannot be bounded by the grid's size.
llvm::Expected<LoweredFormula> lowerText(const BoundFormula::Program &graph);

/// A test that the product of the extents of a dynamic `grid` is below
/// 2^`bits`, from extents and constants only.
OpId emitSizeTest(MachineBuilder &builder, const Grid &grid, unsigned bits);

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_LOWERING_TEXTLOWERING_H
