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

namespace swizzle {

namespace {

// Share of the budget that one simulation of the search may take.
constexpr double shareOfOne = 1.0 / 30;
// Share of the budget that the search may use; the rest is the last round's.
constexpr double shareOfSearch = 0.6;
// Orders that are simulated whatever they cost.
constexpr int64_t fewestTrials = 2;

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

} // namespace

bool isDistinct(double time, llvm::ArrayRef<double> variants, double otherTime,
                llvm::ArrayRef<double> otherVariants) {
  double difference = otherTime - time;
  if (difference == 0)
    return false;
  for (auto [variant, otherVariant] : llvm::zip(variants, otherVariants))
    if ((otherVariant - variant) * difference <= 0)
      return false;
  return true;
}

Evaluation::Evaluation(const KernelModel &model, const HardwareSpec &hardware,
                       const PlannerOptions &options, const SearchSpace &space)
    : model(model), hardware(hardware), options(options), space(space),
      sampling(model, hardware) {}

llvm::Error Evaluation::baseline(const ReuseTable &reuse) {
  return sampling.settle(reuse, options.accessBudget * shareOfOne,
                         options.full);
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

double Evaluation::timeOf(const Metrics &metrics) const {
  return metrics.lineAccesses > 0
             ? metrics.timeUs * before().lineAccesses / metrics.lineAccesses
             : metrics.timeUs;
}

llvm::Error Evaluation::simulate(llvm::ArrayRef<Order> orders) {
  double left = shareOfSearch * options.accessBudget - sampling.spent();
  int64_t affordable = std::max<int64_t>(left / sampling.costOfOne(),
                                         fewestTrials - int64_t(trials.size()));
  std::vector<Sampling::Job> jobs;
  std::vector<Trial> added;
  for (const Order &order : orders) {
    if (int64_t(jobs.size()) >= affordable)
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
  llvm::Expected<std::vector<Metrics>> metrics = sampling.measure(jobs);
  if (!metrics)
    return metrics.takeError();
  for (size_t i = 0; i < added.size(); ++i) {
    added[i].metrics = std::move((*metrics)[i]);
    trials.push_back(std::move(added[i]));
  }
  rank();
  return llvm::Error::success();
}

void Evaluation::rank() {
  auto key = [&](const Trial &trial) {
    const Metrics &m = trial.metrics;
    return std::make_tuple(!trial.final, timeOf(m),
                           m.dramReadBytes + m.dramWriteBytes, m.llcBytes,
                           m.l2Bytes, trial.cost);
  };
  llvm::sort(trials, [&](const Trial &a, const Trial &b) {
    auto keyOfA = key(a), keyOfB = key(b);
    return keyOfA != keyOfB ? keyOfA < keyOfB : a.name < b.name;
  });
}

llvm::Error Evaluation::finish(size_t count) {
  // The best of each kind: a window may favour one kind as a whole.
  std::set<std::string> kinds;
  std::vector<Trial *> last;
  for (Trial &trial : trials)
    if (kinds.size() < count && kinds.insert(kindOf(trial.order)).second)
      last.push_back(&trial);
  // Of equal orders but for their numbers, the runner-up and the cheapest.
  if (last.empty())
    return llvm::Error::success();
  for (Trial &trial : trials)
    if (last.size() < count + 1 && !llvm::is_contained(last, &trial))
      last.push_back(&trial);
  // What the rest of the budget allows for the kernel and these orders.
  double rest = std::max(0.0, options.accessBudget - sampling.spent());
  double now = sampling.options().prefix;
  while (last.size() > 1 && double(last.size() + 1) * Sampling::numVariants *
                                    sampling.costOfOne() >
                                rest)
    last.pop_back();
  double runs = double(last.size() + 1) * Sampling::numVariants;
  double prefix = std::min(1.0, now * rest / (runs * sampling.costOfOne()));
  bool longer = prefix >= 1.25 * now;
  if (longer)
    sampling.lengthen(prefix);
  std::vector<Sampling::Job> jobs;
  for (int variant = longer ? 0 : 1; variant < Sampling::numVariants; ++variant)
    jobs.push_back({{}, 0, variant});
  for (Trial *trial : last) {
    std::vector<uint32_t> tiles = tilesOf(trial->order);
    for (int variant = longer ? 0 : 1; variant < Sampling::numVariants;
         ++variant)
      jobs.push_back({tiles, double(trial->cost), variant});
  }
  llvm::Expected<std::vector<Metrics>> metrics = sampling.measure(jobs);
  if (!metrics)
    return metrics.takeError();
  auto next = metrics->begin();
  if (longer)
    sampling.setBefore(std::move(*next++));
  for (int variant = 1; variant < Sampling::numVariants; ++variant)
    baseVariants.push_back((next++)->timeUs);
  for (Trial *trial : last) {
    trial->final = true;
    if (longer)
      trial->metrics = std::move(*next++);
    for (int variant = 1; variant < Sampling::numVariants; ++variant)
      trial->variants.push_back(timeOf(*next++));
  }
  rank();
  return llvm::Error::success();
}

const Trial *Evaluation::chosen() const {
  if (trials.empty() || !trials.front().final)
    return nullptr;
  const Trial &first = trials.front();
  const Trial *best = &first;
  for (const Trial &trial : trials) {
    if (!trial.final)
      break;
    if (trial.cost < best->cost &&
        !isDistinct(timeOf(first.metrics), first.variants,
                    timeOf(trial.metrics), trial.variants))
      best = &trial;
  }
  return best;
}

bool Evaluation::isNoBetter(const Trial &trial) const {
  return timeOf(trial.metrics) >= before().timeUs ||
         !isDistinct(timeOf(trial.metrics), trial.variants, before().timeUs,
                     baseVariants);
}

bool Evaluation::exhausted() const {
  return int64_t(trials.size()) >= fewestTrials &&
         sampling.spent() + sampling.costOfOne() >
             shareOfSearch * options.accessBudget;
}

double Evaluation::gain(const Trial &trial) const {
  double time = timeOf(trial.metrics);
  return time > 0 ? before().timeUs / time - 1 : 0;
}

double possibleGain(const Metrics &metrics) {
  double squares = 0;
  for (const RooflineTerm &term : metrics.roofline)
    if (!isMemory(term.bound))
      squares += term.timeUs * term.timeUs;
  return squares > 0 ? metrics.timeUs / std::sqrt(squares) - 1 : 1e9;
}

} // namespace swizzle
