//===- Enumerate.h - What all workgroups make of a graph --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On a known grid every value of a graph is evaluated for every workgroup. What
// that finds (ranges, constants, values that always agree, divisors with a few
// values, maps that only move bits) is what makes machine code short.
//
// A value may be undefined for some workgroups (a division by zero on the side
// of a conditional that those workgroups do not take); it is then an integer
// for the others only.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_EVAL_ENUMERATE_H
#define SWIZZLE_LIB_FORMULA_EVAL_ENUMERATE_H

#include "Program.h"
#include "llvm/ADT/SmallVector.h"

namespace swizzle::formula {

/// What is known of a value over all workgroups for which it is
/// defined.
struct NodeFacts {
  int64_t low = INT64_MAX, high = INT64_MIN;
  bool everUndefined = false;
  /// The first value that is the same, undefined for the same workgroups.
  Slot same = 0;
  /// The distinct values, if they are at most `maxDistinct`.
  static constexpr unsigned maxDistinct = 4;
  llvm::SmallVector<int64_t, maxDistinct> distinct;
  bool manyValues = false;
  /// Power-of-two grids: the value of workgroup i is `base` xor the exclusive
  /// or of `columns[k]` over the bits k that are set in i.
  bool bitLinear = false;
  int64_t base = 0;
  std::vector<int64_t> columns;
};

/// Evaluates every value of `graph`, whose grid is known, for every workgroup.
std::vector<NodeFacts> enumerate(const BoundFormula::Program &graph);

/// A test `node >= bound` (or its negation) that separates the two values of
/// another node.
struct Threshold {
  Slot node = 0;
  int64_t bound = 0;
  /// Where the test holds the value is `distinct[above]`.
  unsigned above = 0;
};

/// A node of exactly two values that is never undefined, and the nodes on which
/// a threshold may tell them apart.
struct ThresholdQuery {
  Slot node = 0;
  std::vector<Slot> candidates;
};

/// For each query a threshold on the first candidate, in their order, that has
/// one.
std::vector<std::optional<Threshold>>
findThresholds(const BoundFormula::Program &graph,
               llvm::ArrayRef<NodeFacts> facts,
               llvm::ArrayRef<ThresholdQuery> queries);

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_EVAL_ENUMERATE_H
