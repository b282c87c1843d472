//===- Evaluation.cpp - Simulated trials under a budget -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Evaluation.h.
//
//===----------------------------------------------------------------------===//

#include "Evaluation.h"
#include "Constants.h"

#include "swizzle/Formula/Lowering/Lowering.h"
#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/Support/Parallel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cmath>

namespace swizzle::planner {

using Constants = EvaluationConstants;

Evaluation::Evaluation(const KernelModel &model, const HardwareSpec &hardware,
                       const PlannerOptions &options, const SearchSpace &space)
    : model(model), hardware(hardware), options(options), space(space),
      sampling(model, hardware, Sampling::LeaveOut::Lines) {
  sampling.setDeadline(options.deadline);
  sampling.setCeiling(Constants::shareOfDeepest * options.accessBudget);
}

llvm::Error Evaluation::baseline(const ReuseTable &reuse) {
  double accesses = options.accessBudget * Constants::shareOfOne;
  if (llvm::Error error = sampling.settle(reuse, accesses))
    return error;
  lastDetail = sampling.options();
  affordable = options.accessBudget / sampling.costOfOne();
  unchanged = forecastOf(before(), before());
  return llvm::Error::success();
}

int64_t Evaluation::searchTrials() const {
  return std::max(static_cast<int64_t>(Constants::shareOfSearch * affordable),
                  Constants::fewestTrials);
}

std::vector<uint32_t> Evaluation::tilesOf(const Order &order) const {
  return space.tiles(order, sampling.first(), sampling.count());
}

Environment Evaluation::environmentOf() const {
  Environment environment;
  environment.grid = model.grid;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (!model.gridKnown[axis])
      environment.grid[axis] = kUnknownExtent;
  environment.hardware = hardware.formulaConstants();
  environment.chip = hardware.name;
  return environment;
}

/// What is a permutation of one grid may be hard to prove for all.
bool Evaluation::isProvable(const Trial &trial) const {
  Environment environment = environmentOf();
  return environment.grid.isStatic() ||
         prove(trial.order.toFormula(model.grid), environment).legal();
}

int64_t Evaluation::costOf(const Order &order) const {
  Environment environment = environmentOf();
  // Beyond this, finding ranges costs more than it tells; the constants are
  // the same on a smaller grid of the same kind.
  int64_t enough =
      std::max<int64_t>(4096, 4 * order.nest.chunk * hardware.numDies);
  for (unsigned axis = 3; axis-- > 0;) {
    int64_t piece = 1;
    for (const NestLevel &level : order.nest.levels)
      if (level.axis == axis)
        piece = std::max(piece, level.tile);
    int64_t &extent = environment.grid[axis];
    while (environment.grid.isStatic() && environment.grid.count() > enough &&
           extent > std::max<int64_t>(16, 2 * piece))
      extent = (extent / piece + 1) / 2 * piece + extent % piece;
  }
  llvm::Expected<LoweredFormula> lowered =
      lower(order.toFormula(model.grid), environment);
  if (lowered)
    return estimateCost(*lowered);
  // Not possible: every order of the search space is a nest or a curve, which
  // can be lowered on any grid.
  llvm::consumeError(lowered.takeError());
  return 20 * int64_t(order.nest.levels.size());
}

Forecast Evaluation::forecastOf(const Metrics &metrics, const Metrics &like) {
  double scale =
      metrics.lineAccesses > 0 ? like.lineAccesses / metrics.lineAccesses : 1;
  Forecast forecast;
  forecast.timeUs = metrics.timeUs * scale;
  forecast.dramBytes = (metrics.dramReadBytes + metrics.dramWriteBytes) * scale;
  forecast.latencyUs = (metrics.scatterUs + metrics.waitUs) * scale;
  return forecast;
}

llvm::Error Evaluation::simulate(llvm::ArrayRef<Order> orders) {
  int64_t left = searchTrials() - int64_t(trials.size());
  std::vector<Sampling::Job> jobs;
  std::vector<Trial> added;
  for (const Order &order : orders) {
    if (int64_t(jobs.size()) >= left)
      break;
    Trial trial;
    trial.order = order;
    trial.name = order.describe();
    std::vector<uint32_t> tiles = tilesOf(order);
    // Other words for an order that was simulated already.
    uint64_t hash = llvm::xxh3_64bits(llvm::ArrayRef<uint8_t>(
        reinterpret_cast<const uint8_t *>(tiles.data()), tiles.size() * 4));
    if (!seen.insert(hash).second)
      continue;
    trial.cost = costOf(order);
    trial.unchanged = llvm::equal(
        tiles, llvm::seq<uint32_t>(sampling.first(),
                                   sampling.first() + sampling.count()));
    jobs.push_back({std::move(tiles), double(trial.cost), 0});
    added.push_back(std::move(trial));
  }
  std::vector<std::optional<Metrics>> metrics;
  llvm::Error error = sampling.measure(jobs, metrics);
  for (size_t i = 0; i < added.size(); ++i) {
    if (!metrics[i])
      continue;
    added[i].metrics = std::move(*metrics[i]);
    added[i].forecast = forecastOf(added[i].metrics, before());
    trials.push_back(std::move(added[i]));
  }
  rank();
  return error;
}

void Evaluation::rank() {
  auto key = [&](const Trial &trial) {
    return std::make_tuple(!trial.final, trial.forecast.timeUs,
                           trial.forecast.dramBytes);
  };
  llvm::sort(trials, [&](const Trial &a, const Trial &b) {
    auto keyOfA = key(a), keyOfB = key(b);
    if (keyOfA != keyOfB)
      return keyOfA < keyOfB;
    bool less = asksLess(a.metrics, b.metrics);
    if (less || asksLess(b.metrics, a.metrics))
      return less;
    return std::tie(a.cost, a.name) < std::tie(b.cost, b.name);
  });
}

/// What is to be simulated of `some` orders, after the kernel if that is asked
/// for.
std::vector<Sampling::Job> Evaluation::jobsOf(llvm::ArrayRef<Trial *> some,
                                              bool andKernel) const {
  std::vector<Sampling::Job> jobs(andKernel);
  for (const Trial *trial : some)
    jobs.push_back({tilesOf(trial->order), double(trial->cost), 0});
  return jobs;
}

/// The kernel as it is, simulated anew: other detail, other times. Those of
/// orders are kept in proportion.
void Evaluation::setBefore(Metrics metrics) {
  lastDetail = sampling.options();
  sampling.setBefore(std::move(metrics));
  Forecast fresh = forecastOf(before(), before());
  if (unchanged.timeUs > 0)
    for (Trial &trial : trials)
      trial.forecast.timeUs *= fresh.timeUs / unchanged.timeUs;
  unchanged = std::move(fresh);
}

/// The preferred trial, and the fastest.
std::vector<Trial *> Evaluation::finalists() {
  std::vector<const Trial *> all;
  for (const Trial &trial : trials)
    all.push_back(&trial);
  std::vector<Trial *> last;
  if (const Trial *best = preferred(all))
    last.push_back(&trials[best - trials.data()]);
  for (Trial &trial : trials)
    if (last.size() < Constants::mostFinalists &&
        !llvm::is_contained(last, &trial))
      last.push_back(&trial);
  return last;
}

llvm::Error Evaluation::finish() {
  std::vector<Trial *> all, last;
  for (Trial &trial : trials)
    all.push_back(&trial);
  double variants = Sampling::numVariants - 1;
  double budget = HUGE_VAL, runs = 1;
  if (options.full) {
    last = all;
  } else {
    last = finalists();
    budget = Constants::shareOfLastRound * options.accessBudget;
    runs = double(last.size() + 1) + Constants::variedOrders * variants;
  }
  double simulated = double(last.size() + 1);
  llvm::Expected<bool> refined = refine(last, budget / runs);
  if (!refined)
    return refined.takeError();
  if (*refined)
    budget -= simulated * sampling.costOfOne();
  else // nothing more is to be known of the few than of all
    last = all;
  for (Trial *trial : last)
    trial->final = true;
  if (llvm::Error error = take(last, budget / sampling.costOfOne() / variants))
    return error;
  rank();
  return llvm::Error::success();
}

/// Of a grid that is not known, leaves those of the quickest that are proved.
void Evaluation::leaveProvable(std::vector<Trial *> &better) {
  if (better.empty() || environmentOf().grid.isStatic())
    return;
  better.resize(std::min(better.size(), Constants::mostFinalists));
  std::vector<char> legal(better.size());
  forEachInParallel(better.size(), [&](size_t i, size_t) {
    legal[i] = isProvable(*better[i]);
  });
  std::vector<Trial *> left;
  for (auto [trial, isLegal] : llvm::zip_equal(better, legal))
    if (isLegal)
      left.push_back(trial);
  unproved = left.empty();
  better = std::move(left);
}

/// Takes the preferred one of `last` that is better than the kernel, if there
/// is one: among the equals of the fastest, then of the fastest of the others.
/// At most `orders`, with the kernel, but always a few, are simulated with what
/// predictions depend on.
llvm::Error Evaluation::take(llvm::ArrayRef<Trial *> last, double orders) {
  orders = std::max(orders, Constants::variedOrders) - 1;
  std::vector<Trial *> better;
  llvm::copy_if(last, std::back_inserter(better), [&](const Trial *trial) {
    return gain(*trial) >= options.margin;
  });
  llvm::sort(better, isQuicker);
  leaveProvable(better);
  while (!better.empty()) {
    llvm::Expected<std::vector<const Trial *>> ties =
        equalsOfFastest(better, orders);
    if (!ties)
      return ties.takeError();
    while (!ties->empty()) {
      const Trial *best = preferred(*ties);
      Trial &trial = trials[best - trials.data()];
      llvm::Expected<bool> isKnown = vary(trial, orders);
      if (!isKnown)
        return isKnown.takeError();
      if (*isKnown && isBetterThanBefore(trial)) {
        trial.taken = true;
        return llvm::Error::success();
      }
      llvm::erase(*ties, best);
    }
  }
  return llvm::Error::success();
}

/// Moves the fastest out of `better`, which is sorted, and all that are no
/// slower; slower ones only if that could make them preferred.
llvm::Expected<std::vector<const Trial *>>
Evaluation::equalsOfFastest(std::vector<Trial *> &better, double &orders) {
  Trial *fastest = better.front();
  llvm::Expected<bool> isKnown = vary(*fastest, orders);
  if (!isKnown)
    return isKnown.takeError();
  std::vector<const Trial *> ties;
  std::vector<Trial *> others;
  for (Trial *trial : better) {
    bool equal = mayBeEqual(*fastest, *trial);
    if (!equal && orders >= 2 && comesFirst(trial, preferred(ties)) &&
        !isLeaner(preferred(ties)->forecast, trial->forecast)) {
      llvm::Expected<bool> isVaried = vary(*trial, orders);
      if (!isVaried)
        return isVaried.takeError();
      equal = mayBeEqual(*fastest, *trial);
    }
    if (equal)
      ties.push_back(trial);
    else
      others.push_back(trial);
  }
  better = std::move(others);
  return ties;
}

/// Simulates an order with what predictions depend on, unless it was or
/// `orders` does not allow for it; returns false in the last case. The kernel
/// comes with the first.
llvm::Expected<bool> Evaluation::vary(Trial &trial, double &orders) {
  if (!trial.forecast.times.empty())
    return true;
  if (orders < 1)
    return false;
  --orders;
  std::vector<Sampling::Job> jobs;
  std::vector<Forecast *> forecasts;
  auto add = [&](Forecast &forecast, std::vector<uint32_t> tiles, double cost) {
    forecasts.push_back(&forecast);
    for (int variant = 1; variant < Sampling::numVariants; ++variant)
      jobs.push_back({tiles, cost, variant});
  };
  if (unchanged.times.empty())
    add(unchanged, {}, 0);
  add(trial.forecast, tilesOf(trial.order), double(trial.cost));
  llvm::Expected<std::vector<Metrics>> metrics = sampling.measure(jobs);
  if (!metrics)
    return metrics.takeError();
  auto next = metrics->begin();
  for (Forecast *forecast : forecasts) {
    forecast->times = {forecast->timeUs};
    forecast->drams = {forecast->dramBytes};
    for (int variant = 1; variant < Sampling::numVariants; ++variant) {
      Forecast other = forecastOf(*next++, before());
      forecast->times.push_back(other.timeUs);
      forecast->drams.push_back(other.dramBytes);
    }
  }
  return true;
}

/// True if the gain is worth it, and something of it is certain: time, or at
/// least DRAM bytes.
bool Evaluation::isBetterThanBefore(const Trial &trial) const {
  return isLarge(trial) && (isFaster(trial.forecast, unchanged, 1) ||
                            isLeaner(trial.forecast, unchanged));
}

bool Evaluation::isLarge(const Trial &trial) const {
  return gain(trial) >= marginFor(options.margin, before(), trial.metrics);
}

bool Evaluation::isWorthIt(const Trial &trial) const {
  return gain(trial) >=
         leastGain(options.margin, lastDetail, before(), trial.metrics);
}

const Trial *Evaluation::bestSoFar() const {
  std::vector<const Trial *> worth;
  for (const Trial &trial : trials)
    if (isWorthIt(trial))
      worth.push_back(&trial);
  while (const Trial *best = preferred(worth)) {
    if (isProvable(*best))
      return best;
    llvm::erase(worth, best);
  }
  return nullptr;
}

const Trial *Evaluation::chosen() const {
  auto taken = llvm::find_if(trials, [](const Trial &t) { return t.taken; });
  return taken == trials.end() ? nullptr : &*taken;
}

const Trial *Evaluation::rival() const {
  const Trial *taken = chosen(), *first = taken;
  if (!taken || options.full)
    return nullptr;
  double most = (1 + Constants::searchError) * taken->forecast.timeUs;
  for (const Trial &trial : trials)
    if (!trial.unchanged && trial.forecast.timeUs <= most &&
        comesFirst(&trial, first) && isProvable(trial))
      first = &trial;
  return first == taken ? nullptr : first;
}

double Evaluation::gain(const Trial &trial) const {
  double time = trial.forecast.timeUs;
  return time > 0 ? unchanged.timeUs / time - 1 : 0;
}

double possibleGain(const Metrics &metrics) {
  // Where some workgroups take longer, another order may leave no unit idle.
  double busy = metrics.unevenWorkgroups ? metrics.busyUnits : 1;
  std::vector<RooflineTerm> least;
  for (RooflineTerm term : metrics.roofline) {
    // No order changes the rate at which workgroups start, nor the latency of
    // the caches. What they wait for others and for memory, it may.
    bool isLeast = term.bound.kind == BoundKind::Launch ||
                   term.bound.kind == BoundKind::Latency;
    if (!isLeast && dependsOnOrder(metrics, term.bound))
      continue;
    if (isLeast && term.rate > 0)
      term.timeUs = term.work / term.rate * 1e6;
    least.push_back(term);
  }
  double time = busy * timeTogether(least);
  return time > 0 ? metrics.timeUs / time - 1 : 1e9;
}

} // namespace swizzle::planner
