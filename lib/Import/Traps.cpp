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
// nobody's result. Of all others, no thread takes such a branch.
//
// Sources: NVIDIA, "PTX ISA", trap; LLVM, "User Guide for AMDGPU Backend", trap
// handler ABI: without one, on systems other than amdhsa, a trap only ends its
// wave.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "llvm/ADT/SmallPtrSet.h"
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

void forgetTraps(Module &module) {
  const Triple &triple = module.getTargetTriple();
  if (triple.isAMDGCN() && triple.getOS() != Triple::AMDHSA)
    return;
  TrapFinder finder;
  for (Function &function : module) {
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
      BranchInst *always = BranchInst::Create(kept, branch->getIterator());
      always->setDebugLoc(branch->getDebugLoc());
      branch->eraseFromParent();
      changed = true;
    }
    if (changed)
      removeUnreachableBlocks(function);
  }
}

} // namespace swizzle::importing
