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

#include "WaitFinder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

namespace swizzle::analysis {

/// True for an operation that yields either of its operands if the other one is
/// zero, or of all ones.
static bool joins(Operation *op) {
  return isa_and_nonnull<LLVM::AddOp, LLVM::OrOp, LLVM::XOrOp, LLVM::AndOp,
                         LLVM::FAddOp>(op);
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
    else if (!joins(op) && !isa<LLVM::SubOp>(op))
      continue;
    llvm::append_range(work, llvm::reverse(op->getOperands()));
  }
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
    return isLoaded(value, loop) || (isFixed(value, loop) && findBefore(value));
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
  if (Operation *op = value.getDefiningOp(); joins(op)) {
    Value one = op->getOperand(0), other = op->getOperand(1);
    // What is loaded may be anything; of a constant mask it is not known what
    // it keeps.
    auto mayKeep = [&](Value mask) {
      return isa<LLVM::AndOp>(op) || mayBeZero(mask, chosen, loop);
    };
    return (staysAs(one) && mayKeep(other)) || (staysAs(other) && mayKeep(one));
  }
  if (auto difference = value.getDefiningOp<LLVM::SubOp>())
    return staysAs(difference.getLhs()) &&
           mayBeZero(difference.getRhs(), chosen, loop);
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
