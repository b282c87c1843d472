//===- Figures.cpp - From counts to figures of the launch -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Figures.h.
//
//===----------------------------------------------------------------------===//

#include "Figures.h"

#include "Latency.h"
#include "Machine/Roofline.h"
#include "Machine/TrafficCap.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace swizzle::simulation {

namespace {

std::optional<double> rate(uint64_t hits, uint64_t lookups) {
  if (!lookups)
    return std::nullopt;
  return static_cast<double>(hits) / static_cast<double>(lookups);
}

/// Relative standard error of DRAM bytes: sampled lines are grouped by their
/// hash; the spread between groups says how much another sample would differ.
double addressError(const Counters &counters, unsigned sampleShift) {
  if (!sampleShift)
    return 0;
  double sum = 0, squares = 0;
  for (const GroupCount &group : counters.groups) {
    sum += group.dram;
    squares += double(group.dram) * group.dram;
  }
  if (sum == 0)
    return 1;
  double mean = sum / kSampleGroups;
  double variance = std::max(0.0, squares / kSampleGroups - mean * mean) *
                    kSampleGroups / (kSampleGroups - 1);
  double unseen = 1 - std::ldexp(1.0, -static_cast<int>(sampleShift));
  return std::sqrt(variance * kSampleGroups * unseen) / sum;
}

/// Relative, of what the caches are asked: by how much the sampled lines stand
/// for more accesses than there are, or for fewer.
double accessError(const Counters &counters, unsigned sampleShift) {
  if (!sampleShift || !counters.lineAccesses)
    return 0;
  return std::abs(std::ldexp(double(counters.sampledLines), int(sampleShift)) /
                      double(counters.lineAccesses) -
                  1);
}

/// What was counted between two times. Groups, which serve for an estimate
/// alone, and counters of single dies are taken whole or apart as they are.
Counters operator-(Counters end, const Counters &begin) {
  forEachSum(end, begin, begin,
             [](uint64_t &sum, uint64_t from, uint64_t) { sum -= from; });
  return end;
}

/// One row for each level. `bytes`: what a counted sector stands for.
void fillLevels(Metrics &metrics, const Counters &counters,
                const Machine &machine, double bytes) {
  for (size_t i = 0; i < machine.levels.size(); ++i) {
    const LevelCount &count = counters.level[i];
    LevelMetrics &row = metrics.level(machine.levels[i].name);
    row.bytes = count.lookups * bytes;
    row.hitRate = rate(count.hits, count.lookups);
    if (i != machine.shared)
      continue;
    row.hitRate =
        rate(count.hits + counters.fabricHits - counters.mergedReads,
             count.lookups + counters.fabricLookups - counters.mergedReads);
    row.logicalHitRate =
        rate(count.hits + counters.fabricHits - counters.forwardedWrites,
             count.lookups);
  }
  uint64_t lookups = counters.level[machine.shared].lookups;
  uint64_t busiest = *llvm::max_element(counters.cacheLookups);
  if (lookups)
    metrics.dieImbalance = static_cast<double>(busiest) *
                           static_cast<int64_t>(counters.cacheLookups.size()) /
                           static_cast<double>(lookups);
}

/// A launch of which a part was counted.
struct Part {
  const KernelModel &model;
  const Machine &machine;
  const SimulationOptions &options;
  const Counted &run;
  int64_t all, workgroups;
};

/// Workgroups differ if the longest makes this many times as many accesses as
/// the mean one. A choice: more than where those at the edges of a grid make
/// fewer.
constexpr double kUneven = 1.2;

/// Workgroups write all along if those of a part write at this share of a steady
/// rate at least, early and late. A choice.
constexpr double kAllAlong = 0.5;

/// Of a launch that was simulated as a whole.
bool isUneven(const Part &part) {
  return part.workgroups == part.all && !part.run.outcome.cutShort &&
         part.run.outcome.mostSteps * double(part.all) >
             kUneven * double(part.run.outcome.steps);
}

/// What dies have to do over what the busiest one has. Each is dealt its
/// workgroups, long or short ones; a part of the launch tells of the whole.
double balanceOf(const Part &part) {
  const std::vector<double> &steps = part.run.outcome.stepsOfDies;
  bool isPart = part.workgroups < part.all && part.run.isWhole;
  if (!isPart || part.run.launch.alike || steps.empty())
    return 1;
  double sum = 0, most = 0;
  for (double one : steps) {
    sum += one;
    most = std::max(most, one);
  }
  return most > 0 ? sum / (most * double(steps.size())) : 1;
}

/// The share of compute units that have workgroups. Where these differ, as it
/// was simulated; else all generations are full but the last one, which has a
/// workgroup for each unit, as far as they go.
double busyUnitsOf(const Part &part) {
  if (!part.machine.seesIdleUnits)
    return 1;
  const ScheduleOutcome &outcome = part.run.outcome;
  auto units = static_cast<double>(part.machine.numUnits());
  if (isUneven(part))
    return outcome.busyUnits / (double(outcome.rounds) * units);
  int64_t full = part.all / part.run.slots, rest = part.all % part.run.slots;
  return balanceOf(part) *
         (double(full) + std::min(1.0, double(rest) / units)) /
         double(full + (rest > 0));
}

/// How many times what a part does the launch does: by the steps, where
/// workgroups differ, so that orders with longer ones in the part compare with
/// those that have shorter ones there.
double scaleOf(const Part &part) {
  const Counted &run = part.run;
  double all = static_cast<double>(part.all);
  double steps =
      run.isWhole ? double(run.counters.steps) : double(run.effort.steps);
  if (part.workgroups == part.all || run.launch.alike || steps <= 0)
    return all / static_cast<double>(part.workgroups);
  return all * run.launch.mean / steps;
}

/// Traffic and time of a launch all of which is like what `counters` counted:
/// it stands for the rest, by the accesses that it makes. The part makes `all`.
Metrics trafficOf(const Part &part, const Counters &counters, uint64_t all) {
  double launchScale = scaleOf(part);
  double prefixScale = launchScale * static_cast<double>(all) /
                       std::max<uint64_t>(1, counters.lineAccesses);
  double bytes = std::ldexp(prefixScale, part.options.sampleShift) *
                 part.machine.sectorBytes;
  Metrics metrics;
  fillLevels(metrics, counters, part.machine, bytes);
  metrics.lineAccesses = counters.lineAccesses * prefixScale;
  metrics.steps = counters.steps * prefixScale;
  metrics.emptySteps = counters.emptySteps * prefixScale;
  metrics.dramReadBytes = counters.dramReads * bytes;
  metrics.dramWriteBytes = counters.dramWrites * bytes;
  if (!part.run.isWhole)
    capTraffic(metrics, part.model, part.machine);

  Work work;
  work.workgroups = part.all;
  work.slots = double(part.run.slots);
  work.busyUnits = metrics.busyUnits = busyUnitsOf(part);
  int64_t waveSize = part.machine.waveSize;
  auto waves = double((part.model.threads() + waveSize - 1) / waveSize);
  work.waves = static_cast<double>(part.all) * waves;
  work.flops = part.run.effort.flops * launchScale;
  work.tensorFlops = part.run.effort.tensorFlops * launchScale;
  // A first-level cache serves a line at a time, whatever part is asked for.
  work.nearestBytes = metrics.lineAccesses * part.machine.lineBytes;
  work.waitingBytes = counters.waitingReads * bytes;
  work.mergedBytes = counters.mergedReads * bytes;
  work.crossingBytes = counters.fabricLookups * bytes;
  work.latency = prefixScale *
                 latencyOf(counters, part.run.places,
                           std::ldexp(1 / waves, int(part.options.sampleShift)),
                           part.machine);
  work.units = part.run.units;
  work.scatterBytes =
      bytesOfScatter(part.run.blocks, part.machine, metrics.dramReadBytes,
                     metrics.dramWriteBytes);
  work.remapInstructions = part.options.remapInstructions;
  predictTime(metrics, work, part.machine);
  return metrics;
}

/// What was counted if group `left` of the sampled lines is left out, and the
/// others stand for it.
Counters withoutGroup(const Counters &counted, const Machine &machine,
                      size_t left) {
  auto share = [&](uint64_t GroupCount::*count) {
    double all = 0;
    for (const GroupCount &group : counted.groups)
      all += double(group.*count);
    double rest = all - double(counted.groups[left].*count);
    return all > 0 ? rest / all * kSampleGroups / (kSampleGroups - 1) : 1;
  };
  double dram = share(&GroupCount::dram), behind = share(&GroupCount::behind),
         shared = share(&GroupCount::shared),
         crossing = share(&GroupCount::crossing);
  Counters others = counted;
  auto scale = [](uint64_t &count, double factor) {
    count = uint64_t(std::llround(double(count) * factor));
  };
  scale(others.dramReads, dram);
  scale(others.dramWrites, dram);
  scale(others.level[machine.shared].lookups, shared);
  scale(others.mergedReads, shared);
  for (size_t i = machine.shared + 1; i < machine.levels.size(); ++i)
    scale(others.level[i].lookups, behind);
  scale(others.waitingReads, dram);
  for (WaitCount &wait : others.waits) {
    scale(wait.asked, shared);
    scale(wait.late, dram);
  }
  scale(others.fabricLookups, crossing);
  return others;
}

/// What a launch takes that is like what `counters` counted, by each group of
/// sampled lines that may be left out; empty: all lines were simulated.
std::vector<double> timesWithoutGroups(const Part &part,
                                       const Counters &counters, uint64_t all) {
  std::vector<double> times;
  for (size_t left = 0; part.options.sampleShift && left < kSampleGroups;
       ++left)
    times.push_back(
        trafficOf(part, withoutGroup(counters, part.machine, left), all)
            .timeUs);
  return times;
}

/// Counters of which all that a part does not run is like, if it counted
/// `counted`.
Counters standFor(const Part &part, const Counters &counted) {
  // What is dirty at the start is written by the end, each sector once at
  // least.
  const Counters &start = part.run.outcome.atStart;
  assert(counted.dramWrites >= start.dramWrites &&
         "what is dirty counts twice");
  Counters rest = counted - start;
  uint64_t all = counted.lineAccesses;
  if (!part.options.tellsOnce || !start.lineAccesses || !rest.lineAccesses)
    return rest;
  // Once in a launch it reads what fills the caches, if it reads no more later.
  double times =
      std::max(1.0, (scaleOf(part) * double(all) - double(start.lineAccesses)) /
                        double(rest.lineAccesses));
  rest.dramReads = std::max(
      rest.dramReads, uint64_t(std::llround(double(start.dramReads) / times)));
  // Those who do not write all along write at their ends, or the same again and
  // again: what they write in a part, they write in other parts as well, and the
  // launch no place more than once.
  double early = double(start.dramWrites) / double(start.lineAccesses);
  double late = double(rest.dramWrites) / double(rest.lineAccesses);
  if (std::min(early, late) < kAllAlong * std::max(early, late)) {
    double share = double(rest.lineAccesses) / double(all);
    double once =
        part.run.mostWritten * share / scaleOf(part) /
        std::ldexp(part.machine.sectorBytes, part.options.sampleShift);
    rest.dramWrites = uint64_t(
        std::llround(std::min(double(counted.dramWrites) * share,
                              std::max(once, double(rest.dramWrites)))));
  }
  return rest;
}

/// The time over that of a launch all of which overlaps: its phases come one
/// after the other. What they write reaches memory when it may.
double timeOfPhases(const Part &part) {
  if (part.run.outcome.atPhases.size() < 2 || !part.run.isWhole)
    return 1;
  double sum = 0;
  uint64_t all = part.run.counters.lineAccesses;
  const Counters &first = part.run.outcome.atStart;
  const Counters whole = part.run.counters - first;
  double writes =
      static_cast<double>(whole.dramWrites) /
      static_cast<double>(std::max<uint64_t>(1, whole.lineAccesses));
  auto timeOf = [&](Counters counters) {
    auto accesses = static_cast<double>(counters.lineAccesses);
    counters.dramWrites = static_cast<uint64_t>(writes * accesses);
    return trafficOf(part, counters, all).timeUs * accesses;
  };
  const Counters *begin = &first;
  for (const Counters &end : part.run.outcome.atPhases) {
    if (end.lineAccesses == begin->lineAccesses)
      continue;
    sum += timeOf(end - *begin);
    begin = &end;
  }
  double together = timeOf(part.run.outcome.atPhases.back() - first);
  return together > 0 ? std::max(1.0, sum / together) : 1;
}

/// Relative, one sigma, of bytes: of DRAM's, or of those that caches are asked
/// for if that is more.
double errorOfBytes(const Part &part) {
  const ScheduleOutcome &outcome = part.run.outcome;
  const Counters counted = part.run.counters - outcome.atStart;
  double error =
      std::hypot(std::max(addressError(counted, part.options.sampleShift),
                          accessError(counted, part.options.sampleShift)),
                 part.run.stepsError);
  if (part.workgroups == part.all || outcome.atHalf.lineAccesses == 0)
    return error;
  const Counters whole = part.run.atEnd - outcome.atStart;
  const Counters first = outcome.atHalf - outcome.atStart;
  double bytes = double(whole.dramReads) + double(whole.dramWrites);
  if (bytes <= 0)
    return error;
  // The two halves of what was counted against each other: the rest of the
  // launch may be like either. Half their difference is one sigma of what a
  // half says; the whole says it with as much less as more of it is seen. What
  // is read less must not hide what is written more.
  auto apart = [](uint64_t half, uint64_t both) {
    return std::abs(2 * double(half) - double(both));
  };
  double drift = (apart(first.dramReads, whole.dramReads) +
                  apart(first.dramWrites, whole.dramWrites)) /
                 bytes * (1 - part.options.prefix);
  return std::hypot(error, drift);
}

/// Relative, of the time: half the spread of what pieces of the steps say.
double errorOfTime(const Part &part, double timeUs) {
  double low = timeUs, high = timeUs;
  for (const Counters &other : part.run.others) {
    double time =
        trafficOf(part, standFor(part, other), other.lineAccesses).timeUs;
    low = std::min(low, time);
    high = std::max(high, time);
  }
  double spread = timeUs > 0 ? (high - low) / (2 * timeUs) : 0;
  return std::hypot(spread, part.run.countError);
}

} // namespace

int64_t workgroupsOf(int64_t all, double prefix) {
  return std::clamp<int64_t>(std::llround(std::ceil(all * prefix)), 1, all);
}

Metrics figuresOf(const KernelModel &model, const Machine &machine,
                  const SimulationOptions &options, const Counted &run) {
  int64_t all = model.grid.count();
  Part part{model, machine, options,
            run,   all,     workgroupsOf(all, options.prefix)};
  const Counters counters = standFor(part, run.counters);
  uint64_t accesses = run.counters.lineAccesses;
  Metrics metrics = trafficOf(part, counters, accesses);
  metrics.timesWithoutGroups = timesWithoutGroups(part, counters, accesses);
  metrics.timeUs *= timeOfPhases(part);
  metrics.unevenWorkgroups = isUneven(part);
  metrics.samplingError = errorOfBytes(part);
  if (!run.isWhole)
    metrics.noise = errorOfTime(part, metrics.timeUs);
  metrics.defaults = machine.defaults;
  return metrics;
}

} // namespace swizzle::simulation
