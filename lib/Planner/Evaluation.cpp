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
constexpr size_t fewestTrials = 3;
// Orders closer than this are the same to the simulator.
constexpr double tolerance = 0.005;

bool isMemory(Bound bound) {
  return bound == Bound::L1 || bound == Bound::L2 ||
         bound == Bound::LastLevel || bound == Bound::Dram;
}

/// The loops of an order without their numbers, dealt or not.
std::string kindOf(const Order &order) {
  std::string kind(1, order.nest.deal == Deal::None ? '-' : 'd');
  kind += char('0' + int(order.curve));
  for (const NestLevel &level : order.nest.levels)
    kind += "xyzXYZ"[level.axis + (level.tile > 1 ? 3 : 0)];
  return kind;
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
  double effort = sum + (1 - weight) * largest;
  // All orders do the same work: windows that hold more of it cost more.
  return metrics.lineAccesses > 0
             ? effort * base.lineAccesses / metrics.lineAccesses
             : effort;
}

} // namespace

Evaluation::Evaluation(const KernelModel &model, const HardwareSpec &hardware,
                       const PlannerOptions &options, const SearchSpace &space)
    : model(model), hardware(hardware), options(options), space(space),
      sampling(model, hardware) {}

llvm::Error Evaluation::baseline(const ReuseTable &reuse) {
  if (llvm::Error error = sampling.settle(
          reuse, options.accessBudget * shareOfOne, options.full))
    return error;
  baseEffort = effortOf(before(), before());
  return llvm::Error::success();
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

llvm::Error Evaluation::simulate(const Order &order) {
  Trial trial;
  trial.order = order;
  trial.name = order.describe();
  std::vector<uint32_t> tiles = tilesOf(order);
  // Other words for an order that was simulated already.
  uint64_t hash = llvm::xxh3_64bits(llvm::ArrayRef<uint8_t>(
      reinterpret_cast<const uint8_t *>(tiles.data()), tiles.size() * 4));
  if (!seen.insert(hash).second)
    return llvm::Error::success();
  trial.cost = costOf(order);
  llvm::Expected<Metrics> metrics = sampling.measure(tiles, double(trial.cost));
  if (!metrics)
    return metrics.takeError();
  trial.metrics = *metrics;
  trial.effort = effortOf(trial.metrics, before());
  // All orders do the same work; a window that holds much less of it than the
  // kernel's own lies on an edge of the problem and tells nothing.
  if (trial.metrics.lineAccesses < 0.8 * before().lineAccesses)
    return llvm::Error::success();
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

llvm::Error Evaluation::finish(size_t count) {
  // What the rest of the budget allows for the kernel and `count` orders.
  double rest = std::max(0.0, options.accessBudget - sampling.spent());
  double now = sampling.options().prefix;
  double prefix =
      std::min(1.0, now * rest / (double(count + 1) * sampling.costOfOne()));
  if (prefix < 1.5 * now) {
    for (Trial &trial : trials)
      trial.final = true;
    return llvm::Error::success();
  }
  // The best of each kind: a prefix may favour one kind as a whole.
  std::set<std::string> kinds;
  for (Trial &trial : trials)
    if (kinds.size() < count && kinds.insert(kindOf(trial.order)).second)
      trial.final = true;
  if (llvm::Error error = sampling.lengthen(prefix))
    return error;
  baseEffort = effortOf(before(), before());
  for (Trial &trial : trials) {
    if (!trial.final)
      continue;
    llvm::Expected<Metrics> metrics =
        sampling.measure(tilesOf(trial.order), double(trial.cost));
    if (!metrics)
      return metrics.takeError();
    trial.metrics = *metrics;
    trial.effort = effortOf(*metrics, before());
  }
  rank();
  return llvm::Error::success();
}

const Trial *Evaluation::chosen() const {
  const Trial *first = nullptr, *best = nullptr;
  auto traffic = [](const Metrics &m) {
    return m.llcBytes + m.dramReadBytes + m.dramWriteBytes;
  };
  for (const Trial &trial : trials) {
    if (!trial.final)
      break;
    // Less load on one level must not be paid for with predicted time.
    if (trial.metrics.timeUs > before().timeUs)
      continue;
    if (!first)
      first = &trial;
    if (!best ||
        (trial.effort <= first->effort * (1 + tolerance) &&
         traffic(trial.metrics) <= traffic(first->metrics) * (1 + tolerance) &&
         trial.cost < best->cost))
      best = &trial;
  }
  return best;
}

bool Evaluation::exhausted() const {
  return trials.size() >= fewestTrials &&
         sampling.spent() >= shareOfSearch * options.accessBudget;
}

double Evaluation::gain(const Trial &trial) const {
  return trial.effort > 0 ? baseEffort / trial.effort - 1 : 0;
}

double possibleGain(const Metrics &metrics) {
  double without = effortOf(metrics, metrics, false);
  return without > 0 ? effortOf(metrics, metrics) / without - 1 : 1e9;
}

} // namespace swizzle
