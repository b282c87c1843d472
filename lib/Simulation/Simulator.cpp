//===- Simulator.cpp - Cache simulation of a workgroup order --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts the pieces together: resolves the chip, compiles the model, runs the
// schedule over the memory system, turns counts into figures (Figures.h), and
// repeats that with other capacities for the sensitivity.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Simulation/Simulator.h"

#include "CheckInput.h"
#include "Figures.h"
#include "Machine/Machine.h"
#include "Machine/UnitWork.h"
#include "Memory/MemorySystem.h"
#include "Program/Program.h"
#include "Run/Depth.h"
#include "Run/Schedule.h"

#include "swizzle/Simulation/WorkUnits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace swizzle {

using namespace simulation;

namespace {

llvm::Error fail(const std::string &message) {
  return llvm::createStringError(message);
}

/// Workgroups that are resident on a compute unit, or why the chip cannot be
/// simulated with this kernel.
llvm::Expected<int64_t> residentOn(const KernelModel &model,
                                   const Machine &machine,
                                   const std::string &chip) {
  std::string why;
  int64_t resident = residentWorkgroups(model, machine, &why);
  if (!resident)
    return fail(why + " (" + chip + ")");
  if (machine.numUnits() > kMostUnits)
    return fail(llvm::formatv("{0} has {1} compute units; at most {2} can be "
                              "simulated",
                              chip, machine.numUnits(), kMostUnits));
  if (std::min(machine.numUnits() * resident, model.grid.count()) >
      kMostResident)
    return fail(llvm::formatv("{0} holds {1} workgroups of {2} at a time; at "
                              "most {3} can be simulated",
                              chip, machine.numUnits() * resident, model.name,
                              kMostResident));
  return resident;
}

/// Refuses caches, of `scale` times their size, whose sets this machine's
/// memory might not hold.
llvm::Error checkCaches(const Machine &machine, const std::string &chip,
                        double scale) {
  double sum = 0, most = 0;
  const MachineLevel *largest = nullptr;
  for (size_t i = 0; i < machine.levels.size(); ++i) {
    const MachineLevel &level = machine.levels[i];
    double bytes = setBytes(level, machine, i < machine.shared ? 1 : scale);
    sum += bytes;
    if (bytes > most) {
      most = bytes;
      largest = &level;
    }
  }
  if (sum <= kMostSetBytes)
    return llvm::Error::success();
  constexpr double gib = 1 << 30;
  return fail(llvm::formatv(
      "{0} has caches that take {1:f1} GiB of memory to simulate, most of it "
      "for {2} ({3} bytes, {4} of them); at most {5:f0} GiB are used",
      chip, sum / gib, largest->name, largest->bytes,
      machine.numCaches(*largest), kMostSetBytes / gib));
}

/// Line accesses that workgroup `tile` makes; up to the deadline, or to the work
/// that a run may take: one that no workgroup gets through is cut short.
uint64_t accessesOf(Program &program, int64_t tile,
                    const SimulationOptions &options) {
  constexpr unsigned stepsOfClock = 1024;
  double before = program.otherWork();
  std::vector<int64_t> slots(program.numSlots());
  Context context;
  context.slots = slots.data();
  program.start(context, tile);
  uint64_t sum = 0, steps = 0, empty = 0, stepsAtClock = 0;
  for (Program::Step step; program.next(context, step);) {
    sum += step.pattern->line.size();
    steps += 1 + step.empty;
    empty += step.empty;
    if (steps - stepsAtClock < stepsOfClock)
      continue;
    stepsAtClock = steps;
    double work = program.otherWork() - before +
                  WorkPrices::ofSteps(double(steps), double(empty));
    if (work >= options.mostWork || options.deadline.passed())
      break;
  }
  return sum;
}

/// The chip as this kernel finds it: what workgroups keep in workgroup memory,
/// a unified array lacks as cache.
Machine adapt(const Machine &chip, const KernelModel &model,
              const SimulationOptions &options, int64_t resident) {
  Machine machine = chip;
  if (machine.unifiedBytes > 0 && machine.hasUnitLevel) {
    int64_t &bytes = machine.levels[0].bytes;
    bytes = std::max<int64_t>(
        std::min(bytes,
                 machine.unifiedBytes - resident * model.workgroupMemoryBytes),
        machine.unifiedBytes / 32);
  }
  machine.startJitter = std::llround(machine.startJitter * options.drift);
  machine.youngerWait *= options.drift;
  machine.alwaysFallBehind = options.fallBehind > 0;
  if (machine.alwaysFallBehind)
    machine.youngerWait *= options.fallBehind;
  for (size_t i = machine.shared; i < machine.levels.size(); ++i)
    machine.levels[i].bytes =
        std::llround(machine.levels[i].bytes * options.capacityScale);
  return machine;
}

/// What all runs of a kernel on a chip have in common.
struct Bench {
  const KernelModel &model;
  Program &program;
  const Machine &chip;
  int64_t resident;
  const UnitWork &units;
  LaunchSteps steps; ///< of the whole launch; none of a recording
  BlockUseFinder &blocks;
};

/// Sets when counting begins in a part of the launch.
void setCounting(ScheduleOptions &schedule, Program &program,
                 llvm::ArrayRef<uint32_t> tiles,
                 const SimulationOptions &options) {
  StepCounter counter(program);
  Typical typical =
      typicalOf(counter, tiles, schedule.workgroups, schedule.workgroups / 2);
  double expected = double(schedule.workgroups) * typical.share *
                    double(accessesOf(program, typical.tile, options));
  schedule.countFrom = options.warmUp * expected;
  schedule.half = (1 + options.warmUp) / 2 * expected;
}

/// Runs the schedule; `spent` grows by the work.
llvm::Expected<Counted> carryOut(const Bench &bench, const Machine &machine,
                                 llvm::ArrayRef<uint32_t> permutation,
                                 const SimulationOptions &options,
                                 double &spent) {
  Program &program = bench.program;
  program.beginRun();
  auto memory = MemorySystem::create(machine, program.lineBits(),
                                     options.sampleShift, options.skew);
  ScheduleOptions schedule;
  schedule.resident = bench.resident;
  schedule.skew = options.skew;
  schedule.sampleShift = options.sampleShift;
  schedule.workgroups = workgroupsOf(bench.model.grid.count(), options.prefix);
  schedule.phase =
      machine.overlap * double(bench.resident * machine.numUnits());
  schedule.mostWork = options.mostWork;
  schedule.deadline = options.deadline ? &options.deadline : nullptr;
  if (machine.youngerWait > 0 || machine.lookupClocks > 0)
    schedule.pace = Pace(machine, bench.units,
                         bench.steps.mean * double(bench.model.grid.count()),
                         options.sampleShift);
  llvm::ArrayRef<uint32_t> tiles = permutation.take_front(schedule.workgroups);
  std::optional<DepthSample> depth;
  if (options.depth < 1) {
    depth.emplace(program, tiles, schedule.workgroups, options.depth);
    schedule.marks = depth->marks();
  } else if (schedule.workgroups < bench.model.grid.count()) {
    setCounting(schedule, program, tiles, options);
    if (options.deadline.passed())
      return llvm::make_error<Interrupted>();
  }
  double patterns = program.otherWork();
  Counted run;
  uint64_t writtenBefore = 0;
  double sectors = double(machine.lineBytes) / double(machine.sectorBytes);
  for (unsigned left = options.launches;; --left) {
    program.flops = program.tensorFlops = 0;
    run.outcome = runSchedule(program, machine, permutation, schedule, *memory);
    spent += WorkPrices::round * double(run.outcome.rounds);
    if (left <= 1 || run.outcome.interrupted)
      break;
    spent += workOf(memory->counters, sectors);
    writtenBefore = memory->endLaunch();
  }
  const Counters last = memory->counters;
  memory->finish();
  run.counters = memory->counters;
  // What was dirty when the launch began is so still, or was written by it.
  run.counters.dramWrites -= writtenBefore;
  run.atEnd = run.counters;
  spent += workOf(run.counters, sectors) + program.otherWork() - patterns;
  if (run.outcome.interrupted)
    return llvm::make_error<Interrupted>();
  run.effort = {0, program.flops, program.tensorFlops};
  run.isWhole = !depth && !run.outcome.cutShort;
  if (run.outcome.cutShort) {
    run.outcome.atStart = run.outcome.atHalf = Counters();
    DepthSample whole(program, tiles, schedule.workgroups, 1);
    run.effort = whole.whole();
    run.stepsError = completeRun(run.counters, run.outcome.onTheWay,
                                 run.effort.steps, run.others);
    run.countError = whole.errorOfSteps();
  } else if (depth) {
    run.effort = depth->whole();
    run.stepsError =
        depth->complete(run.counters, last, run.outcome.atMarks, run.others);
    run.countError = depth->errorOfSteps();
  }
  depth.reset();
  auto tilesOf = [&](int64_t first, int64_t count) {
    if (!tiles.empty())
      return tiles.slice(first, count).vec();
    std::vector<uint32_t> same(count);
    std::iota(same.begin(), same.end(), first);
    return same;
  };
  run.blocks = bench.blocks.find(
      program, machine, tilesOf,
      sizesOf(bench.model, schedule.workgroups, bench.resident), spent);
  return run;
}

llvm::Expected<Metrics> runOnce(const Bench &bench,
                                llvm::ArrayRef<uint32_t> permutation,
                                const SimulationOptions &options,
                                double &spent) {
  const Machine machine =
      adapt(bench.chip, bench.model, options, bench.resident);
  llvm::Expected<Counted> run =
      carryOut(bench, machine, permutation, options, spent);
  if (!run)
    return run.takeError();
  run->units = bench.units;
  run->places = bench.program.waitPlaces();
  run->mostWritten = bench.program.mostWritten();
  run->slots = bench.resident * machine.numUnits();
  run->launch = bench.steps;
  Metrics metrics = figuresOf(bench.model, machine, options, *run);
  metrics.from = {Origin::Simulated, bench.chip.name};
  return metrics;
}

} // namespace

struct Simulator::State {
  const KernelModel &model;
  const Trace *trace;
  const HardwareSpec &hardware;
  Machine machine;
  std::optional<Program> program; ///< once it is known that there can be one
  std::optional<UnitWork> units;  ///< likewise
  std::optional<LaunchSteps> launchSteps;
  BlockUseFinder blocks;
  double work = 0;

  Program &compile() {
    if (!program && trace)
      program.emplace(*trace, machine);
    else if (!program)
      program.emplace(model, machine);
    return *program;
  }

  /// A recording tells none.
  const LaunchSteps &steps() {
    if (!launchSteps)
      launchSteps =
          trace ? LaunchSteps() : stepsOfWorkgroups(compile(), model.grid);
    return *launchSteps;
  }

  /// A recording has neither instructions nor accesses to workgroup memory.
  const UnitWork &unitWork() {
    if (!units)
      units = trace ? UnitWork() : countUnitWork(model, machine);
    return *units;
  }
};

Simulator::Simulator(const KernelModel &model, const HardwareSpec &hardware)
    : state(new State{
          model, nullptr, hardware, resolve(hardware), {}, {}, {}, {}}) {}
Simulator::Simulator(const Trace &trace, const HardwareSpec &hardware)
    : state(new State{
          trace.kernel, &trace, hardware, resolve(hardware), {}, {}, {}, {}}) {}
Simulator::Simulator(std::unique_ptr<State> state) : state(std::move(state)) {}
Simulator::~Simulator() = default;

std::unique_ptr<Simulator> Simulator::another() {
  std::unique_ptr<State> like(new State{state->model,
                                        state->trace,
                                        state->hardware,
                                        state->machine,
                                        {},
                                        state->unitWork(),
                                        state->steps(),
                                        {}});
  return std::unique_ptr<Simulator>(new Simulator(std::move(like)));
}

llvm::Error Simulator::check() const {
  if (llvm::Error error =
          checkInput(state->model, state->trace, {}, SimulationOptions()))
    return error;
  if (llvm::Error error =
          residentOn(state->model, state->machine, state->hardware.name)
              .takeError())
    return error;
  return checkCaches(state->machine, state->hardware.name, 1);
}

llvm::Expected<Metrics> Simulator::run(llvm::ArrayRef<uint32_t> permutation,
                                       const SimulationOptions &options) {
  const KernelModel &model = state->model;
  const Machine &machine = state->machine;
  if (llvm::Error error = checkInput(model, state->trace, permutation, options))
    return error;
  if (options.deadline.passed())
    return llvm::make_error<Interrupted>();
  llvm::Expected<int64_t> resident =
      residentOn(model, machine, state->hardware.name);
  if (!resident)
    return resident.takeError();
  double scale = options.capacityScale;
  if (options.sensitivity)
    scale *= std::max(1.0, *llvm::max_element(kSensitivityCapacities));
  if (llvm::Error error = checkCaches(machine, state->hardware.name, scale))
    return error;
  auto once = [&](const SimulationOptions &with) {
    return runOnce({model, state->compile(), machine, *resident,
                    state->unitWork(), state->steps(), state->blocks},
                   permutation, with, state->work);
  };
  llvm::Expected<Metrics> first = once(options);
  if (!first || !options.sensitivity)
    return first;
  Metrics metrics = std::move(*first);

  auto hitOf = [&](const Metrics &m) {
    return m.levels[machine.shared].hitRate.value_or(0);
  };
  Sensitivity spread;
  spread.dramBytesLow = spread.dramBytesHigh = metrics.dramBytes();
  spread.l2HitLow = spread.l2HitHigh = hitOf(metrics);
  spread.timeLowUs = spread.timeHighUs = metrics.timeUs;
  SimulationOptions same = options;
  same.sensitivity = false;
  llvm::Error error = llvm::Error::success();
  auto isFar = [](double bytes, double from) {
    return std::abs(bytes - from) > 0.1 * from;
  };
  auto consider = [&](const SimulationOptions &variant) {
    if (error)
      return;
    llvm::Expected<Metrics> run = once(variant);
    if (!run) {
      error = run.takeError();
      return;
    }
    const Metrics &other = *run;
    double dram = other.dramBytes();
    spread.dramBytesLow = std::min(spread.dramBytesLow, dram);
    spread.dramBytesHigh = std::max(spread.dramBytesHigh, dram);
    spread.timeLowUs = std::min(spread.timeLowUs, other.timeUs);
    spread.timeHighUs = std::max(spread.timeHighUs, other.timeUs);
    spread.uncertain |= isFar(dram, metrics.dramBytes()) ||
                        isFar(other.dramReadBytes, metrics.dramReadBytes);
    double hit = hitOf(other);
    spread.l2HitLow = std::min(spread.l2HitLow, hit);
    spread.l2HitHigh = std::max(spread.l2HitHigh, hit);
  };
  for (double scale : kSensitivityCapacities) {
    SimulationOptions variant = same;
    variant.capacityScale *= scale;
    consider(variant);
  }
  SimulationOptions apart = same, behind = same;
  apart.drift *= kSensitivityDrift;
  apart.skew += 1;
  consider(apart);
  behind.fallBehind = kSensitivityDrift;
  if (machine.youngerWait > 0)
    consider(behind);
  if (error)
    return std::move(error);
  metrics.sensitivity = spread;
  return metrics;
}

double Simulator::stepsOfWorkgroup() { return state->steps().mean; }

double Simulator::work() const { return state->work; }

llvm::Expected<Metrics> simulate(const KernelModel &model,
                                 const HardwareSpec &hardware,
                                 llvm::ArrayRef<uint32_t> permutation,
                                 const SimulationOptions &options) {
  return Simulator(model, hardware).run(permutation, options);
}

llvm::Expected<Metrics> simulate(const Trace &trace,
                                 const HardwareSpec &hardware,
                                 llvm::ArrayRef<uint32_t> permutation,
                                 const SimulationOptions &options) {
  if (std::string wrong = verify(trace); !wrong.empty())
    return fail("trace of " + trace.kernel.name + ": " + wrong);
  return Simulator(trace, hardware).run(permutation, options);
}

int64_t occupancy(const KernelModel &model, const HardwareSpec &hardware) {
  return residentWorkgroups(model, resolve(hardware));
}

ReadsOnTheWay readsOnTheWay(const HardwareSpec &hardware) {
  Machine machine = resolve(hardware);
  return {machine.unitsPerCluster, machine.readsPerLookup,
          machine.waitingClocks / machine.clockHz * 1e6,
          machine.memoryClocks / machine.clockHz * 1e6,
          machine.lookupClocks > 0 ? machine.memoryClocks / machine.lookupClocks
                                   : 1};
}

SharedRates sharedRates(const HardwareSpec &hardware) {
  Machine machine = resolve(hardware);
  return {machine.levels[machine.shared].bandwidth, machine.deliveryRate,
          machine.fabricRate, machine.remapIssue};
}

} // namespace swizzle
