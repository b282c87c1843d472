//===- WideGraph.cpp - A formula as a graph over integers -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Building the graph: hash-consing, constant folding, and the translation of a
// formula's statements.
//
//===----------------------------------------------------------------------===//

#include "NodeSemantics.h"

#include "llvm/Support/Error.h"
#include <algorithm>

namespace swizzle::lowering {

NodeId WideGraph::intern(const Node &node) {
  Key key{node.kind, node.value, node.operands[0], node.operands[1],
          node.operands[2]};
  auto [entry, inserted] = interned.try_emplace(key, nodes.size());
  if (inserted)
    nodes.push_back(node);
  return entry->second;
}

NodeId WideGraph::constant(int64_t value) {
  Node node;
  node.value = value;
  return intern(node);
}

NodeId WideGraph::id(unsigned axis) {
  Node node;
  node.kind = NodeKind::Id;
  node.value = axis;
  return intern(node);
}

NodeId WideGraph::extent(unsigned axis) {
  Node node;
  node.kind = NodeKind::Extent;
  node.value = axis;
  return intern(node);
}

std::optional<int64_t> WideGraph::asConstant(NodeId node) const {
  if (nodes[node].kind == NodeKind::Constant)
    return nodes[node].value;
  return std::nullopt;
}

static bool isCommutative(NodeKind kind) {
  switch (kind) {
  case NodeKind::Add:
  case NodeKind::Mul:
  case NodeKind::And:
  case NodeKind::Or:
  case NodeKind::Xor:
  case NodeKind::Min:
  case NodeKind::Max:
  case NodeKind::Equal:
  case NodeKind::NotEqual:
    return true;
  default:
    return false;
  }
}

NodeId WideGraph::make(NodeKind kind, llvm::ArrayRef<NodeId> operands) {
  Node node;
  node.kind = kind;
  node.numOperands = operands.size();
  std::copy(operands.begin(), operands.end(), node.operands);
  if (kind == NodeKind::Select)
    if (std::optional<int64_t> condition = asConstant(operands[0]))
      return *condition ? operands[1] : operands[2];
  if (isCommutative(kind) && node.operands[0] > node.operands[1])
    std::swap(node.operands[0], node.operands[1]);
  int64_t values[3] = {0, 0, 0};
  bool allConstant = true;
  for (unsigned i = 0; i < node.numOperands; ++i) {
    std::optional<int64_t> value = asConstant(node.operands[i]);
    allConstant &= value.has_value();
    values[i] = value.value_or(0);
  }
  if (allConstant)
    if (std::optional<int64_t> value =
            evaluateNode(kind, values[0], values[1], values[2]))
      return constant(*value);
  return intern(node);
}

std::optional<int64_t> evaluateNode(NodeKind kind, int64_t a, int64_t b,
                                    int64_t c) {
  return evaluateKind(kind, a, b, c);
}

namespace {

/// Translates the expressions of one formula; `names` is what each name stands
/// for at the current statement.
class Translator {
public:
  Translator(const FormulaAST &ast, const Environment &environment,
             WideGraph &graph);

  llvm::Expected<NodeId> translateRoot(ExprId root);
  void assign(const std::string &name, NodeId node) { names[name] = node; }

private:
  NodeId translateOne(const Expr &expr);
  NodeId chain(NodeKind kind, llvm::ArrayRef<NodeId> operands);
  NodeId compare(ExprKind kind, NodeId a, NodeId b);
  NodeId isTrue(NodeId node);

  const FormulaAST &ast;
  WideGraph &graph;
  std::map<std::string, NodeId> names;
  std::map<ExprId, NodeId> translated; ///< of the current root
};

} // namespace

Translator::Translator(const FormulaAST &ast, const Environment &environment,
                       WideGraph &graph)
    : ast(ast), graph(graph) {
  static constexpr const char *idNames[] = {"x", "y", "z"};
  static constexpr const char *extentNames[] = {"gx", "gy", "gz"};
  for (unsigned axis = 0; axis < 3; ++axis) {
    names[idNames[axis]] = graph.id(axis);
    names[extentNames[axis]] = environment.grid[axis] == kUnknownExtent
                                   ? graph.extent(axis)
                                   : graph.constant(environment.grid[axis]);
  }
  for (const auto &[name, value] : environment.hardware)
    if (value)
      names[name] = graph.constant(*value);
  for (const auto &[name, value] : environment.params)
    names[name] = graph.constant(value);
}

NodeId Translator::chain(NodeKind kind, llvm::ArrayRef<NodeId> operands) {
  NodeId result = operands.front();
  for (NodeId operand : operands.drop_front())
    result = graph.make(kind, {result, operand});
  return result;
}

NodeId Translator::compare(ExprKind kind, NodeId a, NodeId b) {
  switch (kind) {
  case ExprKind::Less:
    return graph.make(NodeKind::Less, {a, b});
  case ExprKind::LessEqual:
    return graph.make(NodeKind::LessEqual, {a, b});
  case ExprKind::Greater:
    return graph.make(NodeKind::Less, {b, a});
  case ExprKind::GreaterEqual:
    return graph.make(NodeKind::LessEqual, {b, a});
  case ExprKind::Equal:
    return graph.make(NodeKind::Equal, {a, b});
  default:
    return graph.make(NodeKind::NotEqual, {a, b});
  }
}

/// `node` as 0 or 1.
NodeId Translator::isTrue(NodeId node) {
  if (isComparison(graph[node].kind))
    return node;
  return graph.make(NodeKind::NotEqual, {node, graph.constant(0)});
}

NodeId Translator::translateOne(const Expr &expr) {
  llvm::SmallVector<NodeId, 4> ops;
  for (ExprId operand : expr.operands)
    ops.push_back(translated.at(operand));
  NodeId zero = graph.constant(0);
  switch (expr.kind) {
  case ExprKind::Literal:
    return graph.constant(expr.value);
  case ExprKind::Name:
    return names.at(expr.name);
  case ExprKind::Add:
    return graph.make(NodeKind::Add, ops);
  case ExprKind::Sub:
    return graph.make(NodeKind::Sub, ops);
  case ExprKind::Mul:
    return graph.make(NodeKind::Mul, ops);
  case ExprKind::FloorDiv:
    return graph.make(NodeKind::FloorDiv, ops);
  case ExprKind::Mod:
    return graph.make(NodeKind::FloorMod, ops);
  case ExprKind::And:
    return graph.make(NodeKind::And, ops);
  case ExprKind::Or:
    return graph.make(NodeKind::Or, ops);
  case ExprKind::Xor:
    return graph.make(NodeKind::Xor, ops);
  case ExprKind::Shl:
    return graph.make(NodeKind::Shl, ops);
  case ExprKind::Shr:
    return graph.make(NodeKind::Shr, ops);
  case ExprKind::Negate:
    return graph.make(NodeKind::Sub, {zero, ops[0]});
  case ExprKind::Invert:
    return graph.make(NodeKind::Sub, {graph.constant(-1), ops[0]});
  case ExprKind::LogicalNot:
    return graph.make(NodeKind::Equal, {ops[0], zero});
  case ExprKind::Less:
  case ExprKind::LessEqual:
  case ExprKind::Greater:
  case ExprKind::GreaterEqual:
  case ExprKind::Equal:
  case ExprKind::NotEqual:
    return compare(expr.kind, ops[0], ops[1]);
  case ExprKind::LogicalAnd:
  case ExprKind::LogicalOr: {
    // Yields an operand, and looks at the next one only if it must.
    NodeId result = ops.back();
    for (NodeId operand :
         llvm::reverse(llvm::ArrayRef<NodeId>(ops).drop_back())) {
      bool isAnd = expr.kind == ExprKind::LogicalAnd;
      result = graph.make(NodeKind::Select,
                          {isTrue(operand), isAnd ? result : operand,
                           isAnd ? operand : result});
    }
    return result;
  }
  case ExprKind::Conditional:
    return graph.make(NodeKind::Select, {isTrue(ops[0]), ops[1], ops[2]});
  case ExprKind::Min:
    return chain(NodeKind::Min, ops);
  case ExprKind::Max:
    return chain(NodeKind::Max, ops);
  case ExprKind::Abs:
    return graph.make(NodeKind::Max,
                      {ops[0], graph.make(NodeKind::Sub, {zero, ops[0]})});
  case ExprKind::CeilDiv: {
    // One more than the quotient if something is left. -(-a // b) is undefined
    // for the smallest a.
    NodeId quotient = graph.make(NodeKind::FloorDiv, ops);
    NodeId rest = graph.make(NodeKind::FloorMod, ops);
    NodeId more = graph.make(NodeKind::NotEqual, {rest, zero});
    return graph.make(NodeKind::Add, {quotient, more});
  }
  case ExprKind::HilbertX:
    return graph.make(NodeKind::HilbertX, ops);
  case ExprKind::HilbertY:
    return graph.make(NodeKind::HilbertY, ops);
  case ExprKind::MortonX:
    return graph.make(NodeKind::MortonX, ops);
  case ExprKind::MortonY:
    return graph.make(NodeKind::MortonY, ops);
  case ExprKind::Chain: {
    NodeId result = compare(expr.chain.back(), ops[ops.size() - 2], ops.back());
    for (size_t i = expr.chain.size() - 1; i-- > 0;)
      result = graph.make(
          NodeKind::Select,
          {compare(expr.chain[i], ops[i], ops[i + 1]), result, zero});
    return result;
  }
  }
  return zero;
}

llvm::Expected<NodeId> Translator::translateRoot(ExprId root) {
  // Operands have smaller indices than their users: collect what the root
  // needs, then go through it in ascending order. No recursion, because a
  // formula may nest as deep as its text is long.
  translated.clear();
  std::vector<ExprId> needed, stack = {root};
  std::vector<bool> seen(root + 1, false);
  while (!stack.empty()) {
    ExprId expr = stack.back();
    stack.pop_back();
    if (seen[expr])
      continue;
    seen[expr] = true;
    needed.push_back(expr);
    for (ExprId operand : ast.expressions[expr].operands)
      stack.push_back(operand);
  }
  std::sort(needed.begin(), needed.end());
  for (ExprId id : needed) {
    const Expr &expr = ast.expressions[id];
    if (expr.kind == ExprKind::Name && !names.count(expr.name))
      return llvm::createStringError(
          "cannot lower the formula: '%s' has no value here",
          expr.name.c_str());
    translated[id] = translateOne(expr);
  }
  return translated.at(root);
}

llvm::Expected<TranslatedFormula> translate(const Formula &formula,
                                            const Environment &environment) {
  TranslatedFormula result;
  const FormulaAST &ast = formula.ast();
  Translator translator(ast, environment, result.graph);
  for (const Assignment &assignment : ast.assignments) {
    llvm::SmallVector<NodeId, 4> values;
    for (ExprId value : assignment.values) {
      llvm::Expected<NodeId> node = translator.translateRoot(value);
      if (!node)
        return node.takeError();
      values.push_back(*node);
    }
    for (size_t i = 0; i < values.size(); ++i)
      translator.assign(assignment.targets[i], values[i]);
  }
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (axis >= ast.results.size()) {
      result.results[axis] = result.graph.id(axis);
      continue;
    }
    llvm::Expected<NodeId> node = translator.translateRoot(ast.results[axis]);
    if (!node)
      return node.takeError();
    result.results[axis] = *node;
  }
  return result;
}

} // namespace swizzle::lowering
