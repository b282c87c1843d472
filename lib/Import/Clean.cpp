//===- Clean.cpp - LLVM IR in a form that can be read ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// At -O0, and at the start of any pipeline, variables live on the stack and ids
// are read in functions of device libraries. The passes here are LLVM's own; a
// machine for the module's triple tells them which addresses are generic.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "swizzle/Import/ImportModule.h"
#include "swizzle/Support/RegisterTargets.h"
#include "swizzle/Support/RunPasses.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace swizzle::importing {

static constexpr char kPasses[] =
    "always-inline,cgscc(inline),"
    "function(sroa,early-cse<memssa>,infer-address-spaces,"
    "instcombine<no-verify-fixpoint>,simplifycfg,gvn,"
    "instcombine<no-verify-fixpoint>,adce),globaldce";

/// The machine that the module is for; null if LLVM was built without it.
static std::unique_ptr<TargetMachine> findMachine(const Module &module) {
  registerTargets();
  const Triple &triple = module.getTargetTriple();
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  return std::unique_ptr<TargetMachine>(
      target->createTargetMachine(triple, "", "", {}, std::nullopt));
}

/// Removes what debuggers are told about variables, and the constants in it: a
/// kernel is known to databases by what is left. Lines stay, for remarks.
static void forgetVariables(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      instruction.dropDbgRecords();
}

/// Copies that shall call no function are copies; the llvm dialect knows them
/// with constant sizes alone.
static void forgetInlining(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *set = dyn_cast<MemSetInst>(&instruction);
          set && set->getIntrinsicID() == Intrinsic::memset_inline) {
        IRBuilder<>(set).CreateMemSet(set->getRawDest(), set->getValue(),
                                      set->getLength(), set->getDestAlign(),
                                      set->isVolatile());
        set->eraseFromParent();
      } else if (auto *copy = dyn_cast<MemCpyInst>(&instruction);
                 copy && copy->getIntrinsicID() == Intrinsic::memcpy_inline) {
        IRBuilder<>(copy).CreateMemCpy(
            copy->getRawDest(), copy->getDestAlign(), copy->getRawSource(),
            copy->getSourceAlign(), copy->getLength(), copy->isVolatile());
        copy->eraseFromParent();
      }
}

/// Kernels are launched from outside, also those that a linker may drop.
static void keepKernels(Module &module) {
  for (Function &function : module)
    if (function.hasLinkOnceLinkage() &&
        (function.getCallingConv() == CallingConv::PTX_Kernel ||
         function.getCallingConv() == CallingConv::AMDGPU_KERNEL))
      function.setLinkage(
          GlobalValue::getWeakLinkage(function.hasLinkOnceODRLinkage()));
}

/// A kernel whose body is a function has it inlined.
static void markBodies(Module &module) {
  for (Function &function : module) {
    if (!isBodyOfKernel(function) || function.isDeclaration())
      continue;
    function.removeFnAttr(Attribute::NoInline);
    function.removeFnAttr(Attribute::OptimizeNone);
    function.addFnAttr(Attribute::AlwaysInline);
  }
}

void cleanForReading(Module &module) {
  keepKernels(module);
  markBodies(module);
  forgetVariables(module);
  forgetInlining(module);
  forgetTraps(module);
  std::unique_ptr<TargetMachine> machine = findMachine(module);
  runPasses(module, kPasses, machine.get());
}

} // namespace swizzle::importing
