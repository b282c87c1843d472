//===- NestLowering.h - Lowering a loop nest on any grid ------ -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a loop nest to operations, for grids that are not known or too large to
// enumerate. See NestLowering.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_LOWERING_NESTLOWERING_H
#define SWIZZLE_LIB_FORMULA_LOWERING_NESTLOWERING_H

#include "swizzle/Formula/Lowering/Lowering.h"
#include "swizzle/Formula/Orders/Nest.h"

namespace swizzle::formula {

/// Lowers `nest` on `grid`, whose extents are at least 1 or unknown, for
/// `numDies` >= 1 dies. Fails on a nest that does not verify and on a known
/// grid whose workgroups cannot be counted in 63 bits.
llvm::Expected<LoweredFormula> lowerNest(const LoopNest &nest, const Grid &grid,
                                         int64_t numDies);

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_LOWERING_NESTLOWERING_H
