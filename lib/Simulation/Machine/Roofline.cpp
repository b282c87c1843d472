//===- Roofline.cpp - Time from counts ------------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each resource alone would take as long as its work over its rate. Together
// they take longer than the slowest one, because no kernel keeps all of them
// busy all the time, and less than all in turn, because they overlap. What the
// same bytes pass one after the other is one resource, as slow as its slowest
// piece: what a look-up finds is delivered to whoever asked, and what comes
// from memory crosses the fabric between the halves of the cache that it is
// kept in. The Euclidean norm lies between, and has no constant but its
// exponent. What memory spends on opening rows overlaps with nothing and is
// added. Over the 19 pairs of orders of one kernel in
// benchmarks/accuracy/h200.json, the ratio of measured times is missed by 8.5 %
// with exponent 1, 4.2 % with 2, 3.8 % with 3, and 11.6 % with the maximum
// (root mean square of the logarithm). Enough to rank orders of one kernel,
// which differ in their traffic alone; it is no timing model.
//
//===----------------------------------------------------------------------===//

#include "Roofline.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace swizzle::simulation {

namespace {

/// What has to pass one resource. `moreSeconds`: besides work over rate.
struct Load {
  Bound bound;
  double work = 0, rate = 0, moreSeconds = 0;

  double seconds() const {
    return (work > 0 && rate > 0 ? work / rate : 0) + moreSeconds;
  }
};

/// Adds a term for the slowest of what the same work passes one after the
/// other.
void addTerm(Metrics &metrics, std::initializer_list<Load> path) {
  auto takesLess = [](const Load &a, const Load &b) {
    return a.seconds() < b.seconds();
  };
  const Load &slowest = *std::max_element(path.begin(), path.end(), takesLess);
  if (!(slowest.seconds() > 0))
    return;
  RooflineTerm term{slowest.bound, slowest.seconds() * 1e6, slowest.work,
                    slowest.rate};
  auto isShorter = [](const RooflineTerm &a, const RooflineTerm &b) {
    return a.timeUs > b.timeUs;
  };
  metrics.roofline.insert(std::upper_bound(metrics.roofline.begin(),
                                           metrics.roofline.end(), term,
                                           isShorter),
                          term);
}

} // namespace

void predictTime(Metrics &metrics, const Work &work, const Machine &machine) {
  metrics.roofline.clear();
  auto add = [&](std::initializer_list<Load> path) { addTerm(metrics, path); };
  // The remap is issued with the rest; where that has no rate, it goes with
  // arithmetic. Nothing else of a workgroup is issued before it knows its tile,
  // so its latency adds to what starting workgroups takes.
  bool hasIssue = machine.issueRate > 0 && work.units.instructions > 0;
  const double busy = work.busyUnits;
  double remap = machine.remapIssue * work.waves * work.remapInstructions /
                 (busy * machine.remapIssueRate);
  // So does what a wave waits for that others asked memory for; it waits for
  // all of its own at once, so that no more than one line a wave counts, on
  // average.
  double waits =
      work.waves > 0 ? work.waitingBytes / machine.lineBytes / work.waves : 0;
  double residencies = work.workgroups / work.slots;
  double wait = residencies * std::min(1.0, waits) * machine.waitingClocks /
                machine.clockHz;
  double latency = wait + residencies * work.remapInstructions *
                              machine.instructionClocks / machine.clockHz;
  metrics.waitUs = wait * 1e6;
  add({{{BoundKind::Launch, ""},
        work.workgroups,
        machine.launchRate,
        latency}});
  add({{{BoundKind::Issue, ""},
        work.units.instructions,
        busy * machine.issueRate,
        hasIssue ? remap : 0}});
  add({{{BoundKind::Vector, ""},
        work.flops,
        busy * machine.vectorFlops,
        hasIssue ? 0 : remap}});
  add({{{BoundKind::Tensor, ""},
        work.tensorFlops,
        busy * machine.tensorFlops}});
  add({{{BoundKind::WorkgroupMemory, ""},
        work.units.bankPasses,
        busy * machine.bankPassRate}});
  for (size_t i = 0; i < machine.levels.size(); ++i) {
    const MachineLevel &level = machine.levels[i];
    Load load{{BoundKind::Cache, level.name},
              metrics.bytes(level.name),
              level.bandwidth};
    if (i == machine.shared) {
      Load delivery{
          {BoundKind::Delivery, ""}, load.work, busy * machine.deliveryRate};
      load.work -= work.mergedBytes;
      add({load, delivery});
      continue;
    }
    // A cache that only reads fill serves the nearest requests a line at a
    // time.
    if (i == 0) {
      load.work = work.nearestBytes;
      load.rate *= busy;
    }
    add({load});
  }
  add({{{BoundKind::Dram, ""}, metrics.dramBytes(), machine.dramBandwidth},
       {{BoundKind::Fabric, ""}, work.crossingBytes, machine.fabricRate}});
  // The last residency takes as long as the others, however few workgroups it
  // has. Where all run at a time, no order decides who waits with whom.
  double slots = work.workgroups / std::ceil(residencies);
  bool allAtOnce = residencies <= 1;
  double more = work.latency.moreClocks;
  double least = work.latency.leastClocks + (allAtOnce ? more : 0);
  add({{{BoundKind::Latency, ""},
        least,
        slots * machine.clockHz,
        allAtOnce ? 0 : more / (slots * machine.clockHz)}});
  metrics.scatterUs = machine.dramBandwidth > 0
                          ? work.scatterBytes / machine.dramBandwidth * 1e6
                          : 0;
  metrics.timeUs = timeTogether(metrics.roofline) + metrics.scatterUs;
}

} // namespace swizzle::simulation
