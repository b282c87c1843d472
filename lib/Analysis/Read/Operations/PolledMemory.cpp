//===- PolledMemory.cpp - What reads, fills and writes memory -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PolledMemory.h.
//
//===----------------------------------------------------------------------===//

#include "PolledMemory.h"
#include "Operations.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace swizzle::analysis {

Root keyOf(Value root) {
  if (auto global = root.getDefiningOp<LLVM::AddressOfOp>())
    return global.getGlobalNameAttr().getAsOpaquePointer();
  return root.getAsOpaquePointer();
}

bool isPointer(Value value) {
  return isa<LLVM::LLVMPointerType>(getElementTypeOrSelf(value.getType()));
}

/// True for a copy of memory, whether an operation or a call by name.
static bool isCopy(Operation *op) {
  std::string name = canonicalName(op);
  return StringRef(name).starts_with("llvm.intr.memcpy") ||
         StringRef(name).starts_with("llvm.intr.memmove");
}

Value imageOf(Operation *op) {
  std::string name = canonicalName(op);
  StringRef all = name;
  if (!all.consume_front("swizzle.ptx.") && !all.consume_front("nvvm."))
    return Value();
  for (StringRef images :
       {"tex.", "tld4.", "suld.", "sust.", "texture.", "surface."})
    if (all.starts_with(images) && op->getNumOperands() > 0)
      return op->getOperand(0);
  return Value();
}

Value polledBy(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return mayBeGlobal(load.getAddr()) && !load.getInvariant() ? load.getAddr()
                                                               : Value();
  if (isCopy(op))
    return mayBeGlobal(op->getOperand(1)) ? op->getOperand(1) : Value();
  OperationEffect effect = classify(op);
  if (effect.kind != OperationKind::Access || effect.access != AccessKind::Read)
    return Value();
  // The resource may be a vector of numbers.
  if (StringRef(canonicalName(op)).contains(".buffer.load"))
    return op->getOperand(0);
  if (Value image = imageOf(op))
    return image;
  for (Value operand : op->getOperands())
    if (isPointer(operand) && mayBeGlobal(operand))
      return operand;
  return Value();
}

bool copiesHere(Operation *op) {
  return polledBy(op) && llvm::any_of(op->getOperands(), [](Value operand) {
           return isPointer(operand) && !mayBeGlobal(operand);
         });
}

bool looksHere(Operation *op) {
  if (op->getNumResults() == 0 || polledBy(op))
    return false;
  if (isa<LLVM::LoadOp>(op))
    return true;
  OperationEffect effect = classify(op);
  bool reads =
      effect.kind == OperationKind::Access && effect.access == AccessKind::Read;
  return (reads || effect.kind == OperationKind::Atomic) &&
         llvm::any_of(op->getOperands(), [](Value operand) {
           return isPointer(operand) && !mayBeGlobal(operand);
         });
}

bool mayFill(Operation *copy, Operation *look) {
  auto rootsHere = [](Operation *op) {
    SmallVector<Root> roots;
    for (Value operand : op->getOperands())
      if (isPointer(operand) && !mayBeGlobal(operand)) {
        Value root = rootOf(operand);
        bool hasName = isa_and_nonnull<LLVM::AddressOfOp, LLVM::AllocaOp>(
            root.getDefiningOp());
        roots.push_back(hasName ? keyOf(root) : nullptr);
      }
    return roots;
  };
  for (Root filled : rootsHere(copy))
    for (Root found : rootsHere(look))
      if (!filled || !found || filled == found)
        return true;
  return false;
}

void addPassed(BlockArgument argument, const CFGLoop *loop,
               SmallVector<Value> &values) {
  Block *block = argument.getOwner();
  for (Block *from : block->getPredecessors()) {
    auto branch = dyn_cast<BranchOpInterface>(from->getTerminator());
    if (!branch || (loop && !loop->contains(from)))
      continue;
    for (auto [index, to] : llvm::enumerate(from->getSuccessors()))
      if (Value passed = to == block ? branch.getSuccessorOperands(
                                           index)[argument.getArgNumber()]
                                     : Value())
        values.push_back(passed);
  }
}

SmallVector<Value> rootsOf(Value pointer, bool &complete) {
  constexpr size_t kMostRoots = 64;
  SmallVector<Value> work = {pointer}, roots;
  llvm::SmallPtrSet<void *, 16> seen;
  complete = true;
  while (!work.empty()) {
    if (seen.size() == kMostRoots) {
      complete = false;
      break;
    }
    Value root = rootOf(work.pop_back_val());
    if (!seen.insert(root.getAsOpaquePointer()).second)
      continue;
    Operation *op = root.getDefiningOp();
    if (isa_and_nonnull<LLVM::SelectOp, LLVM::InsertElementOp, LLVM::FreezeOp,
                        LLVM::ShuffleVectorOp, LLVM::ExtractElementOp>(op)) {
      llvm::copy_if(op->getOperands(), std::back_inserter(work), isPointer);
      continue;
    }
    roots.push_back(root);
    // Nothing is known of what is no argument and has no name.
    complete &=
        !op ||
        isa<LLVM::AddressOfOp, LLVM::AllocaOp, LLVM::PoisonOp, LLVM::UndefOp>(
            op);
    if (!op && !root.getParentBlock()->isEntryBlock())
      addPassed(cast<BlockArgument>(root), nullptr, work);
  }
  return roots;
}

SmallVector<Value> writtenBy(Operation *op) {
  if (std::optional<MemoryInstruction> access = asMemoryInstruction(op)) {
    if (access->kind == AccessKind::Read)
      return {};
    return {access->pointer};
  }
  if (isCopy(op))
    return {op->getOperand(0)};
  std::string name = canonicalName(op);
  if (StringRef(name).contains(".buffer.store") ||
      StringRef(name).contains(".buffer.atomic"))
    return {op->getOperand(1)};
  OperationEffect effect = classify(op);
  bool writes = effect.kind == OperationKind::Atomic ||
                (effect.kind == OperationKind::Access &&
                 effect.access == AccessKind::Write);
  if (Value image = imageOf(op); image && writes)
    return {image};
  SmallVector<Value> pointers;
  for (Value operand : op->getOperands())
    if (writes &&
        isa<LLVM::LLVMPointerType>(getElementTypeOrSelf(operand.getType())))
      pointers.push_back(operand);
  return pointers;
}

} // namespace swizzle::analysis
