//===- TraceProgram.cpp - A recorded kernel in place of a model -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A trace has its steps ready: what is left is to turn the bytes that a step
// touches into lines of the chip. Where the chip's waves are of another size
// than the recorded ones, the recorded ones stand for them.
//
//===----------------------------------------------------------------------===//

#include "Coalescer.h"
#include "Program.h"

namespace swizzle::simulation {

Program::Program(const Trace &recorded, const Machine &machine)
    : Program(recorded.kernel, machine) {
  trace = &recorded;
  code.insert(code.begin(), {Opcode::Trace, 0, 0});
  tracePosition = slotCount;
  slotCount += 2;
}

void Program::startTrace(Context &context, int64_t tile) const {
  context.slots[tracePosition] = trace->firstStep[tile];
  context.slots[tracePosition + 1] = trace->firstStep[tile + 1];
}

bool Program::nextTraced(Context &context, Step &step) {
  int64_t &position = context.slots[tracePosition];
  if (position >= context.slots[tracePosition + 1])
    return false;
  const TraceStep &recorded = trace->steps[position++];
  tracedPattern = Pattern();
  tracedPattern.bytes = recorded.laneBytes;
  Coalescer wave(machine, tracedPattern, recorded.kind);
  for (uint32_t i = 0; i < recorded.touches; ++i) {
    const TraceTouch &touch = trace->touches[recorded.firstTouch + i];
    wave.add(bufferBase[touch.buffer] + touch.offset, touch.bytes);
    if (i + 1 == recorded.touches ||
        trace->touches[recorded.firstTouch + i + 1].wave != touch.wave)
      wave.flush();
  }
  step.pattern = &tracedPattern;
  step.kind = recorded.kind;
  step.baseLine = 0;
  step.last = recorded.last;
  step.wait = step.waves = 0;
  step.hotRange = 0;
  return true;
}

} // namespace swizzle::simulation
