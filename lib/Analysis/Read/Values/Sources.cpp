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

std::optional<unsigned> axisOfId(Operation *op) {
  std::string text = canonicalName(op);
  StringRef axis = text;
  if (!axis.consume_front(kIdMarker))
    return std::nullopt;
  return axis.front() - 'x'; // the type of the result comes last
}

namespace {
class SourceWalk {
public:
  SourceWalk(KernelReader &reader, const CFGLoopInfo *loops)
      : reader(reader), loops(loops) {}

  bool run(Value start, llvm::function_ref<Operands(Operation *)> visit) {
    values.insert(start);
    size_t value = 0, test = 0;
    while (value < values.size() || test < tests.size()) {
      bool isClear = value == values.size() ? ask(tests[test++])
                                            : go(values[value++], visit);
      if (!isClear || values.size() > kMostValues)
        return false;
    }
    return true;
  }

private:
  /// What leads to where several ways meet, or out of a loop.
  struct Test {
    Value condition;
    bool chooses; ///< between values, not whether there is a next turn
  };

  bool go(Value value, llvm::function_ref<Operands(Operation *)> visit) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return addIncoming(argument);
    Operation *op = value.getDefiningOp();
    if (loops && addStored(op))
      return true;
    Operands operands = visit(op);
    if (operands == Operands::Asked)
      values.insert(op->operand_begin(), op->operand_end());
    return operands != Operands::Unclear;
  }

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
      if (!isHeader && !addTestAbove(*edge))
        return false;
    }
    if (isHeader)
      for (Block *turn : loop->getBlocks())
        if (llvm::any_of(turn->getSuccessors(),
                         [&](Block *next) { return !loop->contains(next); }))
          addTest(turn, /*chooses=*/false);
    return true;
  }

  void addTest(Block *block, bool chooses) {
    if (block->getNumSuccessors() > 1 && known.insert(block).second)
      tests.push_back({block->getTerminator()->getOperand(0), chooses});
  }

  /// Adds the test after which `block` is reached, or that it ends in; false if
  /// there are several.
  bool addTestAbove(Block *block) {
    while (block->getNumSuccessors() == 1) {
      if (block->isEntryBlock())
        return true;
      block = block->getSinglePredecessor();
      if (!block)
        return false;
    }
    addTest(block, /*chooses=*/true);
    return true;
  }

  /// True for a load of workgroup memory: adds what is stored there.
  bool addStored(Operation *op) {
    auto load = dyn_cast<LLVM::LoadOp>(op);
    if (!load || !isOfWorkgroup(load.getAddr()))
      return false;
    std::optional<AbstractValue> from = reader.pointer(load.getAddr());
    Operation *function = op->getParentOfType<FunctionOpInterface>();
    bool isNew = !reader.stores.contains(function);
    SmallVector<Operation *> &stores = reader.stores[function];
    if (isNew)
      function->walk([&](LLVM::StoreOp store) { stores.push_back(store); });
    for (Operation *one : stores) {
      auto store = cast<LLVM::StoreOp>(one);
      if (!isOfWorkgroup(store.getAddr()))
        continue;
      std::optional<AbstractValue> to = reader.pointer(store.getAddr());
      if (from && to && from->buffer != kNoBuffer && to->buffer != kNoBuffer &&
          from->buffer != to->buffer)
        continue;
      values.insert(store.getValue());
      if (Block *above = store->getBlock()->getSinglePredecessor())
        addTest(above, /*chooses=*/true);
      if (values.size() > kMostValues)
        return true; // that is too much
    }
    return true;
  }

  bool isOfWorkgroup(Value address) {
    if (std::optional<AbstractValue> view = reader.pointer(address))
      return view->isPointer() && view->space == MemorySpace::Workgroup;
    return KernelReader::spaceOf(address.getType()) == MemorySpace::Workgroup;
  }

  /// Adds what is tested, if numbers from memory choose by it. False if ids may
  /// pick a few workgroups by it, as a range of them does not.
  bool ask(const Test &test) {
    auto compares = test.condition.getDefiningOp<LLVM::ICmpOp>();
    bool isRange = compares &&
                   compares.getPredicate() != LLVM::ICmpPredicate::eq &&
                   compares.getPredicate() != LLVM::ICmpPredicate::ne;
    bool hasNumbers = false;
    if (!isFreeOfIds(test.condition, hasNumbers))
      return isRange;
    if (test.chooses && hasNumbers)
      values.insert(test.condition);
    return true;
  }

  /// Of what loops carry, what it begins with is not asked here. Sets
  /// `hasNumbers` if there are any from memory.
  static bool isFreeOfIds(Value test, bool &hasNumbers) {
    llvm::SetVector<Value> values;
    values.insert(test);
    for (size_t i = 0; i < values.size(); ++i) {
      Operation *op = values[i].getDefiningOp();
      if (!op)
        continue;
      if (i == kMostValues || axisOfId(op) || isa<CallOpInterface>(op))
        return false;
      bool isFromMemory = asMemoryInstruction(op).has_value();
      hasNumbers |= isFromMemory;
      if (!isFromMemory)
        values.insert(op->operand_begin(), op->operand_end());
    }
    return true;
  }

  KernelReader &reader;
  const CFGLoopInfo *loops;
  llvm::SetVector<Value> values;
  SmallVector<Test> tests;
  llvm::SmallPtrSet<Block *, 8> known; ///< that end in one of them
};
} // namespace

unsigned axesNotIn(KernelReader &reader, Value value) {
  unsigned axes = 0;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (!reader.domain.mayBePicked(kWorkgroupIdX + axis))
      axes |= 1u << axis;
  bool isClear = forEachSource(reader, value, nullptr, [&](Operation *op) {
    if (std::optional<unsigned> axis = axisOfId(op)) {
      axes &= ~(1u << *axis);
      return Operands::NotAsked;
    }
    // What other memory holds is each workgroup's own.
    if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
      auto view = reader.pointer(load.getAddr());
      return view && view->isGlobal() ? Operands::Asked : Operands::Unclear;
    }
    return reader.effectOf(op).kind == OperationKind::Pure ? Operands::Asked
                                                           : Operands::Unclear;
  });
  return isClear ? axes : 0;
}

bool forEachSource(KernelReader &reader, Value value, const CFGLoopInfo *loops,
                   llvm::function_ref<Operands(Operation *op)> visit) {
  return SourceWalk(reader, loops).run(value, visit);
}

} // namespace swizzle::analysis
