//===- SearchSpace.h - The orders that the planner considers ----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Orders: loop nests, and curves over the two largest axes. A few start the
// search; each has neighbours that differ from it in one decision.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_PLANNER_ORDERS_SEARCHSPACE_H
#define SWIZZLE_LIB_PLANNER_ORDERS_SEARCHSPACE_H

#include "swizzle/Formula/Orders/Nest.h"

namespace swizzle {
struct HardwareSpec;
struct KernelModel;
} // namespace swizzle

namespace swizzle::planner {

enum class CurveKind : uint8_t { None, Hilbert, Morton };

/// A nest, or a curve whose positions `nest` deals out.
struct Order {
  LoopNest nest;
  CurveKind curve = CurveKind::None;
  /// From the last tile to the first: what is shared stays so, and what takes
  /// long may come first.
  bool backwards = false;

  /// What `describe` and the choice among equals go by.
  std::string describe() const;
  /// Its deal and loops without their numbers.
  std::string shape() const;
  /// In which order the axes are walked within the smallest pieces, as text:
  /// "yxz" of `z/4, z, x, y`, the fastest first; curves apart.
  std::string walk() const;
  /// Workgroups of all its pieces, one within the other.
  int64_t sizeOfPieces() const;
  Formula toFormula(const Grid &grid) const;
};

class SearchSpace {
public:
  /// Orders of `grid` on `numDies` dies; curves only if they are wanted.
  SearchSpace(const Grid &grid, int64_t numDies, bool curves);

  /// Those of a kernel on a chip. Curves are proved for one grid, by
  /// enumeration: it has to be known, and not too large for that.
  SearchSpace(const KernelModel &model, const HardwareSpec &hardware);

  /// What an expert would try first, whatever the kernel: shares for the dies,
  /// columns before rows, groups of 8 rows, bands of 16 walked through the
  /// slowest axis.
  std::vector<Order> customary() const;
  /// The axes in each succession, undealt and dealt in one piece.
  std::vector<Order> plain() const;
  std::vector<Order> starts() const;
  std::vector<Order> neighbours(const Order &order) const;

  /// The same tiles from the other end.
  static Order turned(Order order) {
    order.backwards = !order.backwards;
    return order;
  }

  /// Tiles of the `count` workgroups that are dispatched as `first` and
  /// following.
  std::vector<uint32_t> tiles(const Order &order, int64_t first,
                              int64_t count) const;

private:
  std::vector<NestLevel> outer() const;
  bool isUseful(const LoopNest &nest) const;
  std::vector<LoopNest> otherDeals(const LoopNest &nest) const;

  Grid grid;
  int64_t dies;
  bool curves;
  std::vector<unsigned> open; ///< axes of extent above 1
};

} // namespace swizzle::planner

#endif // SWIZZLE_LIB_PLANNER_ORDERS_SEARCHSPACE_H
