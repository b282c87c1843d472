//===- EmittedInterpreter.h - Runs emitted operations --------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An interpreter for the few `arith` and `scf` operations that emission makes:
// the code is compiled once into a list of steps and run for a batch of
// workgroups at a time. It trusts nothing: a division by zero, a shift that is
// too far, or an overflow that the operation promised not to have is an error.
//
// Values of up to 32 bits live in columns of 32 bits, wider ones and `index` in
// columns of 64, always zero-extended. What is the same for every lane or has
// been computed before is not computed again: constants are filled in once, and
// an operation that repeats an earlier one takes its column.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_TRANSFORMS_EMITTEDINTERPRETER_H
#define SWIZZLE_LIB_TRANSFORMS_EMITTEDINTERPRETER_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"
#include <cassert>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace swizzle {

class EmittedInterpreter {
public:
  /// Most workgroups that one `run` takes.
  static constexpr size_t batchSize = 1024;

  /// Compiles what defines `outputs`, starting from `inputs`, all of type
  /// index; all stand in one block. Fails on an operation that it does not
  /// know.
  static llvm::Expected<EmittedInterpreter>
  compile(llvm::ArrayRef<mlir::Value> inputs,
          llvm::ArrayRef<mlir::Value> outputs);

  /// The lanes of one input, to be filled before `run`.
  llvm::MutableArrayRef<uint64_t> input(unsigned index);
  /// The lanes of one output after `run`.
  llvm::ArrayRef<uint64_t> output(unsigned index) const;

  /// Runs the first `count` lanes. The error names the operation and the lane,
  /// and `failedLane()` is that lane.
  llvm::Error run(size_t count);
  size_t failedLane() const { return failed; }

  struct Step;

private:
  /// A column of lanes, 32 or 64 bits each.
  struct Slot {
    uint32_t column = 0;
    bool wide = false;
    bool operator==(const Slot &other) const {
      return column == other.column && wide == other.wide;
    }
  };
  using Steps = std::vector<Step>;
  using StepKey = std::vector<uint64_t>;

  llvm::Error compileOp(mlir::Operation *op, Steps &steps);
  llvm::Error compileLoop(mlir::Operation *op, Steps &steps);
  llvm::Expected<Slot> slotOf(mlir::Value value);
  Slot define(mlir::Value value);
  void fillConstants();

  llvm::Error runSteps(const Steps &steps, size_t count);
  llvm::Error runLoop(const Step &step, size_t count);
  /// The first lane for which the step is undefined, or `count`.
  size_t runStep(const Step &step, size_t count);
  template <typename T> size_t runArithmetic(const Step &step, size_t count);
  template <typename T> size_t runSum(const Step &step, size_t count);
  template <typename T> size_t runComparison(const Step &step, size_t count);
  template <typename From, typename To>
  size_t runConversion(const Step &step, size_t count);

  /// The lanes of a column of `T`.
  template <typename T> T *lanes(Slot slot);
  void copyLanes(Slot from, Slot to, size_t count);

  std::shared_ptr<Steps> program;
  std::vector<uint32_t> narrowLanes;
  std::vector<uint64_t> wideLanes, loopLanes;
  llvm::DenseMap<mlir::Value, Slot> slots;
  /// Steps that have run by now, and what holds their results.
  std::map<StepKey, std::vector<Slot>> known;
  std::vector<std::pair<Slot, uint64_t>> constants;
  std::vector<Slot> inputSlots, outputSlots;
  uint32_t numColumns[2] = {0, 0}; ///< narrow, wide
  size_t failed = 0;
};

struct EmittedInterpreter::Step {
  enum class Kind : uint8_t {
    Add,
    Sub,
    Mul,
    MulExtended,
    DivU,
    RemU,
    DivS,
    RemS,
    Shl,
    ShrU,
    ShrS,
    And,
    Or,
    Xor,
    MinU,
    MaxU,
    MinS,
    MaxS,
    Compare,
    Select,
    Convert,
    ConvertSigned,
    Loop,
  };
  Kind kind = Kind::Loop;
  mlir::Operation *op = nullptr;
  unsigned width = 0; ///< of the operands, in bits
  unsigned resultWidth = 0;
  bool noSignedWrap = false, noUnsignedWrap = false;
  int predicate = 0;              ///< of a comparison
  std::optional<uint64_t> amount; ///< of a shift, if it is a constant
  std::vector<Slot> operands, results;
  // A loop: its body, the slots of its block arguments and of what it yields.
  Steps body;
  std::vector<Slot> arguments, yielded;
  int64_t lower = 0, upper = 0, stride = 1;
};

template <> inline uint32_t *EmittedInterpreter::lanes<uint32_t>(Slot slot) {
  assert(!slot.wide && "a column of 64 bits");
  return narrowLanes.data() + slot.column * batchSize;
}

template <> inline uint64_t *EmittedInterpreter::lanes<uint64_t>(Slot slot) {
  assert(slot.wide && "a column of 32 bits");
  return wideLanes.data() + slot.column * batchSize;
}

} // namespace swizzle

#endif // SWIZZLE_LIB_TRANSFORMS_EMITTEDINTERPRETER_H
