//===- BoxCuts.cpp - Boxes that cuts keep apart ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See BoxCuts.h.
//
//===----------------------------------------------------------------------===//

#include "BoxCuts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace swizzle::analysis {

namespace {
/// Boxes that no cut has divided yet.
struct Part {
  size_t begin = 0, end = 0; ///< in `Cutter::order`
  unsigned dim = 0;          ///< to try next
  unsigned failed = 0;       ///< dimensions in a row without a cut
};

class Cutter {
public:
  Cutter(const Boxes &boxes,
         llvm::function_ref<bool(uint32_t, uint32_t)> conflict,
         WorkBudget &budget)
      : boxes(boxes), conflict(conflict), budget(budget), order(boxes.size()) {
    std::iota(order.begin(), order.end(), 0);
  }

  bool run();

private:
  bool isHarmless(Part part) const;
  bool cut(Part part);
  bool compareAll(Part part);

  const Boxes &boxes;
  llvm::function_ref<bool(uint32_t, uint32_t)> conflict;
  WorkBudget &budget;
  std::vector<uint32_t> order;
  std::vector<Part> parts;
};
} // namespace

/// True if all boxes are of one workgroup, or nothing done in them conflicts.
bool Cutter::isHarmless(Part part) const {
  std::set<uint32_t> effects;
  bool isOne = true;
  uint32_t first = boxes.workgroups[order[part.begin]];
  for (size_t i = part.begin; i < part.end; ++i) {
    isOne &= boxes.workgroups[order[i]] == first;
    effects.insert(boxes.effects[order[i]]);
  }
  return isOne || llvm::none_of(effects, [&](uint32_t a) {
           return llvm::any_of(effects,
                               [&](uint32_t b) { return conflict(a, b); });
         });
}

/// Divides `part` across its dimension; false if the budget is spent.
bool Cutter::cut(Part part) {
  size_t count = part.end - part.begin;
  if (!budget.spend(count * (llvm::Log2_64_Ceil(count) + 1)))
    return false;
  unsigned dim = part.dim;
  std::sort(order.begin() + part.begin, order.begin() + part.end,
            [&](uint32_t a, uint32_t b) {
              return std::make_pair(boxes.low(a, dim), a) <
                     std::make_pair(boxes.low(b, dim), b);
            });
  size_t begin = part.begin;
  int64_t last = boxes.high(order[begin], dim);
  auto emit = [&](size_t end) {
    bool isAll = end - begin == count;
    parts.push_back(
        {begin, end, (dim + 1) % boxes.dims, isAll ? part.failed + 1 : 0});
    begin = end;
  };
  for (size_t i = part.begin + 1; i < part.end; ++i) {
    if (boxes.low(order[i], dim) > last)
      emit(i);
    last = std::max(last, boxes.high(order[i], dim));
  }
  emit(part.end);
  return true;
}

bool Cutter::compareAll(Part part) {
  size_t count = part.end - part.begin;
  if (!budget.spend(count * count * boxes.dims))
    return false;
  auto meet = [&](uint32_t a, uint32_t b) {
    if (boxes.workgroups[a] == boxes.workgroups[b] ||
        !conflict(boxes.effects[a], boxes.effects[b]))
      return false;
    for (unsigned dim = 0; dim < boxes.dims; ++dim)
      if (boxes.low(a, dim) > boxes.high(b, dim) ||
          boxes.low(b, dim) > boxes.high(a, dim))
        return false;
    return true;
  };
  for (size_t i = part.begin; i < part.end; ++i)
    for (size_t j = part.begin; j < i; ++j)
      if (meet(order[i], order[j]))
        return false;
  return true;
}

bool Cutter::run() {
  if (!order.empty())
    parts.push_back({0, order.size()});
  while (!parts.empty()) {
    Part part = parts.back();
    parts.pop_back();
    if (!budget.spend(part.end - part.begin))
      return false;
    if (isHarmless(part))
      continue;
    if (!(part.failed < boxes.dims ? cut(part) : compareAll(part)))
      return false;
  }
  return true;
}

bool areApart(const Boxes &boxes,
              llvm::function_ref<bool(uint32_t, uint32_t)> conflict,
              WorkBudget &budget) {
  return Cutter(boxes, conflict, budget).run();
}

} // namespace swizzle::analysis
