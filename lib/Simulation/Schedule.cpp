//===- Schedule.cpp - Who runs where, and in which order ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
  uint32_t first = 0;  ///< the workgroup that it starts with
  uint32_t ready = 0;  ///< the round in which it goes on
  float debt = 0;      ///< part of a round of waiting, carried on
  float missShare = 0; ///< of the last step of which any line was simulated
};

uint32_t scatter(uint32_t value, uint32_t seed) {
  return LineHash(32)(value * 2654435761u + seed);
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

  // Started one to each compute unit, then a second one to each, and so on;
  // stepped unit by unit, so that workgroups of one unit that end together are
  // followed by consecutive ones.
  std::vector<Resident> residents;
  for (int64_t slot = 0; slot < options.resident; ++slot)
    for (int64_t local = 0; local < machine.unitsPerDie; ++local)
      for (int64_t die = 0; die < machine.numDies; ++die) {
        int64_t id = queues[die].take();
        if (id < 0)
          continue;
        Resident resident;
        resident.unit =
            static_cast<uint32_t>(die * machine.unitsPerDie + local);
        resident.first = static_cast<uint32_t>(id);
        residents.push_back(resident);
      }
  std::sort(residents.begin(), residents.end(),
            [](const Resident &a, const Resident &b) {
              return a.unit != b.unit ? a.unit < b.unit : a.first < b.first;
            });

  memory.outcomes.assign(residents.size(), {});
  size_t slots = program.numSlots();
  std::vector<int64_t> values(slots * residents.size());
  uint32_t jitter = static_cast<uint32_t>(machine.startJitter) + 1;
  auto start = [&](Resident &resident, int64_t id, uint32_t round) {
    program.start(resident.context, permutation.empty() ? id : permutation[id]);
    resident.ready =
        round + scatter(static_cast<uint32_t>(id), options.skew) % jitter;
  };
  for (size_t i = 0; i < residents.size(); ++i) {
    residents[i].context.slots = values.data() + i * slots;
    start(residents[i], residents[i].first, 0);
  }

  uint64_t checkpoint = std::min(options.countFrom, options.half);
  bool counting = false;
  auto note = [&] {
    if (!counting && memory.counters.lineAccesses >= options.countFrom) {
      counting = true;
      checkpoint = options.half;
      outcome.atStart = memory.counters;
      // What is dirty by now was written before.
      outcome.atStart.dramWrites += memory.dirtySectors();
    }
    if (memory.counters.lineAccesses >= options.half) {
      checkpoint = UINT64_MAX;
      outcome.atHalf = memory.counters;
    }
  };
  float delay = static_cast<float>(machine.missDelay);
  /// Puts the next workgroup of its die into the slot; false if there is none.
  auto refill = [&](Resident &resident, uint32_t round) {
    int64_t id = queues[resident.unit / machine.unitsPerDie].take();
    if (id < 0)
      return false;
    start(resident, id, round);
    return true;
  };

  if (options.countFrom == 0) {
    outcome.atStart = memory.counters;
    counting = true;
    checkpoint = options.half;
  }
  for (uint32_t round = 0; !residents.empty(); ++round) {
    if (memory.counters.lineAccesses >= checkpoint)
      note();
    size_t kept = 0;
    for (size_t i = 0; i < residents.size(); ++i) {
      Resident &resident = residents[kept];
      if (kept != i)
        resident = residents[i];
      ++kept;
      bool running = true;
      Program::Step step;
      while (resident.ready <= round) {
        running = program.next(resident.context, step);
        if (running || !(running = refill(resident, round)))
          break;
      }
      if (!running) {
        --kept; // nothing is left for this slot: the others close up
        continue;
      }
      if (resident.ready > round)
        continue;
      for (int64_t issued = 1;; ++issued) {
        memory.access(kept - 1, resident.unit, *step.pattern, step.baseLine,
                      step.kind);
        if (issued >= machine.readsInFlight || step.kind != AccessKind::Read ||
            program.waits(resident.context) ||
            !program.next(resident.context, step))
          break;
      }
    }
    residents.resize(kept);
    // What they met decides when they go on.
    memory.flush();
    for (size_t i = 0; i < kept; ++i) {
      Resident &resident = residents[i];
      if (resident.ready > round)
        continue;
      // Half of a sample's steps have no line in it: no branch foretells that.
      StepOutcome met = memory.outcomes[i];
      memory.outcomes[i] = {};
      float share = static_cast<float>(met.fromDram) / std::max(met.lines, 1u);
      resident.missShare = met.lines ? share : resident.missShare;
      resident.debt += delay * resident.missShare;
      uint32_t whole = static_cast<uint32_t>(resident.debt);
      resident.debt -= whole;
      resident.ready = round + 1 + whole;
    }
  }
  return outcome;
}

} // namespace swizzle::simulation
