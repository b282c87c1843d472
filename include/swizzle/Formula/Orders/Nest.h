//===- Nest.h - Loop nests over the grid ------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Row-major, column-major, super-groups, bands, 2-D blocks, head maps and XCD
// chunks are one thing: split each grid axis into pieces (the last may be
// short), order the pieces as loops, and deal the positions to the dies. Such a
// nest is a permutation by construction, for every extent, known or not.
//
//   "y/2, x, y" on 4 x 4, the order in which the tiles are worked on:
//      0  2  4  6      two rows at a time, each pair column by column
//      1  3  5  7
//      8 10 12 14
//      9 11 13 15
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_FORMULA_ORDERS_NEST_H
#define SWIZZLE_FORMULA_ORDERS_NEST_H

#include "swizzle/Formula/Formula.h"

namespace swizzle {

/// How dispatch ids become positions in the nest.
enum class Deal : uint8_t {
  None,       ///< position = id
  Contiguous, ///< die d takes the d-th contiguous share (balanced, any count)
  Chunked,    ///< dies take chunks of `chunk` positions in turn; tail as is
};

/// One loop. Walks what is left of `axis` in pieces of `tile`; the last piece
/// may be short. The last level of an axis has tile 1.
struct NestLevel {
  unsigned axis = 0;
  int64_t tile = 1;
  /// Goes backwards while the loop around it is at an odd step. Only for a loop
  /// of tile 1 that has a loop around it.
  bool serpentine = false;
};

struct LoopNest {
  Deal deal = Deal::None;
  int64_t chunk = 1;             ///< Chunked
  std::vector<NestLevel> levels; ///< outermost first; covers all three axes

  /// x innermost, then y, z: the identity.
  static LoopNest rowMajor();

  /// An empty string if each axis ends in a level of tile 1, tiles shrink
  /// inwards, each dividing the one before, and serpentine loops are allowed to
  /// be so; else what is wrong.
  std::string verify() const;

  /// The nest as a formula for grids whose axes from `rank` on have extent 1;
  /// at most `rank` (1, 2 or 3) axes are returned, fewer if the outer ones stay
  /// as they are. It names `num_xcds` if it deals. The nest is well formed.
  Formula toFormula(unsigned rank) const;

  /// New id of the workgroup dealt as linear `id`: the meaning of a nest,
  /// straight. `grid` is static; 0 <= id < grid.count().
  WorkgroupId evaluate(int64_t id, const Grid &grid, int64_t numDies) const;

  /// New linear ids of the workgroups dealt as `first` .. `first` + `count` - 1
  /// (fewer if the grid ends), all at once: much faster than one by one. The
  /// grid is static and has fewer than 2^32 workgroups.
  std::vector<uint32_t> permutation(const Grid &grid, int64_t numDies,
                                    int64_t first, int64_t count) const;

  /// "deal contiguous; y/8, x, y".
  std::string describe() const;

  /// The same in plain words: "in groups of 8 rows, column by column; each die
  /// a share in one piece".
  std::string explain() const;
};

/// The nest that `formula` computes for every grid, if it is recognised as one.
/// `environment.params` are complete; hardware constants are taken from it.
std::optional<LoopNest> recogniseNest(const Formula &formula,
                                      const Environment &environment);

} // namespace swizzle

#endif // SWIZZLE_FORMULA_ORDERS_NEST_H
