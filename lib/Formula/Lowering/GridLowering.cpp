//===- GridLowering.cpp - Lowering on a known grid ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every node has been evaluated for every workgroup, so whatever holds for all
// of them may be used:
//
// - nodes that agree everywhere are one node, and a node that is always the
//   same is a constant (`min(d, 0)`, a group that is never short);
// - on a grid of powers of two, a node that is linear over GF(2) in the bits of
//   the ids is a few bit fields, taken straight from x, y and z: no linear id
//   is ever formed;
// - a divisor that takes two values is told apart by comparing a node that is
//   needed anyway with a bound, and the division multiplies by one of two
//   reciprocals.
//
// Not every one of these is cheaper everywhere; the few combinations are all
// tried, and the cheapest stands. None of it is trusted: the emitted operations
// are compared with the formula for every workgroup.
//
//===----------------------------------------------------------------------===//

#include "GridLowering.h"
#include "BitFields.h"
#include "GraphLowering.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace swizzle::formula {

namespace {

struct Strategy {
  enum class Bits { Never, Results, Everywhere };
  Bits bits = Bits::Never;
  /// A threshold chooses between reciprocals; and stands for the divisor too.
  enum class Thresholds { Never, Reciprocals, Everywhere };
  Thresholds thresholds = Thresholds::Never;
};

/// What enumeration found of a graph.
struct Enumerated {
  llvm::ArrayRef<NodeFacts> facts;
  llvm::ArrayRef<Slot> representative;
  const std::map<Slot, Threshold> &thresholds;
};

/// Lowers one graph in one way.
class GridLowering : public GraphLowering, Enumerated {
public:
  GridLowering(const BoundFormula::Program &graph, const Enumerated &found,
               Strategy strategy, bool trustIds, LoweredFormula &out)
      : GraphLowering(graph, trustIds, out), Enumerated(found),
        strategy(strategy), trustIds(trustIds) {}

  void run();

private:
  llvm::SmallVector<Slot, 4> dependencies(Slot node) const override;
  Slot standsFor(Slot node) const override { return representative[node]; }
  Range known(Slot node) const override {
    const NodeFacts &fact = facts[node];
    return {fact.low, fact.high, trustIds && !fact.everUndefined};
  }
  OpId lower(Slot node) override;
  OpId lowerDivision(Slot node) override;

  bool asBitFields(Slot node) const;
  bool isResult(Slot node) const;
  /// What `node` always is, if that is one number.
  std::optional<int64_t> constant(Slot node) const {
    return asConstant(graph, representative[node]);
  }
  /// Whether a quotient of these operands reaches a result by sums and scalings
  /// only.
  bool isNearResult(const Instruction &division) const {
    return nearResults.count(
        {representative[division.a], representative[division.b]});
  }
  /// Whether the operations of a node can show how large it is, once its
  /// quotients do.
  bool showsBound(Slot node) const;
  void findNearResults();
  OpId thresholdTest(const Threshold &threshold);
  /// The threshold of `node`, if thresholds are used at least as much as that.
  const Threshold *thresholdOf(Slot node, Strategy::Thresholds use) const {
    auto found = thresholds.find(node);
    return strategy.thresholds < use || found == thresholds.end()
               ? nullptr
               : &found->second;
  }

  Strategy strategy;
  bool trustIds;
  llvm::DenseSet<std::pair<Slot, Slot>> nearResults;
};

} // namespace

bool GridLowering::isResult(Slot node) const {
  for (Slot result : graph.results)
    if (representative[result] == node)
      return true;
  return false;
}

bool GridLowering::asBitFields(Slot node) const {
  if (!facts[node].bitLinear || code[node].numOperands() == 0)
    return false;
  if (strategy.bits == Strategy::Bits::Everywhere)
    return true;
  return strategy.bits == Strategy::Bits::Results && isResult(node);
}

llvm::SmallVector<Slot, 4> GridLowering::dependencies(Slot node) const {
  llvm::SmallVector<Slot, 4> result;
  if (asBitFields(node))
    return result;
  if (auto *threshold = thresholdOf(node, Strategy::Thresholds::Everywhere))
    return {representative[threshold->node]};
  result = GraphLowering::dependencies(node);
  // A division asks what tells its divisor's values apart.
  bool divides = code[node].op == Op::Div || code[node].op == Op::Mod;
  if (divides)
    if (auto *split = thresholdOf(result[1], Strategy::Thresholds::Reciprocals))
      result.push_back(representative[split->node]);
  return result;
}

OpId GridLowering::thresholdTest(const Threshold &threshold) {
  return builder.lessEqual(builder.constant(threshold.bound),
                           integer(threshold.node));
}

OpId GridLowering::lowerDivision(Slot node) {
  bool remainder = code[node].op == Op::Mod;
  Slot divisorNode = representative[code[node].b];
  OpId dividend = integer(code[node].a);
  OpId divisor = integer(divisorNode);
  const NodeFacts &fact = facts[divisorNode];
  llvm::SmallVector<int64_t, 4> values;
  for (int64_t value : fact.distinct)
    if (value != 0) // Undefined there, so never needed.
      values.push_back(value);
  Range quotientRange = remainder ? Range{} : known(node);
  if (!fact.manyValues && values.size() == 1)
    divisor = builder.constant(values[0]);
  if (fact.manyValues || values.size() < 2 || builder.asConstant(divisor)) {
    bool visible = isNearResult(code[node]);
    if (!remainder)
      return builder.floorDiv(dividend, divisor, quotientRange, visible);
    return builder.floorMod(dividend, divisor, known(node), visible);
  }
  std::optional<OpId> isSecond;
  if (auto *split =
          thresholdOf(divisorNode, Strategy::Thresholds::Reciprocals)) {
    isSecond = thresholdTest(*split);
    if (split->above == 0)
      std::reverse(values.begin(), values.end());
  }
  OpId quotient = builder.floorDivByOneOf(dividend, divisor, values, isSecond,
                                          quotientRange);
  return remainder ? builder.remainder(dividend, divisor, quotient, known(node))
                   : quotient;
}

OpId GridLowering::lower(Slot node) {
  const NodeFacts &fact = facts[node];
  if (asBitFields(node))
    return emitBitFields(builder, grid, fact);
  if (auto *split = thresholdOf(node, Strategy::Thresholds::Everywhere))
    return builder.select(
        thresholdTest(*split), builder.constant(fact.distinct[split->above]),
        builder.constant(fact.distinct[1 - split->above]), known(node));
  return lowerOperation(node);
}

bool GridLowering::showsBound(Slot id) const {
  // Nodes come after their operands: a short walk, shared parts aside.
  std::vector<Slot> stack = {id};
  for (unsigned budget = 64; !stack.empty(); --budget) {
    const Instruction &node = code[stack.back()];
    stack.pop_back();
    if (budget == 0)
      return false;
    switch (node.op) {
    case Op::Constant:
    case Op::X:
    case Op::Y:
    case Op::Z:
    case Op::And:
      break;
    case Op::Div:
      if (!constant(node.b))
        return false;
      break;
    case Op::Mod: {
      auto divisor = constant(node.b);
      if (!divisor || *divisor <= 0 || !llvm::isPowerOf2_64(*divisor))
        return false;
      break;
    }
    case Op::Add:
    case Op::Mul:
    case Op::Shl:
    case Op::Shr:
    case Op::Or:
      for (unsigned i = 0; i < node.numOperands(); ++i)
        stack.push_back(representative[node.operand(i)]);
      break;
    default:
      return false;
    }
  }
  return true;
}

void GridLowering::findNearResults() {
  std::vector<Slot> stack;
  for (Slot result : graph.results)
    if (showsBound(representative[result])) // Else a minimum has to.
      stack.push_back(representative[result]);
  while (!stack.empty()) {
    const Instruction &node = code[stack.back()];
    stack.pop_back();
    if (node.op == Op::Div)
      nearResults.insert({representative[node.a], representative[node.b]});
    // A shift shows no more than its operand does.
    bool shifts = node.op == Op::Shr;
    if (node.op == Op::Div)
      if (auto divisor = constant(node.b))
        shifts = *divisor > 0 && llvm::isPowerOf2_64(*divisor);
    if (shifts)
      stack.push_back(representative[node.a]);
    bool passesOn = node.op == Op::Add || node.op == Op::Mul ||
                    node.op == Op::Shl || node.op == Op::Or;
    for (unsigned i = 0; passesOn && i < node.numOperands(); ++i)
      stack.push_back(representative[node.operand(i)]);
  }
}

void GridLowering::run() {
  findNearResults();
  lowerAll();
  OpId results[3];
  for (unsigned axis = 0; axis < 3; ++axis)
    results[axis] =
        builder.showBound(integer(graph.results[axis]), grid[axis] - 1);
  builder.finish(results[0], results[1], results[2]);
}

static bool isId(Op op) { return op >= Op::X && op <= Op::Z; }

/// Nodes of two values that are used as divisors, or that take more than a
/// comparison and a choice to compute, and how to tell the values apart.
static std::map<Slot, Threshold>
findThresholds(const BoundFormula::Program &graph,
               llvm::ArrayRef<NodeFacts> facts,
               llvm::ArrayRef<Slot> representative) {
  const std::vector<Instruction> &code = graph.code;
  std::vector<bool> needed(code.size(), false);
  for (Slot result : graph.results)
    needed[representative[result]] = true;
  auto isTwoValued = [&](Slot node) {
    Op kind = code[node].op;
    return (kind == Op::Min || kind == Op::Max || kind == Op::Sub ||
            kind == Op::Select) &&
           !facts[node].manyValues && facts[node].distinct.size() == 2 &&
           !facts[node].everUndefined;
  };
  std::vector<Slot> twoValued;
  for (Slot node = code.size(); node-- > 0;) {
    if (!needed[node])
      continue;
    if (isTwoValued(node)) {
      twoValued.push_back(node);
      continue; // What only it needs is no candidate.
    }
    for (unsigned i = 0; i < code[node].numOperands(); ++i)
      needed[representative[code[node].operand(i)]] = true;
  }
  std::vector<ThresholdQuery> queries;
  for (Slot node : twoValued) {
    ThresholdQuery &query = queries.emplace_back();
    query.node = node;
    for (Slot candidate = 0; candidate < node; ++candidate)
      if ((needed[candidate] || isId(code[candidate].op)) &&
          code[candidate].op != Op::Constant &&
          !llvm::is_contained(twoValued, candidate) &&
          facts[candidate].low < facts[candidate].high)
        query.candidates.push_back(candidate);
  }
  std::map<Slot, Threshold> result;
  constexpr size_t maxUsed = 4; // each is one more comparison
  for (auto [query, threshold] :
       llvm::zip_equal(queries, findThresholds(graph, facts, queries)))
    if (threshold && result.size() < maxUsed)
      result[query.node] = *threshold;
  return result;
}

LoweredFormula lowerOnGrid(const BoundFormula::Program &input,
                           llvm::ArrayRef<NodeFacts> inputFacts,
                           const LoweringOptions &options) {
  BoundFormula::Program graph = input;
  std::vector<NodeFacts> facts(inputFacts.begin(), inputFacts.end());
  // For each node the one that stands for it: a constant, or the first node
  // that agrees with it for every workgroup.
  std::vector<Slot> representative;
  for (const NodeFacts &fact : facts)
    representative.push_back(fact.same);
  // Constants may be new nodes of the graph.
  size_t numNodes = graph.code.size();
  for (Slot node = 0; node < numNodes; ++node) {
    const NodeFacts fact = facts[node];
    if (fact.low != fact.high || fact.everUndefined)
      continue;
    Slot constant = constantIn(graph, fact.low);
    if (constant == facts.size()) {
      facts.push_back(fact);
      representative.push_back(constant);
    }
    representative[node] = constant;
  }

  std::map<Slot, Threshold> thresholds =
      findThresholds(graph, facts, representative);
  std::optional<LoweredFormula> best;
  for (Strategy::Bits bits : {Strategy::Bits::Everywhere,
                              Strategy::Bits::Results, Strategy::Bits::Never})
    for (Strategy::Thresholds use :
         {Strategy::Thresholds::Everywhere, Strategy::Thresholds::Reciprocals,
          Strategy::Thresholds::Never}) {
      LoweredFormula candidate;
      candidate.grid = graph.environment.grid;
      GridLowering(graph, {facts, representative, thresholds}, {bits, use},
                   !options.gridIsAssumed, candidate)
          .run();
      if (!best || estimateCost(candidate) < estimateCost(*best))
        best = std::move(candidate);
    }
  return std::move(*best);
}

} // namespace swizzle::formula
