//===- Search.cpp - Cheap first, careful later ----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two thirds of the points are the agent's own and an even spread, the rest are
// neighbours of whatever is best so far. Times of a cheap look that are equal
// are told apart by the bytes of DRAM.
//
//===----------------------------------------------------------------------===//

#include "Search.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace llvm;

namespace swizzle::tuning {

namespace {
/// Smaller is better: the objective's figure, then the time; of times, the
/// bytes of DRAM.
using Rank = std::pair<double, double>;

class Search {
public:
  Search(Points &points, Evaluator &evaluator, Budget &budget,
         Objective objective, const SearchLimits &limits)
      : points(points), evaluator(evaluator), budget(budget),
        objective(objective), limits(limits) {}

  SearchResult run();

private:
  bool mayEvaluate();
  void rankNew();
  void noteFailure(std::string reason);
  void climb();
  size_t best() const { return size_t(min_element(ranks) - ranks.begin()); }

  Points &points;
  Evaluator &evaluator;
  Budget &budget;
  Objective objective;
  const SearchLimits &limits;
  std::vector<Rank> ranks; ///< of the first variants of `points`
  std::vector<TriedSet> sets;
  unsigned failures = 0;
  bool stopped = false;
};
} // namespace

/// True if a cheap evaluation leaves enough for the finalists.
bool Search::mayEvaluate() {
  if (budget.beforeEvaluating())
    return false;
  std::optional<unsigned> left = budget.evaluationsLeft();
  return !left || *left > limits.finalists + 1; // and the first set
}

/// What could not be evaluated ranks last; the first reason is told.
void Search::noteFailure(std::string reason) {
  if (!failures++)
    points.notes.push_back("not all parameter sets could be looked at: " +
                           reason);
}

/// Evaluates the variants that have no rank yet.
void Search::rankNew() {
  while (!stopped && ranks.size() < points.variants.size()) {
    if (!mayEvaluate()) {
      stopped = true;
      return;
    }
    constexpr double unknown = std::numeric_limits<double>::infinity();
    Rank rank{unknown, unknown};
    const Variant &variant = points.variants[ranks.size()];
    Expected<Metrics> result = evaluator.measure(variant, Fidelity::Search);
    if (result) {
      sets.push_back(describeSet(variant.params, *result, Fidelity::Search));
      Objective other =
          objective == Objective::Time ? Objective::DramBytes : Objective::Time;
      rank.second = costOf(*result, other).value_or(unknown);
      rank.first =
          costOf(*result, objective)
              .value_or(costOf(*result, Objective::Time).value_or(unknown));
    } else {
      TriedSet failed;
      failed.params = variant.params;
      failed.error = toString(result.takeError());
      noteFailure(failed.error);
      sets.push_back(std::move(failed));
    }
    ranks.push_back(rank);
  }
}

/// Walks from the best to a better neighbour until there is none.
void Search::climb() {
  while (!stopped && points.variants.size() < limits.points) {
    size_t from = best();
    for (const ParamValues &next :
         points.neighbours(points.variants[from].params))
      if (points.variants.size() < limits.points)
        points.add(next);
    rankNew();
    if (best() == from)
      return;
  }
}

SearchResult Search::run() {
  points.addSpread(limits.points - limits.points / 3);
  if (points.variants.size() > 1) {
    rankNew();
    if (!ranks.empty())
      climb();
  }
  // What has no rank follows in the order in which it was proposed.
  std::vector<size_t> order(ranks.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  sort(order, [&](size_t a, size_t b) {
    return std::tie(ranks[a], a) < std::tie(ranks[b], b);
  });
  for (size_t i = ranks.size(); i < points.variants.size(); ++i)
    order.push_back(i);
  SearchResult result;
  ArrayRef<size_t> kept = ArrayRef(order).take_front(limits.finalists);
  for (size_t i : kept)
    result.finalists.push_back(points.variants[i]);
  // The set that its author believes in: a cheap look is no reason to drop it.
  if (!order.empty() && !is_contained(kept, 0u))
    result.finalists.push_back(points.variants.front());
  result.sets = std::move(sets);
  return result;
}

SearchResult searchPoints(Points &points, Evaluator &evaluator, Budget &budget,
                          Objective objective, const SearchLimits &limits) {
  return Search(points, evaluator, budget, objective, limits).run();
}

} // namespace swizzle::tuning
