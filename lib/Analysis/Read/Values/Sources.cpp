//===- Sources.cpp - What a value is computed from ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Sources.h.
//
//===----------------------------------------------------------------------===//

#include "Sources.h"

#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace swizzle::analysis {

/// Values that are gone through, in all.
static constexpr size_t kMostValues = 256;

bool readsId(Operation *op) {
  return StringRef(canonicalName(op)).starts_with(kIdMarker);
}

namespace {
class SourceWalk {
public:
  SourceWalk(KernelReader &reader, const CFGLoopInfo *loops)
      : reader(reader), loops(loops) {}

  bool run(Value value, llvm::function_ref<Operands(Operation *)> visit) {
    values.insert(value);
    for (size_t i = 0; i < values.size(); ++i) {
      if (i == kMostValues)
        return false;
      if (auto argument = dyn_cast<BlockArgument>(values[i])) {
        if (!addIncoming(argument))
          return false;
        continue;
      }
      Operation *op = values[i].getDefiningOp();
      if (loops && addStored(op))
        continue;
      Operands operands = visit(op);
      if (operands == Operands::Unclear)
        return false;
      if (operands == Operands::Asked)
        values.insert(op->operand_begin(), op->operand_end());
    }
    return llvm::none_of(tests, [&](Value test) { return mayPick(test); });
  }

private:
  /// Adds what an argument of a block may be. What the launch passes is the same
  /// for all; false for what a call does, which may not be.
  bool addIncoming(BlockArgument argument) {
    Block *block = argument.getOwner();
    if (block->isEntryBlock())
      return block->getParentOp() == reader.lowered.function;
    if (!loops)
      return false;
    const CFGLoop *loop = loops->getLoopFor(block);
    bool isHeader = loop && loop->getHeader() == block;
    for (auto edge = block->pred_begin(); edge != block->pred_end(); ++edge) {
      auto branch = dyn_cast<BranchOpInterface>((*edge)->getTerminator());
      Value incoming =
          branch ? branch.getSuccessorOperands(
                       edge.getSuccessorIndex())[argument.getArgNumber()]
                 : Value();
      if (!incoming)
        return false;
      values.insert(incoming);
      if (!isHeader && !addTestAbove(*edge, block))
        return false;
    }
    if (isHeader)
      for (Block *turn : loop->getBlocks())
        if (llvm::any_of(turn->getSuccessors(),
                         [&](Block *next) { return !loop->contains(next); }))
          addTest(turn);
    return true;
  }

  void addTest(Block *block) {
    if (block->getNumSuccessors() > 1)
      tests.insert(block->getTerminator()->getOperand(0));
  }

  /// Adds the test that leads from `block` to `next`; false if there are
  /// several.
  bool addTestAbove(Block *block, Block *next) {
    while (block->getNumSuccessors() == 1) {
      if (block->isEntryBlock())
        return true;
      block = block->getSinglePredecessor();
      if (!block)
        return false;
    }
    addTest(block);
    return true;
  }

  /// True for a load of workgroup memory: adds what is stored there.
  bool addStored(Operation *op) {
    auto load = dyn_cast<LLVM::LoadOp>(op);
    if (!load || !isOfWorkgroup(load.getAddr()))
      return false;
    std::optional<AbstractValue> from = reader.pointer(load.getAddr());
    op->getParentOfType<FunctionOpInterface>()->walk([&](LLVM::StoreOp store) {
      if (!isOfWorkgroup(store.getAddr()))
        return;
      std::optional<AbstractValue> to = reader.pointer(store.getAddr());
      if (from && to && from->buffer != kNoBuffer && to->buffer != kNoBuffer &&
          from->buffer != to->buffer)
        return;
      values.insert(store.getValue());
      if (Block *above = store->getBlock()->getSinglePredecessor())
        addTest(above);
    });
    return true;
  }

  bool isOfWorkgroup(Value address) {
    if (std::optional<AbstractValue> view = reader.pointer(address))
      return view->isPointer() && view->space == MemorySpace::Workgroup;
    return KernelReader::spaceOf(address.getType()) == MemorySpace::Workgroup;
  }

  /// True if ids may pick a few workgroups by `test`, as a range of them does
  /// not.
  bool mayPick(Value test) {
    auto compares = test.getDefiningOp<LLVM::ICmpOp>();
    if (compares && compares.getPredicate() != LLVM::ICmpPredicate::eq &&
        compares.getPredicate() != LLVM::ICmpPredicate::ne)
      return false;
    return !SourceWalk(reader, nullptr).isFreeOfIds(test);
  }

  /// Of what loops carry, what it begins with is not asked here.
  bool isFreeOfIds(Value test) {
    values.insert(test);
    for (size_t i = 0; i < values.size(); ++i) {
      Operation *op = values[i].getDefiningOp();
      if (!op)
        continue;
      if (i == kMostValues || readsId(op) || isa<CallOpInterface>(op))
        return false;
      if (!asMemoryInstruction(op))
        values.insert(op->operand_begin(), op->operand_end());
    }
    return true;
  }

  KernelReader &reader;
  const CFGLoopInfo *loops;
  llvm::SetVector<Value> values;
  llvm::SetVector<Value> tests; ///< on the way to where they meet
};
} // namespace

bool forEachSource(KernelReader &reader, Value value, const CFGLoopInfo *loops,
                   llvm::function_ref<Operands(Operation *op)> visit) {
  return SourceWalk(reader, loops).run(value, visit);
}

} // namespace swizzle::analysis
