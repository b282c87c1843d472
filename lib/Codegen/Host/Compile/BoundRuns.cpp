//===- BoundRuns.cpp - What keeps a run finite and free of traps ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled kernels run in the process of whoever checks them, so they may not
// run for ever, use up their stack, or divide by zero: branches back and calls
// are counted, the stack is looked at where its use has no bound, and divisors
// that trap are replaced.
//
//===----------------------------------------------------------------------===//

#include "Compilation.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace swizzle::host {

/// A CPU traps where a GPU yields anything: by one instead of by zero, and
/// instead of by minus one where the quotient does not fit.
static void guardDivision(llvm::BinaryOperator &division) {
  llvm::Value *number = division.getOperand(0),
              *divisor = division.getOperand(1);
  auto *known = llvm::dyn_cast<llvm::ConstantInt>(divisor);
  if (known && !known->isZero() && !known->isMinusOne())
    return;
  llvm::IRBuilder<> b(&division);
  llvm::Type *type = divisor->getType();
  unsigned width = type->getScalarSizeInBits();
  auto equals = [&](llvm::Value *value, const llvm::APInt &to) {
    return b.CreateICmpEQ(value, llvm::ConstantInt::get(type, to));
  };
  llvm::Value *traps = equals(divisor, llvm::APInt::getZero(width));
  if (division.getOpcode() == llvm::Instruction::SDiv ||
      division.getOpcode() == llvm::Instruction::SRem) {
    llvm::Value *overflows =
        b.CreateAnd(equals(divisor, llvm::APInt::getAllOnes(width)),
                    equals(number, llvm::APInt::getSignedMinValue(width)));
    traps = b.CreateOr(traps, overflows);
  }
  division.setOperand(
      1, b.CreateSelect(traps, llvm::ConstantInt::get(type, 1), divisor));
}

void checkStack(llvm::IRBuilderBase &b, llvm::Instruction &at,
                llvm::Value *pointer, Compilation &c) {
  callRuntime(b, c, "swizzle_stack",
              {pointer, b.getInt32(c.addSite(at, AccessKind::Write, 0))});
}

/// Functions that call themselves use the stack as often as they like, and
/// hundreds that call each other in a row use much of it: each that is called
/// looks first at what is left.
static void guardCalls(llvm::Module &module, Compilation &c) {
  llvm::SetVector<llvm::Function *> called;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (llvm::Function *callee = call->getCalledFunction())
          if (!callee->isDeclaration())
            called.insert(callee);
  for (llvm::Function *function : called) {
    llvm::Instruction &first = *function->getEntryBlock().begin();
    llvm::IRBuilder<> b(&first);
    llvm::Value *here = b.CreateAlloca(b.getInt8Ty());
    checkStack(b, first, here, c);
  }
}

/// Counts one step before `at`.
static void countStep(llvm::Instruction &at, Compilation &c) {
  llvm::IRBuilder<> b(&at);
  llvm::Value *address = makeAddress(b, &c.state->stepsLeft);
  llvm::Value *left =
      b.CreateSub(b.CreateLoad(b.getInt64Ty(), address), b.getInt64(1));
  b.CreateStore(left, address);
  uint32_t site = c.addSite(at, AccessKind::Read, 0);
  b.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(
      b.CreateICmpSLT(left, b.getInt64(0)), &at, /*Unreachable=*/true));
  callRuntime(b, c, "swizzle_endless", {b.getInt32(site)});
}

/// Counts what a kernel that does not end does without end: each cycle of
/// blocks has a branch to a block that stands no later, and recursion calls.
static void countSteps(llvm::Function &function, Compilation &c) {
  llvm::DenseMap<llvm::BasicBlock *, unsigned> position;
  llvm::BasicBlock &entry = function.getEntryBlock();
  for (llvm::BasicBlock &block : function)
    position[&block] = position.size();
  llvm::SetVector<llvm::BasicBlock *> counted;
  counted.insert(&entry);
  for (llvm::BasicBlock &block : function)
    for (llvm::BasicBlock *next : llvm::successors(&block))
      if (position[next] <= position[&block])
        counted.insert(next);
  // Arrays of the stack must stay in the first block.
  llvm::Instruction *first = &*entry.begin();
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(entry))
    if (auto *array = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        array && llvm::isa<llvm::Constant>(array->getArraySize())) {
      if (array == first)
        first = array->getNextNode();
      else
        array->moveBefore(first->getIterator());
    }
  for (llvm::BasicBlock *block : counted)
    countStep(block == &entry ? *first : *block->getFirstInsertionPt(), c);
}

void boundRuns(llvm::Module &module, Compilation &c) {
  llvm::SmallVector<llvm::BinaryOperator *> divisions;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
          binary && binary->isIntDivRem())
        divisions.push_back(binary);
  for (llvm::BinaryOperator *division : divisions)
    guardDivision(*division);
  guardCalls(module, c);
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      countSteps(function, c);
}

} // namespace swizzle::host
