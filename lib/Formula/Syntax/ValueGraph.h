//===- ValueGraph.h - Expressions with equal ones merged --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The simplifier's view of a formula: names are gone, every expression is a
// node, equal expressions are the same node, and a node is simplified when it
// is made.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_SYNTAX_VALUEGRAPH_H
#define SWIZZLE_LIB_FORMULA_SYNTAX_VALUEGRAPH_H

#include "swizzle/Formula/Syntax/AST.h"

#include <map>
#include <optional>

namespace swizzle {

using NodeId = uint32_t;

struct Node {
  ExprKind kind = ExprKind::Literal;
  int64_t value = 0;            ///< Literal
  std::string name;             ///< Name: a built-in one or a parameter
  std::vector<NodeId> operands; ///< smaller indices
  std::vector<ExprKind> chain;  ///< Chain
  bool faultless = true; ///< evaluating it cannot fail, whatever the names are
  uint32_t size = 1;     ///< nodes of the tree, saturating
};

class ValueGraph {
public:
  NodeId literal(int64_t value);
  NodeId name(const std::string &name);
  /// `expr` with its operands replaced by nodes, simplified.
  NodeId make(const Expr &expr, std::vector<NodeId> operands);

  const Node &operator[](NodeId id) const { return nodes[id]; }
  size_t size() const { return nodes.size(); }

  /// True for operands that are evaluated whenever the node is.
  static bool isStrictOperand(ExprKind kind, size_t index);

private:
  NodeId intern(Node node);
  std::optional<NodeId> fold(const Node &node);
  std::optional<NodeId> simplifyBinary(const Node &node);
  std::optional<NodeId> regroup(const Node &node);
  NodeId minMax(Node node);
  bool isLiteral(NodeId id, int64_t value) const {
    return nodes[id].kind == ExprKind::Literal && nodes[id].value == value;
  }

  std::vector<Node> nodes;
  std::map<std::tuple<ExprKind, int64_t, std::string, std::vector<NodeId>,
                      std::vector<ExprKind>>,
           NodeId>
      known;
};

} // namespace swizzle

#endif // SWIZZLE_LIB_FORMULA_SYNTAX_VALUEGRAPH_H
