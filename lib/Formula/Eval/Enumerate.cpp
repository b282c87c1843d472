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
// they take no part in ranges.
//
//===----------------------------------------------------------------------===//

#include "Enumerate.h"
#include "BatchEvaluator.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>
#include <map>

namespace swizzle::formula {

/// Folds one batch into what is known so far.
static void absorb(NodeFacts &facts, const Lanes &lanes, int64_t count) {
  facts.low = std::min(facts.low, lanes.low);
  facts.high = std::max(facts.high, lanes.high);
  facts.everUndefined |= lanes.undefined != nullptr;
  // Lanes that have all of the batch's values.
  int64_t looked = !lanes.undefined && lanes.low == lanes.high ? 1 : count;
  std::optional<int64_t> last; // values come in runs
  for (int64_t lane = 0; lane < looked && !facts.manyValues; ++lane) {
    if (lanes.isUndefined(lane) || lanes.value(lane) == last)
      continue;
    last = lanes.value(lane);
    if (llvm::is_contained(facts.distinct, *last))
      continue;
    if (facts.distinct.size() == NodeFacts::maxDistinct)
      facts.manyValues = true;
    else
      facts.distinct.push_back(*last);
  }
}

namespace {

/// Tells which nodes agree for every workgroup: all do at first, and part where
/// a batch tells them apart.
class Agreement {
public:
  explicit Agreement(llvm::ArrayRef<Instruction> code) : same(code.size(), 0) {
    for (Slot slot = 0; slot < code.size(); ++slot)
      if (isCheck(code[slot].op)) // agrees with nothing
        same[slot] = slot;
  }

  void absorb(const BatchEvaluator &batch, int64_t count);
  /// The first node that agrees with this one.
  Slot operator[](Slot node) const { return same[node]; }

private:
  std::vector<Slot> same;
};

/// Checks nodes for being linear over GF(2) in the bits of the linear id.
class Linearity {
public:
  Linearity(size_t numNodes, unsigned bits) : bits(bits), pattern(numNodes) {}

  /// One batch of a node that has been linear so far. `first` is a multiple of
  /// the batch.
  void absorb(Slot node, NodeFacts &facts, const Lanes &lanes, int64_t first,
              int64_t count);

private:
  unsigned bits;
  /// For each node what the low bits of an id contribute: the same in every
  /// batch.
  std::vector<std::vector<int64_t>> pattern;
};

} // namespace

void Agreement::absorb(const BatchEvaluator &batch, int64_t count) {
  // Who parted in this batch, by whom they agreed with before and what they
  // hold now.
  std::map<std::pair<Slot, uint64_t>, llvm::SmallVector<Slot, 1>> parted;
  for (Slot node = 1; node < same.size(); ++node) {
    Slot before = same[node];
    const Lanes &lanes = batch[node];
    if (before == node || agree(lanes, batch[before], count))
      continue;
    // FNV-1a over whole numbers, with a prime of xxHash (Y. Collet).
    uint64_t hash = llvm::hash_combine(lanes.low, lanes.high);
    for (int64_t lane = 0; lane < count; ++lane)
      hash = (hash ^ uint64_t(lanes.value(lane))) * 0xC2B2AE3D27D4EB4Full;
    llvm::SmallVector<Slot, 1> &others = parted[{before, hash}];
    const Slot *other = llvm::find_if(
        others, [&](Slot id) { return agree(lanes, batch[id], count); });
    if (other == others.end()) {
      others.push_back(node);
      same[node] = node;
    } else {
      same[node] = *other;
    }
  }
}

void Linearity::absorb(Slot node, NodeFacts &facts, const Lanes &lanes,
                       int64_t first, int64_t count) {
  if (lanes.undefined) {
    facts.bitLinear = false;
    return;
  }
  std::vector<int64_t> &low = pattern[node];
  if (first == 0) {
    facts.base = lanes.value(0);
    facts.columns.assign(bits, 0);
    for (unsigned bit = 0; bit < bits && (int64_t(1) << bit) < count; ++bit)
      facts.columns[bit] = lanes.value(int64_t(1) << bit) ^ facts.base;
    // Without its lowest bit an id is a smaller one.
    low.assign(count, 0);
    for (int64_t lane = 1; lane < count; ++lane)
      low[lane] = low[lane & (lane - 1)] ^
                  facts.columns[llvm::countr_zero(uint64_t(lane))];
  } else if (llvm::isPowerOf2_64(first)) {
    facts.columns[llvm::Log2_64(first)] = lanes.value(0) ^ facts.base;
  }
  int64_t expected = facts.base;
  for (unsigned bit = 0; bit < bits; ++bit)
    if (first >> bit & 1)
      expected ^= facts.columns[bit];
  int64_t difference = 0;
  if (lanes.narrow)
    for (int64_t lane = 0; lane < count; ++lane)
      difference |= lanes.narrow[lane] ^ low[lane] ^ expected;
  else
    for (int64_t lane = 0; lane < count; ++lane)
      difference |= lanes.wide[lane] ^ low[lane] ^ expected;
  if (difference) {
    facts.bitLinear = false;
    low = {};
  }
}

std::vector<NodeFacts> enumerate(const BoundFormula::Program &graph) {
  const std::vector<Instruction> &code = graph.code;
  std::vector<NodeFacts> facts(code.size());
  int64_t total = graph.environment.grid.count();
  bool powerOfTwo = llvm::isPowerOf2_64(total);
  for (NodeFacts &fact : facts)
    fact.bitLinear = powerOfTwo;
  BatchEvaluator evaluator(graph);
  Agreement same(code);
  Linearity linearity(code.size(), powerOfTwo ? llvm::Log2_64(total) : 0);
  for (int64_t first = 0; first < total; first += kBatch) {
    int64_t count = std::min(kBatch, total - first);
    evaluator.run(first, count);
    same.absorb(evaluator, count);
    for (Slot node = 0; node < code.size(); ++node) {
      // One look at a constant tells all.
      Op op = code[node].op;
      if (isCheck(op) || (op == Op::Constant && first > 0))
        continue;
      absorb(facts[node], evaluator[node], count);
      if (facts[node].bitLinear)
        linearity.absorb(node, facts[node], evaluator[node], first, count);
    }
  }
  for (Slot node = 0; node < code.size(); ++node) {
    facts[node].same = same[node];
    std::sort(facts[node].distinct.begin(), facts[node].distinct.end());
  }
  return facts;
}

namespace {
/// The range of a candidate where a node has its smaller and its larger value.
struct Ranges {
  int64_t low[2] = {INT64_MAX, INT64_MAX};
  int64_t high[2] = {INT64_MIN, INT64_MIN};
  void include(bool larger, int64_t from, int64_t to) {
    low[larger] = std::min(low[larger], from);
    high[larger] = std::max(high[larger], to);
  }
  /// Lane by lane, without branches.
  template <typename T>
  void include(const T *values, T larger, const T *candidate, int64_t count) {
    T from[2] = {std::numeric_limits<T>::max(), std::numeric_limits<T>::max()};
    T to[2] = {std::numeric_limits<T>::min(), std::numeric_limits<T>::min()};
    for (int64_t lane = 0; lane < count; ++lane) {
      T value = candidate[lane];
      bool isLarger = values[lane] == larger;
      from[0] = std::min(from[0], isLarger ? from[0] : value);
      from[1] = std::min(from[1], isLarger ? value : from[1]);
      to[0] = std::max(to[0], isLarger ? to[0] : value);
      to[1] = std::max(to[1], isLarger ? value : to[1]);
    }
    for (bool side : {false, true})
      if (from[side] <= to[side])
        include(side, from[side], to[side]);
  }
  /// Neither value has a range all of whose numbers are below the other's.
  bool overlap() const { return high[0] >= low[1] && high[1] >= low[0]; }
};
} // namespace

std::vector<std::optional<Threshold>>
findThresholds(const BoundFormula::Program &graph,
               llvm::ArrayRef<NodeFacts> facts,
               llvm::ArrayRef<ThresholdQuery> queries) {
  std::vector<std::vector<Ranges>> ranges;
  for (const ThresholdQuery &query : queries)
    ranges.emplace_back(query.candidates.size());
  int64_t total = queries.empty() ? 0 : graph.environment.grid.count();
  BatchEvaluator evaluator(graph);
  for (int64_t first = 0; first < total; first += kBatch) {
    int64_t count = std::min(kBatch, total - first);
    evaluator.run(first, count);
    for (auto [query, found] : llvm::zip_equal(queries, ranges)) {
      const Lanes &values = evaluator[query.node];
      int64_t largerValue = facts[query.node].distinct[1];
      for (auto [candidate, range] : llvm::zip_equal(query.candidates, found)) {
        if (range.overlap())
          continue;
        const Lanes &lanes = evaluator[candidate];
        if (values.low == values.high) {
          range.include(values.low == largerValue, lanes.low, lanes.high);
          continue;
        }
        if (values.narrow)
          range.include(values.narrow, int32_t(largerValue), lanes.narrow,
                        count);
        else
          range.include(values.wide, largerValue, lanes.wide, count);
      }
    }
  }
  std::vector<std::optional<Threshold>> result;
  for (auto [query, found] : llvm::zip_equal(queries, ranges)) {
    std::optional<Threshold> &threshold = result.emplace_back();
    for (auto [candidate, range] : llvm::zip_equal(query.candidates, found))
      for (unsigned above = 0; above < 2 && !threshold; ++above)
        if (!facts[candidate].everUndefined &&
            range.high[1 - above] < range.low[above])
          threshold = Threshold{candidate, range.low[above], above};
  }
  return result;
}

} // namespace swizzle::formula
