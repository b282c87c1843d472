//===- Schedule.cpp - Who runs where, and in which order ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workgroup i goes to the die whose turn is (i / chunk) mod dies. Each die has
// a queue of its own and starts its workgroups in order: one to each of its
// compute units, then a second one to each, until they are full. A workgroup
// that ends is replaced at once, on its compute unit, by the next of its die.
// Which die and which unit has which turn is measured, or that of their
// numbers.
//
//===----------------------------------------------------------------------===//

#include "Schedule.h"
#include "Followers.h"
#include "WaitTally.h"
#include "Watch.h"

#include "swizzle/Simulation/WorkUnits.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>
#include <utility>

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

/// A slot for a workgroup, and the one that it holds.
struct Resident {
  Context context;
  uint32_t unit = 0, die = 0, cluster = 0;
  uint32_t first = 0;     ///< the workgroup that it starts with
  uint32_t steps = 0;     ///< of its workgroup so far
  uint32_t firstSlot = 0; ///< of its unit
  /// Of the first slot of a unit: how many it has, and those that are not
  /// empty.
  uint32_t slots = 0, full = 0;
};

/// What a slot waits for. Apart from the rest, since each round ends with it.
struct Waiting {
  float debt = 0; ///< part of a round, carried on
  /// Lines that it asked for in this round of a sample: hot ones, and others.
  uint32_t hotLines = 0, otherLines = 0;
  StepOutcome met{1}; ///< by the last step of which any line was simulated
};

/// The round in which a slot goes on for which no workgroup is left.
constexpr uint32_t kNever = UINT32_MAX;
/// Workgroups that start apart fall into step in a life of more steps than
/// these.
constexpr uint32_t kStepsToFallIntoStep = 16;
/// After so many rounds it is looked at what bounds the launch.
constexpr uint32_t kRoundsOfPace = 32;
/// Phases that are looked at: what comes later is like these.
constexpr size_t kMostPhases = 1024;

/// Accesses that are handed on together.
constexpr size_t kBatch = 128;
static_assert(kBatch < kMostPatterns, "patterns outlive a batch");

/// The slots of the chip, the workgroups in them, and their rounds. No address
/// of a member is handed out: the compiler then keeps them in registers.
class Rounds {
public:
  Rounds(Program &program, const Machine &machine,
         llvm::ArrayRef<uint32_t> permutation, const ScheduleOptions &options,
         MemorySystem &memory, ScheduleOutcome &outcome)
      : program(program), machine(machine), permutation(permutation),
        options(options), memory(memory), outcome(outcome),
        jitter(static_cast<uint32_t>(machine.startJitter) + 1),
        batch(program.keepsPatterns() ? kBatch : 1) {
    fillSlots();
    startAll();
    copies = program.copyHotLines(options.sampleShift, residents.size());
  }

  void run();

private:
  void fillSlots();
  void startAll();
  void start(uint32_t slot, int64_t id, uint32_t round);
  void makeYoungest(uint32_t slot);
  void refill(uint32_t slot, uint32_t round);
  void goOn(uint32_t slot, uint32_t round);
  void replaceEnded(uint32_t round);
  bool findStep(uint32_t slot, Program::Step &step);
  void enterStep(uint32_t slot, Program::Step &step);
  bool redirect(uint32_t slot, Program::Step &step);
  static float shareOfOthers(Waiting &waiting);
  size_t findActive(uint32_t round);
  void stepAll(size_t numActive, uint32_t round, Watch &watch);
  void settle(size_t numActive, uint32_t round);
  void dropEnded();
  void note();
  void notePhase();

  void handOn() {
    memory.access(llvm::ArrayRef(batch).take_front(inBatch));
    inBatch = 0;
  }

  Program &program;
  const Machine &machine;
  llvm::ArrayRef<uint32_t> permutation;
  const ScheduleOptions &options;
  MemorySystem &memory;
  ScheduleOutcome &outcome;
  HotCopies copies;

  std::vector<DieQueue> queues;
  std::vector<Resident> residents;
  std::vector<Waiting> waiting; ///< by slot
  WaitTally tally;
  /// By slot: how many workgroups of its unit are older, and that as a share: 1
  /// for the youngest.
  std::vector<int32_t> older;
  std::vector<float> youth;
  std::vector<int64_t> values;  ///< of the residents' contexts
  std::vector<uint32_t> ready;  ///< by slot: the round to go on in
  std::vector<uint32_t> alive;  ///< slots that are not empty for good
  std::vector<uint32_t> active; ///< those that go on in this round
  std::vector<uint32_t> ended;  ///< those whose workgroup ended in this round
  Followers followers;
  uint32_t jitter;
  int64_t started = 0;      ///< workgroups, in this phase
  int64_t busyUnits = 0;    ///< compute units that have a workgroup
  float waitOfYoungest = 0; ///< in each round, for now
  bool anyEnded = false;    ///< a slot is empty for good since this round
  std::vector<EnteredAccess> batch; ///< as many as are handed on together
  size_t inBatch = 0;
  /// Line accesses at which something is noted next.
  uint64_t checkpoint = 0;
  bool counting = false;
};

/// Workgroups are started one to each compute unit, then a second one to each,
/// and so on; they are stepped unit by unit. Where that is how a chip does it,
/// workgroups of one unit that end together are then followed by consecutive
/// ones.
void Rounds::fillSlots() {
  for (int64_t die = 0; die < machine.numDies; ++die)
    queues.emplace_back(die, machine, options.workgroups);
  for (int64_t slot = 0; slot < options.resident; ++slot)
    for (int64_t local = 0; local < machine.unitsPerDie; ++local)
      for (int64_t die = 0; die < machine.numDies; ++die) {
        int64_t id = queues[die].take();
        if (id < 0)
          continue;
        Resident resident;
        resident.unit =
            static_cast<uint32_t>(die * machine.unitsPerDie + local);
        resident.die = static_cast<uint32_t>(die);
        resident.first = static_cast<uint32_t>(id);
        residents.push_back(resident);
      }
  std::sort(residents.begin(), residents.end(),
            [](const Resident &a, const Resident &b) {
              return a.unit != b.unit ? a.unit < b.unit : a.first < b.first;
            });
  // A unit was its turn until here.
  for (Resident &resident : residents) {
    resident.cluster = machine.clusterOfTurn(resident.unit);
    resident.unit = machine.unitInTurn[resident.unit];
  }
}

void Rounds::startAll() {
  size_t slots = program.numSlots();
  outcome.stepsOfDies.assign(machine.numDies, 0);
  memory.outcomes.assign(residents.size(), {});
  memory.isEarly.assign(residents.size(), 0);
  memory.counters.waits.resize(program.waitPlaces().size());
  tally.resize(residents.size());
  values.resize(slots * residents.size());
  waiting.resize(residents.size());
  older.resize(residents.size());
  youth.resize(residents.size());
  ready.resize(residents.size());
  alive.resize(residents.size());
  active.resize(residents.size());
  std::iota(alive.begin(), alive.end(), 0);
  for (uint32_t slot : alive) {
    residents[slot].context.slots = values.data() + slot * slots;
    bool same = slot && residents[slot].unit == residents[slot - 1].unit;
    residents[slot].firstSlot = same ? residents[slot - 1].firstSlot : slot;
    busyUnits += !same;
    Resident &first = residents[residents[slot].firstSlot];
    ++first.slots;
    ++first.full;
    start(slot, residents[slot].first, 0);
  }
  if (options.pace)
    for (uint32_t slot : alive)
      makeYoungest(slot);
}

/// All others of its unit are older than the workgroup of this slot.
void Rounds::makeYoungest(uint32_t slot) {
  uint32_t first = residents[slot].firstSlot, count = residents[first].slots;
  int32_t *ages = older.data() + first, before = ages[slot - first];
  for (uint32_t i = 0; i < count; ++i)
    ages[i] -= ages[i] > before;
  ages[slot - first] = static_cast<int32_t>(count - 1);
  const float most = std::max(1.0f, float(count - 1));
  for (uint32_t i = 0; i < count; ++i)
    youth[first + i] = float(ages[i]) / most;
}

void Rounds::start(uint32_t slot, int64_t id, uint32_t round) {
  program.start(residents[slot].context,
                permutation.empty() ? id : permutation[id]);
  residents[slot].steps = 0;
  ++started;
  ready[slot] =
      round + scatter(static_cast<uint32_t>(id), options.skew) % jitter;
}

/// Puts the next workgroup of its die into the slot, if there is one.
void Rounds::refill(uint32_t slot, uint32_t round) {
  tally.close(slot, program.lastWait(), memory.counters.waits);
  ++memory.counters.ended;
  outcome.steps += residents[slot].steps;
  outcome.stepsOfDies[residents[slot].die] += residents[slot].steps;
  outcome.mostSteps = std::max(outcome.mostSteps, residents[slot].steps);
  int64_t id = queues[residents[slot].die].take();
  if (id >= 0) {
    if (options.pace)
      makeYoungest(slot);
    return start(slot, id, round);
  }
  ready[slot] = kNever;
  anyEnded = true;
  busyUnits -= --residents[residents[slot].firstSlot].full == 0;
}

/// The next step of the workgroup in the slot; false at its end. Those before it
/// that touch nothing count as well.
bool Rounds::findStep(uint32_t slot, Program::Step &step) {
  bool found = program.next(residents[slot].context, step);
  memory.counters.steps += step.empty;
  memory.counters.emptySteps += step.empty;
  return found;
}

/// Carries out the next step of the workgroup in the slot, or notes its end.
void Rounds::goOn(uint32_t slot, uint32_t round) {
  Program::Step step;
  while (!findStep(slot, step)) {
    if (!machine.followersTogether)
      return ended.push_back(slot);
    refill(slot, round);
    if (ready[slot] > round)
      return;
  }
  enterStep(slot, step);
}

/// Workgroups that ended in this round are replaced.
void Rounds::replaceEnded(uint32_t round) {
  if (options.pace && !ended.empty())
    followers.sameCluster =
        options.pace.sameCluster(memory.counters, program.tensorFlops);
  std::vector<FreeSlot> freed;
  while (!ended.empty()) {
    freed.clear();
    for (uint32_t slot : ended) {
      const Resident &resident = residents[slot];
      bool inStep = jitter == 1 || resident.steps > kStepsToFallIntoStep;
      freed.push_back({slot, resident.first, resident.cluster, inStep});
    }
    ended.clear();
    followers.sort(freed, round);
    for (const FreeSlot &free : freed) {
      refill(free.slot, round);
      if (ready[free.slot] <= round)
        goOn(free.slot, round);
    }
  }
}

/// Turns an access to hot lines to the copy that serves the slot, if there are
/// copies. Whether a sample takes a line of these few must not decide when the
/// slot goes on. True if it is one.
bool Rounds::redirect(uint32_t slot, Program::Step &step) {
  auto lines = static_cast<uint32_t>(step.pattern->line.size());
  (step.hotRange ? waiting[slot].hotLines : waiting[slot].otherLines) += lines;
  if (step.hotRange)
    step.baseLine += copies.offset(step.hotRange - 1, slot);
  return step.hotRange;
}

/// The part of a round's lines that are not hot, which alone may come from
/// memory.
float Rounds::shareOfOthers(Waiting &waiting) {
  float hot = std::exchange(waiting.hotLines, 0);
  float others = std::exchange(waiting.otherLines, 0);
  return hot > 0 ? others / (others + hot) : 1;
}

/// Enters `step` and the reads that are issued without waiting for it.
void Rounds::enterStep(uint32_t slot, Program::Step &step) {
  Resident &resident = residents[slot];
  memory.isEarly[slot] = resident.steps < program.numSites();
  for (int64_t issued = 1;; ++issued) {
    ++resident.steps;
    bool isHot = !copies.empty() && redirect(slot, step);
    batch[inBatch] = {step.pattern,  step.baseLine, slot,
                      resident.unit, step.kind,     codeOfWaves(step.waves),
                      isHot};
    // What was issued in this round is not settled yet.
    if (uint32_t passed = std::exchange(resident.context.passed, 0)) {
      if (issued == 1)
        tally.close(slot, passed, memory.counters.waits);
      else
        tally.closeAfterRound(slot, passed);
    }
    tally.note(slot, step);
    if (++inBatch == batch.size())
      handOn();
    if (issued >= machine.readsInFlight || step.kind != AccessKind::Read ||
        step.last || !findStep(slot, step))
      return;
  }
}

/// Lists in `active` who goes on in this round. That is hard to foretell: no
/// branch tries to.
size_t Rounds::findActive(uint32_t round) {
  size_t numActive = 0;
  for (uint32_t slot : alive) {
    active[numActive] = slot;
    numActive += ready[slot] <= round;
  }
  return numActive;
}

void Rounds::stepAll(size_t numActive, uint32_t round, Watch &watch) {
  for (size_t i = 0; i < numActive && watch.goesOnAfter(i); ++i)
    goOn(active[i], round);
  replaceEnded(round);
}

/// What they met decides when they go on.
void Rounds::settle(size_t numActive, uint32_t round) {
  handOn();
  memory.endRound();
  const float delay = static_cast<float>(machine.missDelay);
  const float behind = static_cast<float>(machine.behindDelay);
  for (size_t i = 0; i < numActive; ++i) {
    uint32_t slot = active[i];
    if (ready[slot] > round)
      continue;
    // Half of a sample's steps have no line in it: no branch foretells that.
    Waiting &waits = waiting[slot];
    StepOutcome met = memory.outcomes[slot];
    memory.outcomes[slot] = {};
    tally.settle(slot, met, memory.counters.waits);
    bool any = met.lines > 0;
    waits.met.lines = any ? met.lines : waits.met.lines;
    waits.met.fromDram = any ? met.fromDram : waits.met.fromDram;
    waits.met.fromBehind = any ? met.fromBehind : waits.met.fromBehind;
    float late = static_cast<float>(waits.met.fromDram) +
                 behind * static_cast<float>(waits.met.fromBehind);
    waits.debt +=
        shareOfOthers(waits) * delay *
            std::min(1.0f, late / static_cast<float>(waits.met.lines)) +
        waitOfYoungest * youth[slot];
    uint32_t whole = static_cast<uint32_t>(waits.debt);
    waits.debt -= whole;
    ready[slot] = round + 1 + whole;
  }
}

void Rounds::dropEnded() {
  if (!anyEnded)
    return;
  anyEnded = false;
  alive.erase(std::remove_if(alive.begin(), alive.end(),
                             [&](uint32_t i) { return ready[i] == kNever; }),
              alive.end());
}

/// Notes counters where counting begins and half-way.
void Rounds::note() {
  if (!counting && memory.counters.lineAccesses >= options.countFrom) {
    counting = true;
    checkpoint = options.half;
    // What is dirty by now was written before.
    outcome.atStart = noteOf(memory);
  }
  if (memory.counters.lineAccesses >= options.half) {
    checkpoint = UINT64_MAX;
    outcome.atHalf = noteOf(memory);
  }
}

/// Ends a phase if as many workgroups have started as it has.
void Rounds::notePhase() {
  if (options.phase <= 0 || double(started) < options.phase)
    return;
  started = 0;
  if (counting && outcome.atPhases.size() < kMostPhases)
    outcome.atPhases.push_back(memory.counters);
}

void Rounds::run() {
  checkpoint = std::min(options.countFrom, options.half);
  if (options.countFrom == 0) {
    outcome.atStart = memory.counters;
    counting = true;
    checkpoint = options.half;
  }
  Watch watch(program, machine, options, memory, outcome);
  for (uint32_t round = 0; !alive.empty() && watch.goesOn(); ++round) {
    if (memory.counters.lineAccesses >= checkpoint)
      note();
    outcome.busyUnits += double(busyUnits);
    size_t numActive = findActive(round);
    stepAll(numActive, round, watch);
    dropEnded();
    settle(numActive, round);
    notePhase();
    if (options.pace && round % kRoundsOfPace == 0) {
      waitOfYoungest = options.pace.waitOfYoungest(memory.counters);
      memory.onTheWay = options.pace.onTheWay(memory.counters, round + 1,
                                              program.tensorFlops);
    }
  }
  watch.end();
}

} // namespace

double workOf(const Counters &counters, double sectorsOfLine) {
  double behind =
      double(counters.dramReads + counters.dramWrites) / sectorsOfLine;
  return WorkPrices::unsampledLine *
             double(counters.lineAccesses - counters.sampledLines) +
         double(counters.sampledLines) + WorkPrices::behindL2 * behind +
         WorkPrices::ofSteps(double(counters.steps),
                             double(counters.emptySteps));
}

ScheduleOutcome runSchedule(Program &program, const Machine &machine,
                            llvm::ArrayRef<uint32_t> permutation,
                            const ScheduleOptions &options,
                            MemorySystem &memory) {
  ScheduleOutcome outcome;
  Rounds(program, machine, permutation, options, memory, outcome).run();
  return outcome;
}

} // namespace swizzle::simulation
