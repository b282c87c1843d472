//===- EnumerateTest.cpp - Batches against one workgroup at a time --------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random graphs over numbers of all sizes, so that nodes go from 32 bits to 64
// and back, and are undefined here and there; the oracle evaluates one node for
// one workgroup.
//
//===----------------------------------------------------------------------===//

#include "Eval/BatchEvaluator.h"
#include "Eval/WideGraph.h"

#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace swizzle;
using namespace swizzle::lowering;

namespace {

using Values = std::vector<std::optional<int64_t>>; ///< by node

Values evaluateOne(const WideGraph &graph, WorkgroupId id) {
  Values values(graph.size());
  const int64_t at[3] = {id.x, id.y, id.z};
  for (NodeId n = 0; n < graph.size(); ++n) {
    const Node &node = graph[n];
    auto operand = [&](unsigned i) { return values[node.operands[i]]; };
    if (node.kind == NodeKind::Constant) {
      values[n] = node.value;
    } else if (node.kind == NodeKind::Id) {
      values[n] = at[node.value];
    } else if (node.kind == NodeKind::Select) {
      if (operand(0))
        values[n] = *operand(0) ? operand(1) : operand(2);
    } else {
      bool defined = true;
      for (unsigned i = 0; i < node.numOperands; ++i)
        defined &= operand(i).has_value();
      if (defined)
        values[n] = evaluateNode(node.kind, *operand(0), *operand(1),
                                 node.numOperands > 2 ? *operand(2) : 0);
    }
  }
  return values;
}

WideGraph randomGraph(std::mt19937 &random) {
  static const int64_t numbers[] = {
      0,         1,         2,         3,         7,         8,
      31,        32,        61,        64,        1000,      65536,
      -1,        -2,        -8,        -61,       INT32_MAX, INT32_MIN,
      1LL << 31, 1LL << 32, 1LL << 40, INT64_MAX, INT64_MIN, 1LL << 20};
  WideGraph graph;
  std::vector<NodeId> nodes;
  for (unsigned axis = 0; axis < 3; ++axis)
    nodes.push_back(graph.id(axis));
  for (unsigned i = 0; i < 8; ++i)
    nodes.push_back(graph.constant(numbers[random() % std::size(numbers)]));
  auto any = [&] { return nodes[random() % nodes.size()]; };
  for (unsigned i = 0; i < 40; ++i) {
    auto kind = NodeKind(
        unsigned(NodeKind::Add) +
        random() % (unsigned(NodeKind::MortonY) + 1 - unsigned(NodeKind::Add)));
    if (kind >= NodeKind::Select)
      nodes.push_back(graph.make(kind, {any(), any(), any()}));
    else
      nodes.push_back(graph.make(kind, {any(), any()}));
  }
  // A curve over the grid itself, which random operands hardly ever make.
  nodes.push_back(
      graph.make(NodeKind::HilbertX, {nodes[0], graph.constant(64), nodes[3]}));
  return graph;
}

const Grid grids[] = {Grid(1), Grid(97, 31), Grid(64, 64, 2), Grid(5, 3, 200)};

TEST(Enumerate, BatchesAgreeWithOneAtATime) {
  std::mt19937 random(3);
  unsigned narrow = 0, wide = 0, undefined = 0;
  for (unsigned round = 0; round < 60; ++round) {
    WideGraph graph = randomGraph(random);
    const Grid &grid = grids[round % std::size(grids)];
    BatchEvaluator batch(graph, grid);
    for (int64_t first = 0; first < grid.count(); first += kBatch) {
      int64_t count = std::min(kBatch, grid.count() - first);
      batch.run(first, count);
      for (NodeId node = 0; node < graph.size(); ++node) {
        narrow += batch[node].isNarrow;
        wide += !batch[node].isNarrow;
        undefined += batch[node].anyUndefined;
      }
      for (int64_t lane = 0; lane < count; ++lane) {
        Values expected = evaluateOne(graph, delinearise(first + lane, grid));
        for (NodeId node = 0; node < graph.size(); ++node) {
          const Lanes &lanes = batch[node];
          ASSERT_EQ(lanes.isUndefined(lane), !expected[node])
              << "round " << round << ", node " << node;
          if (!expected[node])
            continue;
          ASSERT_EQ(lanes.value(lane), *expected[node])
              << "round " << round << ", node " << node << " of kind "
              << unsigned(graph[node].kind);
          ASSERT_LE(lanes.low, *expected[node]);
          ASSERT_GE(lanes.high, *expected[node]);
        }
      }
    }
  }
  // All three ways were taken.
  EXPECT_GT(narrow, 1000u);
  EXPECT_GT(wide, 1000u);
  EXPECT_GT(undefined, 1000u);
}

TEST(Enumerate, FactsAreThoseOfAllValues) {
  std::mt19937 random(4);
  unsigned linear = 0, merged = 0;
  for (unsigned round = 0; round < 60; ++round) {
    WideGraph graph = randomGraph(random);
    const Grid &grid = grids[round % std::size(grids)];
    std::vector<Values> all(graph.size()); // by node, then workgroup
    for (int64_t i = 0; i < grid.count(); ++i) {
      Values values = evaluateOne(graph, delinearise(i, grid));
      for (NodeId node = 0; node < graph.size(); ++node)
        all[node].push_back(values[node]);
    }
    std::vector<NodeFacts> facts = enumerate(graph, grid);
    for (NodeId node = 0; node < graph.size(); ++node) {
      const NodeFacts &fact = facts[node];
      std::set<int64_t> distinct;
      bool anyUndefined = false;
      for (std::optional<int64_t> value : all[node]) {
        anyUndefined |= !value;
        if (value)
          distinct.insert(*value);
      }
      EXPECT_EQ(fact.everUndefined, anyUndefined);
      EXPECT_EQ(fact.manyValues, distinct.size() > NodeFacts::maxDistinct);
      if (!distinct.empty()) {
        EXPECT_EQ(fact.low, *distinct.begin());
        EXPECT_EQ(fact.high, *distinct.rbegin());
      }
      if (!fact.manyValues) {
        EXPECT_EQ(
            std::vector<int64_t>(fact.distinct.begin(), fact.distinct.end()),
            std::vector<int64_t>(distinct.begin(), distinct.end()));
      }
      NodeId same = std::find(all.begin(), all.end(), all[node]) - all.begin();
      EXPECT_EQ(fact.same, same) << "round " << round << ", node " << node;
      merged += same != node;

      bool powerOfTwo = (grid.count() & (grid.count() - 1)) == 0;
      bool bitLinear = powerOfTwo && !anyUndefined;
      for (int64_t i = 1; bitLinear && i < grid.count(); ++i) {
        int64_t rest = i & (i - 1);
        bitLinear = *all[node][i] ==
                    (*all[node][rest] ^ *all[node][i ^ rest] ^ *all[node][0]);
      }
      EXPECT_EQ(fact.bitLinear, bitLinear)
          << "round " << round << ", node " << node;
      linear += bitLinear && distinct.size() > 1;
    }
  }
  EXPECT_GT(linear, 20u);
  EXPECT_GT(merged, 100u);
}

TEST(Enumerate, AgreementIsNotJudgedByRangesAlone) {
  // They differ for the very last workgroup only, in the middle of the range.
  WideGraph graph;
  NodeId x = graph.id(0), y = graph.id(1);
  NodeId last = graph.make(
      NodeKind::And, {graph.make(NodeKind::Equal, {x, graph.constant(60)}),
                      graph.make(NodeKind::Equal, {y, graph.constant(96)})});
  NodeId parity = graph.make(NodeKind::And, {x, graph.constant(1)});
  NodeId other = graph.make(NodeKind::Or, {parity, last});
  std::vector<NodeFacts> facts = enumerate(graph, Grid(61, 97));
  EXPECT_EQ(facts[other].same, other);
  facts = enumerate(graph, Grid(60, 97));
  EXPECT_EQ(facts[other].same, parity);
}

TEST(Enumerate, ThresholdsTellTwoValuesApart) {
  // The height of the last group of 8 rows on 61 rows.
  WideGraph graph;
  NodeId y = graph.id(1), x = graph.id(0);
  NodeId group = graph.make(NodeKind::FloorDiv, {y, graph.constant(8)});
  NodeId rest = graph.make(
      NodeKind::Sub, {graph.constant(61),
                      graph.make(NodeKind::Mul, {group, graph.constant(8)})});
  NodeId height = graph.make(NodeKind::Min, {rest, graph.constant(8)});
  NodeId parity = graph.make(NodeKind::And, {x, graph.constant(1)});
  Grid grid(96, 61);
  std::vector<NodeFacts> facts = enumerate(graph, grid);
  ThresholdQuery queries[] = {{height, {x, y, group}}, {parity, {y, x}}};
  auto found = findThresholds(graph, grid, facts, queries);
  ASSERT_EQ(found.size(), 2u);
  ASSERT_TRUE(found[0]);
  EXPECT_EQ(found[0]->node, y);
  EXPECT_EQ(found[0]->bound, 56);
  EXPECT_EQ(found[0]->above, 0u); // 5 rows, the smaller value
  EXPECT_FALSE(found[1]);
}

} // namespace
