//===- Materialize.cpp - From swizzle.remap to arithmetic -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lower, emit, check, and only then replace. The check evaluates the operations
// that stand in the IR, not the list they were made from; it is what allows the
// lowering to be ambitious.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Transforms/Materialize.h"
#include "swizzle/Analysis/Read/KernelAnalysis.h"
#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/IR/AppliedTag.h"
#include "swizzle/Planning/Decision.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace swizzle {

using namespace mlir;

/// States on the readings of ids themselves what the grid says about them, so
/// that back ends see it.
static void attachUpperBounds(RemapOp op) {
  Value ids[] = {op.getX(), op.getY(), op.getZ()};
  for (unsigned axis = 0; axis < 3; ++axis) {
    auto id = ids[axis].getDefiningOp<gpu::BlockIdOp>();
    if (!id || static_cast<unsigned>(id.getDimension()) != axis)
      continue;
    int64_t extent = op.getGrid()[axis];
    if (extent == kUnknownExtent ||
        (id.getUpperBound() && id.getUpperBound()->getSExtValue() <= extent))
      continue;
    id.setUpperBoundAttr(
        IntegerAttr::get(IndexType::get(op.getContext()), extent));
  }
}

/// An error if the kernel is known to be launched with another grid than the
/// one that the remap was made for.
static llvm::Error checkGrid(RemapOp op, const ModuleFacts &module) {
  auto kernel = op->getParentOfType<FunctionOpInterface>();
  if (op.getGuarded() || !kernel)
    return llvm::Error::success();
  Grid known = findLaunchSizes(kernel, std::nullopt, std::nullopt, module).grid;
  Grid claimed(op.getGrid()[0], op.getGrid()[1], op.getGrid()[2]);
  for (unsigned axis = 0; axis < 3; ++axis)
    if (claimed[axis] != kUnknownExtent && known[axis] != kUnknownExtent &&
        claimed[axis] != known[axis])
      return llvm::createStringError(
          "the remap is for the grid " + toString(claimed) +
          ", but the kernel's grid is " + toString(known));
  return llvm::Error::success();
}

/// What proving a formula that misses some workgroup ends with.
static llvm::Error notPermutation(const Formula &formula,
                                  const Environment &environment) {
  Verdict verdict = prove(formula, environment);
  if (verdict.legal())
    return llvm::createStringError("they do not reach every workgroup");
  const Refusal &refusal = *verdict.refusal;
  llvm::StringRef more = addedTo(refusal.message, refusal.counterexample);
  return llvm::createStringError(refusal.message + (more.empty() ? "" : ": ") +
                                 more);
}

/// Erases the operations from `first` up to `last`, which nothing uses.
static void eraseBetween(Operation *first, Operation *last) {
  while (first != last) {
    Operation *victim = last->getPrevNode();
    bool isFirst = victim == first;
    victim->dropAllUses();
    victim->erase();
    if (isFirst)
      return;
  }
}

/// Emits `error` and leaves the kernel its ids.
static LogicalResult refuse(RemapOp op, llvm::Error error) {
  op.emitError() << llvm::toString(std::move(error));
  std::array<Value, 3> ids = {op.getX(), op.getY(), op.getZ()};
  op.replaceAllUsesWith(llvm::ArrayRef<Value>(ids));
  op.erase();
  return failure();
}

void LoweredRemaps::insert(const PlannedKernel &planned) {
  const std::optional<ProvedRemap> &remap = planned.decision.remap;
  if (!remap || !remap->lowered)
    return;
  entries.push_back(
      {getFormulaAttr(context, remap->formula, remap->environment),
       remap->environment.grid, planned.facts.gridIsGuarded(),
       *remap->lowered});
}

const LoweredFormula *LoweredRemaps::lookup(RemapOp op) const {
  for (const Entry &entry : entries)
    if (entry.formula == op.getFormula() && entry.guarded == op.getGuarded() &&
        llvm::ArrayRef<int64_t>(entry.grid.extent) == op.getGrid())
      return &entry.lowered;
  return nullptr;
}

/// By operations that are known.
static LogicalResult materializeAs(RemapOp op, const LoweredFormula &lowered,
                                   const ModuleFacts &module) {
  llvm::Expected<std::pair<Formula, Environment>> read =
      readFormulaAttr(op.getFormula(), op.getGrid());
  if (!read)
    return refuse(op, read.takeError());
  if (llvm::Error error = checkGrid(op, module))
    return refuse(op, std::move(error));
  OpBuilder builder(op);
  std::array<Value, 3> ids = {op.getX(), op.getY(), op.getZ()};
  llvm::SmallVector<Value> extents(op.getExtents());

  Operation *before = op->getPrevNode();
  std::array<Value, 3> results =
      emit(builder, op.getLoc(), lowered, ids, extents);
  if (op.getGuarded())
    guardGrid(builder, op.getLoc(), read->second.grid, ids, extents, results);
  llvm::BitVector reached;
  llvm::Error error =
      checkEmitted(results, ids, extents,
                   {read->first, read->second, lowered.maxExtentProduct,
                    op.getGuarded(), &reached});
  if (!error && !reached.all())
    error = notPermutation(read->first, read->second);
  if (error) {
    Operation *first =
        before ? before->getNextNode() : &op->getBlock()->front();
    eraseBetween(first, op);
    return refuse(op, llvm::createStringError(
                          "the emitted operations are no proved remap, so the "
                          "kernel keeps its order: " +
                          llvm::toString(std::move(error))));
  }

  if (!op.getGuarded())
    attachUpperBounds(op);
  auto kernel = op->getParentOfType<FunctionOpInterface>();
  if (kernel && !op.getUntagged())
    markApplied(kernel, op.getFormula());
  op.replaceAllUsesWith(llvm::ArrayRef<Value>(results));
  op.erase();
  return success();
}

LogicalResult materialize(RemapOp op, const LoweredFormula *known,
                          const ModuleFacts &module) {
  if (known)
    return materializeAs(op, *known, module);
  llvm::Expected<std::pair<Formula, Environment>> read =
      readFormulaAttr(op.getFormula(), op.getGrid());
  if (!read)
    return refuse(op, read.takeError());
  LoweringOptions options;
  options.gridIsAssumed = op.getGuarded();
  llvm::Expected<LoweredFormula> lowered =
      lower(read->first, read->second, options);
  if (!lowered)
    return refuse(op, lowered.takeError());
  return materializeAs(op, *lowered, module);
}

LogicalResult materialize(RemapOp op) {
  return materialize(op, nullptr, ModuleFacts(op));
}

LogicalResult materialize(RemapOp op, const LoweredFormula &lowered) {
  return materialize(op, &lowered, ModuleFacts(op));
}

} // namespace swizzle
