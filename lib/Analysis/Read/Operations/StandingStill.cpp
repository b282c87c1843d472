//===- StandingStill.cpp - What a loop carries, and may leave as it was ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop waits if an iteration may change nothing that its end hangs on, as
// long as what was loaded says so:
//
//   ^loop(%j):
//     %status = load %flags[%j]
//     %next = select (%status != 0), %j - 1, %j       ; stays, for one choice
//     cond_br (%next > 0), ^loop(%next), ^done
//
// The choices are tried all together: a search that halves what is left moves
// one end or the other, never none.
//
//===----------------------------------------------------------------------===//

#include "Operations.h"
#include "PolledMemory.h"
#include "WaitFinder.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace swizzle::analysis {

/// True for an operation on numbers that may yield one of them as it was, for
/// some value of the others: a sum, a product, the greater one.
static bool joins(Operation *op) {
  return op && op->getNumOperands() > 1 && op->getNumResults() == 1 &&
         !isa<LLVM::ICmpOp, LLVM::FCmpOp, LLVM::SelectOp>(op) &&
         getElementTypeOrSelf(op->getResult(0).getType()).isIntOrFloat() &&
         classify(op).kind == OperationKind::Pure;
}

/// Adds the conditions in `loop` by which control comes to `block`.
void WaitFinder::addBranches(Block *block, CFGLoop &loop, Choices &choices) {
  for (Block *from : block->getPredecessors()) {
    auto branch = dyn_cast<LLVM::CondBrOp>(from->getTerminator());
    Block *above = from->getSinglePredecessor();
    if (!branch && above)
      branch = dyn_cast<LLVM::CondBrOp>(above->getTerminator());
    if (branch && loop.contains(branch->getBlock()))
      choices.insert(branch.getCondition());
  }
}

/// Adds to `choices` what it hangs on whether `from` is what it was before.
void WaitFinder::addChoices(Value from, CFGLoop &loop, Choices &choices,
                            llvm::SmallPtrSetImpl<void *> &seen) {
  SmallVector<Value> work = {from};
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!loop.contains(value.getParentBlock()) ||
        !seen.insert(value.getAsOpaquePointer()).second)
      continue;
    Operation *op = value.getDefiningOp();
    if (!op) {
      addBranches(value.getParentBlock(), loop, choices);
      size_t others = work.size();
      addSources(value, &loop, work);
      std::reverse(work.begin() + others, work.end()); // in their order
      continue;
    }
    if (auto select = dyn_cast<LLVM::SelectOp>(op))
      choices.insert(select.getCondition());
    else if (isa<LLVM::SExtOp, LLVM::ZExtOp>(op) &&
             op->getOperand(0).getType().isInteger(1))
      choices.insert(op->getOperand(0));
    else if (!joins(op))
      continue;
    llvm::append_range(work, llvm::reverse(op->getOperands()));
  }
}

/// True unless `value` is made of ids, arguments and constants, which nobody
/// writes.
static bool restsOnMemory(Value value) {
  constexpr size_t most = 64;
  SetVector<Value> open;
  open.insert(value);
  for (size_t i = 0; i < open.size(); ++i) {
    Operation *op = open[i].getDefiningOp();
    bool isArgument =
        !op && cast<BlockArgument>(open[i]).getOwner()->isEntryBlock();
    if (isArgument)
      continue;
    if (!op || i == most || classify(op).kind != OperationKind::Pure)
      return true;
    open.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

/// Where `pointer` leads; but for a constant distance where that is a place
/// whose workgroups are told apart by the model.
static Value placeOf(Value pointer) {
  Value near = pointer, same = pointer;
  while (Operation *op = near.getDefiningOp()) {
    auto gep = dyn_cast<LLVM::GEPOp>(op);
    bool isNear = gep ? llvm::all_of(gep.getDynamicIndices(),
                                     [](Value index) {
                                       return matchPattern(index, m_Constant());
                                     })
                      : isa<LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op);
    if (!isNear)
      break;
    near = op->getOperand(0);
    if (!gep && same == op->getResult(0))
      same = near;
  }
  return restsOnMemory(near) ? same : near;
}

/// True for a product to which something is added.
static bool addsProduct(Operation *op) {
  std::string name = canonicalName(op);
  return op->getNumOperands() == 3 && (StringRef(name).contains("fma") ||
                                       StringRef(name).contains("fmuladd"));
}

/// True if `value` is the same in all iterations of `loop`, and is made of what
/// others may write: not of what is written at the same place alone.
bool WaitFinder::isHoistedPoll(Value value, CFGLoop &loop) {
  Operation *load = isFixed(value, loop) ? findBefore(value) : nullptr;
  Value address = load ? polledBy(load) : Value();
  if (!address)
    return load;
  Root polled = keyOf(rootOf(address));
  Value place = placeOf(address);
  return llvm::any_of(allWritten, [&](Value written) {
    if (!isPointer(written))
      return true;
    Value root = rootOf(written);
    bool isOther = keyOf(root) != polled && isa<BlockArgument>(root);
    return mayBeGlobal(written) && !isOther && placeOf(written) != place;
  });
}

/// True if `value` may be zero for `chosen`, or if that takes too long to tell.
/// Steps are not zero whose size no load tells.
bool WaitFinder::mayBeZero(Value value, const Chosen &chosen, CFGLoop &loop) {
  if (stepsLeft == 0)
    return true;
  --stepsLeft;
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.isZero();
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<LLVM::SExtOp, LLVM::ZExtOp>(op) &&
      op->getOperand(0).getType().isInteger(1)) {
    auto found = chosen.find(op->getOperand(0));
    return found == chosen.end() || !found->second;
  }
  auto select = dyn_cast_if_present<LLVM::SelectOp>(op);
  // A poll may have been hoisted.
  if (!select)
    return isLoaded(value, loop) || isHoistedPoll(value, loop);
  auto found = chosen.find(select.getCondition());
  bool any = found == chosen.end();
  return ((any || found->second) &&
          mayBeZero(select.getTrueValue(), chosen, loop)) ||
         ((any || !found->second) &&
          mayBeZero(select.getFalseValue(), chosen, loop));
}

/// True if the edge from `from` to its successor `index` is not taken for
/// `chosen`.
bool WaitFinder::isBarred(Block *from, unsigned index, const Chosen &chosen) {
  for (auto [condition, truth] : chosen)
    for (Operation *user : condition.getUsers()) {
      auto branch = dyn_cast<LLVM::CondBrOp>(user);
      if (!branch || branch.getCondition() != condition)
        continue;
      if (branch == from->getTerminator() && (index == 0) != truth)
        return true;
      Block *notTaken = branch->getSuccessor(truth ? 1 : 0);
      if (notTaken->getSinglePredecessor() &&
          dominance.dominates(notTaken, from))
        return true;
    }
  return false;
}

/// True if `value` may be `carried` as it was, for `chosen`.
bool WaitFinder::stays(Value value, Value carried, const Chosen &chosen,
                       CFGLoop &loop, unsigned depth) {
  constexpr unsigned kMaxDepth = 128;
  if (value == carried || stepsLeft == 0)
    return true;
  --stepsLeft;
  if (!loop.contains(value.getParentBlock()))
    return false;
  if (depth > kMaxDepth)
    return true; // not known
  auto staysAs = [&](Value one) {
    return stays(one, carried, chosen, loop, depth + 1);
  };
  if (auto select = value.getDefiningOp<LLVM::SelectOp>()) {
    auto found = chosen.find(select.getCondition());
    bool any = found == chosen.end();
    return ((any || found->second) && staysAs(select.getTrueValue())) ||
           ((any || !found->second) && staysAs(select.getFalseValue()));
  }
  if (Operation *op = value.getDefiningOp(); joins(op))
    return staysWithin(op, carried, chosen, loop, depth);
  auto argument = dyn_cast<BlockArgument>(value);
  // What an inner loop hands to itself is nothing new.
  if (!argument || argument.getOwner() == loop.getHeader() ||
      llvm::is_contained(inside, argument))
    return false;
  inside.push_back(argument);
  bool result = staysAcross(argument, carried, chosen, loop, depth);
  inside.pop_back();
  return result;
}

/// The same of what `op` makes of one operand, which stays, and of others: some
/// that may be anything, as what is loaded, and constants.
bool WaitFinder::staysWithin(Operation *op, Value carried, const Chosen &chosen,
                             CFGLoop &loop, unsigned depth) {
  bool isMask = isa<LLVM::AndOp>(op);
  auto operands = op->getOperands();
  for (auto [index, one] : llvm::enumerate(operands)) {
    // What is taken away from something else is not left as it was.
    if (index > 0 && isa<LLVM::SubOp, LLVM::FSubOp>(op))
      break;
    if (!stays(one, carried, chosen, loop, depth + 1))
      continue;
    // One factor is enough of a product.
    bool any = false, all = true, isAddend = index == 2 && addsProduct(op);
    for (auto [other, number] : llvm::enumerate(operands)) {
      if (other == index)
        continue;
      bool isConstant = matchPattern(number, m_Constant());
      bool may = mayBeZero(number, chosen, loop) || (isMask && isConstant);
      any |= may;
      all &= may || isConstant;
    }
    if (any && (all || isAddend))
      return true;
  }
  return false;
}

/// The same of what comes into a block of `loop`.
bool WaitFinder::staysAcross(BlockArgument argument, Value carried,
                             const Chosen &chosen, CFGLoop &loop,
                             unsigned depth) {
  for (Block *from : argument.getOwner()->getPredecessors()) {
    auto branch = dyn_cast<BranchOpInterface>(from->getTerminator());
    if (!branch || !loop.contains(from))
      continue;
    for (auto [index, to] : llvm::enumerate(from->getSuccessors())) {
      if (to != argument.getOwner() || isBarred(from, index, chosen))
        continue;
      Value passed =
          branch.getSuccessorOperands(index)[argument.getArgNumber()];
      if (passed && stays(passed, carried, chosen, loop, depth + 1))
        return true;
    }
  }
  return false;
}

/// True if an iteration may leave all of `values` as they were, one way or
/// another of making `choices`.
bool WaitFinder::standsStill(const CarriedValues &values,
                             const Choices &choices, CFGLoop &loop) {
  constexpr unsigned kMostChoices = 6, kMostSteps = 100'000;
  stepsLeft = kMostSteps;
  unsigned count = std::min<unsigned>(choices.size(), kMostChoices);
  for (unsigned ways = 0; ways < 1u << count; ++ways) {
    Chosen chosen;
    for (unsigned index = 0; index < count; ++index)
      chosen[choices[index]] = ways >> index & 1;
    if (llvm::all_of(values, [&](Value carried) {
          return staysAcross(cast<BlockArgument>(carried), carried, chosen,
                             loop, 0);
        }))
      return true;
  }
  return false;
}

} // namespace swizzle::analysis
