//===- WideGraph.h - A formula as a graph over integers ------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first half of lowering: a formula with its parameters, hardware numbers
// and grid bound becomes a graph of operations on mathematical integers, and on
// a known grid every node is evaluated for every workgroup. What the evaluation
// finds (ranges, constants, nodes that always agree, divisors with a handful of
// values, maps that only move bits) is what makes the machine code short.
//
// A node may be undefined for some workgroups (a division by zero on the side
// of a conditional that those workgroups do not take); it is then an integer
// for the others only.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_EVAL_WIDEGRAPH_H
#define SWIZZLE_LIB_FORMULA_EVAL_WIDEGRAPH_H

#include "swizzle/Formula/Formula.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <tuple>
#include <vector>

namespace swizzle::lowering {

using NodeId = uint32_t;

enum class NodeKind : uint8_t {
  Constant, ///< `value`
  Id,       ///< workgroup id of axis `value`
  Extent,   ///< extent of axis `value`, where it is not known
  Add,
  Sub,
  Mul,
  FloorDiv,
  FloorMod,
  And,
  Or,
  Xor,
  Shl,
  Shr, ///< Shr keeps the sign
  Min,
  Max,
  Less,
  LessEqual,
  Equal,
  NotEqual, ///< 0 or 1
  Select,   ///< condition, then, otherwise
  HilbertX,
  HilbertY,
  MortonX,
  MortonY,
};

struct Node {
  NodeKind kind = NodeKind::Constant;
  int64_t value = 0;
  NodeId operands[3] = {0, 0, 0};
  unsigned numOperands = 0;
};

/// True for kinds whose value is 0 or 1.
inline bool isComparison(NodeKind kind) {
  return kind >= NodeKind::Less && kind <= NodeKind::NotEqual;
}

/// Nodes in an order in which operands come first; equal nodes are one node.
class WideGraph {
public:
  NodeId constant(int64_t value);
  NodeId id(unsigned axis);
  NodeId extent(unsigned axis);
  /// Folds constants where the result is defined.
  NodeId make(NodeKind kind, llvm::ArrayRef<NodeId> operands);

  const Node &operator[](NodeId node) const { return nodes[node]; }
  size_t size() const { return nodes.size(); }
  /// The constant that `node` is, if it is one.
  std::optional<int64_t> asConstant(NodeId node) const;

private:
  NodeId intern(const Node &node);
  using Key = std::tuple<NodeKind, int64_t, NodeId, NodeId, NodeId>;
  std::vector<Node> nodes;
  std::map<Key, NodeId> interned;
};

/// The value of one operation; nullopt where it is undefined. Arithmetic is
/// checked in 64 bits. Select is not lazy here: the caller passes what it has.
std::optional<int64_t> evaluateNode(NodeKind kind, int64_t a, int64_t b,
                                    int64_t c);

struct TranslatedFormula {
  WideGraph graph;
  NodeId results[3]; ///< new x, y, z
};

/// Translates `formula`; extents that are not known become nodes.
llvm::Expected<TranslatedFormula> translate(const Formula &formula,
                                            const Environment &environment);

/// What is known of a node's values over all workgroups for which it is
/// defined.
struct NodeFacts {
  int64_t low = INT64_MAX, high = INT64_MIN;
  bool everUndefined = false;
  /// The first node with the same values, undefined for the same workgroups.
  NodeId same = 0;
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

/// Evaluates every node for every workgroup of `grid`.
std::vector<NodeFacts> enumerate(const WideGraph &graph, const Grid &grid);

/// A test `node >= bound` (or its negation) that separates the two values of
/// another node.
struct Threshold {
  NodeId node = 0;
  int64_t bound = 0;
  /// Where the test holds the value is `distinct[above]`.
  unsigned above = 0;
};

/// A node of exactly two values that is never undefined, and the nodes on which
/// a threshold may tell them apart.
struct ThresholdQuery {
  NodeId node = 0;
  std::vector<NodeId> candidates;
};

/// For each query a threshold on the first candidate, in their order, that has
/// one.
std::vector<std::optional<Threshold>>
findThresholds(const WideGraph &graph, const Grid &grid,
               llvm::ArrayRef<NodeFacts> facts,
               llvm::ArrayRef<ThresholdQuery> queries);

} // namespace swizzle::lowering

#endif // SWIZZLE_LIB_FORMULA_EVAL_WIDEGRAPH_H
