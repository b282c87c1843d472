//===- Enumerate.cpp - What every workgroup makes of every node -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates a graph for all workgroups of a known grid, a batch at a time, and
// keeps what the machine code can profit from. Undefined lanes are set aside:
// they hold 0 and a flag, and take no part in ranges.
//
//===----------------------------------------------------------------------===//

#include "NodeSemantics.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>

namespace swizzle::lowering {

namespace {

constexpr int64_t kBatch = 1024;

struct Lanes {
  std::array<int64_t, kBatch> value;
  std::array<bool, kBatch> undefined;
  bool anyUndefined = false;
};

/// Evaluates all nodes of a graph for consecutive linear ids.
class BatchEvaluator {
public:
  BatchEvaluator(const WideGraph &graph, const Grid &grid)
      : graph(graph), grid(grid), lanes(graph.size()) {}

  void run(int64_t first, int64_t count);
  const Lanes &operator[](NodeId node) const { return lanes[node]; }

private:
  void runNode(NodeId id, int64_t first, int64_t count);

  const WideGraph &graph;
  Grid grid;
  std::vector<Lanes> lanes;
};

} // namespace

/// One operation for a batch; a loop of its own for each kind.
template <NodeKind kind>
static void evaluateLanes(const Lanes &a, const Lanes &b, const Lanes &c,
                          Lanes &out, int64_t count, bool operandsDefined) {
  bool anyUndefined = false;
  for (int64_t lane = 0; lane < count; ++lane) {
    std::optional<int64_t> value;
    if (operandsDefined ||
        !(a.undefined[lane] || b.undefined[lane] || c.undefined[lane]))
      value = evaluateKind(kind, a.value[lane], b.value[lane], c.value[lane]);
    out.value[lane] = value.value_or(0);
    out.undefined[lane] = !value;
    anyUndefined |= !value;
  }
  out.anyUndefined = anyUndefined;
}

void BatchEvaluator::run(int64_t first, int64_t count) {
  for (NodeId id = 0; id < graph.size(); ++id)
    runNode(id, first, count);
}

void BatchEvaluator::runNode(NodeId id, int64_t first, int64_t count) {
  const Node &node = graph[id];
  Lanes &out = lanes[id];
  if (node.kind == NodeKind::Constant) {
    if (first == 0) {
      out.value.fill(node.value);
      out.undefined.fill(false);
    }
    return;
  }
  if (node.kind == NodeKind::Id) {
    if (first == 0)
      out.undefined.fill(false);
    WorkgroupId workgroup = delinearise(first, grid);
    std::array<int64_t, 3> at{workgroup.x, workgroup.y, workgroup.z};
    for (int64_t lane = 0; lane < count; ++lane) {
      out.value[lane] = at[node.value];
      for (unsigned axis = 0; axis < 3 && ++at[axis] == grid[axis]; ++axis)
        at[axis] = 0;
    }
    return;
  }

  const Lanes &a = lanes[node.operands[0]];
  const Lanes &b = lanes[node.operands[node.numOperands > 1 ? 1 : 0]];
  const Lanes &c = lanes[node.operands[node.numOperands > 2 ? 2 : 0]];
  out.anyUndefined = false;
  if (node.kind == NodeKind::Select) {
    for (int64_t lane = 0; lane < count; ++lane) {
      const Lanes &chosen = a.value[lane] ? b : c;
      out.value[lane] = chosen.value[lane];
      out.undefined[lane] = a.undefined[lane] || chosen.undefined[lane];
      out.anyUndefined |= out.undefined[lane];
    }
    return;
  }
  bool operandsDefined = !a.anyUndefined && !b.anyUndefined && !c.anyUndefined;
  switch (node.kind) {
#define SWIZZLE_NODE_KIND(KIND)                                                \
  case NodeKind::KIND:                                                         \
    return evaluateLanes<NodeKind::KIND>(a, b, c, out, count, operandsDefined)
    SWIZZLE_NODE_KIND(Add);
    SWIZZLE_NODE_KIND(Sub);
    SWIZZLE_NODE_KIND(Mul);
    SWIZZLE_NODE_KIND(FloorDiv);
    SWIZZLE_NODE_KIND(FloorMod);
    SWIZZLE_NODE_KIND(And);
    SWIZZLE_NODE_KIND(Or);
    SWIZZLE_NODE_KIND(Xor);
    SWIZZLE_NODE_KIND(Shl);
    SWIZZLE_NODE_KIND(Shr);
    SWIZZLE_NODE_KIND(Min);
    SWIZZLE_NODE_KIND(Max);
    SWIZZLE_NODE_KIND(Less);
    SWIZZLE_NODE_KIND(LessEqual);
    SWIZZLE_NODE_KIND(Equal);
    SWIZZLE_NODE_KIND(NotEqual);
    SWIZZLE_NODE_KIND(HilbertX);
    SWIZZLE_NODE_KIND(HilbertY);
    SWIZZLE_NODE_KIND(MortonX);
    SWIZZLE_NODE_KIND(MortonY);
#undef SWIZZLE_NODE_KIND
  case NodeKind::Constant:
  case NodeKind::Id:
  case NodeKind::Extent:
  case NodeKind::Select:
    return; // above; extents are constants on a known grid
  }
}

/// An odd number that looks random.
static constexpr uint64_t scramble(uint64_t number) {
  number = (number + 0x9E3779B97F4A7C15ull) * 0xBF58476D1CE4E5B9ull;
  number = (number ^ (number >> 27)) * 0x94D049BB133111EBull;
  return (number ^ (number >> 31)) | 1;
}

/// A factor for each lane, so that a sum over lanes tells their order.
static constexpr std::array<uint64_t, kBatch> makeKeys() {
  std::array<uint64_t, kBatch> keys{};
  for (size_t lane = 0; lane < keys.size(); ++lane)
    keys[lane] = scramble(lane);
  return keys;
}
static constexpr std::array<uint64_t, kBatch> keys = makeKeys();

/// Folds one batch into what is known so far.
static void absorb(NodeFacts &facts, const Lanes &lanes, int64_t first,
                   int64_t count) {
  int64_t low = facts.low, high = facts.high;
  int64_t looked = count; // lanes that have all of the batch's values
  // A sum of terms that know their place: no term waits for another.
  uint64_t sum = 0;
  for (int64_t lane = 0; lane < count; ++lane)
    sum += uint64_t(lanes.value[lane]) * keys[lane];
  uint64_t hash = facts.hash + sum * scramble(uint64_t(first));
  if (!lanes.anyUndefined) {
    auto [smallest, largest] =
        std::minmax_element(lanes.value.begin(), lanes.value.begin() + count);
    low = std::min(low, *smallest);
    high = std::max(high, *largest);
    if (*smallest == *largest)
      looked = 1;
  } else {
    facts.everUndefined = true;
    for (int64_t lane = 0; lane < count; ++lane) {
      hash = (hash ^ lanes.undefined[lane]) * 0xC2B2AE3D27D4EB4Full;
      if (lanes.undefined[lane])
        continue;
      low = std::min(low, lanes.value[lane]);
      high = std::max(high, lanes.value[lane]);
    }
  }
  facts.low = low;
  facts.high = high;
  facts.hash = hash;
  std::optional<int64_t> last; // values come in runs
  for (int64_t lane = 0; lane < looked && !facts.manyValues; ++lane) {
    if (lanes.undefined[lane] || lanes.value[lane] == last)
      continue;
    last = lanes.value[lane];
    if (llvm::is_contained(facts.distinct, *last))
      continue;
    if (facts.distinct.size() == NodeFacts::maxDistinct)
      facts.manyValues = true;
    else
      facts.distinct.push_back(lanes.value[lane]);
  }
}

/// Checks one batch of a node that has been linear over GF(2) so far. `first`
/// is a multiple of the batch.
static void absorbLinear(NodeFacts &facts, const Lanes &lanes, int64_t first,
                         int64_t count, unsigned bits) {
  if (lanes.anyUndefined) {
    facts.bitLinear = false;
    return;
  }
  if (first == 0) {
    facts.base = lanes.value[0];
    facts.columns.assign(bits, 0);
    for (unsigned bit = 0; bit < bits && (int64_t(1) << bit) < count; ++bit)
      facts.columns[bit] = lanes.value[int64_t(1) << bit] ^ facts.base;
  } else if (llvm::isPowerOf2_64(first)) {
    facts.columns[llvm::Log2_64(first)] = lanes.value[0] ^ facts.base;
  }
  int64_t expected = facts.base;
  for (unsigned bit = 0; bit < bits; ++bit)
    if (first >> bit & 1)
      expected ^= facts.columns[bit];
  // Ids in Gray order differ from the previous one in a single bit.
  int64_t lane = 0;
  for (int64_t step = 0; step < count; ++step) {
    if (step) {
      unsigned bit = llvm::countr_zero(uint64_t(step));
      lane ^= int64_t(1) << bit;
      expected ^= facts.columns[bit];
    }
    if (lanes.value[lane] != expected) {
      facts.bitLinear = false;
      return;
    }
  }
}

std::vector<NodeFacts> enumerate(const WideGraph &graph, const Grid &grid) {
  std::vector<NodeFacts> facts(graph.size());
  int64_t total = grid.count();
  bool powerOfTwo = llvm::isPowerOf2_64(total);
  unsigned bits = powerOfTwo ? llvm::Log2_64(total) : 0;
  for (NodeFacts &fact : facts)
    fact.bitLinear = powerOfTwo;
  BatchEvaluator evaluator(graph, grid);
  uint64_t ones = 0; // the hash of a node that is always 1
  for (int64_t first = 0; first < total; first += kBatch) {
    int64_t count = std::min(kBatch, total - first);
    evaluator.run(first, count);
    uint64_t sum = 0;
    for (int64_t lane = 0; lane < count; ++lane)
      sum += keys[lane];
    ones += sum * scramble(uint64_t(first));
    for (NodeId node = 0; node < graph.size(); ++node) {
      // One look at a constant tells all but its hash.
      if (graph[node].kind == NodeKind::Constant && first > 0)
        continue;
      absorb(facts[node], evaluator[node], first, count);
      if (facts[node].bitLinear)
        absorbLinear(facts[node], evaluator[node], first, count, bits);
    }
  }
  for (NodeId node = 0; node < graph.size(); ++node) {
    if (graph[node].kind == NodeKind::Constant)
      facts[node].hash = uint64_t(graph[node].value) * ones;
    std::sort(facts[node].distinct.begin(), facts[node].distinct.end());
  }
  return facts;
}

std::optional<Threshold> findThreshold(const WideGraph &graph, const Grid &grid,
                                       NodeId node, const NodeFacts &facts,
                                       llvm::ArrayRef<NodeId> candidates) {
  // For each candidate, its range where the node has its smaller and its larger
  // value.
  struct Ranges {
    int64_t low[2] = {INT64_MAX, INT64_MAX};
    int64_t high[2] = {INT64_MIN, INT64_MIN};
  };
  std::vector<Ranges> ranges(candidates.size());
  std::vector<bool> defined(candidates.size(), true);
  int64_t total = grid.count();
  BatchEvaluator evaluator(graph, grid);
  for (int64_t first = 0; first < total; first += kBatch) {
    int64_t count = std::min(kBatch, total - first);
    evaluator.run(first, count);
    const Lanes &values = evaluator[node];
    for (size_t i = 0; i < candidates.size(); ++i) {
      const Lanes &lanes = evaluator[candidates[i]];
      if (lanes.anyUndefined)
        defined[i] = false;
      for (int64_t lane = 0; lane < count; ++lane) {
        bool larger = values.value[lane] == facts.distinct[1];
        ranges[i].low[larger] =
            std::min(ranges[i].low[larger], lanes.value[lane]);
        ranges[i].high[larger] =
            std::max(ranges[i].high[larger], lanes.value[lane]);
      }
    }
  }
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (!defined[i])
      continue;
    for (unsigned above = 0; above < 2; ++above)
      if (ranges[i].high[1 - above] < ranges[i].low[above])
        return Threshold{candidates[i], ranges[i].low[above], above};
  }
  return std::nullopt;
}

} // namespace swizzle::lowering
