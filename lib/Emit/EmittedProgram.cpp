//===- EmittedProgram.cpp - Runs what was emitted -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps the steps and runs them, and the loops among them; what one step
// computes is in EmittedSteps.cpp.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Emit/EmittedProgram.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace swizzle {

static uint64_t truncate(uint64_t value, unsigned width) {
  return width >= 64 ? value : value & llvm::maskTrailingOnes<uint64_t>(width);
}

EmittedProgram::Slot EmittedProgram::newSlot(unsigned width) {
  bool wide = width > 32;
  return Slot{numColumns[wide]++, wide};
}

EmittedProgram::Steps &EmittedProgram::openSteps() {
  return open.empty() ? program : open.back().first.body;
}

EmittedProgram::Slot EmittedProgram::addInput() {
  inputSlots.push_back(newSlot(64));
  return inputSlots.back();
}

EmittedProgram::Slot EmittedProgram::addConstant(unsigned width,
                                                 uint64_t value) {
  value = truncate(value, width);
  auto [entry, inserted] =
      known.try_emplace(StepKey{~uint64_t(0), value, width});
  if (inserted) {
    entry->second = newSlot(width);
    constants.emplace_back(entry->second, value);
  }
  return entry->second;
}

EmittedProgram::Slot EmittedProgram::add(LoweredKind kind, unsigned width,
                                         unsigned resultWidth,
                                         llvm::ArrayRef<Slot> operands,
                                         Wrapping wrapping, Origin origin) {
  StepKey key = {uint64_t(kind), width, resultWidth, wrapping.noSigned,
                 wrapping.noUnsigned};
  for (Slot slot : operands)
    key.push_back(uint64_t(slot.column) * 2 + slot.wide);
  auto [entry, inserted] = known.try_emplace(std::move(key));
  if (!inserted)
    return entry->second;
  Step step;
  step.kind = kind;
  step.origin = origin;
  step.width = width;
  step.resultWidth = resultWidth;
  step.wrapping = wrapping;
  step.operands.assign(operands.begin(), operands.end());
  for (const auto &[slot, value] : constants)
    if (operands.size() == 2 && slot == operands[1])
      step.amount = value;
  entry->second = step.result = newSlot(resultWidth);
  openSteps().push_back(step);
  return step.result;
}

void EmittedProgram::addOutput(Slot slot) {
  assert(slot.wide && "a new id of fewer bits");
  outputSlots.push_back(slot);
}

llvm::Expected<std::vector<EmittedProgram::Slot>>
EmittedProgram::beginLoop(const LoopBounds &bounds,
                          llvm::ArrayRef<Slot> inits) {
  if (bounds.stride <= 0 || (bounds.upper - bounds.lower) / bounds.stride > 64)
    return llvm::createStringError("an emitted loop is not short");
  Step step;
  step.isLoop = true;
  step.bounds = bounds;
  step.operands.assign(inits.begin(), inits.end());
  step.arguments.push_back(newSlot(bounds.width));
  for (Slot init : inits)
    step.arguments.push_back(newSlot(init.wide ? 64 : 32));
  std::vector<Slot> arguments = step.arguments;
  // What the body computes is known in the body only.
  open.emplace_back(std::move(step), known);
  return arguments;
}

std::vector<EmittedProgram::Slot>
EmittedProgram::endLoop(llvm::ArrayRef<Slot> yielded) {
  Step step = std::move(open.back().first);
  known = std::move(open.back().second);
  open.pop_back();
  step.yielded.assign(yielded.begin(), yielded.end());
  std::vector<Slot> results(step.arguments.begin() + 1, step.arguments.end());
  openSteps().push_back(std::move(step));
  return results;
}

/// Nothing else writes the columns of constants, so that once is enough.
void EmittedProgram::finish() {
  narrowLanes.assign(numColumns[0] * batchSize, 0);
  wideLanes.assign(numColumns[1] * batchSize, 0);
  for (auto [slot, value] : constants)
    if (slot.wide)
      std::fill_n(lanes<uint64_t>(slot), batchSize, value);
    else
      std::fill_n(lanes<uint32_t>(slot), batchSize, uint32_t(value));
}

llvm::MutableArrayRef<uint64_t> EmittedProgram::input(unsigned index) {
  return {lanes<uint64_t>(inputSlots[index]), batchSize};
}

llvm::ArrayRef<uint64_t> EmittedProgram::output(unsigned index) const {
  return {wideLanes.data() + outputSlots[index].column * batchSize, batchSize};
}

llvm::Error EmittedProgram::run(size_t count) {
  return runSteps(program, count);
}

void EmittedProgram::copyLanes(Slot from, Slot to, size_t count) {
  if (from == to)
    return;
  if (from.wide)
    std::copy_n(lanes<uint64_t>(from), count, lanes<uint64_t>(to));
  else
    std::copy_n(lanes<uint32_t>(from), count, lanes<uint32_t>(to));
}

llvm::Error EmittedProgram::runSteps(const Steps &steps, size_t count) {
  for (const Step &step : steps) {
    if (step.isLoop) {
      if (llvm::Error error = runLoop(step, count))
        return error;
      continue;
    }
    size_t stopped = runStep(step, count);
    if (stopped == count)
      continue;
    failed = stopped;
    return llvm::createStringError("undefined arithmetic in '" +
                                   describe(step.origin) + "'");
  }
  return llvm::Error::success();
}

llvm::Error EmittedProgram::runLoop(const Step &step, size_t count) {
  for (size_t i = 0; i < step.operands.size(); ++i)
    copyLanes(step.operands[i], step.arguments[i + 1], count);
  const LoopBounds &bounds = step.bounds;
  for (int64_t at = bounds.lower; at < bounds.upper; at += bounds.stride) {
    Slot induction = step.arguments[0];
    if (induction.wide)
      std::fill_n(lanes<uint64_t>(induction), count, uint64_t(at));
    else
      std::fill_n(lanes<uint32_t>(induction), count,
                  uint32_t(truncate(at, bounds.width)));
    if (llvm::Error error = runSteps(step.body, count))
      return error;
    // A yielded value may be another argument: those are read before any is
    // written.
    std::vector<std::pair<size_t, size_t>> kept;
    for (size_t i = 0; i < step.yielded.size(); ++i) {
      if (!llvm::is_contained(step.arguments, step.yielded[i]))
        continue;
      kept.emplace_back(i, loopLanes.size());
      for (size_t lane = 0; lane < count; ++lane)
        loopLanes.push_back(step.yielded[i].wide
                                ? lanes<uint64_t>(step.yielded[i])[lane]
                                : lanes<uint32_t>(step.yielded[i])[lane]);
    }
    for (size_t i = 0; i < step.yielded.size(); ++i)
      if (!llvm::is_contained(step.arguments, step.yielded[i]))
        copyLanes(step.yielded[i], step.arguments[i + 1], count);
    for (auto [i, start] : kept) {
      const uint64_t *from = loopLanes.data() + start;
      Slot to = step.arguments[i + 1];
      if (to.wide)
        std::copy_n(from, count, lanes<uint64_t>(to));
      else
        std::copy_n(from, count, lanes<uint32_t>(to));
    }
    loopLanes.clear();
  }
  return llvm::Error::success();
}

} // namespace swizzle
