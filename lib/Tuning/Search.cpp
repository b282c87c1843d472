//===- Search.cpp - Cheap first, careful later ----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two thirds of the points are the agent's own and an even spread, the rest are
// neighbours of whatever is best so far.
//
//===----------------------------------------------------------------------===//

#include "Search.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace llvm;

namespace swizzle::tuning {

namespace {
/// Smaller is better: the objective's figure, then the time.
using Rank = std::pair<double, double>;

class Search {
public:
  Search(Points &points, Evaluator &evaluator, Budget &budget,
         Objective objective, const SearchLimits &limits)
      : points(points), evaluator(evaluator), budget(budget),
        objective(objective), limits(limits) {}

  std::vector<Variant> run();

private:
  bool mayEvaluate();
  void rankNew();
  void noteFailure(Error error);
  void climb();
  size_t best() const { return size_t(min_element(ranks) - ranks.begin()); }

  Points &points;
  Evaluator &evaluator;
  Budget &budget;
  Objective objective;
  const SearchLimits &limits;
  std::vector<Rank> ranks; ///< of the first variants of `points`
  unsigned failures = 0;
  bool stopped = false;
};
} // namespace

/// True if a cheap evaluation leaves enough for the finalists.
bool Search::mayEvaluate() {
  if (budget.beforeEvaluating())
    return false;
  std::optional<unsigned> left = budget.evaluationsLeft();
  return !left || *left > limits.finalists;
}

/// What could not be evaluated ranks last; the first reason is told.
void Search::noteFailure(Error error) {
  std::string reason = toString(std::move(error));
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
    Expected<Metrics> result =
        evaluator.measure(points.variants[ranks.size()], Fidelity::Search);
    if (result) {
      rank.second = costOf(*result, Objective::Time).value_or(unknown);
      rank.first = costOf(*result, objective).value_or(rank.second);
    } else {
      noteFailure(result.takeError());
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

std::vector<Variant> Search::run() {
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
  std::vector<Variant> finalists;
  for (size_t i : ArrayRef(order).take_front(limits.finalists))
    finalists.push_back(points.variants[i]);
  return finalists;
}

std::vector<Variant> searchPoints(Points &points, Evaluator &evaluator,
                                  Budget &budget, Objective objective,
                                  const SearchLimits &limits) {
  return Search(points, evaluator, budget, objective, limits).run();
}

} // namespace swizzle::tuning
