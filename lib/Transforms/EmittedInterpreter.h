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
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_TRANSFORMS_EMITTEDINTERPRETER_H
#define SWIZZLE_LIB_TRANSFORMS_EMITTEDINTERPRETER_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <vector>

namespace swizzle {

class EmittedInterpreter {
public:
  /// Most workgroups that one `run` takes.
  static constexpr size_t batchSize = 1024;

  /// Compiles what defines `outputs`, starting from `inputs`; all stand in one
  /// block. Fails on an operation that it does not know.
  static llvm::Expected<EmittedInterpreter>
  compile(llvm::ArrayRef<mlir::Value> inputs,
          llvm::ArrayRef<mlir::Value> outputs);

  /// The lanes of one input, to be filled before `run`.
  llvm::MutableArrayRef<uint64_t> input(unsigned index);
  /// The lanes of one output after `run`, zero-extended from their width.
  llvm::ArrayRef<uint64_t> output(unsigned index) const;

  /// Runs the first `count` lanes. The error names the operation and the lane,
  /// and `failedLane()` is that lane.
  llvm::Error run(size_t count);
  size_t failedLane() const { return failed; }

  struct Step;

private:
  using Slot = uint32_t;
  using Steps = std::vector<Step>;

  llvm::Error compileOp(mlir::Operation *op, Steps &steps);
  llvm::Error compileLoop(mlir::Operation *op, Steps &steps);
  llvm::Expected<Slot> slotOf(mlir::Value value);
  Slot define(mlir::Value value);
  uint64_t *lanes(Slot slot) { return storage.data() + slot * batchSize; }
  llvm::Error runSteps(const Steps &steps, size_t count);
  llvm::Error runStep(const Step &step, size_t count);

  std::shared_ptr<Steps> program;
  std::vector<uint64_t> storage;
  llvm::DenseMap<mlir::Value, Slot> slots;
  std::vector<Slot> inputSlots, outputSlots;
  Slot numSlots = 0;
  size_t failed = 0;
};

struct EmittedInterpreter::Step {
  mlir::Operation *op = nullptr;
  unsigned width = 0; ///< of the operands, in bits
  unsigned resultWidth = 0;
  bool noSignedWrap = false, noUnsignedWrap = false;
  int predicate = 0; ///< of a comparison
  std::vector<Slot> operands, results;
  // A loop: its body, the slots of its block arguments and of what it yields.
  Steps body;
  std::vector<Slot> arguments, yielded;
  int64_t lower = 0, upper = 0, stride = 1;
};

} // namespace swizzle

#endif // SWIZZLE_LIB_TRANSFORMS_EMITTEDINTERPRETER_H
