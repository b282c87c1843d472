//===- UndoRemap.cpp - Take a materialised remap out again ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing is guessed from how the arithmetic looks. Each value of the entry
// block that is computed from the ids alone is evaluated for every workgroup;
// one that is always what the formula says of an axis is the new id of that
// axis, or something that the kernel computes from the new ids and that always
// equals it. Either way a fresh reading of the id takes its place:
//
//   %x = gpu.block_id x                %new = gpu.block_id x
//   %c = arith.constant 15        ->   memref.load %a[%new]
//   %n = arith.subi %c, %x
//   memref.load %a[%n]
//
// What is left of the old readings must be dead, or the kernel used an id in
// another way, and nothing is undone.
//
//===----------------------------------------------------------------------===//

#include "UndoRemap.h"

#include "ReadEmitted.h"
#include "swizzle/Analysis/Read/KernelAnalysis.h"
#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/IR/AppliedTag.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace swizzle {

namespace {
class Undo {
public:
  Undo(FunctionOpInterface kernel, const Grid &grid,
       std::vector<uint32_t> permutation)
      : kernel(kernel), grid(grid), permutation(std::move(permutation)) {}

  bool run();

private:
  /// Coordinate `axis` of a linear id.
  int64_t coordinate(int64_t id, unsigned axis) const {
    return axis == 0   ? id % grid[0]
           : axis == 1 ? id / grid[0] % grid[1]
                       : id / grid[0] / grid[1];
  }
  bool findReadings();
  /// The axis whose new id `value` always is.
  std::optional<unsigned> axisOf(Value value);
  void eraseDead();

  FunctionOpInterface kernel;
  Grid grid;
  std::vector<uint32_t> permutation;
  Operation *readings[3] = {};
  bool moves[3] = {}; ///< the remap changes this coordinate of some workgroup
};
} // namespace

bool Undo::findReadings() {
  Block &entry = kernel.getFunctionBody().front();
  // What a function reads that the kernel calls is an id as the hardware has
  // it.
  for (FunctionOpInterface function : reachableFunctions(kernel))
    if (function != kernel && !findIdReadings(function).empty())
      return false;
  for (const IdReading &reading : findIdReadings(kernel)) {
    if (reading.global || readings[reading.axis] ||
        reading.op->getBlock() != &entry ||
        !reading.op->getResult(0).getType().isIndex())
      return false;
    readings[reading.axis] = reading.op;
  }
  for (size_t id = 0; id < permutation.size(); ++id)
    for (unsigned axis = 0; axis < 3; ++axis)
      moves[axis] |=
          coordinate(permutation[id], axis) != coordinate(int64_t(id), axis);
  return true;
}

std::optional<unsigned> Undo::axisOf(Value value) {
  SmallVector<Value> inputs;
  SmallVector<unsigned> axes;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (readings[axis]) {
      inputs.push_back(readings[axis]->getResult(0));
      axes.push_back(axis);
    }
  llvm::Expected<EmittedProgram> program = readEmitted(inputs, value);
  if (!program) {
    llvm::consumeError(program.takeError()); // it is something else
    return std::nullopt;
  }
  bool fits[3] = {moves[0], moves[1], moves[2]};
  int64_t total = permutation.size();
  for (int64_t first = 0; first < total; first += EmittedProgram::batchSize) {
    size_t count = std::min<int64_t>(EmittedProgram::batchSize, total - first);
    for (auto [index, axis] : llvm::enumerate(axes))
      for (size_t lane = 0; lane < count; ++lane)
        program->input(index)[lane] = coordinate(first + lane, axis);
    if (llvm::Error error = program->run(count)) {
      llvm::consumeError(std::move(error)); // not defined for every workgroup
      return std::nullopt;
    }
    bool any = false;
    for (unsigned axis = 0; axis < 3; ++axis) {
      for (size_t lane = 0; lane < count && fits[axis]; ++lane)
        fits[axis] = program->output(0)[lane] ==
                     uint64_t(coordinate(permutation[first + lane], axis));
      any |= fits[axis];
    }
    if (!any)
      return std::nullopt;
  }
  for (unsigned axis = 0; axis < 3; ++axis)
    if (fits[axis])
      return axis;
  return std::nullopt;
}

void Undo::eraseDead() {
  Block &entry = kernel.getFunctionBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(entry)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

bool Undo::run() {
  if (!findReadings())
    return false;
  SmallVector<std::pair<Value, unsigned>> found;
  for (Operation &op : kernel.getFunctionBody().front())
    if (isa<arith::ArithDialect>(op.getDialect()) && op.getNumResults() == 1 &&
        op.getResult(0).getType().isIndex() && !isa<arith::ConstantOp>(op))
      if (std::optional<unsigned> axis = axisOf(op.getResult(0)))
        found.push_back({op.getResult(0), *axis});
  OpBuilder builder(kernel.getContext());
  builder.setInsertionPointToStart(&kernel.getFunctionBody().front());
  Value fresh[3];
  for (auto [value, axis] : found) {
    if (!fresh[axis])
      fresh[axis] = gpu::BlockIdOp::create(builder, kernel.getLoc(),
                                           gpu::Dimension(axis));
    value.replaceAllUsesWith(fresh[axis]);
  }
  eraseDead();
  // The old readings were erased if nothing uses them any more.
  llvm::SmallPtrSet<Operation *, 8> left;
  for (const IdReading &reading : findIdReadings(kernel))
    left.insert(reading.op);
  for (unsigned axis = 0; axis < 3; ++axis)
    if (moves[axis] && readings[axis] && left.contains(readings[axis]))
      return false;
  return true;
}

std::optional<std::pair<Formula, Environment>>
undoRemap(FunctionOpInterface kernel) {
  FormulaAttr applied = readApplied(kernel);
  if (!applied || timesRemapped(kernel) != 1)
    return std::nullopt;
  LaunchSizes sizes = findLaunchSizes(kernel, std::nullopt, std::nullopt);
  if (sizes.gridSource != SizeSource::KernelAttribute ||
      !sizes.grid.isStatic() || sizes.grid.count() > kMostEnumerated)
    return std::nullopt;
  auto read = readFormulaAttr(applied, sizes.grid.extent);
  if (!read) {
    llvm::consumeError(read.takeError()); // somebody else wrote it
    return std::nullopt;
  }
  std::vector<uint32_t> permutation;
  Verdict verdict = prove(read->first, read->second, {}, permutation);
  if (!verdict.legal() || int64_t(permutation.size()) != sizes.grid.count() ||
      !Undo(kernel, sizes.grid, std::move(permutation)).run())
    return std::nullopt;
  stripApplied(kernel);
  return std::move(*read);
}

} // namespace swizzle
