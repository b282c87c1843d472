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
// busy all the time, and less than all in turn, because they overlap. Their
// Euclidean norm lies between, and has no constant but its exponent. Over the
// 19 pairs of orders of one kernel in benchmarks/accuracy/h200.json, the ratio
// of measured times is missed by 6.5 % with exponent 1, 5.2 % with 2, 5.9 %
// with 3, and 12.3 % with the maximum (root mean square of the logarithm).
// Enough to rank orders of one kernel, which differ in their traffic alone; it
// is no timing model.
//
//===----------------------------------------------------------------------===//

#include "Roofline.h"

#include <algorithm>
#include <cmath>

namespace swizzle::simulation {

void predictTime(Metrics &metrics, const Work &work, const Machine &machine) {
  metrics.roofline.clear();
  auto add = [&](const Bound &bound, double amount, double rate,
                 double more = 0) {
    double seconds = (amount > 0 && rate > 0 ? amount / rate : 0) + more;
    if (!(seconds > 0))
      return;
    RooflineTerm term{bound, seconds * 1e6, amount, rate};
    auto isShorter = [](const RooflineTerm &a, const RooflineTerm &b) {
      return a.timeUs > b.timeUs;
    };
    metrics.roofline.insert(std::upper_bound(metrics.roofline.begin(),
                                             metrics.roofline.end(), term,
                                             isShorter),
                            term);
  };
  // The remap is issued with the rest; where that has no rate, it goes with
  // arithmetic. Nothing else of a workgroup is issued before it knows its tile, so
  // its latency adds to what starting workgroups takes.
  bool hasIssue = machine.issueRate > 0 && work.units.instructions > 0;
  double remap = work.waves * work.remapInstructions / machine.remapIssueRate;
  double latency = work.workgroups / work.slots * work.remapInstructions *
                   machine.instructionClocks / machine.clockHz;
  add({BoundKind::Launch, ""}, work.workgroups, machine.launchRate, latency);
  add({BoundKind::Issue, ""}, work.units.instructions, machine.issueRate,
      hasIssue ? remap : 0);
  add({BoundKind::Vector, ""}, work.flops, machine.vectorFlops,
      hasIssue ? 0 : remap);
  add({BoundKind::Tensor, ""}, work.tensorFlops, machine.tensorFlops);
  add({BoundKind::WorkgroupMemory, ""}, work.units.bankPasses,
      machine.bankPassRate);
  for (size_t i = 0; i < machine.levels.size(); ++i) {
    // A cache that only reads fill serves the nearest requests a line at a time.
    bool wholeLines = i == 0 && machine.shared > 0;
    const MachineLevel &level = machine.levels[i];
    double bytes = wholeLines ? work.nearestBytes : metrics.bytes(level.name);
    if (i == machine.shared)
      bytes += work.waitingBytes * machine.waitingLookups - work.mergedBytes;
    add({BoundKind::Cache, level.name}, bytes, level.bandwidth);
  }
  double scatter = machine.dramBandwidth > 0
                       ? work.scatterBytes / machine.dramBandwidth
                       : 0;
  add({BoundKind::Dram, ""}, metrics.dramBytes(), machine.dramBandwidth,
      scatter);
  double squares = 0;
  for (const RooflineTerm &term : metrics.roofline)
    squares += term.timeUs * term.timeUs;
  metrics.timeUs = std::sqrt(squares);
}

} // namespace swizzle::simulation
