//===- MetadataOperands.cpp - Calls that the llvm dialect has not ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Intrinsics that take metadata have no translation, and one of them would keep
// a whole module from being read:
//
//   llvm.experimental.constrained.fadd(%a, %b, !"round.dynamic", ...)
//                                      of clang's -ffp-model=strict: fadd
//   llvm.read_register(!{!"exec"})     a call of a function that nobody knows,
//                                      which refuses its kernel alone
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace swizzle::importing {

/// The same in the usual environment of floating-point numbers: which bits come
/// out is not what the kernel is read for. Null if there is no such operation.
static Value *withoutEnvironment(ConstrainedFPIntrinsic &call,
                                 IRBuilder<> &builder) {
  SmallVector<Value *> operands(
      call.arg_begin(), call.arg_begin() + call.getNonMetadataArgCount());
  if (auto *compare = dyn_cast<ConstrainedFPCmpIntrinsic>(&call))
    return builder.CreateFCmp(compare->getPredicate(), operands[0],
                              operands[1]);
  switch (call.getIntrinsicID()) {
#define SWIZZLE_BINARY(name, id)                                               \
  case Intrinsic::experimental_constrained_##id:                               \
    return builder.Create##name(operands[0], operands[1]);
    SWIZZLE_BINARY(FAdd, fadd)
    SWIZZLE_BINARY(FSub, fsub)
    SWIZZLE_BINARY(FMul, fmul)
    SWIZZLE_BINARY(FDiv, fdiv)
    SWIZZLE_BINARY(FRem, frem)
#undef SWIZZLE_BINARY
#define SWIZZLE_CAST(name, id)                                                 \
  case Intrinsic::experimental_constrained_##id:                               \
    return builder.Create##name(operands[0], call.getType());
    SWIZZLE_CAST(FPExt, fpext)
    SWIZZLE_CAST(FPTrunc, fptrunc)
    SWIZZLE_CAST(SIToFP, sitofp)
    SWIZZLE_CAST(UIToFP, uitofp)
    SWIZZLE_CAST(FPToSI, fptosi)
    SWIZZLE_CAST(FPToUI, fptoui)
#undef SWIZZLE_CAST
  default:
    break;
  }
  // "llvm.experimental.constrained.sqrt.f32" is "llvm.sqrt" of its operands.
  StringRef name = Intrinsic::getBaseName(call.getIntrinsicID());
  name.consume_front("llvm.experimental.constrained.");
  Intrinsic::ID plain = Intrinsic::lookupIntrinsicID(("llvm." + name).str());
  if (plain == Intrinsic::not_intrinsic)
    return nullptr;
  return builder.CreateIntrinsic(call.getType(), plain, operands);
}

/// What a function may do of which only the name is known. It is a new one: a
/// function of the module that is called so may have a body.
static Value *asUnknownCall(IntrinsicInst &call, IRBuilder<> &builder) {
  SmallVector<Value *> operands;
  SmallVector<Type *> types;
  for (Value *operand : call.args())
    if (!operand->getType()->isMetadataTy()) {
      operands.push_back(operand);
      types.push_back(operand->getType());
    }
  StringRef name = Intrinsic::getBaseName(call.getIntrinsicID());
  name.consume_front("llvm.");
  auto *callee = Function::Create(
      FunctionType::get(call.getType(), types, /*isVarArg=*/false),
      GlobalValue::ExternalLinkage, name, call.getModule());
  return builder.CreateCall(callee, operands);
}

void forgetMetadataOperands(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      // What debuggers are told, and which pointers differ, is translated.
      if (!call || isa<DbgInfoIntrinsic, NoAliasScopeDeclInst>(call) ||
          none_of(call->args(), [](const Use &operand) {
            return operand->getType()->isMetadataTy();
          }))
        continue;
      IRBuilder<> builder(call);
      Value *result = nullptr;
      if (auto *constrained = dyn_cast<ConstrainedFPIntrinsic>(call))
        result = withoutEnvironment(*constrained, builder);
      if (!result)
        result = asUnknownCall(*call, builder);
      if (!call->getType()->isVoidTy())
        call->replaceAllUsesWith(result);
      call->eraseFromParent();
    }
}

} // namespace swizzle::importing
