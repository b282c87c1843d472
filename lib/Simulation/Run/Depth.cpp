//===- Depth.cpp - A part of the steps of deep workgroups -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Depth.h.
//
//===----------------------------------------------------------------------===//

#include "Depth.h"

#include "swizzle/Support/QuasiRandom.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace swizzle::simulation {

namespace {

/// Iterations of a loop that stand for all if they are not alike.
constexpr int64_t kSampledIterations = 8;
/// Workgroups that stand for all.
constexpr int64_t kSampledWorkgroups = 33;
/// Those that stand for all in how many steps a launch has, if they differ. A
/// choice: if some make next to none and others twice the mean, as in triangles,
/// the sum is found within a percent.
constexpr int64_t kSampledIfUneven = 1024;
/// Counters are noted at these parts of a phase. Of a few iterations, the rate
/// is taken from the second on: before, caches are filled; behind, some
/// workgroups have left the loop already. Of more, from the first on.
constexpr double kRateParts[] = {0.3, 0.6, 0.775, 0.95};
constexpr int64_t kManyIterations = 4;
/// More phases than this are taken for one.
constexpr size_t kMostPhases = 8;

Effort &operator+=(Effort &a, const Effort &b) {
  a.steps += b.steps;
  a.flops += b.flops;
  a.tensorFlops += b.tensorFlops;
  return a;
}

Effort operator*(Effort a, double factor) {
  return {a.steps * factor, a.flops * factor, a.tensorFlops * factor};
}

/// Adds to `counters` what `factor` times the time between two notes brings.
void extend(Counters &counters, const Counters &from, const Counters &to,
            double factor) {
  forEachSum(counters, from, to, [&](uint64_t &sum, uint64_t a, uint64_t b) {
    if (b > a)
      sum += static_cast<uint64_t>(std::llround(double(b - a) * factor));
  });
}

/// Sectors of DRAM traffic a step between two notes.
double rateOf(const Counters &from, const Counters &to) {
  if (to.steps <= from.steps)
    return 0;
  return (double(to.dramReads) + double(to.dramWrites) -
          double(from.dramReads) - double(from.dramWrites)) /
         double(to.steps - from.steps);
}

} // namespace

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

StepCounter::StepCounter(Program &program)
    : program(program), slots(program.numSlots()) {
  context.slots = slots.data();
  findVarying();
}

bool StepCounter::dependsOn(const UniformForm &form, VariableId counter) const {
  auto reads = [&](const UniformForm &one) {
    return llvm::any_of(one.terms,
                        [&](auto term) { return term.first == counter; });
  };
  return reads(form) || llvm::any_of(form.derived, [&](VariableId id) {
           return reads(program.derived[id].numerator);
         });
}

/// Finds the loops in which a condition or a trip count depends on the counter.
void StepCounter::findVarying() {
  varies.resize(program.loops.size());
  for (uint32_t pc = 0; pc < program.code.size(); ++pc) {
    if (program.code[pc].opcode != Opcode::LoopBegin)
      continue;
    uint32_t loop = program.code[pc].index;
    VariableId counter = program.loops[loop].counter;
    for (uint32_t in = pc + 1; in < program.code[pc].target; ++in) {
      const Instruction &instruction = program.code[in];
      if (instruction.opcode == Opcode::LoopBegin)
        for (const UniformForm &form : program.loops[instruction.index].trips)
          varies[loop] = varies[loop] || dependsOn(form, counter);
      if (instruction.opcode == Opcode::Guard)
        for (const CompiledCondition &condition :
             program.guards[instruction.index].conditions)
          varies[loop] = varies[loop] || dependsOn(condition.form, counter);
    }
  }
}

void StepCounter::start(int64_t tile) { program.start(context, tile); }

int64_t StepCounter::tripsOf(const CompiledLoop &loop) {
  int64_t trips = INT64_MAX;
  for (const UniformForm &form : loop.trips)
    trips = std::min(trips, program.evaluateLargest(context, form));
  return std::max<int64_t>(trips, 0);
}

Effort StepCounter::countLoop(uint32_t pc, bool limited) {
  uint32_t index = program.code[pc].index;
  const CompiledLoop &loop = program.loops[index];
  int64_t trips = tripsOf(loop);
  int64_t count = limited ? std::min(trips, loop.most) : trips;
  int64_t first = (trips - count) / 2;
  int64_t samples =
      varies[index] ? std::min(count, kSampledIterations) : int64_t(count > 0);
  Effort sum;
  for (int64_t i = 0; i < samples; ++i) {
    slots[loop.counter] = first + spreadOver(count, samples, i);
    sum += this->count(bodyOf(pc), limited);
  }
  return samples ? sum * (double(count) / double(samples)) : sum;
}

Effort StepCounter::count(Range range, bool limited) {
  Effort sum;
  for (uint32_t pc = range.first; pc < range.second;) {
    const Instruction &instruction = program.code[pc];
    switch (instruction.opcode) {
    case Opcode::Access:
      ++sum.steps;
      break;
    case Opcode::Compute: {
      const Compute &compute = program.computes[instruction.index];
      (compute.tensor ? sum.tensorFlops : sum.flops) += compute.flops;
      break;
    }
    case Opcode::LoopBegin:
      sum += countLoop(pc, limited);
      pc = instruction.target;
      continue;
    case Opcode::Guard: {
      uint32_t middle = instruction.target - 1;
      auto holds = program.evaluateGuard(context, instruction.index);
      if (holds != Program::Holds::ForNone)
        sum += count({pc + 1, middle}, limited);
      if (holds != Program::Holds::ForAll)
        sum += count({middle + 1, program.code[middle].target}, limited);
      pc = program.code[middle].target;
      continue;
    }
    case Opcode::LoopEnd:
    case Opcode::Otherwise:
    case Opcode::Barrier:
    case Opcode::Trace:
    case Opcode::End:
      break;
    }
    ++pc;
  }
  return sum;
}

Effort StepCounter::count(int64_t tile, bool limited) {
  start(tile);
  return count({0, static_cast<uint32_t>(program.code.size())}, limited);
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

/// The loops of a body, in its guards too, that are entered.
std::vector<StepCounter::LoopSteps> StepCounter::loopsOf(Range range) {
  std::vector<LoopSteps> found;
  for (uint32_t pc = range.first; pc < range.second; ++pc)
    if (program.code[pc].opcode == Opcode::LoopBegin) {
      found.push_back({pc, countLoop(pc, false).steps});
      pc = program.code[pc].target - 1;
    }
  return found;
}

void StepCounter::limit(Range range, double steps) {
  double all = count(range, false).steps;
  if (all <= steps)
    return;
  std::vector<LoopSteps> inner = loopsOf(range);
  for (const LoopSteps &loop : inner)
    all -= loop.steps;
  // Equal shares; what a short loop does not need is left to the others.
  double left = std::max(steps - all, 0.0);
  llvm::sort(inner, [](const LoopSteps &a, const LoopSteps &b) {
    return std::tie(a.steps, a.pc) < std::tie(b.steps, b.pc);
  });
  for (size_t i = 0; i < inner.size(); ++i) {
    double share = left / double(inner.size() - i);
    if (inner[i].steps > share)
      limitLoop(inner[i], share);
    left -= std::min(share, inner[i].steps);
  }
}

void StepCounter::limitLoop(const LoopSteps &loop, double steps) {
  CompiledLoop &compiled = program.loops[program.code[loop.pc].index];
  int64_t trips = tripsOf(compiled);
  if (trips < 1)
    return;
  double whole = steps * double(trips) / loop.steps;
  compiled.most = std::max<int64_t>(std::min<int64_t>(trips, 2),
                                    static_cast<int64_t>(whole));
  if (whole >= double(compiled.most))
    return;
  slots[compiled.counter] = trips / 2;
  limit(bodyOf(loop.pc), steps / double(compiled.most));
}

void StepCounter::limit(int64_t tile, double steps) {
  start(tile);
  limit(Range{0, static_cast<uint32_t>(program.code.size())}, steps);
}

void StepCounter::addPhases(Range range, double &before,
                            std::vector<Phase> &phases) {
  for (uint32_t pc = range.first; pc < range.second;) {
    if (program.code[pc].opcode != Opcode::LoopBegin) {
      before += program.code[pc].opcode == Opcode::Access;
      ++pc;
      continue;
    }
    const CompiledLoop &loop = program.loops[program.code[pc].index];
    int64_t trips = tripsOf(loop);
    Phase phase;
    phase.begin = before;
    phase.executed = countLoop(pc, true).steps;
    phase.all = countLoop(pc, false).steps;
    slots[loop.counter] = trips / 2;
    if (trips == 1) {
      addPhases(bodyOf(pc), before, phases);
    } else {
      bool whole = trips > 0 && count(bodyOf(pc), true).steps >=
                                    count(bodyOf(pc), false).steps;
      phase.iterations = whole ? std::min(trips, loop.most) : 0;
      if (phase.all > phase.executed && phase.executed > 0)
        phases.push_back(phase);
      before += phase.executed;
    }
    pc = program.code[pc].target;
  }
}

std::vector<StepCounter::Phase> StepCounter::phases(int64_t tile) {
  start(tile);
  double before = 0;
  std::vector<Phase> found;
  addPhases({0, static_cast<uint32_t>(program.code.size())}, before, found);
  if (found.size() <= kMostPhases)
    return found;
  Phase one = found.front();
  one.iterations = 0;
  for (const Phase &phase : llvm::drop_begin(found))
    one.all += phase.all - phase.executed;
  one.executed = found.back().begin + found.back().executed - one.begin;
  one.all += one.executed - found.front().executed;
  return {one};
}

//===----------------------------------------------------------------------===//
// Completion
//===----------------------------------------------------------------------===//

DepthSample::DepthSample(Program &program, llvm::ArrayRef<uint32_t> tiles,
                         int64_t count, double share)
    : program(program) {
  StepCounter counter(program);
  auto tileOf = [&](int64_t i) { return tiles.empty() ? i : tiles[i]; };
  int64_t typical = typicalOf(counter, tiles, count, count / 2).tile;
  counter.limit(typical, share * counter.count(typical, false).steps);
  std::vector<StepCounter::Phase> phases = counter.phases(typical);
  // The typical one says when; how much, the average.
  int64_t samples = std::min(count, kSampledWorkgroups);
  Effort limited;
  double squares = 0;
  for (int64_t i = 0; i < samples; ++i) {
    int64_t tile = tileOf(spreadOver(count, samples, i));
    Effort one = counter.count(tile, false);
    all += one;
    squares += one.steps * one.steps;
    limited += counter.count(tile, true);
  }
  double mean = all.steps / double(samples);
  if (samples < count && mean > 0)
    spread = std::sqrt(std::max(0.0, squares / double(samples) - mean * mean) /
                       double(samples)) /
             mean;
  all = all * (double(count) / double(samples));
  limited = limited * (double(count) / double(samples));
  double left = 0;
  for (const StepCounter::Phase &phase : phases)
    left += phase.all - phase.executed;
  Effort whole = counter.count(typical, true);
  double when = whole.steps > 0 ? limited.steps / whole.steps : 0;
  for (StepCounter::Phase &phase : phases) {
    double share = (phase.all - phase.executed) / left;
    Part part;
    part.phase = phase;
    part.phase.begin = phase.begin * when;
    part.phase.executed = phase.executed * when;
    part.phase.all =
        part.phase.executed + share * std::max(0.0, all.steps - limited.steps);
    part.firstMark = allMarks.size();
    allMarks.push_back(static_cast<uint64_t>(part.phase.begin));
    for (double place : kRateParts)
      allMarks.push_back(static_cast<uint64_t>(part.phase.begin +
                                               place * part.phase.executed));
    parts.push_back(part);
  }
}

DepthSample::~DepthSample() { program.limitNothing(); }

/// The first piece whose rate says what the error may be. If iterations were
/// cut themselves, data is used again sooner than it is, so all pieces count.
size_t DepthSample::firstPiece(const Part &part) {
  if (part.phase.iterations == 0)
    return 0;
  return part.phase.iterations >= kManyIterations ? 1 : 2;
}

/// Half the spread of the rates of pieces.
double DepthSample::rateError(const Part &part, const Counters *at) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (size_t i = firstPiece(part); i + 1 < kMarks; ++i) {
    if (at[i + 1].steps <= at[i].steps)
      continue;
    low = std::min(low, rateOf(at[i], at[i + 1]));
    high = std::max(high, rateOf(at[i], at[i + 1]));
  }
  return high > low ? (high - low) / 2 : 0;
}

/// What was left out, by each piece alone: of all loops the first piece that
/// counts, of all the second, and so on.
std::vector<Counters>
DepthSample::ofSinglePieces(const Counters &counters,
                            llvm::ArrayRef<Counters> noted) const {
  std::vector<Counters> results(kMarks - 1, counters);
  for (const Part &part : parts) {
    double left = part.phase.all - part.phase.executed;
    if (left <= 0 || part.firstMark + kMarks > noted.size())
      continue;
    const Counters *at = &noted[part.firstMark];
    for (size_t i = 0; i + 1 < kMarks; ++i) {
      size_t piece = std::max(i, firstPiece(part));
      bool isEmpty = at[piece + 1].steps <= at[piece].steps;
      const Counters &from = isEmpty ? Counters() : at[piece];
      const Counters &to = isEmpty ? counters : at[piece + 1];
      if (to.steps > from.steps)
        extend(results[i], from, to, left / double(to.steps - from.steps));
    }
  }
  return results;
}

double DepthSample::complete(Counters &counters, const Counters &last,
                             llvm::ArrayRef<Counters> noted,
                             std::vector<Counters> &others) const {
  others = ofSinglePieces(counters, noted);
  const Counters end = counters;
  double error = 0, carriedOut = double(counters.steps);
  Counters result = counters;
  for (const Part &part : parts) {
    if (part.firstMark + kMarks > noted.size())
      continue;
    const Counters *at = &noted[part.firstMark];
    const Counters &from = at[part.phase.iterations >= kManyIterations ? 1 : 2];
    double left = part.phase.all - part.phase.executed;
    double steps = double(at[4].steps) - double(from.steps);
    if (left <= 0)
      continue;
    if (steps <= 0) {
      // Nothing was noted within: the average of all stands for it.
      double factor = left / std::max(carriedOut, 1.0);
      extend(result, Counters(), counters, factor);
      error += rateOf(Counters(), counters) * left;
      continue;
    }
    extend(result, from, at[4], left / steps);
    error += rateError(part, at) * left;
  }
  double dram = double(result.dramReads) + double(result.dramWrites);
  counters = result;
  // Caches that were not full yet keep what full ones write back on the way.
  others.push_back(result);
  extend(others.back(), last, end,
         (all.steps - carriedOut) / std::max(carriedOut, 1.0));
  if (carriedOut == 0 || dram <= 0)
    return spread;
  return std::hypot(error / dram, spread);
}

Typical typicalOf(StepCounter &counter, llvm::ArrayRef<uint32_t> tiles,
                  int64_t count, int64_t middleOf) {
  struct Counted {
    int64_t tile;
    double steps;
  };
  auto countOf = [&](int64_t i) {
    int64_t tile = tiles.empty() ? i : tiles[i];
    return Counted{tile, counter.count(tile, false).steps};
  };
  Counted middle = countOf(middleOf), most = middle;
  int64_t samples = std::min(count, kSampledWorkgroups);
  double sum = 0;
  for (int64_t i = 0; i < samples; ++i) {
    Counted one = countOf(spreadOver(count, samples, i));
    sum += one.steps;
    if (one.steps > most.steps)
      most = one;
  }
  // Where few have work, the first ones mostly have.
  for (int64_t i = count / 4; sum == 0 && i >= 0; i = i > 0 ? i / 2 : -1)
    sum = (most = countOf(i)).steps;
  double mean = sum / double(std::max<int64_t>(1, samples));
  const Counted &typical = 2 * middle.steps >= mean ? middle : most;
  return {typical.tile, typical.steps > 0 ? mean / typical.steps : 1};
}

LaunchSteps stepsOfWorkgroups(Program &program, const Grid &grid) {
  StepCounter counter(program);
  int64_t all = grid.count();
  auto countOf = [&](int64_t samples, int64_t i) {
    int64_t tile = samples == all ? i : linearise(quasiRandomId(grid, i), grid);
    return counter.count(tile, false).steps;
  };
  int64_t few = std::min(all, kSampledWorkgroups), i = 1;
  double first = countOf(few, 0);
  while (i < few && countOf(few, i) == first)
    ++i;
  if (i == few)
    return {first, true};
  int64_t many = std::min(all, kSampledIfUneven);
  double sum = 0;
  for (i = 0; i < many; ++i)
    sum += countOf(many, i);
  return {sum / double(many), false};
}

double completeRun(Counters &counters, llvm::ArrayRef<Counters> noted,
                   double all, std::vector<Counters> &others) {
  const Counters end = counters;
  double left = all - double(end.steps);
  if (left <= 0)
    return 0;
  // It ended before there was a second note: what it saw stands for all.
  if (noted.size() < 2 || end.steps <= noted[0].steps) {
    if (end.steps > 0)
      extend(counters, Counters(), end, left / double(end.steps));
    return 1;
  }
  for (auto [from, to] :
       {std::pair(&noted[0], &noted[1]), std::pair(&noted[1], &end)})
    if (to->steps > from->steps) {
      others.push_back(end);
      extend(others.back(), *from, *to, left / double(to->steps - from->steps));
    }
  extend(counters, noted[0], end, left / double(end.steps - noted[0].steps));
  double off = std::abs(rateOf(noted[0], noted[1]) - rateOf(noted[1], end)) / 2;
  double dram = double(counters.dramReads) + double(counters.dramWrites);
  return dram > 0 ? off * left / dram : 0;
}

} // namespace swizzle::simulation
