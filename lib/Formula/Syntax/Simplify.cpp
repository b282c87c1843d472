//===- Simplify.cpp - Shorter formulas with the same meaning --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the formula into a graph that merges equal expressions, then writes it
// out again. A node is written as a name if the source gave it one, or if it is
// used more than once and evaluated whatever the conditions are: naming an
// expression that stands behind a condition would evaluate it always, and could
// fail where the original does not.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Syntax/Simplify.h"
#include "Names.h"
#include "ValueGraph.h"

#include <set>

namespace swizzle {

namespace {

/// Trees of fewer nodes are repeated rather than named.
constexpr uint32_t kWorthNaming = 4;

class Simplifier {
public:
  explicit Simplifier(const FormulaAST &source) : source(source) {}

  FormulaAST run() {
    out.params = source.params;
    out.returnPosition = source.returnPosition;
    for (const ParamDecl &param : source.params)
      taken.insert(param.name);
    read();
    countUses();
    write();
    return std::move(out);
  }

private:
  /// A value that the source computes at this point, in order.
  struct Root {
    enum Kind { Assigned, Required, Returned } kind;
    NodeId node;
    std::string name; ///< Assigned
    SourcePosition position;
  };

  void read() {
    std::map<std::string, NodeId> names;
    std::vector<NodeId> nodeOf(source.expressions.size());
    // Operands come before their users, so statements own ranges of the pool;
    // names are resolved when a statement's own expressions are read.
    auto convert = [&](ExprId root) {
      std::vector<ExprId> stack{root};
      while (!stack.empty()) {
        ExprId id = stack.back();
        const Expr &expr = source.expressions[id];
        if (done.insert(id).second) {
          for (ExprId operand : expr.operands)
            if (!done.count(operand))
              stack.push_back(operand);
          if (!expr.operands.empty())
            continue;
        }
        stack.pop_back();
        if (expr.kind == ExprKind::Literal) {
          nodeOf[id] = graph.literal(expr.value);
        } else if (expr.kind == ExprKind::Name) {
          auto assigned = names.find(expr.name);
          nodeOf[id] = assigned != names.end() ? assigned->second
                                               : graph.name(expr.name);
        } else {
          std::vector<NodeId> operands;
          for (ExprId operand : expr.operands)
            operands.push_back(nodeOf[operand]);
          nodeOf[id] = graph.make(expr, std::move(operands));
        }
      }
      return nodeOf[root];
    };
    size_t next = 0;
    for (size_t i = 0; i <= source.assignments.size(); ++i) {
      for (; next < source.requirements.size() &&
             source.requirements[next].afterAssignments <= i;
           ++next)
        roots.push_back({Root::Required,
                         convert(source.requirements[next].condition),
                         {},
                         source.requirements[next].position});
      if (i == source.assignments.size())
        break;
      const Assignment &assignment = source.assignments[i];
      std::vector<NodeId> values;
      for (ExprId value : assignment.values)
        values.push_back(convert(value));
      for (size_t j = 0; j < values.size(); ++j) {
        names[assignment.targets[j]] = values[j];
        roots.push_back({Root::Assigned, values[j], assignment.targets[j],
                         assignment.position});
      }
    }
    for (ExprId result : source.results)
      roots.push_back({Root::Returned, convert(result), {}, {}});
  }

  /// Counts, for what is still needed, how often each node is an operand or a
  /// requirement or a result.
  void countUses() {
    uses.assign(graph.size(), 0);
    std::vector<bool> visited(graph.size(), false);
    std::vector<NodeId> stack;
    for (const Root &root : roots) {
      if (root.kind == Root::Assigned && graph[root.node].faultless)
        continue;
      uses[root.node] += root.kind != Root::Assigned;
      stack.push_back(root.node);
      while (!stack.empty()) {
        NodeId id = stack.back();
        stack.pop_back();
        if (visited[id])
          continue;
        visited[id] = true;
        for (NodeId operand : graph[id].operands) {
          ++uses[operand];
          stack.push_back(operand);
        }
      }
    }
  }

  void write() {
    for (const Root &root : roots) {
      switch (root.kind) {
      case Root::Assigned:
        assigned(root);
        break;
      case Root::Required: {
        Requirement requirement;
        nameShared(root.node, root.position);
        requirement.condition = build(root.node);
        requirement.position = root.position;
        requirement.afterAssignments = uint32_t(out.assignments.size());
        out.requirements.push_back(requirement);
        break;
      }
      case Root::Returned:
        nameShared(root.node, source.returnPosition);
        break;
      }
    }
    for (const Root &root : roots)
      if (root.kind == Root::Returned)
        out.results.push_back(build(root.node));
  }

  void assigned(const Root &root) {
    const Node &node = graph[root.node];
    // Leaves stand for themselves, and what nobody reads and cannot fail goes.
    if (node.operands.empty() || nameOf.count(root.node) ||
        (!uses[root.node] && node.faultless))
      return;
    nameShared(root.node, root.position, /*butRoot=*/true);
    define(root.node, root.name, root.position);
  }

  /// Defines names for what is shared below `root` and always evaluated with
  /// it, operands first.
  void nameShared(NodeId root, SourcePosition position, bool butRoot = false) {
    std::vector<std::pair<NodeId, bool>> stack{{root, false}};
    std::set<NodeId> seen;
    while (!stack.empty()) {
      auto [id, operandsDone] = stack.back();
      stack.pop_back();
      const Node &node = graph[id];
      if (operandsDone) {
        if (uses[id] > 1 && node.size >= kWorthNaming &&
            !(butRoot && id == root) && !nameOf.count(id))
          define(id, "", position);
        continue;
      }
      if (nameOf.count(id) || !seen.insert(id).second)
        continue;
      stack.push_back({id, true});
      for (size_t i = node.operands.size(); i-- > 0;)
        if (ValueGraph::isStrictOperand(node.kind, i))
          stack.push_back({node.operands[i], false});
    }
  }

  /// Appends `name = node`; an empty or taken name gets a fresh one.
  void define(NodeId id, std::string name, SourcePosition position) {
    if (name.empty() || taken.count(name)) {
      std::string base = name.empty() ? "t" : name;
      unsigned number = name.empty() ? 0 : 2;
      do
        name = base + std::to_string(number++);
      while (taken.count(name) || isSourceName(name) || isHardwareName(name));
    }
    taken.insert(name);
    Assignment assignment;
    assignment.values.push_back(build(id));
    assignment.targets.push_back(name);
    assignment.position = position;
    out.assignments.push_back(std::move(assignment));
    nameOf[id] = name;
  }

  bool isSourceName(const std::string &name) const {
    for (const Root &root : roots)
      if (root.name == name)
        return true;
    return false;
  }

  ExprId add(Expr expr) {
    out.expressions.push_back(std::move(expr));
    return ExprId(out.expressions.size() - 1);
  }

  /// The tree of a node, down to what has a name.
  ExprId build(NodeId root) {
    std::vector<std::pair<NodeId, bool>> stack{{root, false}};
    std::vector<ExprId> built;
    while (!stack.empty()) {
      auto [id, operandsDone] = stack.back();
      stack.pop_back();
      const Node &node = graph[id];
      Expr expr;
      expr.kind = node.kind;
      expr.value = node.value;
      expr.name = node.name;
      expr.chain = node.chain;
      if (auto named = nameOf.find(id); named != nameOf.end()) {
        expr = Expr();
        expr.kind = ExprKind::Name;
        expr.name = named->second;
      } else if (!operandsDone && !node.operands.empty()) {
        stack.push_back({id, true});
        for (size_t i = node.operands.size(); i-- > 0;)
          stack.push_back({node.operands[i], false});
        continue;
      } else {
        size_t count = node.operands.size();
        expr.operands.assign(built.end() - count, built.end());
        built.resize(built.size() - count);
      }
      built.push_back(add(std::move(expr)));
    }
    return built[0];
  }

  const FormulaAST &source;
  FormulaAST out;
  ValueGraph graph;
  std::vector<Root> roots;
  std::vector<uint32_t> uses;
  std::set<ExprId> done;
  std::set<std::string> taken;
  std::map<NodeId, std::string> nameOf;
};

} // namespace

Formula simplify(const Formula &formula) {
  return Formula::fromAST(Simplifier(formula.ast()).run());
}

} // namespace swizzle
