//===- Template.cpp - The numbers of a formula with parameters ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Somebody proposed the shape; the numbers are found here. Combinations that do
// not meet their requirements, are not legal, or say the same as another, cost
// no simulation. The rest is simulated in rounds, each of which keeps a quarter
// and simulates it in four times the detail, so that each round costs about the
// same: successive halving (K. Jamieson, A. Talwalkar, Non-stochastic Best Arm
// Identification and Hyperparameter Optimization, AISTATS 2016).
//
//===----------------------------------------------------------------------===//

#include "Constants.h"
#include "Trials/Sampling.h"
#include "swizzle/Formula/Lowering/Lowering.h"
#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/Hardware/Completion.h"
#include "swizzle/Planner/Planner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace swizzle {

using namespace planner;

namespace {

using Constants = TemplateConstants;

struct Point {
  ParamValues params;
  std::vector<uint32_t> permutation; ///< none of a grid that is not enumerated
  std::optional<BoundFormula> bound; ///< on the model's grid
  int64_t cost = 0;
  uint64_t index = 0;
  Metrics metrics;
};

/// The new linear ids of `count` workgroups from `first` on.
llvm::Expected<std::vector<uint32_t>> placesOf(const Point &point,
                                               int64_t first, int64_t count) {
  if (!point.permutation.empty())
    return llvm::ArrayRef(point.permutation).slice(first, count).vec();
  std::vector<uint32_t> places(static_cast<size_t>(count));
  if (llvm::Error error =
          point.bound->evaluate(first, llvm::MutableArrayRef<uint32_t>(places)))
    return std::move(error);
  return places;
}

/// Faster first; then less traffic, then cheaper arithmetic.
bool better(const Point &a, const Point &b) {
  auto first = [](const Point &p) {
    return std::make_tuple(p.metrics.timeUs, p.metrics.dramBytes());
  };
  if (first(a) != first(b))
    return first(a) < first(b);
  if (asksLess(a.metrics, b.metrics) || asksLess(b.metrics, a.metrics))
    return asksLess(a.metrics, b.metrics);
  return std::tie(a.cost, a.index) < std::tie(b.cost, b.index);
}

int64_t costOf(const Formula &formula, const Environment &environment) {
  llvm::Expected<LoweredFormula> lowered = lower(formula, environment);
  if (lowered)
    return estimateCost(*lowered);
  // Not possible: only what was proved is asked about, and that can be lowered.
  llvm::consumeError(lowered.takeError());
  return 0;
}

/// The legal combinations that are different orders of the model's grid, at
/// most as many as can be looked at, evenly spread.
llvm::Expected<std::vector<Point>>
distinctPoints(const Formula &formula, const Environment &environment,
               const KernelModel &model) {
  std::vector<Point> points;
  std::set<uint64_t> seen;
  uint64_t combinations = formula.numCombinations();
  uint64_t most = std::max(Constants::fewestCombinations,
                           Constants::evaluatedIds /
                               std::max<int64_t>(1, model.grid.count()));
  uint64_t step = (combinations + most - 1) / most;
  for (uint64_t i = 0; i < combinations; i += step) {
    Point point;
    point.index = i;
    Environment trial = environment;
    trial.params = point.params = formula.combination(i);
    // The grid of the launch may be open; the model's is what it stands for.
    if (!environment.grid.isStatic() && !prove(formula, trial).legal())
      continue;
    Environment concrete = trial;
    concrete.grid = model.grid;
    if (!prove(formula, concrete, {}, point.permutation).legal())
      continue;
    llvm::Expected<BoundFormula> bound = BoundFormula::bind(formula, concrete);
    if (!bound)
      return bound.takeError();
    point.bound = std::move(*bound);
    llvm::Expected<std::vector<uint32_t>> places = placesOf(
        point, 0, std::min(model.grid.count(), Constants::comparedIds));
    if (!places)
      return places.takeError();
    if (!seen.insert(llvm::xxh3_64bits(llvm::ArrayRef<uint8_t>(
                         reinterpret_cast<const uint8_t *>(places->data()),
                         places->size() * sizeof(uint32_t))))
             .second)
      continue;
    point.cost = costOf(formula, trial);
    points.push_back(std::move(point));
  }
  return points;
}

} // namespace

llvm::Expected<std::vector<Candidate>>
searchTemplate(const Formula &formula, const Environment &environment,
               const KernelModel &model, const HardwareSpec &hardware,
               const PlannerOptions &options) {
  llvm::Expected<std::vector<Point>> distinct =
      distinctPoints(formula, environment, model);
  if (!distinct)
    return distinct.takeError();
  std::vector<Point> points = std::move(*distinct);
  std::vector<Candidate> result;
  if (points.empty())
    return result;

  ReuseTable reuse =
      analyseReuse(model, *completeSharedLevel(hardware).lineBytes);
  int64_t rounds = 1;
  for (size_t left = points.size(); left > Constants::finalists;
       left /= Constants::keptPart)
    ++rounds;
  size_t alive = points.size();
  for (;;) {
    Sampling sampling(model, hardware, Sampling::LeaveOut::Workgroups);
    sampling.setDeadline(options.deadline);
    double affordable = Constants::shareOfBudget * options.accessBudget /
                        double(rounds) / double(alive + 1);
    if (llvm::Error error =
            sampling.settle(reuse, options.full ? HUGE_VAL : affordable))
      return std::move(error);
    std::vector<Sampling::Job> jobs;
    for (const Point &point : llvm::ArrayRef(points).take_front(alive)) {
      llvm::Expected<std::vector<uint32_t>> places =
          placesOf(point, sampling.first(), sampling.count());
      if (!places)
        return places.takeError();
      jobs.push_back({std::move(*places), double(point.cost), 0});
    }
    llvm::Expected<std::vector<Metrics>> metrics = sampling.measure(jobs);
    if (!metrics)
      return metrics.takeError();
    for (size_t i = 0; i < alive; ++i)
      points[i].metrics = std::move((*metrics)[i]);
    std::sort(points.begin(), points.begin() + alive, better);
    bool whole =
        sampling.options().prefix >= 1 && sampling.options().sampleShift == 0;
    if (alive <= Constants::finalists || whole)
      break;
    alive = std::max(Constants::finalists, alive / Constants::keptPart);
  }
  for (Point &point : points) {
    Candidate candidate;
    candidate.formula = formula.print();
    candidate.params = std::move(point.params);
    candidate.cost = point.cost;
    candidate.metrics = std::move(point.metrics);
    for (const auto &[name, value] : candidate.params)
      candidate.description += (candidate.description.empty() ? "" : ", ") +
                               name + "=" + std::to_string(value);
    result.push_back(std::move(candidate));
  }
  return result;
}

} // namespace swizzle
