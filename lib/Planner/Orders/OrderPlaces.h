//===- OrderPlaces.h - When an order comes to a tile ------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An order says which tile each id works on; these say the opposite, tile by
// tile, without going through the whole grid:
//
//   columns of 4 x 4, row-major ids: tile (x = 1, y = 2) is at position 6
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_PLANNER_ORDERS_ORDERPLACES_H
#define SWIZZLE_LIB_PLANNER_ORDERS_ORDERPLACES_H

#include "SearchSpace.h"

namespace swizzle::planner {

/// The position of tile `id` in the walk of a nest: the inverse of the walk.
int64_t positionOf(const LoopNest &nest, const Grid &grid, WorkgroupId id);

/// The id, of `count`, that is dealt `position` among `dies`: the inverse of a
/// deal.
int64_t undeal(const LoopNest &nest, int64_t position, int64_t count,
               int64_t dies);

} // namespace swizzle::planner

#endif // SWIZZLE_LIB_PLANNER_ORDERS_ORDERPLACES_H
