//===- WaitTally.h - What workgroups wait for -------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A workgroup issues reads until something needs what they bring. There each of
// its waves waits for the slowest of its lines:
//
//   read a   read b   | end of the iteration: waits for a and b
//   read a            | a barrier: waits for a
//
// Where the last of these reads is carried out for some workgroups only, the
// next end of an iteration, or of the workgroup, is where it waits.
//
// How often it does, and for what, is gathered here, slot by slot, and added to
// the counters of the place where it waits.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_RUN_WAITTALLY_H
#define SWIZZLE_LIB_SIMULATION_RUN_WAITTALLY_H

#include "Memory/MemorySystem.h"
#include "Program/Program.h"

#include <utility>
#include <vector>

namespace swizzle::simulation {

class WaitTally {
public:
  /// Of so many slots.
  void resize(size_t slots) { open.resize(slots); }

  /// The workgroup in `slot` makes an access.
  void note(uint32_t slot, const Program::Step &step) {
    Open &one = open[slot];
    one.count.reads += step.waves > 0;
    one.waves += step.waves;
    one.coded += wavesOf(codeOfWaves(step.waves));
    if (step.wait)
      one.place = step.wait;
  }

  /// What it met in this round; where it waits after that, `waits` grow.
  void settle(uint32_t slot, const StepOutcome &met,
              std::vector<WaitCount> &waits) {
    Open &one = open[slot];
    one.count.asked += met.asked;
    one.count.late += met.late;
    if (one.place)
      close(slot, one.place, waits);
  }

  /// It waits at `place`, counted from 1, for what is open once this round is
  /// settled.
  void closeAfterRound(uint32_t slot, uint32_t place) {
    if (open[slot].count.reads && !open[slot].place)
      open[slot].place = place;
  }

  /// It waits at `place`, counted from 1, for what is open.
  void close(uint32_t slot, uint32_t place, std::vector<WaitCount> &waits) {
    Open one = std::exchange(open[slot], {});
    if (!one.count.reads)
      return;
    WaitCount &sum = waits[place - 1];
    ++sum.times;
    sum.reads += one.count.reads;
    sum.asked += one.count.asked * one.waves / one.coded;
    sum.late += one.count.late * one.waves / one.coded;
  }

private:
  struct Open {
    WaitCount count;
    uint64_t waves = 0, coded = 0; ///< of its reads, and those that are counted
    uint32_t place = 0; ///< n + 1: it waits at the n-th place, after this round
  };
  std::vector<Open> open; ///< by slot
};

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_RUN_WAITTALLY_H
