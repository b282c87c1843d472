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

#include "swizzle/Formula/Lowering.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace swizzle {

namespace {

// Shares of the budget: of one simulation of the search, of all of them, and of
// the last round.
constexpr double shareOfOne = 1.0 / 90;
constexpr double shareOfSearch = 0.18;
constexpr double shareOfLastRound = 2.0 / 3;
// Of each figure that is told: what is left, but at least and at most this.
constexpr double leastOfFigure = 1.0 / 15;
constexpr double mostOfFigure = 1.0 / 5;
// Orders in the last round, which more detail may find to be the best, and how
// many of them, with the kernel, are simulated with all that predictions hang
// on if all cost what they may.
constexpr size_t mostFinalists = 16;
constexpr double variedOrders = 3;
// Of times of two orders, margins that count: predictions are off by some six
// percent, and nothing says that it is the same six for both.
constexpr double tieMargin = 1.5;
// Of DRAM bytes, margins that count. Where they are half of what sets the time,
// it changes half as much as they do.
constexpr double leannessMargin = 2;
// What a gain that was seen in a window may be wrong by: rms of the ratio of
// two times, over windows of an eighth to a half of the benchmark's kernels.
constexpr double windowError = 0.04;
// Orders that are simulated whatever they cost.
constexpr int64_t fewestTrials = 4;

bool isMemory(Bound bound) {
  return bound == Bound::L2 || bound == Bound::LastLevel ||
         bound == Bound::Dram;
}

/// The loops of an order without their numbers, dealt or not.
std::string kindOf(const Order &order) {
  std::string kind(1, order.nest.deal == Deal::None ? '-' : 'd');
  kind += char('0' + int(order.curve));
  for (const NestLevel &level : order.nest.levels)
    kind += "xyzXYZ"[level.axis + (level.tile > 1 ? 3 : 0)];
  return kind;
}

/// What decides between equals: one that costs less, has fewer loops, or comes
/// first by name.
bool isCheaper(const Trial *trial, const Trial *other) {
  size_t loops = trial->order.nest.levels.size(),
         otherLoops = other->order.nest.levels.size();
  return std::tie(trial->cost, loops, trial->name) <
         std::tie(other->cost, otherLoops, other->name);
}

bool isQuicker(const Trial *trial, const Trial *other) {
  return trial->forecast.timeUs != other->forecast.timeUs
             ? trial->forecast.timeUs < other->forecast.timeUs
             : isCheaper(trial, other);
}

} // namespace

bool isLess(double value, llvm::ArrayRef<double> variants, double other,
            llvm::ArrayRef<double> otherVariants, double margin) {
  if (value * (1 + margin) >= other)
    return false;
  // Above the standard deviation, and in the same direction.
  double count = 0, sum = 0, squares = 0;
  for (auto [variant, otherVariant] : llvm::zip(variants, otherVariants)) {
    double difference =
        (otherVariant - variant) / std::max(otherVariant + variant, 1e-30);
    ++count;
    sum += difference;
    squares += difference * difference;
  }
  return count == 0 || (sum > 0 && 2 * sum * sum > count * squares);
}

Evaluation::Evaluation(const KernelModel &model, const HardwareSpec &hardware,
                       const PlannerOptions &options, const SearchSpace &space)
    : model(model), hardware(hardware), options(options), space(space),
      sampling(model, hardware, Sampling::LeaveOut::Lines) {}

llvm::Error Evaluation::baseline(const ReuseTable &reuse) {
  double accesses = options.accessBudget * shareOfOne;
  if (llvm::Error error = sampling.settle(reuse, accesses))
    return error;
  affordable = options.accessBudget / sampling.costOfOne();
  unchanged = forecastOf(before(), before());
  return llvm::Error::success();
}

llvm::Expected<std::vector<Metrics>>
Evaluation::measure(llvm::ArrayRef<Sampling::Job> jobs) {
  spent += double(jobs.size()) * sampling.costOfOne();
  return sampling.measure(jobs);
}

int64_t Evaluation::searchTrials() const {
  return std::max<int64_t>(static_cast<int64_t>(shareOfSearch * affordable),
                           fewestTrials);
}

std::vector<uint32_t> Evaluation::tilesOf(const Order &order) const {
  return space.tiles(order, sampling.first(), sampling.count());
}

int64_t Evaluation::costOf(const Order &order) const {
  Environment environment;
  environment.grid = model.grid;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (!model.gridKnown[axis])
      environment.grid[axis] = kUnknownExtent;
  // Beyond this, finding ranges costs more than it tells; the constants are
  // the same on a smaller grid of the same kind.
  for (unsigned axis = 3; axis-- > 0;)
    while (environment.grid.isStatic() && environment.grid.count() > 4096 &&
           environment.grid[axis] > 16)
      environment.grid[axis] = (environment.grid[axis] + 1) / 2;
  environment.hardware = hardware.formulaConstants();
  environment.chip = hardware.name;
  llvm::Expected<LoweredFormula> lowered =
      lower(order.toFormula(model.grid), environment);
  if (lowered)
    return estimateCost(*lowered);
  llvm::consumeError(lowered.takeError());
  return 20 * int64_t(order.nest.levels.size());
}

Forecast Evaluation::forecastOf(const Metrics &metrics, const Metrics &like) {
  double scale =
      metrics.lineAccesses > 0 ? like.lineAccesses / metrics.lineAccesses : 1;
  Forecast forecast;
  forecast.timeUs = metrics.timeUs * scale;
  forecast.dramBytes = (metrics.dramReadBytes + metrics.dramWriteBytes) * scale;
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
    jobs.push_back({std::move(tiles), double(trial.cost), 0});
    added.push_back(std::move(trial));
  }
  llvm::Expected<std::vector<Metrics>> metrics = measure(jobs);
  if (!metrics)
    return metrics.takeError();
  for (size_t i = 0; i < added.size(); ++i) {
    added[i].metrics = std::move((*metrics)[i]);
    added[i].forecast = forecastOf(added[i].metrics, before());
    trials.push_back(std::move(added[i]));
  }
  rank();
  return llvm::Error::success();
}

void Evaluation::rank() {
  auto key = [&](const Trial &trial) {
    return std::make_tuple(!trial.final, trial.forecast.timeUs,
                           trial.forecast.dramBytes, trial.metrics.llcBytes,
                           trial.metrics.l2Bytes, trial.cost);
  };
  llvm::sort(trials, [&](const Trial &a, const Trial &b) {
    auto keyOfA = key(a), keyOfB = key(b);
    return keyOfA != keyOfB ? keyOfA < keyOfB : a.name < b.name;
  });
}

bool Evaluation::isFaster(const Forecast &forecast,
                          const Forecast &other) const {
  double margins = &other == &unchanged ? 1 : tieMargin;
  return isLess(forecast.timeUs, forecast.times, other.timeUs, other.times,
                margins * options.margin);
}

bool Evaluation::isLeaner(const Forecast &forecast,
                          const Forecast &other) const {
  return isLess(forecast.dramBytes, forecast.drams, other.dramBytes,
                other.drams, leannessMargin * options.margin);
}

const Trial *Evaluation::preferred(llvm::ArrayRef<const Trial *> among) const {
  if (among.empty())
    return nullptr;
  const Trial *fastest = *llvm::min_element(among, isQuicker);
  std::vector<const Trial *> fast, lean;
  llvm::copy_if(among, std::back_inserter(fast), [&](const Trial *trial) {
    return !isFaster(fastest->forecast, trial->forecast);
  });
  const Trial *leanest = *llvm::min_element(fast, [](auto *a, auto *b) {
    return a->forecast.dramBytes < b->forecast.dramBytes;
  });
  llvm::copy_if(fast, std::back_inserter(lean), [&](const Trial *trial) {
    return !isLeaner(leanest->forecast, trial->forecast);
  });
  return *llvm::min_element(lean, isCheaper);
}

/// The preferred trial, then that of each of the best kinds, because a window
/// may favour one kind as a whole, `count` in all; one of the rest, and the
/// fastest.
std::vector<Trial *> Evaluation::finalists(size_t count) {
  std::vector<std::string> kinds;
  std::map<std::string, std::vector<const Trial *>> ofKind;
  std::vector<const Trial *> all;
  for (const Trial &trial : trials) {
    std::string kind = kindOf(trial.order);
    std::vector<const Trial *> &alike = ofKind[kind];
    if (alike.empty())
      kinds.push_back(kind);
    alike.push_back(&trial);
    all.push_back(&trial);
  }
  std::vector<const Trial *> last, rest;
  auto add = [&](const Trial *trial) {
    if (trial && !llvm::is_contained(last, trial))
      last.push_back(trial);
  };
  add(preferred(all));
  for (const std::string &kind : kinds)
    if (last.size() < count)
      add(preferred(ofKind[kind]));
  llvm::copy_if(all, std::back_inserter(rest), [&](const Trial *trial) {
    return !llvm::is_contained(last, trial);
  });
  add(preferred(rest));
  // A closer look may find any of the fastest to be the best.
  for (const Trial *trial : all)
    if (last.size() < mostFinalists)
      add(trial);
  std::vector<Trial *> result;
  for (const Trial *trial : last)
    result.push_back(&own(trial));
  return result;
}

llvm::Error Evaluation::finish(size_t count) {
  std::vector<Trial *> all, last;
  for (Trial &trial : trials)
    all.push_back(&trial);
  double variants = Sampling::numVariants - 1;
  double budget = HUGE_VAL, runs = 1;
  if (options.full) {
    last = all;
  } else {
    last = finalists(count);
    budget = shareOfLastRound * options.accessBudget;
    runs = double(last.size() + 1) + variedOrders * variants;
  }
  llvm::Expected<bool> refined = refine(last, budget / runs);
  if (!refined)
    return refined.takeError();
  if (*refined)
    budget -= double(last.size() + 1) * sampling.costOfOne();
  else // nothing more is to be known of the few than of all
    last = all;
  for (Trial *trial : last)
    trial->final = true;
  if (llvm::Error error = take(last, budget / sampling.costOfOne() / variants))
    return error;
  rank();
  return llvm::Error::success();
}

/// Takes the preferred one of `last` that is better than the kernel, if there
/// is one. At most `orders`, with the kernel, but always a few, are simulated
/// with what predictions hang on.
llvm::Error Evaluation::take(llvm::ArrayRef<Trial *> last, double orders) {
  std::vector<const Trial *> better;
  llvm::copy_if(last, std::back_inserter(better), [&](const Trial *trial) {
    return gain(*trial) >= options.margin;
  });
  if (better.empty())
    return llvm::Error::success();
  llvm::sort(better, isQuicker);
  const Trial *fastest = better.front();
  auto end = llvm::partition_point(better, [&](const Trial *trial) {
    return !isFaster(fastest->forecast, trial->forecast);
  });
  std::vector<const Trial *> ties(better.begin(), end),
      slower(end, better.end());
  if (llvm::Error error = vary(fastest, /*kernelToo=*/true))
    return error;
  orders = std::max(orders, variedOrders) - 2;

  // Slower ones only count if they may be preferred, and then first of all as
  // equals of the fastest.
  for (const Trial *trial : slower) {
    const Trial *best = preferred(ties);
    if (!isCheaper(trial, best) || isLeaner(best->forecast, trial->forecast))
      continue;
    if (orders < 2)
      break;
    if (llvm::Error error = vary(trial))
      return error;
    --orders;
    if (!isFaster(fastest->forecast, trial->forecast))
      ties.push_back(trial);
  }
  while (!ties.empty()) {
    const Trial *best = preferred(ties);
    if (best->forecast.times.empty()) {
      if (orders < 1)
        break;
      if (llvm::Error error = vary(best))
        return error;
      --orders;
    }
    if (isBetterThanBefore(*best)) {
      own(best).taken = true;
      break;
    }
    llvm::erase(ties, best);
  }
  return llvm::Error::success();
}

/// Simulates some orders, and the kernel, with what predictions hang on.
llvm::Error Evaluation::vary(llvm::ArrayRef<const Trial *> some,
                             bool kernelToo) {
  std::vector<Sampling::Job> jobs;
  std::vector<Forecast *> forecasts;
  auto add = [&](Forecast &forecast, std::vector<uint32_t> tiles, double cost) {
    forecasts.push_back(&forecast);
    for (int variant = 1; variant < Sampling::numVariants; ++variant)
      jobs.push_back({tiles, cost, variant});
  };
  if (kernelToo)
    add(unchanged, {}, 0);
  for (const Trial *trial : some)
    add(own(trial).forecast, tilesOf(trial->order), double(trial->cost));
  llvm::Expected<std::vector<Metrics>> metrics = measure(jobs);
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
  return llvm::Error::success();
}

/// Simulates the kernel and some orders again if one of them may cost so much
/// that it becomes worthwhile; else returns false.
llvm::Expected<bool> Evaluation::refine(llvm::ArrayRef<Trial *> some,
                                        double accesses) {
  if (!sampling.refine(accesses))
    return false;
  std::vector<Sampling::Job> jobs(1);
  for (Trial *trial : some)
    jobs.push_back({tilesOf(trial->order), double(trial->cost), 0});
  llvm::Expected<std::vector<Metrics>> metrics = measure(jobs);
  if (!metrics)
    return metrics.takeError();
  auto update = [&](Forecast &forecast, const Metrics &metrics) {
    Forecast finer = forecastOf(metrics, before());
    forecast.timeUs = finer.timeUs;
    forecast.dramBytes = finer.dramBytes;
  };
  sampling.setBefore(std::move(metrics->front()));
  update(unchanged, before());
  for (auto [trial, finer] :
       llvm::zip_equal(some, llvm::drop_begin(*metrics))) {
    update(trial->forecast, finer);
    trial->metrics = std::move(finer);
  }
  return true;
}

llvm::Error Evaluation::confirm(const Trial *trial) {
  std::vector<Trial *> some;
  if (trial)
    some.push_back(&trials[trial - trials.data()]);
  double left = (options.accessBudget - spent) / double(some.size() + 1);
  return refine(some, std::clamp(left, leastOfFigure * options.accessBudget,
                                 mostOfFigure * options.accessBudget))
      .takeError();
}

/// True if the gain is worth it, and something of it is certain: time, or at
/// least DRAM bytes.
bool Evaluation::isBetterThanBefore(const Trial &trial) const {
  return gain(trial) >= options.margin &&
         (isFaster(trial.forecast, unchanged) ||
          isLeaner(trial.forecast, unchanged));
}

double Evaluation::leastGain() const {
  return options.margin + (simulation().prefix < 1 ? windowError : 0);
}

const Trial *Evaluation::chosen() const {
  auto taken = llvm::find_if(trials, [](const Trial &t) { return t.taken; });
  return taken == trials.end() ? nullptr : &*taken;
}

double Evaluation::gain(const Trial &trial) const {
  double time = trial.forecast.timeUs;
  return time > 0 ? unchanged.timeUs / time - 1 : 0;
}

double possibleGain(const Metrics &metrics) {
  double squares = 0;
  for (const RooflineTerm &term : metrics.roofline)
    if (!isMemory(term.bound))
      squares += term.timeUs * term.timeUs;
  return squares > 0 ? metrics.timeUs / std::sqrt(squares) - 1 : 1e9;
}

} // namespace swizzle
