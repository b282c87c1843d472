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
#include "MachineBuilder.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace swizzle::lowering {

namespace {

struct Strategy {
  enum class Bits { Never, Results, Everywhere };
  Bits bits = Bits::Never;
  /// A threshold chooses between reciprocals; and stands for the divisor too.
  enum class Thresholds { Never, Reciprocals, Everywhere };
  Thresholds thresholds = Thresholds::Never;
};

/// Lowers one graph in one way.
class GridLowering {
public:
  GridLowering(const TranslatedFormula &formula, const Grid &grid,
               llvm::ArrayRef<NodeFacts> facts,
               llvm::ArrayRef<NodeId> representative,
               const std::map<NodeId, Threshold> &thresholds, Strategy strategy,
               bool trustIds, LoweredFormula &out)
      : formula(formula), graph(formula.graph), grid(grid), facts(facts),
        representative(representative), thresholds(thresholds),
        strategy(strategy), trustIds(trustIds), builder(out, trustIds) {}

  void run();

private:
  /// The operands that lowering `node` will ask for.
  llvm::SmallVector<NodeId, 3> dependencies(NodeId node) const;
  bool asBitFields(NodeId node) const;
  bool isResult(NodeId node) const;
  OpId lowerNode(NodeId node);
  OpId lowerDivision(NodeId node, bool remainder);
  OpId loweredAs(NodeId node) {
    NodeId stands = representative[node];
    if (std::optional<int64_t> value = graph.asConstant(stands))
      return builder.constant(*value);
    return lowered.at(stands);
  }
  OpId integer(NodeId node) { return builder.asInteger(loweredAs(node)); }
  OpId test(NodeId node) { return builder.asTest(loweredAs(node)); }
  /// Whether a quotient of these operands reaches a result by sums and scalings
  /// only.
  bool isNearResult(const Node &division) const {
    return nearResults.count({representative[division.operands[0]],
                              representative[division.operands[1]]});
  }
  /// Whether the operations of a node can show how large it is, once its
  /// quotients do.
  bool showsBound(NodeId node) const;
  void findNearResults();
  OpId thresholdTest(const Threshold &threshold);
  Range known(NodeId node) const {
    const NodeFacts &fact = facts[node];
    return {fact.low, fact.high, trustIds && !fact.everUndefined};
  }

  const TranslatedFormula &formula;
  const WideGraph &graph;
  Grid grid;
  llvm::ArrayRef<NodeFacts> facts;
  llvm::ArrayRef<NodeId> representative;
  const std::map<NodeId, Threshold> &thresholds;
  Strategy strategy;
  bool trustIds;
  MachineBuilder builder;
  llvm::DenseMap<NodeId, OpId> lowered;
  llvm::DenseSet<std::pair<NodeId, NodeId>> nearResults;
};

} // namespace

bool GridLowering::isResult(NodeId node) const {
  for (NodeId result : formula.results)
    if (representative[result] == node)
      return true;
  return false;
}

bool GridLowering::asBitFields(NodeId node) const {
  if (!facts[node].bitLinear || graph[node].numOperands == 0)
    return false;
  if (strategy.bits == Strategy::Bits::Everywhere)
    return true;
  return strategy.bits == Strategy::Bits::Results && isResult(node);
}

llvm::SmallVector<NodeId, 3> GridLowering::dependencies(NodeId node) const {
  llvm::SmallVector<NodeId, 3> result;
  if (asBitFields(node))
    return result;
  if (strategy.thresholds == Strategy::Thresholds::Everywhere)
    if (auto found = thresholds.find(node); found != thresholds.end())
      return {representative[found->second.node]};
  for (unsigned i = 0; i < graph[node].numOperands; ++i)
    result.push_back(representative[graph[node].operands[i]]);
  // A division asks what tells its divisor's values apart.
  bool divides = graph[node].kind == NodeKind::FloorDiv ||
                 graph[node].kind == NodeKind::FloorMod;
  if (divides && strategy.thresholds != Strategy::Thresholds::Never)
    if (auto found = thresholds.find(result[1]); found != thresholds.end())
      result.push_back(representative[found->second.node]);
  return result;
}

OpId GridLowering::thresholdTest(const Threshold &threshold) {
  return builder.lessEqual(builder.constant(threshold.bound),
                           integer(threshold.node));
}

/// A quotient or remainder; `node` is a FloorDiv or FloorMod.
OpId GridLowering::lowerDivision(NodeId node, bool remainder) {
  NodeId divisorNode = representative[graph[node].operands[1]];
  OpId dividend = integer(graph[node].operands[0]);
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
    bool visible = isNearResult(graph[node]);
    if (!remainder)
      return builder.floorDiv(dividend, divisor, quotientRange, visible);
    return builder.floorMod(dividend, divisor, known(node), visible);
  }
  std::optional<OpId> isSecond;
  if (auto found = thresholds.find(divisorNode);
      strategy.thresholds != Strategy::Thresholds::Never &&
      found != thresholds.end()) {
    Threshold threshold = found->second;
    OpId test = thresholdTest(threshold);
    if (threshold.above == 1)
      isSecond = test;
    else
      std::reverse(values.begin(), values.end()), isSecond = test;
  }
  OpId quotient = builder.floorDivByOneOf(dividend, divisor, values, isSecond,
                                          quotientRange);
  if (!remainder)
    return quotient;
  Range multiple;
  Range x = builder.range(dividend);
  if (x.low >= 0 && builder.range(divisor).low >= 0)
    multiple = {0, x.high, x.total && builder.range(divisor).total};
  return builder.sub(dividend, builder.mul(quotient, divisor, multiple),
                     known(node));
}

OpId GridLowering::lowerNode(NodeId id) {
  const Node &node = graph[id];
  const NodeFacts &fact = facts[id];
  if (asBitFields(id))
    return emitBitFields(builder, grid, fact);
  if (strategy.thresholds == Strategy::Thresholds::Everywhere)
    if (auto found = thresholds.find(id); found != thresholds.end()) {
      const Threshold &threshold = found->second;
      OpId test = thresholdTest(threshold);
      return builder.select(
          test, builder.constant(fact.distinct[threshold.above]),
          builder.constant(fact.distinct[1 - threshold.above]), known(id));
    }
  auto at = [&](unsigned i) { return integer(node.operands[i]); };
  switch (node.kind) {
  case NodeKind::Constant:
    return builder.constant(node.value);
  case NodeKind::Id:
    return builder.id(node.value, grid[node.value]);
  case NodeKind::Extent:
    return builder.constant(grid[node.value]);
  case NodeKind::Add:
    return builder.add(at(0), at(1), known(id));
  case NodeKind::Sub:
    return builder.sub(at(0), at(1), known(id));
  case NodeKind::Mul:
    return builder.mul(at(0), at(1), known(id));
  case NodeKind::FloorDiv:
  case NodeKind::FloorMod:
    return lowerDivision(id, node.kind == NodeKind::FloorMod);
  case NodeKind::And:
    return builder.bitAnd(at(0), at(1), known(id));
  case NodeKind::Or:
    return builder.bitOr(at(0), at(1), known(id));
  case NodeKind::Xor:
    return builder.bitXor(at(0), at(1), known(id));
  case NodeKind::Shl:
    return builder.shl(at(0), at(1), known(id));
  case NodeKind::Shr:
    return builder.shr(at(0), at(1), known(id));
  case NodeKind::Min:
    return builder.min(at(0), at(1), known(id));
  case NodeKind::Max:
    return builder.max(at(0), at(1), known(id));
  case NodeKind::Less:
    return builder.less(at(0), at(1));
  case NodeKind::LessEqual:
    return builder.lessEqual(at(0), at(1));
  case NodeKind::Equal:
    return builder.equal(at(0), at(1));
  case NodeKind::NotEqual:
    return builder.notEqual(at(0), at(1));
  case NodeKind::Select:
    return builder.select(test(node.operands[0]), at(1), at(2), known(id));
  case NodeKind::HilbertX:
    return builder.curve(LoweredKind::HilbertX, at(0), at(1), at(2), known(id));
  case NodeKind::HilbertY:
    return builder.curve(LoweredKind::HilbertY, at(0), at(1), at(2), known(id));
  case NodeKind::MortonX:
    return builder.curve(LoweredKind::MortonX, at(0), at(1), at(2), known(id));
  case NodeKind::MortonY:
    return builder.curve(LoweredKind::MortonY, at(0), at(1), at(2), known(id));
  }
  return builder.constant(0);
}

bool GridLowering::showsBound(NodeId id) const {
  // Nodes come after their operands: a short walk, shared parts aside.
  std::vector<NodeId> stack = {id};
  for (unsigned budget = 64; !stack.empty(); --budget) {
    const Node &node = graph[stack.back()];
    stack.pop_back();
    if (budget == 0)
      return false;
    switch (node.kind) {
    case NodeKind::Constant:
    case NodeKind::Id:
    case NodeKind::And:
      break;
    case NodeKind::FloorDiv:
      if (!graph.asConstant(representative[node.operands[1]]))
        return false;
      break;
    case NodeKind::FloorMod: {
      auto divisor = graph.asConstant(representative[node.operands[1]]);
      if (!divisor || *divisor <= 0 || !llvm::isPowerOf2_64(*divisor))
        return false;
      break;
    }
    case NodeKind::Add:
    case NodeKind::Mul:
    case NodeKind::Shl:
    case NodeKind::Shr:
    case NodeKind::Or:
      for (unsigned i = 0; i < node.numOperands; ++i)
        stack.push_back(representative[node.operands[i]]);
      break;
    default:
      return false;
    }
  }
  return true;
}

void GridLowering::findNearResults() {
  std::vector<NodeId> stack;
  for (NodeId result : formula.results)
    if (showsBound(representative[result])) // Else a minimum has to.
      stack.push_back(representative[result]);
  while (!stack.empty()) {
    const Node &node = graph[stack.back()];
    stack.pop_back();
    if (node.kind == NodeKind::FloorDiv)
      nearResults.insert(
          {representative[node.operands[0]], representative[node.operands[1]]});
    // A shift shows no more than its operand does.
    bool shifts = node.kind == NodeKind::Shr;
    if (node.kind == NodeKind::FloorDiv)
      if (auto divisor = graph.asConstant(representative[node.operands[1]]))
        shifts = *divisor > 0 && llvm::isPowerOf2_64(*divisor);
    if (shifts)
      stack.push_back(representative[node.operands[0]]);
    bool passesOn = node.kind == NodeKind::Add || node.kind == NodeKind::Mul ||
                    node.kind == NodeKind::Shl || node.kind == NodeKind::Or;
    for (unsigned i = 0; passesOn && i < node.numOperands; ++i)
      stack.push_back(representative[node.operands[i]]);
  }
}

void GridLowering::run() {
  findNearResults();
  std::vector<bool> needed(graph.size(), false);
  for (NodeId result : formula.results)
    needed[representative[result]] = true;
  for (NodeId node = graph.size(); node-- > 0;)
    if (needed[node])
      for (NodeId operand : dependencies(node))
        needed[operand] = true;
  for (NodeId node = 0; node < graph.size(); ++node)
    if (needed[node])
      lowered[node] = lowerNode(node);
  OpId results[3];
  for (unsigned axis = 0; axis < 3; ++axis)
    results[axis] =
        builder.showBound(integer(formula.results[axis]), grid[axis] - 1);
  builder.finish(results[0], results[1], results[2]);
}

/// Nodes of two values that are used as divisors, or that take more than a
/// comparison and a choice to compute, and how to tell the values apart.
static std::map<NodeId, Threshold>
findThresholds(const TranslatedFormula &formula, const Grid &grid,
               llvm::ArrayRef<NodeFacts> facts,
               llvm::ArrayRef<NodeId> representative) {
  const WideGraph &graph = formula.graph;
  std::vector<bool> needed(graph.size(), false);
  for (NodeId result : formula.results)
    needed[representative[result]] = true;
  auto isTwoValued = [&](NodeId node) {
    const NodeKind kind = graph[node].kind;
    return (kind == NodeKind::Min || kind == NodeKind::Max ||
            kind == NodeKind::Sub || kind == NodeKind::Select) &&
           !facts[node].manyValues && facts[node].distinct.size() == 2 &&
           !facts[node].everUndefined;
  };
  std::vector<NodeId> twoValued;
  for (NodeId node = graph.size(); node-- > 0;) {
    if (!needed[node])
      continue;
    if (isTwoValued(node)) {
      twoValued.push_back(node);
      continue; // What only it needs is no candidate.
    }
    for (unsigned i = 0; i < graph[node].numOperands; ++i)
      needed[representative[graph[node].operands[i]]] = true;
  }
  std::vector<ThresholdQuery> queries;
  for (NodeId node : twoValued) {
    ThresholdQuery &query = queries.emplace_back();
    query.node = node;
    for (NodeId candidate = 0; candidate < node; ++candidate)
      if ((needed[candidate] || graph[candidate].kind == NodeKind::Id) &&
          graph[candidate].kind != NodeKind::Constant &&
          !llvm::is_contained(twoValued, candidate) &&
          facts[candidate].low < facts[candidate].high)
        query.candidates.push_back(candidate);
  }
  std::map<NodeId, Threshold> result;
  constexpr size_t maxUsed = 4; // each is one more comparison
  for (auto [query, threshold] :
       llvm::zip_equal(queries, findThresholds(graph, grid, facts, queries)))
    if (threshold && result.size() < maxUsed)
      result[query.node] = *threshold;
  return result;
}

LoweredFormula lowerOnGrid(const TranslatedFormula &input, const Grid &grid,
                           llvm::ArrayRef<NodeFacts> inputFacts,
                           const LoweringOptions &options) {
  TranslatedFormula formula = input;
  std::vector<NodeFacts> facts(inputFacts.begin(), inputFacts.end());
  // For each node the one that stands for it: a constant, or the first node
  // that agrees with it for every workgroup.
  std::vector<NodeId> representative;
  for (const NodeFacts &fact : facts)
    representative.push_back(fact.same);
  // Constants may be new nodes of the graph.
  size_t numNodes = formula.graph.size();
  for (NodeId node = 0; node < numNodes; ++node) {
    const NodeFacts fact = facts[node];
    if (fact.low != fact.high || fact.everUndefined)
      continue;
    NodeId constant = formula.graph.constant(fact.low);
    if (constant == facts.size()) {
      facts.push_back(fact);
      representative.push_back(constant);
    }
    representative[node] = constant;
  }

  std::map<NodeId, Threshold> thresholds =
      findThresholds(formula, grid, facts, representative);
  LoweredFormula best;
  bool first = true;
  for (Strategy::Bits bits : {Strategy::Bits::Everywhere,
                              Strategy::Bits::Results, Strategy::Bits::Never})
    for (Strategy::Thresholds use :
         {Strategy::Thresholds::Everywhere, Strategy::Thresholds::Reciprocals,
          Strategy::Thresholds::Never}) {
      LoweredFormula candidate;
      candidate.grid = grid;
      GridLowering(formula, grid, facts, representative, thresholds,
                   {bits, use}, !options.gridIsAssumed, candidate)
          .run();
      if (first || estimateCost(candidate) < estimateCost(best))
        best = std::move(candidate);
      first = false;
    }
  return best;
}

} // namespace swizzle::lowering
