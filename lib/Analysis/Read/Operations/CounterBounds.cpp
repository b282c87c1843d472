//===- CounterBounds.cpp - How far does a loop count? ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All values that a counter may take are followed back: to constants, to masks,
// and to sums of the same counter and a constant. Each sum has to be compared
// with a constant on the way, so that none of them is beyond the largest one,
// turn after turn.
//
//===----------------------------------------------------------------------===//

#include "CounterBounds.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallSet.h"

#include <algorithm>

using namespace mlir;

namespace swizzle::analysis {

namespace {

/// What is known where a value is handed on: that a condition holds, or fails.
struct Guard {
  Value condition;
  bool holds = true;
};
using Guards = SmallVector<Guard, 4>;

/// Larger numbers are no counters of buffers; sums of them wrap nowhere.
constexpr uint64_t kLargest = 1 << 24;

class CounterBound {
public:
  bool follow(Value value, const Guards &guards);
  std::optional<uint64_t> most() const;

private:
  bool followSum(LLVM::AddOp sum, const Guards &guards);
  bool followEdges(BlockArgument argument);
  bool take(const APInt &number);
  bool isLimited(Value sum, uint64_t step, const Guards &guards);

  llvm::DenseSet<Value> seen;
  uint64_t largest = 0;    ///< that is not a sum
  uint64_t largestSum = 0; ///< that is handed on
  uint64_t largestStep = 0;
  /// Numbers that a sum is only known not to be: with steps of 1 from below,
  /// none is passed by.
  llvm::SmallSet<uint64_t, 4> missed;
};

} // namespace

bool CounterBound::take(const APInt &number) {
  if (number.isNegative() || number.uge(kLargest))
    return false;
  largest = std::max(largest, number.getZExtValue());
  return true;
}

/// True if a guard says that `sum` is below some number, or is not it.
bool CounterBound::isLimited(Value sum, uint64_t step, const Guards &guards) {
  for (const Guard &guard : guards) {
    auto compare = guard.condition.getDefiningOp<LLVM::ICmpOp>();
    APInt number;
    if (!compare || compare.getLhs() != sum ||
        !matchPattern(compare.getRhs(), m_ConstantInt(&number)) ||
        number.isNegative() || number.uge(kLargest))
      continue;
    uint64_t limit = number.getZExtValue();
    using Predicate = LLVM::ICmpPredicate;
    Predicate predicate = compare.getPredicate();
    bool isBelow =
        guard.holds
            ? predicate == Predicate::slt || predicate == Predicate::ult
            : predicate == Predicate::sge || predicate == Predicate::uge;
    bool isUpTo =
        guard.holds
            ? predicate == Predicate::sle || predicate == Predicate::ule
            : predicate == Predicate::sgt || predicate == Predicate::ugt;
    bool isOther = predicate == (guard.holds ? Predicate::ne : Predicate::eq);
    if (!isBelow && !isUpTo && !(isOther && step == 1))
      continue;
    if (isOther)
      missed.insert(limit);
    largestSum = std::max(largestSum, isUpTo || !limit ? limit : limit - 1);
    return true;
  }
  return false;
}

/// Each way on which a sum is handed on has to limit it.
bool CounterBound::followSum(LLVM::AddOp sum, const Guards &guards) {
  APInt step;
  // In fewer bits, sums wrap around.
  if (!matchPattern(sum.getRhs(), m_ConstantInt(&step)) ||
      step.getBitWidth() < 32 || !step.isStrictlyPositive() ||
      step.uge(kLargest) || !isLimited(sum, step.getZExtValue(), guards))
    return false;
  largestStep = std::max(largestStep, step.getZExtValue());
  return !seen.insert(sum).second || follow(sum.getLhs(), {});
}

/// Follows what comes into the block of `argument`, with the conditions of the
/// branches before it.
bool CounterBound::followEdges(BlockArgument argument) {
  constexpr unsigned blocksBack = 4;
  Block *block = argument.getOwner();
  if (block->isEntryBlock() || block->hasNoPredecessors())
    return false;
  for (Block *from : block->getPredecessors()) {
    auto branch = dyn_cast<BranchOpInterface>(from->getTerminator());
    if (!branch)
      return false;
    for (auto [index, to] : llvm::enumerate(from->getSuccessors())) {
      if (to != block)
        continue;
      Value passed =
          branch.getSuccessorOperands(index)[argument.getArgNumber()];
      Guards guards;
      Block *at = from;
      bool isFirst = index == 0;
      for (unsigned i = 0; i < blocksBack && at; ++i) {
        auto test = dyn_cast<LLVM::CondBrOp>(at->getTerminator());
        if (test && test.getTrueDest() != test.getFalseDest())
          guards.push_back({test.getCondition(), isFirst});
        Block *above = at->getSinglePredecessor();
        isFirst = above && above->getSuccessor(0) == at;
        at = above;
      }
      if (!passed || !follow(passed, guards))
        return false;
    }
  }
  return true;
}

bool CounterBound::follow(Value value, const Guards &guards) {
  constexpr size_t mostValues = 64;
  if (APInt number; matchPattern(value, m_ConstantInt(&number)))
    return take(number);
  if (auto sum = value.getDefiningOp<LLVM::AddOp>())
    return followSum(sum, guards);
  if (!seen.insert(value).second)
    return true;
  if (seen.size() > mostValues)
    return false;
  Operation *op = value.getDefiningOp();
  if (!op)
    return followEdges(cast<BlockArgument>(value));
  // It may be come to on other ways as well: what holds on this one is no help.
  if (auto select = dyn_cast<LLVM::SelectOp>(op))
    return follow(select.getTrueValue(), {{select.getCondition(), true}}) &&
           follow(select.getFalseValue(), {{select.getCondition(), false}});
  APInt number;
  if (isa<LLVM::AndOp, LLVM::URemOp>(op))
    return matchPattern(op->getOperand(1), m_ConstantInt(&number)) &&
           take(number);
  return false;
}

std::optional<uint64_t> CounterBound::most() const {
  for (uint64_t number : missed)
    if (std::max(largest, largestSum) >= number || largestStep > 1)
      return std::nullopt;
  return std::max(largest, largestSum);
}

std::optional<uint64_t> mostOfCounter(BlockArgument counter) {
  CounterBound bound;
  if (!bound.follow(counter, {}))
    return std::nullopt;
  return bound.most();
}

} // namespace swizzle::analysis
