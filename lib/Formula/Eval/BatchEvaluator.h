//===- BatchEvaluator.h - All nodes for some workgroups ------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates a graph for consecutive workgroups, a batch at a time. Values are
// computed in 32 bits wherever the ranges that the operands have in the batch
// show that nothing can leave them, which is nearly everywhere; and in checked
// 64 bits, lane by lane, elsewhere. Lanes for which a node is undefined hold 0
// and a flag.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_EVAL_BATCHEVALUATOR_H
#define SWIZZLE_LIB_FORMULA_EVAL_BATCHEVALUATOR_H

#include "WideGraph.h"
#include "swizzle/Formula/Orders/Curves.h"
#include <array>
#include <optional>
#include <vector>

namespace swizzle::lowering {

constexpr int64_t kBatch = 1024;

/// The values of one node in one batch.
struct Lanes {
  /// All values fit in 32 bits and none is undefined: `narrow` holds them.
  bool isNarrow = false;
  /// `wide` and `undefined` hold them (too).
  bool isWide = false;
  bool anyUndefined = false;
  /// Range of the values that are defined.
  int64_t low = INT64_MAX, high = INT64_MIN;
  std::array<int32_t, kBatch> narrow;
  std::array<int64_t, kBatch> wide;
  std::array<bool, kBatch> undefined;

  int64_t value(int64_t lane) const {
    return isNarrow ? narrow[lane] : wide[lane];
  }
  bool isUndefined(int64_t lane) const { return !isNarrow && undefined[lane]; }
};

/// True if two nodes are undefined for the same lanes and agree on the others.
bool agree(const Lanes &a, const Lanes &b, int64_t count);

/// Evaluates all nodes of a graph whose extents are constants.
class BatchEvaluator {
public:
  BatchEvaluator(const WideGraph &graph, const Grid &grid);

  /// For workgroups first .. first + count - 1, count <= kBatch.
  void run(int64_t first, int64_t count);
  const Lanes &operator[](NodeId node) const { return lanes[node]; }

private:
  void runIds(unsigned axis, int64_t first, Lanes &out);
  void runNode(const Node &node, Lanes &out);
  bool runNarrow(const Node &node, const Lanes &a, const Lanes &b,
                 const Lanes &c, Lanes &out);
  bool runDivision(bool remainder, const Lanes &a, const Lanes &b, Lanes &out);
  void runWide(const Node &node, Lanes &out);
  void runCurve(const Node &node, Lanes &out);
  void finishNarrow(Lanes &out);
  void finishWide(Lanes &out);
  const Lanes &widened(NodeId node);

  const WideGraph &graph;
  Grid grid;
  int64_t count = 0;
  std::vector<Lanes> lanes;
  /// The coordinates of a curve are usually wanted together: what the last
  /// curve gave in this batch.
  std::optional<std::tuple<bool, NodeId, NodeId, NodeId>> lastCurve;
  std::array<CurvePoint, kBatch> points;
  bool allPoints = false; ///< every lane of them is a point of its curve
  HilbertWalk hilbert;
};

} // namespace swizzle::lowering

#endif // SWIZZLE_LIB_FORMULA_EVAL_BATCHEVALUATOR_H
