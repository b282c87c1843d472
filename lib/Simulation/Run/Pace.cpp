//===- Pace.cpp - Whether younger workgroups fall behind ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Pace.h. Arithmetic is not counted apart: it is issued.
//
//===----------------------------------------------------------------------===//

#include "Pace.h"

#include <algorithm>
#include <cmath>

namespace swizzle::simulation {

static double over(double work, double rate) {
  return rate > 0 ? work / rate : 0;
}

Pace::Pace(const Machine &machine, const UnitWork &units, double steps,
           unsigned sampleShift)
    : machine(steps > 0 && (machine.youngerWait > 0 ||
                            machine.lookupClocks > 0 || machine.sameCluster > 0)
                  ? &machine
                  : nullptr),
      youngerWait(machine.youngerWait),
      unitSeconds(std::hypot(over(units.instructions, machine.issueRate),
                             over(units.bankPasses, machine.bankPassRate)) /
                  std::max(steps, 1.0)),
      scale(std::ldexp(double(machine.sectorBytes), int(sampleShift))) {}

double Pace::unitTime(const Counters &counters) const {
  double nearest = 0;
  if (machine->shared > 0)
    nearest = over(double(counters.lineAccesses) * double(machine->lineBytes),
                   machine->levels[0].bandwidth);
  return std::hypot(unitSeconds * double(counters.steps), nearest);
}

double Pace::memoryTime(const Counters &counters) const {
  return over(double(counters.dramReads + counters.dramWrites) * scale,
              machine->dramBandwidth);
}

OnTheWay Pace::onTheWay(const Counters &counters, uint64_t rounds,
                        double tensorFlops) const {
  // Where memory is busy, what comes from it takes as long as a round does.
  double unit =
      std::hypot(unitTime(counters), over(tensorFlops, machine->tensorFlops));
  double memory = std::hypot(unit, memoryTime(counters));
  auto share = [&](double clocks, double seconds) {
    double round = seconds / double(rounds);
    double taken = over(clocks, machine->clockHz);
    return taken > 0 && round > taken ? float(taken / round) : 1.0f;
  };
  return {share(machine->lookupClocks, memory),
          share(machine->memoryClocks, unit)};
}

double Pace::sameCluster(const Counters &counters, double tensorFlops) const {
  // Those that become free while others are started wait for their turn, and
  // have it cluster by cluster.
  double starts = over(double(counters.ended), machine->launchRate);
  double unit =
      std::hypot(unitTime(counters), over(tensorFlops, machine->tensorFlops));
  double seconds = std::hypot(starts, std::hypot(unit, memoryTime(counters)));
  return machine->sameCluster * over(starts, seconds);
}

float Pace::waitOfYoungest(const Counters &counters) const {
  if (machine->alwaysFallBehind)
    return float(youngerWait);
  double unit = unitTime(counters), memory = memoryTime(counters);
  for (size_t i = machine->shared; i < machine->levels.size(); ++i)
    memory = std::hypot(memory, over(double(counters.level[i].lookups) * scale,
                                     machine->levels[i].bandwidth));
  double both = unit * unit + memory * memory;
  if (!(both > 0))
    return 0;
  // Nothing up to where both take as long, all where memory takes no time.
  double share = std::clamp(2 * unit * unit / both - 1, 0.0, 1.0);
  return float(youngerWait * share);
}

} // namespace swizzle::simulation
