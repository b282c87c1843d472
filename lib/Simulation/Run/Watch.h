//===- Watch.h - What a run costs, and when it ends -------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run is cut short by the work that it may take, and interrupted by the
// clock; on the way counters are noted, from which the rest is concluded.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_RUN_WATCH_H
#define SWIZZLE_LIB_SIMULATION_RUN_WATCH_H

#include "Schedule.h"
#include "swizzle/Simulation/WorkUnits.h"

#include <iterator>

namespace swizzle::simulation {

/// The counters, with what is dirty as if it were written.
inline Counters noteOf(MemorySystem &memory) {
  uint64_t dirty = memory.dirtySectors();
  Counters counters = memory.counters;
  counters.dramWrites += dirty;
  return counters;
}

/// Watches what a run costs: notes counters at marks, and ends it.
class Watch {
public:
  Watch(const Program &program, const Machine &machine,
        const ScheduleOptions &options, MemorySystem &memory,
        ScheduleOutcome &outcome)
      : program(program), options(options), memory(memory), outcome(outcome),
        sectorsOfLine(double(machine.lineBytes) / double(machine.sectorBytes)),
        patternsBefore(program.otherWork()) {}

  /// After each round; false if the run ends here.
  bool goesOn() {
    const Counters &counters = memory.counters;
    ++outcome.rounds;
    while (outcome.atMarks.size() < options.marks.size() &&
           counters.steps >= options.marks[outcome.atMarks.size()])
      outcome.atMarks.push_back(noteOf(memory));
    if (outcome.rounds % kRoundsOfClock == 0)
      readClock();
    if (outcome.interrupted)
      return false;
    if (options.mostWork == HUGE_VAL)
      return true;
    double work = spent();
    if (outcome.onTheWay.size() < std::size(kOnTheWay) &&
        work >= kOnTheWay[outcome.onTheWay.size()] * options.mostWork)
      outcome.onTheWay.push_back(noteOf(memory));
    outcome.cutShort = work >= options.mostWork;
    return !outcome.cutShort;
  }

  /// Within a round, after the i-th workgroup: false if no more go on in it.
  /// Expensive patterns make one round take seconds, and a few workgroups too.
  bool goesOnAfter(size_t i) {
    bool late = options.deadline && program.otherWork() >= patternsOfClock;
    if (i % kWorkgroupsOfCheck != 0 && !late)
      return true;
    if (i)
      readClock();
    return !outcome.interrupted &&
           (options.mostWork == HUGE_VAL || spent() < options.mostWork);
  }

  /// Marks that were not reached are at the end.
  void end() {
    if (outcome.atMarks.size() < options.marks.size())
      outcome.atMarks.resize(options.marks.size(), noteOf(memory));
  }

private:
  /// The part before the first fills the caches; halves of the rest are
  /// compared.
  static constexpr double kOnTheWay[] = {0.4, 0.7};
  static constexpr unsigned kRoundsOfClock = 16;
  static constexpr size_t kWorkgroupsOfCheck = 64;
  static constexpr double kWorkOfClock = 1e5;

  void readClock() {
    outcome.interrupted |= options.deadline && options.deadline->passed();
    patternsOfClock = program.otherWork() + kWorkOfClock;
  }

  double spent() const {
    return workOf(memory.counters, sectorsOfLine) +
           WorkPrices::round * double(outcome.rounds) + program.otherWork() -
           patternsBefore;
  }

  const Program &program;
  const ScheduleOptions &options;
  MemorySystem &memory;
  ScheduleOutcome &outcome;
  double sectorsOfLine, patternsBefore;
  double patternsOfClock = 0; ///< when the clock is read again
};

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_RUN_WATCH_H
