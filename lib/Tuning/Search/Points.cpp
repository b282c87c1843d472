//===- Points.cpp - The parameter sets of a template ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Large templates are visited in the order of bit-reversed indices (the van der
// Corput sequence, 1935), so that any beginning of the visit is spread evenly:
// 0, 4, 2, 6, 1, 5, 3, 7 of eight.
//
//===----------------------------------------------------------------------===//

#include "Points.h"

#include "History/HistoryText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace swizzle::tuning {

/// Ids that are enumerated for one template, and combinations looked at.
static constexpr int64_t kMaxWork = int64_t(1) << 26;
static constexpr uint64_t kMaxVisited = 4096;

Points::Points(const Formula &formula, const AgentContext &context,
               const DuplicateIndex &tried)
    : formula(formula), context(context), tried(tried) {}

bool Points::add(const ParamValues &params) {
  lastReason.clear();
  if (!looked.insert(params).second)
    return false;
  Environment environment = context.environment;
  environment.params = params;
  Refusal why;
  work += std::max<int64_t>(1, context.model.grid.count());
  std::optional<Variant> variant =
      proveVariant(formula, environment, context.model.grid, why);
  if (!variant) {
    lastReason = why.message;
    if (why.code == "infeasible") {
      ++infeasible;
    } else if (++illegal == 1) {
      refusal = std::move(why);
      refusedParams = params;
    }
    return false;
  }
  if (const KnownOrder *order = tried.find(variant->key)) {
    lastReason = "same permutation as " + nameOrder(*order);
    if (!met)
      met = Met{*order, variant->key, params};
    return false;
  }
  if (!keys.insert(variant->key).second) {
    lastReason = "same permutation as another set of this template";
    return false;
  }
  variants.push_back(std::move(*variant));
  return true;
}

void Points::addSuggested(const std::vector<ParamValues> &sets) {
  for (const ParamValues &set : sets) {
    ParamValues params;
    std::string wrong;
    for (const ParamDecl &param : formula.params()) {
      auto it = set.find(param.name);
      int64_t value = it != set.end() ? it->second : param.values.front();
      if (!is_contained(param.values, value)) {
        wrong = param.name + "=" + std::to_string(value) + " is not in its set";
        notes.push_back("the suggested " + wrong);
      }
      params[param.name] = value;
    }
    for (const auto &[name, value] : set)
      if (!params.count(name)) {
        wrong = name + " is no parameter";
        notes.push_back("the suggested " + wrong);
      }
    if (wrong.empty()) {
      add(params);
      wrong = lastReason;
    }
    if (wrong.empty())
      continue;
    TriedSet refusal;
    refusal.params = set;
    refusal.error = std::move(wrong);
    refused.push_back(std::move(refusal));
  }
}

void Points::addSpread(size_t most) {
  uint64_t combinations = formula.numCombinations();
  uint64_t visited = std::min(combinations, kMaxVisited);
  unsigned bits = Log2_64_Ceil(std::max<uint64_t>(visited, 2));
  for (uint64_t i = 0; i < (uint64_t(1) << bits); ++i) {
    if (variants.size() >= most || work >= kMaxWork)
      return;
    uint64_t position = i;
    if (combinations > most)
      position = reverseBits(i) >> (64 - bits);
    if (position >= visited)
      continue;
    // position * combinations / visited without overflow: at most 1e6 * 4096.
    add(formula.combination(position * combinations / visited));
  }
}

std::vector<ParamValues> Points::neighbours(const ParamValues &params) const {
  std::vector<ParamValues> result;
  for (const ParamDecl &param : formula.params()) {
    auto at = find(param.values, params.at(param.name));
    size_t index = at - param.values.begin();
    for (int step : {-1, 1}) {
      size_t next = index + step;
      if (next >= param.values.size())
        continue;
      ParamValues moved = params;
      moved[param.name] = param.values[next];
      result.push_back(std::move(moved));
    }
  }
  return result;
}

} // namespace swizzle::tuning
