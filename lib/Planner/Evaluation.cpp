//===- Evaluation.cpp - Simulated trials under a budget -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.TXT for license information. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How much of a kernel is simulated for one order: all of it in full detail if
// that is cheap; else one line in sixteen, and of very large launches a prefix
// of at least two residencies.
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
constexpr double shareOfOne = 1.0 / 24;
// A sampled access costs about this part of one in full detail.
constexpr double costOfSampled = 0.3;
constexpr unsigned sampleShift = 4;
// Orders closer than this are the same to the simulator.
constexpr double tolerance = 0.005;

bool isMemory(Bound bound) {
  return bound == Bound::L1 || bound == Bound::L2 ||
         bound == Bound::LastLevel || bound == Bound::Dram;
}

/// Time of one resource, 0 if it is not used.
double timeOf(const Metrics &metrics, Bound bound) {
  for (const RooflineTerm &term : metrics.roofline)
    if (term.bound == bound)
      return term.timeUs;
  return 0;
}

/// The part of a resource's time that shows although another is the slowest.
double partOf(Bound bound) {
  if (bound == Bound::Dram)
    return 0.5;
  return bound == Bound::L1 || bound == Bound::L2 ? 0.1 : 0.25;
}

/// See Evaluation.h; `base` is the kernel as it is.
double effortOf(const Metrics &metrics, const Metrics &base,
                bool withTraffic = true) {
  double largest = 0, sum = 0, weight = 0;
  for (const RooflineTerm &term : metrics.roofline) {
    if (!withTraffic && isMemory(term.bound))
      continue;
    double time = term.timeUs;
    if (term.bound == Bound::L2)
      time = std::max(time, (time + timeOf(base, Bound::L2)) / 2);
    double part = partOf(term.bound);
    sum += part * time;
    if (time > largest) {
      largest = time;
      weight = part;
    }
  }
  return sum + (1 - weight) * largest;
}

} // namespace

Evaluation::Evaluation(const KernelModel &model, const HardwareSpec &hardware,
                       const PlannerOptions &options)
    : model(model), hardware(hardware), options(options) {}

llvm::Error Evaluation::baseline(const ReuseTable &reuse) {
  double lines = 0;
  for (const BufferReuse &buffer : reuse.buffers)
    lines += double(buffer.bytesPerWorkgroup) / double(reuse.lineBytes);
  double count = double(model.grid.count());
  double allowed = options.accessBudget * shareOfOne;
  double resident = double(std::max<int64_t>(1, occupancy(model, hardware))) *
                    double(hardware.numUnits());
  auto choose = [&](double all) {
    detail = SimulationOptions();
    if (options.full || all <= allowed)
      return;
    detail.sampleShift = sampleShift;
    allowed /= costOfSampled;
    if (all > allowed)
      detail.prefix = std::min(1.0, std::max(allowed / all, resident / count));
  };
  choose(lines * count);
  llvm::Expected<Metrics> first = measure({}, 0);
  if (!first)
    return first.takeError();
  double accesses = first->lineAccesses;
  // The footprints may be walked more than once.
  SimulationOptions guess = detail;
  allowed = options.accessBudget * shareOfOne;
  choose(accesses);
  if (guess.prefix != detail.prefix ||
      guess.sampleShift != detail.sampleShift) {
    first = measure({}, 0);
    if (!first)
      return first.takeError();
  }
  base = *first;
  baseEffort = effortOf(base, base);
  return llvm::Error::success();
}

llvm::Expected<Metrics> Evaluation::measure(llvm::ArrayRef<uint32_t> order,
                                            double cost) {
  SimulationOptions simulation = detail;
  simulation.remapInstructions = cost;
  llvm::Expected<Metrics> metrics =
      swizzle::simulate(model, hardware, order, simulation);
  if (metrics)
    spent += metrics->lineAccesses * detail.prefix *
             (detail.sampleShift ? costOfSampled : 1.0);
  return metrics;
}

llvm::Expected<Metrics> Evaluation::measure(const SearchSpace &space,
                                            const Order &order, double cost) {
  int64_t count = model.grid.count();
  std::vector<uint32_t> tiles = space.prefix(
      order, std::min<int64_t>(count, std::ceil(count * detail.prefix) + 1));
  tiles.resize(count); // what lies beyond the prefix is not read
  return measure(tiles, cost);
}

uint64_t Evaluation::identify(const SearchSpace &space, const Order &order) {
  int64_t count = std::min<int64_t>(model.grid.count(), 16384);
  std::vector<uint32_t> tiles = space.prefix(order, count);
  return llvm::xxh3_64bits(llvm::ArrayRef<uint8_t>(
      reinterpret_cast<const uint8_t *>(tiles.data()), tiles.size() * 4));
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
    while (environment.grid.isStatic() && environment.grid.count() > 65536 &&
           environment.grid[axis] > 64)
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

llvm::Error Evaluation::simulate(const SearchSpace &space, const Order &order) {
  Trial trial;
  trial.order = order;
  trial.name = order.describe();
  if (!seen.insert(identify(space, order)).second)
    return llvm::Error::success();
  trial.cost = costOf(order);
  llvm::Expected<Metrics> metrics = measure(space, order, double(trial.cost));
  if (!metrics)
    return metrics.takeError();
  trial.metrics = *metrics;
  trial.effort = effortOf(trial.metrics, base);
  trials.push_back(std::move(trial));
  rank();
  return llvm::Error::success();
}

void Evaluation::rank() {
  llvm::sort(trials, [](const Trial &a, const Trial &b) {
    if (a.final != b.final)
      return a.final;
    return std::tie(a.effort, a.cost, a.name) <
           std::tie(b.effort, b.cost, b.name);
  });
}

llvm::Error Evaluation::finish(const SearchSpace &space, size_t count) {
  bool again = detail.prefix < 1 && !exhausted();
  count = again ? std::min(count, trials.size()) : trials.size();
  for (size_t i = 0; i < count; ++i)
    trials[i].final = true;
  if (!again)
    return llvm::Error::success();
  detail.prefix = std::min(1.0, 2 * detail.prefix);
  llvm::Expected<Metrics> longer = measure({}, 0);
  if (!longer)
    return longer.takeError();
  base = *longer;
  baseEffort = effortOf(base, base);
  for (size_t i = 0; i < count; ++i) {
    llvm::Expected<Metrics> metrics =
        measure(space, trials[i].order, double(trials[i].cost));
    if (!metrics)
      return metrics.takeError();
    trials[i].metrics = *metrics;
    trials[i].effort = effortOf(*metrics, base);
  }
  rank();
  return llvm::Error::success();
}

const Trial *Evaluation::chosen() const {
  const Trial *best = nullptr;
  for (const Trial &trial : trials) {
    if (!trial.final)
      break;
    if (!best || (trial.effort <= trials.front().effort * (1 + tolerance) &&
                  trial.cost < best->cost))
      best = &trial;
  }
  return best;
}

double Evaluation::gain(const Trial &trial) const {
  return trial.effort > 0 ? baseEffort / trial.effort - 1 : 0;
}

double Evaluation::possibleGain() const {
  double without = effortOf(base, base, false);
  return without > 0 ? baseEffort / without - 1 : 1e9;
}

} // namespace swizzle
