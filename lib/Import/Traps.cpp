//===- Traps.cpp - Ways that end the launch -------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Languages that check each index leave a loop, or a kernel, for a trap:
//
//   br i1 %isWithin, label %go, label %panic      panic: call void @llvm.trap()
//
// A launch in which a thread traps has failed, and what it leaves in memory is
// nobody's result. Of all others, no thread takes such a branch. But in another
// order of workgroups none may trap either: what the condition rests on is still
// read, and judged as all that is read is. Calls keep it: the condition, or, if
// ids, sizes and the turn of a loop decide that alone, that it is asked.
//
//   call void @swizzle.ptx.value.traps(i1 %isFree)      br label %go
//   call void @swizzle.ptx.value.traps(i1 true)         br label %go
//
// Sources: NVIDIA, "PTX ISA", trap; LLVM, "User Guide for AMDGPU Backend", trap
// handler ABI: without one, on systems other than amdhsa, a trap only ends its
// wave.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "swizzle/Import/ImportModule.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace swizzle::importing {

namespace {
/// Follows blocks from one to the next, and calls into functions.
class TrapFinder {
public:
  /// True if whoever comes to `block` traps, and calls nothing before that is
  /// not known to return.
  bool traps(const BasicBlock &block, unsigned depth = 0) {
    constexpr unsigned deepest = 8;
    SmallPtrSet<const BasicBlock *, 8> seen;
    for (const BasicBlock *at = &block; at && seen.insert(at).second;
         at = at->getSingleSuccessor())
      for (const Instruction &instruction : *at) {
        const auto *call = dyn_cast<CallBase>(&instruction);
        if (!call || isHarmless(*call))
          continue;
        const Function *callee = call->getCalledFunction();
        return callee && (isTrap(*callee) ||
                          (depth < deepest && !callee->isInterposable() &&
                           !callee->isDeclaration() &&
                           traps(callee->getEntryBlock(), depth + 1)));
      }
    return false;
  }

private:
  static bool isTrap(const Function &function) {
    return function.getIntrinsicID() == Intrinsic::trap ||
           function.getIntrinsicID() == Intrinsic::ubsantrap;
  }
  /// True of intrinsics that are over at once, whatever they do to memory.
  static bool isHarmless(const CallBase &call) {
    return isa<IntrinsicInst>(call) && call.willReturn() &&
           !call.isConvergent();
  }
};
} // namespace

/// True for what computes with its operands alone, or reads an id of a workgroup
/// or a thread or the size of a launch; not for a slot of the hardware, a clock,
/// or a function that may read one.
static bool isArithmetic(const Instruction &instruction) {
  if (isa<BinaryOperator, UnaryOperator, CmpInst, CastInst, SelectInst,
          FreezeInst, ExtractValueInst, GetElementPtrInst>(instruction))
    return true;
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call)
    return false;
  if (isa<WithOverflowInst, MinMaxIntrinsic>(call) ||
      call->getIntrinsicID() == Intrinsic::abs)
    return true;
  StringRef name = Intrinsic::getBaseName(call->getIntrinsicID());
  return name.consume_front("llvm.nvvm.read.ptx.sreg.")
             ? name.starts_with("tid.") || name.starts_with("ntid.") ||
                   name.starts_with("ctaid.") || name.starts_with("nctaid.")
             : name.starts_with("llvm.amdgcn.workgroup.id.") ||
                   name.starts_with("llvm.amdgcn.workitem.id.");
}

/// True if the arguments of `function` are those of a launch.
static bool isKernel(const Function &function) {
  CallingConv::ID convention = function.getCallingConv();
  return (convention == CallingConv::PTX_Kernel ||
          convention == CallingConv::AMDGPU_KERNEL) &&
         function.use_empty();
}

/// True if `value`, in `block`, is the same in every order of workgroups, once
/// it is computed at all: nothing but ids, sizes, arguments of the launch, and
/// how often the loops around have gone round is in it.
static bool isSameInEveryOrder(const Value *value, const BasicBlock &block,
                               const LoopInfo &loops) {
  constexpr size_t most = 256;
  SmallPtrSet<const Value *, 16> seen;
  SmallVector<const Value *, 16> open{value};
  while (!open.empty()) {
    const Value *one = open.pop_back_val();
    if (isa<Constant>(one) || !seen.insert(one).second)
      continue;
    if (isa<Argument>(one) && isKernel(*block.getParent()))
      continue;
    const auto *instruction = dyn_cast<Instruction>(one);
    if (!instruction || seen.size() > most)
      return false;
    if (isa<PHINode>(instruction)) {
      const Loop *loop = loops.getLoopFor(instruction->getParent());
      if (!loop || loop->getHeader() != instruction->getParent() ||
          !loop->contains(&block))
        return false;
    } else if (!isArithmetic(*instruction)) {
      return false;
    }
    append_range(open, instruction->operand_values());
  }
  return true;
}

/// A function that is handed what decides whether a thread traps.
static FunctionCallee keeperIn(Module &module) {
  LLVMContext &context = module.getContext();
  FunctionCallee keeper = module.getOrInsertFunction(
      (kPtxMarker + "value.traps").str(), Type::getVoidTy(context),
      Type::getInt1Ty(context));
  auto *function = cast<Function>(keeper.getCallee());
  function->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  function->setDoesNotThrow();
  function->setWillReturn();
  return keeper;
}

void forgetTraps(Module &module) {
  const Triple &triple = module.getTargetTriple();
  if (triple.isAMDGCN() && triple.getOS() != Triple::AMDHSA)
    return;
  TrapFinder finder;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    DominatorTree dominance(function);
    LoopInfo loops(dominance);
    bool changed = false;
    for (BasicBlock &block : function) {
      auto *branch = dyn_cast<BranchInst>(block.getTerminator());
      if (!branch || branch->isUnconditional())
        continue;
      BasicBlock *yes = branch->getSuccessor(0), *no = branch->getSuccessor(1);
      bool yesTraps = finder.traps(*yes);
      if (yesTraps == finder.traps(*no))
        continue;
      BasicBlock *kept = yesTraps ? no : yes;
      (yesTraps ? yes : no)->removePredecessor(&block);
      IRBuilder<> builder(branch);
      Value *decides = branch->getCondition();
      if (isSameInEveryOrder(decides, block, loops))
        decides = builder.getTrue();
      builder.CreateCall(keeperIn(module), decides);
      builder.CreateBr(kept);
      branch->eraseFromParent();
      changed = true;
    }
    if (changed)
      removeUnreachableBlocks(function);
  }
}

} // namespace swizzle::importing
