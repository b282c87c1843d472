//===- PlannerBenchmark.cpp - What planning costs, and what it finds ------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two tables.
//   time:    kernels of the sizes that people run: processor time of planning,
//            what was chosen, and its predicted gain.
//   quality: the same kernels, small, on chips that are as much smaller, so
//            that all can be simulated in full: DRAM bytes and predicted time
//            of the chosen order over the best of 500 other orders, each in
//            full detail; and whether samples decide between the orders of the
//            search as full detail does. The last line counts the kernels of
//            which they do, and says how much more DRAM traffic than the best
//            one a chosen order has at worst.
//
//   PlannerBenchmark [time|quality] [PART_OF_A_NAME] [CHIP] [all]
//
// `all` prints every order that was simulated.
//
//===----------------------------------------------------------------------===//

#include "../unittests/Planner/Kernels.h"
#include "swizzle/Formula/Orders/Nest.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Planner/Planner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <functional>
#include <set>

using namespace swizzle;
using namespace swizzle::models;

namespace {

/// Of all threads.
double processorSeconds() { return double(std::clock()) / CLOCKS_PER_SEC; }
double wallSeconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

bool printAll = false;

double dram(const Metrics &m) { return m.dramReadBytes + m.dramWriteBytes; }
double behindL2(const Metrics &m) {
  return m.bytes("llc") > 0 ? double(m.bytes("llc")) : dram(m);
}

/// Numbers that look random and are the same everywhere.
class Numbers {
public:
  uint32_t below(uint32_t bound) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<uint32_t>((state >> 33) % bound);
  }

private:
  uint64_t state = 42;
};

/// A loop nest that was not guided by anything.
LoopNest anyNest(Numbers &numbers, const Grid &grid, int64_t dies) {
  LoopNest nest;
  std::vector<NestLevel> levels;
  for (unsigned axis = 0; axis < 3; ++axis) {
    levels.push_back({axis, 1, false});
    if (grid[axis] <= 1)
      continue;
    int64_t tile = 1;
    for (uint32_t splits = numbers.below(3); splits > 0; --splits) {
      const int64_t factors[] = {2, 3, 4, 5, 8, 16, 32, 64};
      tile *= factors[numbers.below(8)];
      if (tile < grid[axis])
        levels.push_back({axis, tile, false});
    }
  }
  // Any order in which the pieces of an axis shrink inwards.
  for (size_t i = levels.size(); i > 1; --i)
    std::swap(levels[i - 1], levels[numbers.below(i)]);
  for (unsigned axis = 0; axis < 3; ++axis) {
    std::vector<size_t> places;
    std::vector<int64_t> tiles;
    for (size_t i = 0; i < levels.size(); ++i)
      if (levels[i].axis == axis) {
        places.push_back(i);
        tiles.push_back(levels[i].tile);
      }
    std::sort(tiles.begin(), tiles.end(), std::greater<>());
    for (size_t i = 0; i < places.size(); ++i)
      levels[places[i]].tile = tiles[i];
  }
  for (size_t i = 1; i < levels.size(); ++i)
    levels[i].serpentine = levels[i].tile == 1 && numbers.below(6) == 0;
  nest.levels = std::move(levels);
  if (dies > 1)
    switch (numbers.below(4)) {
    case 0:
      nest.deal = Deal::None;
      break;
    case 1:
      nest.deal = Deal::Chunked;
      nest.chunk = int64_t(2) << numbers.below(8);
      break;
    default:
      nest.deal = Deal::Contiguous;
    }
  return nest;
}

struct Best {
  double dram = HUGE_VAL, behindL2 = HUGE_VAL, time = HUGE_VAL;
  std::string ofDram, ofTime;
  int orders = 0;
};

/// The best of `count` different orders, each in full detail.
Best bestOf(int count, const KernelModel &model, const HardwareSpec &chip) {
  Best best;
  Numbers numbers;
  Simulator simulator(model, chip);
  std::set<std::vector<uint32_t>> seen;
  for (int tries = 0; best.orders < count && tries < 20 * count; ++tries) {
    LoopNest nest = tries ? anyNest(numbers, model.grid, chip.numDies)
                          : LoopNest::rowMajor();
    if (!nest.verify().empty())
      continue;
    std::vector<uint32_t> order =
        nest.permutation(model.grid, chip.numDies, 0, model.grid.count());
    if (!seen.insert(order).second)
      continue;
    Metrics metrics = llvm::cantFail(simulator.run(order));
    ++best.orders;
    best.behindL2 = std::min(best.behindL2, behindL2(metrics));
    if (dram(metrics) < best.dram) {
      best.dram = dram(metrics);
      best.ofDram = nest.describe();
    }
    if (metrics.timeUs < best.time) {
      best.time = metrics.timeUs;
      best.ofTime = nest.describe();
    }
  }
  return best;
}

std::vector<uint32_t> orderOf(const Plan &plan, const KernelModel &model,
                              const HardwareSpec &chip) {
  std::vector<uint32_t> order;
  if (!plan.formula)
    return order;
  Environment environment;
  environment.grid = model.grid;
  environment.hardware = chip.formulaConstants();
  environment.params = plan.params;
  order.resize(model.grid.count());
  llvm::cantFail(llvm::cantFail(BoundFormula::bind(*plan.formula, environment))
                     .evaluate(0, llvm::MutableArrayRef<uint32_t>(order)));
  return order;
}

std::string nameOf(const Plan &plan) {
  return plan.formula ? plan.description : "as it is (" + plan.reasonCode + ")";
}

void printTime(const NamedModel &kernel, const HardwareSpec &chip) {
  double start = processorSeconds(), began = wallSeconds();
  Plan result = llvm::cantFail(plan(kernel.model, chip));
  double seconds = processorSeconds() - start, wall = wallSeconds() - began;
  llvm::outs() << llvm::formatv(
      "{0,-24} {1,-8} {2,5:f2} s of processors, {11,5:f2} s, {3,3} orders, 1 "
      "in {4,2}, {5,5:f1} %: time "
      "{6:f3}, "
      "DRAM {7:f3}, behind L2 {8:f3} of before, error {9:f3}  {10}\n",
      kernel.name, chip.name, seconds, result.candidates.size(),
      1 << result.simulation.sampleShift, 100 * result.simulation.prefix,
      result.after.timeUs / result.before.timeUs,
      dram(result.after) / dram(result.before),
      behindL2(result.after) / behindL2(result.before),
      result.after.samplingError, nameOf(result), wall);
  for (size_t i = 0; printAll && i < result.candidates.size(); ++i) {
    const Candidate &candidate = result.candidates[i];
    const Metrics &first = result.candidates.front().metrics;
    llvm::outs() << llvm::formatv(
        "    {0:f3} of the time of the first, DRAM {1:f3}, behind L2 {2:f3}, "
        "L2 {3:f3}, cost {4}: {5}\n",
        candidate.metrics.timeUs / first.timeUs,
        dram(candidate.metrics) / dram(first),
        behindL2(candidate.metrics) / behindL2(first),
        candidate.metrics.bytes("l2") / first.bytes("l2"), candidate.cost,
        candidate.description);
  }
  if (printAll)
    for (const RooflineTerm &term : result.before.roofline)
      llvm::outs() << llvm::formatv("    {0} {1:f1} us\n", toString(term.bound),
                                    term.timeUs);
  if (printAll)
    llvm::outs() << llvm::formatv("    scattered memory {0:f1} us\n",
                                  result.before.scatterUs);
  llvm::outs().flush();
}

struct Quality {
  int kernels = 0, same = 0;
  double worstDram = 0;
};

void printQuality(const NamedModel &kernel, const HardwareSpec &chip,
                  Quality &all) {
  PlannerOptions sampled, full;
  // What a launch of the usual size gets, in proportion.
  sampled.accessBudget = kernel.smallBudget;
  full.full = true;
  full.accessBudget = kernel.smallBudget;
  Plan result = llvm::cantFail(plan(kernel.model, chip, sampled));
  Plan exact = llvm::cantFail(plan(kernel.model, chip, full));
  std::vector<uint32_t> order = orderOf(result, kernel.model, chip);
  std::vector<uint32_t> exactOrder = orderOf(exact, kernel.model, chip);
  Metrics chosen = llvm::cantFail(simulate(kernel.model, chip, order));
  Metrics ofExact = llvm::cantFail(simulate(kernel.model, chip, exactOrder));
  Best best = bestOf(500, kernel.model, chip);
  ++all.kernels;
  all.same += order == exactOrder;
  all.worstDram = std::max(all.worstDram, dram(chosen) / best.dram);
  llvm::outs() << llvm::formatv(
      "{0,-24} {1,-8} of {2}: DRAM {3:f3}, behind L2 {4:f3}, time {5:f3}; full "
      "detail {6:f3}, {7:f3}, {8:f3} {9}\n    chosen {10} | full {11} | best "
      "DRAM {12} | best time {13} (1 in {14}, {15:f1} %)\n",
      kernel.name, chip.name, best.orders, dram(chosen) / best.dram,
      behindL2(chosen) / best.behindL2, chosen.timeUs / best.time,
      dram(ofExact) / best.dram, behindL2(ofExact) / best.behindL2,
      ofExact.timeUs / best.time, order == exactOrder ? "same" : "OTHER",
      nameOf(result), nameOf(exact), best.ofDram, best.ofTime,
      1 << result.simulation.sampleShift, 100 * result.simulation.prefix);
  llvm::outs().flush();
}

} // namespace

int main(int argc, char **argv) {
  llvm::StringRef what = argc > 1 ? argv[1] : "",
                  part = argc > 2 ? argv[2] : "",
                  only = argc > 3 ? argv[3] : "";
  printAll = argc > 4;
  Quality all;
  for (const char *name : {"mi300x", "h200"}) {
    if (!only.empty() && only != name)
      continue;
    HardwareSpec chip = llvm::cantFail(findChip(name));
    if (what != "quality")
      for (const NamedModel &kernel : launchedKernels())
        if (llvm::StringRef(kernel.name).contains(part))
          printTime(kernel, chip);
    if (what != "time")
      for (const NamedModel &kernel : smallKernels())
        if (llvm::StringRef(kernel.name).contains(part))
          printQuality(kernel, shrink(chip, kernel.shrink), all);
  }
  if (all.kernels)
    llvm::outs() << llvm::formatv(
        "{0} of {1} kernels: samples choose what full "
        "detail chooses; DRAM at most {2:f3} of the "
        "best\n",
        all.same, all.kernels, all.worstDram);
}
