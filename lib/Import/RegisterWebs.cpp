//===- RegisterWebs.cpp - Which values may be one register ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The optimiser runs once more before registers are chosen: what it may turn
// into a copy counts as one. x + y is x where y turns out to be 0; a number
// that was stored is what is loaded; a function that is called is inlined.
//
//===----------------------------------------------------------------------===//

#include "RegisterWebs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace swizzle::importing {

static bool isKernel(const Function &function) {
  return function.getCallingConv() == CallingConv::PTX_Kernel ||
         function.getCallingConv() == CallingConv::AMDGPU_KERNEL;
}

/// The variable that becomes a register, if the address is that of one.
static const Value *registerAt(const Value *address) {
  auto *variable = dyn_cast<AllocaInst>(address);
  return variable && isAllocaPromotable(variable) ? variable : nullptr;
}

RegisterWebs::RegisterWebs(const Function &function) {
  if (!isKernel(function))
    for (const Argument &argument : function.args())
      join(&argument, nullptr);
  for (const Instruction &instruction : instructions(function))
    join(instruction);
}

void RegisterWebs::joinAll(const Instruction &instruction) {
  for (const Value *operand : instruction.operand_values())
    join(&instruction, operand);
}

void RegisterWebs::join(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return join(load, registerAt(load->getPointerOperand()));
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return join(store->getValueOperand(),
                registerAt(store->getPointerOperand()));
  if (auto *element = dyn_cast<GetElementPtrInst>(&instruction))
    return isa<ConstantPointerNull>(element->getPointerOperand())
               ? joinAll(*element)
               : join(element, element->getPointerOperand());
  if (auto *select = dyn_cast<SelectInst>(&instruction)) {
    join(select, select->getTrueValue());
    return join(select, select->getFalseValue());
  }
  // A number that is added to another is that only if the other is 0, and then
  // nothing is computed.
  if (isa<BinaryOperator>(instruction)) {
    for (const Value *operand : instruction.operand_values())
      if (!isa<ConstantInt>(operand))
        join(&instruction, operand);
    return;
  }
  if (auto *call = dyn_cast<CallInst>(&instruction);
      call && call->isInlineAsm())
    return joinTied(*call);
  if (isa<CmpInst, AllocaInst, DbgInfoIntrinsic, LifetimeIntrinsic>(
          instruction) ||
      (instruction.isTerminator() && !isa<ReturnInst>(instruction)))
    return;
  joinAll(instruction);
  bool isKnown =
      isa<PHINode, CastInst, FreezeInst, ExtractValueInst, InsertValueInst,
          UnaryOperator>(instruction) ||
      (isa<IntrinsicInst>(instruction) && !instruction.mayReadOrWriteMemory());
  if (!isKnown)
    join(&instruction, nullptr);
}

/// What is tied ("0") is one register.
void RegisterWebs::joinTied(const CallInst &assembly) {
  auto *text = cast<InlineAsm>(assembly.getCalledOperand());
  if (any_of(text->ParseConstraints(),
             [](const InlineAsm::ConstraintInfo &info) {
               return info.hasMatchingInput();
             }))
    for (const Value *argument : assembly.args())
      join(&assembly, argument);
}

SmallVector<bool> RegisterWebs::shareResult(const CallInst &assembly) const {
  return map_to_vector(assembly.args(), [&](const Use &argument) {
    return webs.isEquivalent(&assembly, argument.get());
  });
}

} // namespace swizzle::importing
