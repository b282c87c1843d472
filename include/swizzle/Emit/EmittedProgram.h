//===- EmittedProgram.h - Runs what was emitted --------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An interpreter for the few operations that emission makes, of whatever IR: a
// reader of that IR adds them one by one, and they are run for a batch of
// workgroups at a time. It trusts nothing: a division by zero, a shift that is
// too far, or an overflow that the operation promised not to have is an error.
//
//   EmittedProgram program(describe);
//   Slot x = program.addInput();
//   Slot r = *program.add(LoweredKind::Sub, 64, 64, {gx, x}, {}, op);
//   program.addOutput(r);
//   program.finish();
//   program.input(0)[lane] = ...; program.run(count); program.output(0)[lane]
//
// Values of up to 32 bits live in columns of 32 bits, wider ones in columns of
// 64, always zero-extended. What is the same for every lane or has been
// computed before is not computed again: constants are filled in once, and an
// operation that repeats an earlier one takes its column.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_EMIT_EMITTEDPROGRAM_H
#define SWIZZLE_EMIT_EMITTEDPROGRAM_H

#include "swizzle/Emit/Emit.h"
#include "llvm/Support/Error.h"
#include <cassert>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace swizzle {

class EmittedProgram {
public:
  /// Most workgroups that one `run` takes.
  static constexpr size_t batchSize = 1024;

  /// A column of lanes, 32 or 64 bits each.
  struct Slot {
    uint32_t column = 0;
    bool wide = false;
    bool operator==(const Slot &other) const {
      return column == other.column && wide == other.wide;
    }
  };
  /// What an operation is in its IR, for messages.
  using Origin = const void *;
  using Describe = std::function<std::string(Origin)>;

  explicit EmittedProgram(Describe describe) : describe(std::move(describe)) {}

  /// An id or extent, of 64 bits.
  Slot addInput();
  /// A number of `width` bits; what lies above them is dropped.
  Slot addConstant(unsigned width, uint64_t value);
  /// An operation on operands of `width` bits (but for the condition of a
  /// selection) with a result of `resultWidth`. Any kind but ids, constants and
  /// curves.
  Slot add(LoweredKind kind, unsigned width, unsigned resultWidth,
           llvm::ArrayRef<Slot> operands, Wrapping wrapping, Origin origin);
  /// A new id, of 64 bits.
  void addOutput(Slot slot);

  /// for (i = lower; i < upper; i += stride), i of `width` bits.
  struct LoopBounds {
    int64_t lower, upper, stride;
    unsigned width;
  };
  /// Opens a loop that carries values, which start as `inits`; what is added
  /// next is its body. Returns the slots of i and of the carried values. Fails
  /// on more than 64 trips.
  llvm::Expected<std::vector<Slot>> beginLoop(const LoopBounds &bounds,
                                              llvm::ArrayRef<Slot> inits);
  /// Closes it; returns the slots of the carried values after the last trip.
  std::vector<Slot> endLoop(llvm::ArrayRef<Slot> yielded);

  /// To be called once all is added.
  void finish();

  unsigned numInputs() const { return inputSlots.size(); }
  /// The lanes of one input, to be filled before `run`.
  llvm::MutableArrayRef<uint64_t> input(unsigned index);
  /// The lanes of one output after `run`.
  llvm::ArrayRef<uint64_t> output(unsigned index) const;

  /// Runs the first `count` lanes. The error names the operation and the lane,
  /// and `failedLane()` is that lane.
  llvm::Error run(size_t count);
  size_t failedLane() const { return failed; }

private:
  struct Step {
    LoweredKind kind = LoweredKind::Constant;
    bool isLoop = false;
    Origin origin = nullptr;
    unsigned width = 0; ///< of the operands, in bits
    unsigned resultWidth = 0;
    Wrapping wrapping;
    std::optional<uint64_t> amount; ///< of a shift, if it is a constant
    std::vector<Slot> operands;
    Slot result;
    // A loop: its body, the slots of i and of the carried values, of what it
    // yields.
    std::vector<Step> body;
    std::vector<Slot> arguments, yielded;
    LoopBounds bounds = {0, 0, 1, 32};
  };
  using Steps = std::vector<Step>;
  using StepKey = std::vector<uint64_t>;

  Slot newSlot(unsigned width);
  Steps &openSteps();

  llvm::Error runSteps(const Steps &steps, size_t count);
  llvm::Error runLoop(const Step &step, size_t count);
  /// The first lane for which the step is undefined, or `count`.
  size_t runStep(const Step &step, size_t count);
  template <typename T> size_t runArithmetic(const Step &step, size_t count);
  template <typename T> size_t runSum(const Step &step, size_t count);
  template <typename T> size_t runShift(const Step &step, size_t count);
  template <typename T> size_t runComparison(const Step &step, size_t count);
  template <typename From, typename To>
  size_t runConversion(const Step &step, size_t count);

  /// The lanes of a column of `T`.
  template <typename T> T *lanes(Slot slot);
  void copyLanes(Slot from, Slot to, size_t count);

  Describe describe;
  Steps program;
  /// Loops that are open, outermost first, with what was known before each.
  std::vector<std::pair<Step, std::map<StepKey, Slot>>> open;
  std::vector<uint32_t> narrowLanes;
  std::vector<uint64_t> wideLanes, loopLanes;
  /// Steps that have run by now, and what holds their results.
  std::map<StepKey, Slot> known;
  std::vector<std::pair<Slot, uint64_t>> constants;
  std::vector<Slot> inputSlots, outputSlots;
  uint32_t numColumns[2] = {0, 0}; ///< narrow, wide
  size_t failed = 0;
};

template <> inline uint32_t *EmittedProgram::lanes<uint32_t>(Slot slot) {
  assert(!slot.wide && "a column of 64 bits");
  return narrowLanes.data() + slot.column * batchSize;
}

template <> inline uint64_t *EmittedProgram::lanes<uint64_t>(Slot slot) {
  assert(slot.wide && "a column of 32 bits");
  return wideLanes.data() + slot.column * batchSize;
}

} // namespace swizzle

#endif // SWIZZLE_EMIT_EMITTEDPROGRAM_H
