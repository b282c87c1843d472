//===- ValueGraph.cpp - Expressions with equal ones merged ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule keeps the faults: an operand is dropped only if it cannot fail, a
// fold that would fail is left as it is, and operations are regrouped only
// where the new form fails for exactly the same values.
//
//===----------------------------------------------------------------------===//

#include "ValueGraph.h"
#include "Eval/Arithmetic.h"

#include <algorithm>

namespace swizzle {

namespace {

using Wide = __int128;

std::optional<int64_t> fit(Wide value) {
  if (value < INT64_MIN || value > INT64_MAX)
    return std::nullopt;
  return int64_t(value);
}

/// The value of an operation on literals, unless it faults.
std::optional<int64_t> apply(ExprKind kind, int64_t a, int64_t b) {
  switch (kind) {
  case ExprKind::Add:
    return fit(Wide(a) + b);
  case ExprKind::Sub:
    return fit(Wide(a) - b);
  case ExprKind::Mul:
    return fit(Wide(a) * b);
  case ExprKind::FloorDiv:
    return b ? fit(floorDiv<Wide>(a, b)) : std::nullopt;
  case ExprKind::Mod:
    return b ? fit(floorMod<Wide>(a, b)) : std::nullopt;
  case ExprKind::CeilDiv:
    return b ? fit(-floorDiv<Wide>(-Wide(a), b)) : std::nullopt;
  case ExprKind::And:
    return a & b;
  case ExprKind::Or:
    return a | b;
  case ExprKind::Xor:
    return a ^ b;
  case ExprKind::Shl:
    return b >= 0 && b <= 63 ? fit(a * (Wide(1) << b)) : std::nullopt;
  case ExprKind::Shr:
    return b >= 0 && b <= 63 ? std::optional<int64_t>(a >> b) : std::nullopt;
  case ExprKind::Less:
    return a < b;
  case ExprKind::LessEqual:
    return a <= b;
  case ExprKind::Greater:
    return a > b;
  case ExprKind::GreaterEqual:
    return a >= b;
  case ExprKind::Equal:
    return a == b;
  case ExprKind::NotEqual:
    return a != b;
  case ExprKind::Min:
    return std::min(a, b);
  case ExprKind::Max:
    return std::max(a, b);
  default:
    return std::nullopt;
  }
}

/// True if the operation itself, on operands that are fine, cannot fail.
/// `second` is the second operand if it is a literal.
bool cannotFail(ExprKind kind, std::optional<int64_t> second) {
  switch (kind) {
  case ExprKind::Add:
  case ExprKind::Sub:
  case ExprKind::Mul:
  case ExprKind::Negate:
  case ExprKind::Abs:
  case ExprKind::Shl:
  case ExprKind::HilbertX:
  case ExprKind::HilbertY:
  case ExprKind::MortonX:
  case ExprKind::MortonY:
    return false;
  case ExprKind::FloorDiv:
  case ExprKind::CeilDiv:
    return second && *second != 0 && *second != -1;
  case ExprKind::Mod:
    return second && *second != 0;
  case ExprKind::Shr:
    return second && *second >= 0 && *second <= 63;
  default:
    return true;
  }
}

bool isComparison(ExprKind kind) {
  return kind >= ExprKind::Less && kind <= ExprKind::NotEqual;
}

} // namespace

bool ValueGraph::isStrictOperand(ExprKind kind, size_t index) {
  switch (kind) {
  case ExprKind::LogicalAnd:
  case ExprKind::LogicalOr:
  case ExprKind::Conditional:
    return index == 0;
  case ExprKind::Chain:
    return index <= 1;
  default:
    return true;
  }
}

NodeId ValueGraph::literal(int64_t value) {
  Node node;
  node.value = value;
  return intern(std::move(node));
}

NodeId ValueGraph::name(const std::string &name) {
  Node node;
  node.kind = ExprKind::Name;
  node.name = name;
  return intern(std::move(node));
}

NodeId ValueGraph::intern(Node node) {
  auto [at, isNew] = known.try_emplace(
      {node.kind, node.value, node.name, node.operands, node.chain},
      NodeId(nodes.size()));
  if (!isNew)
    return at->second;
  std::optional<int64_t> second;
  if (node.operands.size() == 2 &&
      nodes[node.operands[1]].kind == ExprKind::Literal)
    second = nodes[node.operands[1]].value;
  node.faultless = cannotFail(node.kind, second);
  for (NodeId operand : node.operands) {
    node.faultless &= nodes[operand].faultless;
    node.size = uint32_t(std::min<uint64_t>(
        uint64_t(node.size) + nodes[operand].size, UINT32_MAX / 2));
  }
  nodes.push_back(std::move(node));
  return at->second;
}

NodeId ValueGraph::make(const Expr &expr, std::vector<NodeId> operands) {
  Node node;
  node.kind = expr.kind;
  node.chain = expr.chain;
  node.operands = std::move(operands);
  if (std::optional<NodeId> folded = fold(node))
    return *folded;
  if (node.kind == ExprKind::Min || node.kind == ExprKind::Max)
    return minMax(std::move(node));
  if (node.operands.size() == 2) {
    if (std::optional<NodeId> simpler = simplifyBinary(node))
      return *simpler;
    if (std::optional<NodeId> simpler = regroup(node))
      return *simpler;
  }
  return intern(std::move(node));
}

/// What the values of literals decide.
std::optional<NodeId> ValueGraph::fold(const Node &node) {
  const std::vector<NodeId> &ops = node.operands;
  const Node &first = nodes[ops[0]];
  bool literalFirst = first.kind == ExprKind::Literal;
  switch (node.kind) {
  case ExprKind::Conditional:
    if (literalFirst)
      return first.value ? ops[1] : ops[2];
    if (ops[1] == ops[2] && first.faultless)
      return ops[1];
    return std::nullopt;
  case ExprKind::LogicalAnd:
    if (literalFirst)
      return first.value ? ops[1] : ops[0];
    return std::nullopt;
  case ExprKind::LogicalOr:
    if (literalFirst)
      return first.value ? ops[0] : ops[1];
    return std::nullopt;
  case ExprKind::LogicalNot:
    if (literalFirst)
      return literal(first.value == 0);
    return std::nullopt;
  case ExprKind::Negate:
  case ExprKind::Abs:
    if (literalFirst && first.value != INT64_MIN)
      return literal(node.kind == ExprKind::Abs && first.value >= 0
                         ? first.value
                         : -first.value);
    return std::nullopt;
  case ExprKind::Invert:
    if (literalFirst)
      return literal(~first.value);
    return std::nullopt;
  default:
    break;
  }
  if (ops.size() == 2 && literalFirst &&
      nodes[ops[1]].kind == ExprKind::Literal && node.kind != ExprKind::Chain)
    if (std::optional<int64_t> value =
            apply(node.kind, first.value, nodes[ops[1]].value))
      return literal(*value);
  return std::nullopt;
}

/// Neutral and absorbing operands.
std::optional<NodeId> ValueGraph::simplifyBinary(const Node &node) {
  NodeId a = node.operands[0], b = node.operands[1];
  switch (node.kind) {
  case ExprKind::Add:
  case ExprKind::Or:
  case ExprKind::Xor:
    if (isLiteral(a, 0))
      return b;
    [[fallthrough]];
  case ExprKind::Sub:
  case ExprKind::Shl:
  case ExprKind::Shr:
    if (isLiteral(b, 0))
      return a;
    if (node.kind == ExprKind::Sub && a == b && nodes[a].faultless)
      return literal(0);
    return std::nullopt;
  case ExprKind::Mul:
    if (isLiteral(a, 1))
      return b;
    if (isLiteral(b, 1))
      return a;
    if ((isLiteral(a, 0) && nodes[b].faultless) ||
        (isLiteral(b, 0) && nodes[a].faultless))
      return literal(0);
    return std::nullopt;
  case ExprKind::FloorDiv:
  case ExprKind::CeilDiv:
    return isLiteral(b, 1) ? std::optional<NodeId>(a) : std::nullopt;
  case ExprKind::Mod:
    if (isLiteral(b, 1) && nodes[a].faultless)
      return literal(0);
    return std::nullopt;
  case ExprKind::And:
    if (isLiteral(a, -1))
      return b;
    return isLiteral(b, -1) ? std::optional<NodeId>(a) : std::nullopt;
  default:
    break;
  }
  if (isComparison(node.kind) && a == b && nodes[a].faultless)
    return literal(node.kind == ExprKind::Equal ||
                   node.kind == ExprKind::LessEqual ||
                   node.kind == ExprKind::GreaterEqual);
  return std::nullopt;
}

/// `(e op c) op d` with literals c and d as one operation.
std::optional<NodeId> ValueGraph::regroup(const Node &node) {
  const Node inner = nodes[node.operands[0]];
  const Node &outer = nodes[node.operands[1]];
  if (inner.kind != node.kind || inner.operands.size() != 2 ||
      outer.kind != ExprKind::Literal)
    return std::nullopt;
  const Node &middle = nodes[inner.operands[1]];
  if (middle.kind != ExprKind::Literal)
    return std::nullopt;
  int64_t c = middle.value, d = outer.value;
  std::optional<int64_t> joined;
  // Sums of one sign and products of factors >= 1: if the inner operation
  // overflows, so does the joined one. Floor division by positive literals
  // cannot overflow at all.
  if (node.kind == ExprKind::Add && (c < 0) == (d < 0))
    joined = fit(Wide(c) + d);
  else if ((node.kind == ExprKind::Mul || node.kind == ExprKind::FloorDiv) &&
           c >= 1 && d >= 1)
    joined = fit(Wide(c) * d);
  if (!joined)
    return std::nullopt;
  Node simpler;
  simpler.kind = node.kind;
  simpler.operands = {inner.operands[0], literal(*joined)};
  return intern(std::move(simpler));
}

/// Flattens nested ones of the same kind and keeps the best literal.
NodeId ValueGraph::minMax(Node node) {
  std::vector<NodeId> flat;
  std::optional<int64_t> best;
  for (NodeId operand : node.operands) {
    const Node &inner = nodes[operand];
    std::vector<NodeId> parts{operand};
    if (inner.kind == node.kind)
      parts = inner.operands;
    for (NodeId part : parts) {
      if (nodes[part].kind == ExprKind::Literal)
        best = best ? *apply(node.kind, *best, nodes[part].value)
                    : nodes[part].value;
      else if (std::find(flat.begin(), flat.end(), part) == flat.end())
        flat.push_back(part);
    }
  }
  if (best)
    flat.push_back(literal(*best));
  if (flat.size() == 1)
    return flat[0];
  node.operands = std::move(flat);
  return intern(std::move(node));
}

} // namespace swizzle
