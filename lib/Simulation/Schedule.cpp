//===- Schedule.cpp - Who runs where, and in which order ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.TXT for license information. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workgroup i goes to die (i / chunk) mod dies. Each die has a queue of its own
// and starts its workgroups in order: one to each of its compute units, then a
// second one to each, until they are full. A workgroup that ends is replaced at
// once, on its compute unit, by the next of its die.
//
//===----------------------------------------------------------------------===//

#include "Schedule.h"

#include <algorithm>

namespace swizzle::simulation {

namespace {

/// The workgroups of one die, in the order in which it starts them.
class DieQueue {
public:
  DieQueue(int64_t die, const Machine &machine, int64_t workgroups)
      : die(die), dies(machine.numDies), chunk(machine.dispatchChunk),
        workgroups(workgroups) {}

  /// The next linear id, or -1.
  int64_t take() {
    int64_t id = (taken / chunk * dies + die) * chunk + taken % chunk;
    if (id >= workgroups)
      return -1; // ids only grow
    ++taken;
    return id;
  }

private:
  int64_t die, dies, chunk, workgroups, taken = 0;
};

struct Resident {
  Context context;
  uint32_t unit = 0;
  uint32_t ready = 0;  ///< the round in which it goes on
  float debt = 0;      ///< part of a round of waiting, carried on
  float missShare = 0; ///< of the last step of which any line was simulated
};

uint32_t scatter(uint32_t value, uint32_t seed) {
  return mixLine(value * 2654435761u + seed);
}

} // namespace

ScheduleOutcome runSchedule(Program &program, const Machine &machine,
                            llvm::ArrayRef<uint32_t> permutation,
                            const ScheduleOptions &options,
                            MemorySystem &memory) {
  ScheduleOutcome outcome;
  std::vector<DieQueue> queues;
  for (int64_t die = 0; die < machine.numDies; ++die)
    queues.emplace_back(die, machine, options.workgroups);
  auto tileOf = [&](int64_t id) -> int64_t {
    return permutation.empty() ? id : permutation[id];
  };

  std::vector<Resident> residents;
  std::vector<int64_t> starts;
  for (int64_t slot = 0; slot < options.resident; ++slot)
    for (int64_t local = 0; local < machine.unitsPerDie; ++local)
      for (int64_t die = 0; die < machine.numDies; ++die) {
        int64_t id = queues[die].take();
        if (id < 0)
          continue;
        Resident resident;
        resident.unit =
            static_cast<uint32_t>(die * machine.unitsPerDie + local);
        if (options.skew)
          resident.ready = scatter(residents.size(), options.skew) % 4;
        residents.push_back(resident);
        starts.push_back(id);
      }
  size_t slots = program.numSlots();
  std::vector<int64_t> values(slots * residents.size());
  for (size_t i = 0; i < residents.size(); ++i) {
    residents[i].context.slots = values.data() + i * slots;
    program.start(residents[i].context, tileOf(starts[i]));
  }

  int64_t ended = 0;
  size_t live = residents.size();
  float delay = static_cast<float>(machine.missDelay);
  for (uint32_t round = 0; live > 0; ++round) {
    for (size_t i = 0; i < live;) {
      Resident &resident = residents[i];
      if (resident.ready > round) {
        ++i;
        continue;
      }
      Program::Step step;
      bool running = program.next(resident.context, step);
      while (!running) {
        if (++ended == options.workgroups / 2)
          outcome.dramAtHalf =
              memory.counters.dramReads + memory.counters.dramWrites;
        int64_t id = queues[resident.unit / machine.unitsPerDie].take();
        if (id < 0)
          break;
        program.start(resident.context, tileOf(id));
        running = program.next(resident.context, step);
      }
      if (!running) {
        // Nothing left for this slot: the others close up, in order.
        residents.erase(residents.begin() + i);
        --live;
        continue;
      }
      StepOutcome met = memory.access(resident.unit, *step.pattern,
                                      step.baseLine, step.site->access->kind);
      if (met.lines)
        resident.missShare = static_cast<float>(met.fromDram) / met.lines;
      resident.debt += delay * resident.missShare;
      uint32_t whole = static_cast<uint32_t>(resident.debt);
      resident.debt -= whole;
      resident.ready = round + 1 + whole;
      ++i;
    }
  }
  return outcome;
}

} // namespace swizzle::simulation
