//===- Interpret.cpp - What a workgroup does, step by step ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Carries out the program of one workgroup. Values are those of thread 0; what
// other threads add to them has bounds, which decide whether a guard holds for
// all of them, some or none.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "swizzle/Simulation/WorkUnits.h"

#include <algorithm>

namespace swizzle::simulation {

void Program::start(Context &context, int64_t tile) const {
  WorkgroupId id = delinearise(tile, model.grid);
  context.pc = 0;
  context.mixed = 0;
  context.passed = 0;
  std::fill(context.slots, context.slots + slotCount, 0);
  context.slots[kWorkgroupIdX] = id.x;
  context.slots[kWorkgroupIdX + 1] = id.y;
  context.slots[kWorkgroupIdX + 2] = id.z;
  for (const Fixed &value : fixed) {
    int64_t sum = value.constant;
    for (auto [slot, coefficient] : value.terms)
      sum += coefficient * context.slots[slot];
    context.slots[value.slot] =
        value.variable ? derive(*value.variable, sum) : sum;
  }
  if (trace)
    startTrace(context, tile);
}

void Program::refresh(Context &context,
                      const std::vector<VariableId> &needed) const {
  for (VariableId id : needed) {
    const CompiledDerived &needs = derived[id];
    int64_t value = needs.numerator.constant;
    for (auto [slot, coefficient] : needs.numerator.terms)
      value += coefficient * context.slots[slot];
    context.slots[id] = derive(*needs.variable, value);
  }
}

/// Bounds of what threads add to `form`, whose value at thread 0 was just
/// evaluated.
ThreadRange Program::threadsNow(const Context &context,
                                const UniformForm &form) const {
  if (form.quotients.empty())
    return form.threads;
  ThreadRange range = form.others;
  for (auto [id, coefficient] : form.quotients) {
    const CompiledDerived &needs = derived[id];
    int64_t divisor = needs.variable->divisor;
    int64_t residue = needs.numerator.constant - context.slots[id] * divisor;
    for (auto [slot, factor] : needs.numerator.terms)
      residue += factor * context.slots[slot];
    ThreadRange one;
    one.low = floorDiv(residue + needs.numerator.threads.low, divisor);
    one.high = floorDiv(residue + needs.numerator.threads.high, divisor);
    range.addScaled(one, coefficient);
  }
  range.low = std::max(range.low, form.threads.low);
  range.high = std::min(range.high, form.threads.high);
  return range;
}

Program::Holds Program::evaluateGuard(Context &context, uint32_t index) const {
  Holds holds = Holds::ForAll;
  spentOtherwise += WorkPrices::guard;
  for (const CompiledCondition &condition : guards[index].conditions) {
    if (condition.isFixed)
      continue;
    int64_t value = evaluateUniform(context, condition.form);
    ThreadRange threads = condition.form.threads;
    if (value + threads.low <= 0 && value + threads.high >= 0)
      threads = threadsNow(context, condition.form);
    int64_t low = value + threads.low, high = value + threads.high;
    if (condition.equality) {
      if (low > 0 || high < 0)
        return Holds::ForNone;
      if (low != 0 || high != 0)
        holds = Holds::ForSome;
    } else {
      if (high < 0)
        return Holds::ForNone;
      if (low < 0)
        holds = Holds::ForSome;
    }
  }
  return holds;
}

void Program::setMixed(Context &context, uint32_t guard, Holds holds) const {
  unsigned depth = guards[guard].depth;
  uint64_t bit = uint64_t(1) << (depth % 64);
  if (holds == Holds::ForSome || depth >= 64)
    context.mixed |= bit; // deeper than there are bits: always look closer
  else
    context.mixed &= ~bit;
}

bool Program::interpret(Context &context, Step &step) {
  for (unsigned idle = 0;; ++idle) {
    if (idle == kMostIdle) {
      spentOtherwise += WorkPrices::idle * double(idle);
      step = {.pattern = &nothing, .empty = step.empty};
      return true;
    }
    const Instruction &instruction = code[context.pc++];
    switch (instruction.opcode) {
    case Opcode::Access:
      if (take(context, instruction, step))
        return true;
      continue;
    case Opcode::Trace:
      if (nextTraced(context, step)) {
        --context.pc;
        return true;
      }
      continue;
    case Opcode::Compute: {
      const Compute &compute = computes[instruction.index];
      (compute.tensor ? tensorFlops : flops) += compute.flops;
      continue;
    }
    case Opcode::LoopBegin: {
      const CompiledLoop &loop = loops[instruction.index];
      int64_t trip = INT64_MAX;
      for (const UniformForm &form : loop.trips)
        trip = std::min(trip, evaluateLargest(context, form));
      int64_t first = 0;
      if (trip > loop.most) {
        first = (trip - loop.most) / 2;
        trip = first + loop.most;
      }
      context.slots[loop.tripSlot] = trip;
      context.slots[loop.counter] = first;
      if (loop.isArithmetic && trip > 0) {
        flops += loop.flops * (trip - first);
        tensorFlops += loop.tensorFlops * (trip - first);
      }
      if (trip <= 0 || loop.isArithmetic)
        context.pc = instruction.target;
      else if (loop.guard >= 0)
        setMixed(context, loop.guard, evaluateGuard(context, loop.guard));
      continue;
    }
    case Opcode::LoopEnd: {
      const CompiledLoop &loop = loops[instruction.index];
      context.passed = loop.wait;
      if (++context.slots[loop.counter] < context.slots[loop.tripSlot]) {
        context.pc = instruction.target;
        if (loop.guard >= 0)
          setMixed(context, loop.guard, evaluateGuard(context, loop.guard));
      }
      continue;
    }
    case Opcode::Guard: {
      Holds holds = evaluateGuard(context, instruction.index);
      setMixed(context, instruction.index, holds);
      if (holds == Holds::ForNone)
        context.pc = instruction.target;
      continue;
    }
    case Opcode::Otherwise:
      // For none, the guard jumped behind this.
      if (instruction.target == context.pc)
        continue;
      if (evaluateGuard(context, instruction.index) == Holds::ForAll)
        context.pc = instruction.target;
      continue;
    case Opcode::Barrier:
      continue; // left out
    case Opcode::End:
      --context.pc;
      return false;
    }
  }
}

} // namespace swizzle::simulation
