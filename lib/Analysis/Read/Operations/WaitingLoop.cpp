//===- WaitingLoop.cpp - Loops that wait for another workgroup ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plain load may poll: the compiler is kept from hoisting it by assembly that
// says it touches memory, or by a fence. It looks like this,
//
//   ^loop:
//     %status = load %flag              ; the same place in every iteration
//     %wait = icmp eq %status, 0
//     cond_br %wait, ^loop, ^done
//
// where nothing in the loop writes to %flag, and the kernel does elsewhere: only
// another thread can end it. One of another workgroup has to have begun, which no
// order but the hardware's own promises. In the copy that is read the load may stand
// before the loop, which then ends at once or never.
//
//===----------------------------------------------------------------------===//

#include "Operations.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace swizzle::analysis {

namespace {
class WaitFinder {
public:
  explicit WaitFinder(Region &body);

  Operation *run();

private:
  Operation *findIn(CFGLoop &loop);
  Operation *findBefore(ArrayRef<Value> conditions);
  bool isFixed(Value value, const CFGLoop &loop, unsigned depth = 0);
  bool isWritten(Value root, function_ref<bool(Block *)> isMeant) const;
  void addSources(Value value, const CFGLoop *loop, SmallVector<Value> &work);

  Region &body;
  DominanceInfo dominance;
  llvm::DenseMap<Value, SmallVector<Block *, 2>> writers; ///< by what is written
  llvm::DenseMap<Value, bool> fixed; ///< of the loop that is looked at
};
} // namespace

/// The address that `op` reads from, if it is a plain read of global memory.
static Value polledBy(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return mayBeGlobal(load.getAddr()) && !load.getInvariant() ? load.getAddr()
                                                               : Value();
  return StringRef(canonicalName(op)).contains(".buffer.load")
             ? op->getOperand(0)
             : Value();
}

/// The address that `op` may write to; null if it writes nothing.
static Value writtenBy(Operation *op) {
  if (std::optional<MemoryInstruction> access = asMemoryInstruction(op))
    return access->kind == AccessKind::Read ? Value() : access->pointer;
  std::string name = canonicalName(op);
  if (StringRef(name).contains(".buffer.store") ||
      StringRef(name).contains(".buffer.atomic"))
    return op->getOperand(1);
  return Value();
}

WaitFinder::WaitFinder(Region &body)
    : body(body), dominance(body.getParentOp()) {
  for (Block &block : body)
    for (Operation &op : block)
      if (Value written = writtenBy(&op))
        writers[rootOf(written)].push_back(&block);
}

/// True if `value` is the same in all iterations of `loop`.
bool WaitFinder::isFixed(Value value, const CFGLoop &loop, unsigned depth) {
  constexpr unsigned kMaxDepth = 64;
  if (!loop.contains(value.getParentBlock()))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || depth > kMaxDepth || op->getNumRegions())
    return false;
  if (auto known = fixed.find(value); known != fixed.end())
    return known->second;
  bool result = !polledBy(op) && classify(op).kind == OperationKind::Pure &&
                llvm::all_of(op->getOperands(), [&](Value operand) {
                  return isFixed(operand, loop, depth + 1);
                });
  return fixed[value] = result;
}

/// What `value` is made of, within `loop` if there is one.
void WaitFinder::addSources(Value value, const CFGLoop *loop,
                            SmallVector<Value> &work) {
  if (Operation *op = value.getDefiningOp()) {
    llvm::append_range(work, op->getOperands());
    return;
  }
  auto argument = cast<BlockArgument>(value);
  for (Block *from : argument.getOwner()->getPredecessors()) {
    auto branch = dyn_cast<BranchOpInterface>(from->getTerminator());
    if (!branch || (loop && !loop->contains(from)))
      continue;
    for (auto [index, to] : llvm::enumerate(from->getSuccessors()))
      if (Value passed = to == argument.getOwner()
                             ? branch.getSuccessorOperands(
                                   index)[argument.getArgNumber()]
                             : Value())
        work.push_back(passed);
  }
}

/// True if a block that is meant writes what `root` leads to.
bool WaitFinder::isWritten(Value root,
                           function_ref<bool(Block *)> isMeant) const {
  auto found = writers.find(root);
  return found != writers.end() && llvm::any_of(found->second, isMeant);
}

/// A load of what the kernel writes, of which the conditions of a loop that ends at
/// once or never are made.
Operation *WaitFinder::findBefore(ArrayRef<Value> conditions) {
  SmallVector<Value> work(conditions);
  llvm::SmallPtrSet<void *, 32> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!seen.insert(value.getAsOpaquePointer()).second)
      continue;
    Operation *op = value.getDefiningOp();
    if (Value address = op ? polledBy(op) : Value();
        address && writers.contains(rootOf(address)))
      return op;
    if (op || !value.getParentBlock()->isEntryBlock())
      addSources(value, nullptr, work);
  }
  return nullptr;
}

/// A load that alone may end `loop`.
Operation *WaitFinder::findIn(CFGLoop &loop) {
  fixed.clear();
  SmallVector<Block *> exiting;
  loop.getExitingBlocks(exiting);
  // One without end hangs on what leads into it.
  if (exiting.empty())
    llvm::copy_if(loop.getHeader()->getPredecessors(),
                  std::back_inserter(exiting),
                  [&](Block *block) { return !loop.contains(block); });
  SmallVector<Value> work;
  for (Block *block : exiting)
    if (block->getNumSuccessors() > 1)
      work.push_back(block->getTerminator()->getOperand(0));
  if (llvm::all_of(work, [&](Value one) { return isFixed(one, loop); }))
    return findBefore(work);
  llvm::SmallPtrSet<void *, 32> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!loop.contains(value.getParentBlock()) ||
        !seen.insert(value.getAsOpaquePointer()).second)
      continue;
    Operation *op = value.getDefiningOp();
    Value address = op ? polledBy(op) : Value();
    if (address && llvm::all_of(op->getOperands(), [&](Value operand) {
          return isFixed(operand, loop);
        })) {
      Value root = rootOf(address);
      auto isInside = [&](Block *block) { return loop.contains(block); };
      if (isWritten(root, [&](Block *block) { return !isInside(block); }) &&
          !isWritten(root, isInside))
        return op;
    }
    addSources(value, &loop, work);
  }
  return nullptr;
}

Operation *WaitFinder::run() {
  if (body.hasOneBlock())
    return nullptr;
  CFGLoopInfo loops(dominance.getDomTree(&body));
  SmallVector<CFGLoop *> all;
  llvm::append_range(all, loops.getTopLevelLoops());
  while (!all.empty()) {
    CFGLoop *loop = all.pop_back_val();
    if (Operation *load = findIn(*loop))
      return load;
    llvm::append_range(all, loop->getSubLoops());
  }
  return nullptr;
}

Operation *findWaitingLoad(FunctionOpInterface function) {
  Region &body = function.getFunctionBody();
  return body.empty() ? nullptr : WaitFinder(body).run();
}

} // namespace swizzle::analysis
