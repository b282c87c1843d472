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

#include "Eval/Enumerate.h"
#include "Eval/BatchEvaluator.h"
#include "Eval/Builder.h"
#include "swizzle/Formula/Orders/Curves.h"

#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace swizzle;
using namespace swizzle::formula;

namespace {

using Values = std::vector<std::optional<int64_t>>; ///< by slot
using Program = BoundFormula::Program;

/// The value of one operation; nullopt where it is undefined.
std::optional<int64_t> evaluateOp(Op op, int64_t a, int64_t b, int64_t c) {
  __int128 wide = 0;
  switch (op) {
  case Op::Add:
    wide = __int128(a) + b;
    break;
  case Op::Sub:
    wide = __int128(a) - b;
    break;
  case Op::Mul:
    wide = __int128(a) * b;
    break;
  case Op::Div:
  case Op::Mod: {
    if (b == 0)
      return std::nullopt;
    __int128 quotient = __int128(a) / b;
    if (quotient * b != a && (a < 0) != (b < 0))
      --quotient;
    wide = op == Op::Div ? quotient : a - quotient * b;
    break;
  }
  case Op::Shl:
    if (b < 0 || b > 63)
      return std::nullopt;
    wide = __int128(a) * (__int128(1) << b);
    break;
  case Op::Shr:
    if (b < 0 || b > 63)
      return std::nullopt;
    return a >> b;
  case Op::Min:
    return std::min(a, b);
  case Op::Max:
    return std::max(a, b);
  case Op::And:
    return a & b;
  case Op::Or:
    return a | b;
  case Op::Xor:
    return a ^ b;
  case Op::Less:
    return a < b;
  case Op::LessEqual:
    return a <= b;
  case Op::Equal:
    return a == b;
  case Op::NotEqual:
    return a != b;
  default: {
    if (!isCurvePoint(a, b, c))
      return std::nullopt;
    bool isHilbert = op == Op::HilbertX || op == Op::HilbertY;
    CurvePoint point = isHilbert ? hilbertPoint(a, b, c) : mortonPoint(a, b, c);
    return op == Op::HilbertX || op == Op::MortonX ? point.x : point.y;
  }
  }
  if (wide < INT64_MIN || wide > INT64_MAX)
    return std::nullopt;
  return int64_t(wide);
}

/// Whoever looks at checks finds nothing.
Values evaluateOne(const Program &graph, WorkgroupId id) {
  Values values(graph.code.size());
  const int64_t at[3] = {id.x, id.y, id.z};
  for (Slot slot = 0; slot < graph.code.size(); ++slot) {
    const Instruction &in = graph.code[slot];
    auto operand = [&](unsigned i) { return values[in.operand(i)]; };
    if (in.op == Op::Constant) {
      values[slot] = in.low;
    } else if (in.op <= Op::Z) {
      values[slot] = at[unsigned(in.op) - unsigned(Op::X)];
    } else if (in.op == Op::Select) {
      if (operand(0))
        values[slot] = *operand(0) ? operand(1) : operand(2);
    } else if (!isCheck(in.op)) {
      bool defined = true;
      for (unsigned i = 0; i < in.numOperands(); ++i)
        defined &= operand(i).has_value();
      if (defined)
        values[slot] = evaluateOp(in.op, *operand(0), *operand(1),
                                  in.numOperands() > 2 ? *operand(2) : 0);
    }
  }
  return values;
}

/// A graph over `grid` that tests add to.
struct TestGraph {
  explicit TestGraph(const Grid &grid) : builder(program) {
    program.environment.grid = grid;
    for (unsigned axis = 0; axis < 3; ++axis)
      ids[axis] = builder.input(Op(unsigned(Op::X) + axis), grid[axis] - 1);
  }
  Slot make(ExprKind kind, Slot a, Slot b) {
    return builder.binary(kind, a, b, {});
  }
  Program finish() {
    completeForReader(program);
    return program;
  }

  Program program;
  Builder builder;
  Slot ids[3];
};

Program randomGraph(std::mt19937 &random, const Grid &grid) {
  static const int64_t numbers[] = {
      0,         1,         2,         3,         7,         8,
      31,        32,        61,        64,        1000,      65536,
      -1,        -2,        -8,        -61,       INT32_MAX, INT32_MIN,
      1LL << 31, 1LL << 32, 1LL << 40, INT64_MAX, INT64_MIN, 1LL << 20};
  static const ExprKind kinds[] = {
      ExprKind::Add,     ExprKind::Sub,       ExprKind::Mul,
      ExprKind::Mod,     ExprKind::FloorDiv,  ExprKind::And,
      ExprKind::Or,      ExprKind::Xor,       ExprKind::Shl,
      ExprKind::Shr,     ExprKind::Min,       ExprKind::Max,
      ExprKind::Less,    ExprKind::LessEqual, ExprKind::Equal,
      ExprKind::NotEqual};
  static const ExprKind curves[] = {ExprKind::HilbertX, ExprKind::HilbertY,
                                    ExprKind::MortonX, ExprKind::MortonY};
  TestGraph graph(grid);
  Builder &builder = graph.builder;
  std::vector<Slot> slots(graph.ids, graph.ids + 3);
  // Every second graph stays in 32 bits, as far as it can.
  bool isSmall = random() % 2;
  for (unsigned i = 0; i < 8; ++i) {
    int64_t number = numbers[random() % std::size(numbers)];
    slots.push_back(builder.constant(isSmall ? number % 7 : number));
  }
  auto any = [&] { return slots[random() % slots.size()]; };
  for (unsigned i = 0; i < 40; ++i) {
    unsigned kind = random() % (std::size(kinds) + std::size(curves) + 1);
    Slot a = any(), b = any(), c = any(), made;
    if (isSmall && kind < 3) {
      Slot wide = graph.make(kinds[kind], a, b);
      made = graph.make(ExprKind::Mod, wide, builder.constant(1 + kind * 50));
      if (builder.low(wide) >= INT32_MIN && builder.high(wide) <= INT32_MAX)
        made = wide;
    } else if (kind < std::size(kinds)) {
      made = graph.make(kinds[kind], a, b);
    } else if (kind < std::size(kinds) + std::size(curves)) {
      made = builder.curve(curves[kind - std::size(kinds)], a, b, c, {});
    } else {
      made = builder.select(builder.truth(a), b, c);
    }
    slots.push_back(made);
  }
  // A curve over the grid itself, which random operands hardly ever make.
  slots.push_back(builder.curve(ExprKind::HilbertX, slots[0],
                                builder.constant(64), slots[3], {}));
  return graph.finish();
}

const Grid grids[] = {Grid(1), Grid(97, 31), Grid(64, 64, 2), Grid(5, 3, 200)};

TEST(Enumerate, BatchesAgreeWithOneAtATime) {
  std::mt19937 random(3);
  unsigned narrow = 0, wide = 0, undefined = 0;
  for (unsigned round = 0; round < 120; ++round) {
    const Grid &grid = grids[round % std::size(grids)];
    Program graph = randomGraph(random, grid);
    BatchEvaluator batch(graph);
    for (int64_t first = 0; first < grid.count(); first += kBatch) {
      int64_t count = std::min(kBatch, grid.count() - first);
      batch.run(first, count);
      for (Slot slot = 0; slot < graph.code.size(); ++slot) {
        narrow += batch[slot].narrow != nullptr;
        wide += batch[slot].wide != nullptr;
        undefined += batch[slot].undefined != nullptr;
      }
      for (int64_t lane = 0; lane < count; ++lane) {
        Values expected = evaluateOne(graph, delinearise(first + lane, grid));
        for (Slot slot = 0; slot < graph.code.size(); ++slot) {
          if (isCheck(graph.code[slot].op))
            continue;
          const Lanes &lanes = batch[slot];
          ASSERT_EQ(lanes.isUndefined(lane), !expected[slot])
              << "round " << round << ", slot " << slot;
          if (!expected[slot])
            continue;
          ASSERT_EQ(lanes.value(lane), *expected[slot])
              << "round " << round << ", slot " << slot << " of kind "
              << unsigned(graph.code[slot].op);
          ASSERT_LE(lanes.low, *expected[slot]);
          ASSERT_GE(lanes.high, *expected[slot]);
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
  for (unsigned round = 0; round < 120; ++round) {
    const Grid &grid = grids[round % std::size(grids)];
    Program graph = randomGraph(random, grid);
    std::vector<Values> all(graph.code.size()); // by slot, then workgroup
    for (int64_t i = 0; i < grid.count(); ++i) {
      Values values = evaluateOne(graph, delinearise(i, grid));
      for (Slot node = 0; node < graph.code.size(); ++node)
        all[node].push_back(values[node]);
    }
    for (Slot node = 0; node < graph.code.size(); ++node)
      if (isCheck(graph.code[node].op))
        all[node].clear(); // agrees with nothing
    std::vector<NodeFacts> facts = enumerate(graph);
    for (Slot node = 0; node < graph.code.size(); ++node) {
      if (isCheck(graph.code[node].op))
        continue;
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
      Slot same = std::find(all.begin(), all.end(), all[node]) - all.begin();
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
  for (int64_t width : {61, 60}) {
    TestGraph graph(Grid(width, 97));
    auto number = [&](int64_t value) { return graph.builder.constant(value); };
    Slot last = graph.make(
        ExprKind::And, graph.make(ExprKind::Equal, graph.ids[0], number(60)),
        graph.make(ExprKind::Equal, graph.ids[1], number(96)));
    Slot parity = graph.make(ExprKind::And, graph.ids[0], number(1));
    Slot other = graph.make(ExprKind::Or, parity, last);
    std::vector<NodeFacts> facts = enumerate(graph.finish());
    EXPECT_EQ(facts[other].same, width == 61 ? other : parity);
  }
}

TEST(Enumerate, ThresholdsTellTwoValuesApart) {
  // The height of the last group of 8 rows on 61 rows.
  TestGraph graph(Grid(96, 61));
  auto number = [&](int64_t value) { return graph.builder.constant(value); };
  Slot x = graph.ids[0], y = graph.ids[1];
  Slot group = graph.make(ExprKind::FloorDiv, y, number(8));
  Slot rest = graph.make(ExprKind::Sub, number(61),
                         graph.make(ExprKind::Mul, group, number(8)));
  Slot height = graph.make(ExprKind::Min, rest, number(8));
  Slot parity = graph.make(ExprKind::And, x, number(1));
  Program program = graph.finish();
  std::vector<NodeFacts> facts = enumerate(program);
  ThresholdQuery queries[] = {{height, {x, y, group}}, {parity, {y, x}}};
  auto found = findThresholds(program, facts, queries);
  ASSERT_EQ(found.size(), 2u);
  ASSERT_TRUE(found[0]);
  EXPECT_EQ(found[0]->node, y);
  EXPECT_EQ(found[0]->bound, 56);
  EXPECT_EQ(found[0]->above, 0u); // 5 rows, the smaller value
  EXPECT_FALSE(found[1]);
}

} // namespace
