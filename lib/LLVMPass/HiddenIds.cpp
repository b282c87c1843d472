//===- HiddenIds.cpp - Ids that a kernel reads in what it calls -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions are reached in two ways: through calls that every pipeline inlines,
// from
// -O0 on, and through others. Ids are rewritten in what is reached in the first way
// alone.
//
//===----------------------------------------------------------------------===//

#include "HiddenIds.h"

#include "Machine.h"
#include "swizzle/Import/ImportModule.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace swizzle::llvmpass {

/// Instructions that inlining may add to a kernel: chains of functions that
/// call the next one twice double with each.
static constexpr size_t kMostInlined = 20'000;

/// The function that `call` calls, if its body takes the place of the call in
/// any case.
static Function *findMarked(const CallBase &call) {
  Function *callee = call.getCalledFunction();
  if (!callee || callee->isDeclaration() || callee->isInterposable() ||
      call.getCallingConv() != callee->getCallingConv())
    return nullptr;
  bool isMarked = call.hasFnAttr(Attribute::AlwaysInline) && !call.isNoInline();
  return (isMarked || isBodyOfKernel(*callee)) &&
                 isInlineViable(*callee).isSuccess()
             ? callee
             : nullptr;
}

/// True if inlining into `function` would not end. `isDone` has those that are
/// being looked at, with false, and those that end.
static bool isEndless(Function &function, DenseMap<Function *, bool> &isDone) {
  auto [known, isNew] = isDone.try_emplace(&function, false);
  if (!isNew)
    return !known->second;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (Function *callee = findMarked(*call);
          callee && isEndless(*callee, isDone))
        return true;
  isDone[&function] = true;
  return false;
}

/// True if `function`, or what is inlined into it in any case, reads an id.
/// What is inlined ends.
static bool reachesId(Function &function, DenseMap<Function *, bool> &known) {
  if (auto found = known.find(&function); found != known.end())
    return found->second;
  bool reaches = llvm::any_of(instructions(function), [&](Instruction &one) {
    auto *call = dyn_cast<CallBase>(&one);
    Function *callee = call ? findMarked(*call) : nullptr;
    return readsId(one) || (callee && reachesId(*callee, known));
  });
  return known[&function] = reaches;
}

/// The calls of `kernel` that are inlined in any case, to functions by which
/// ids are read.
static SmallVector<CallBase *>
findCallsOfIds(Function &kernel, DenseMap<Function *, bool> &known) {
  SmallVector<CallBase *> calls;
  for (Instruction &instruction : instructions(kernel))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (Function *callee = findMarked(*call);
          callee && reachesId(*callee, known))
        calls.push_back(call);
  return calls;
}

/// Why what reads ids cannot be inlined into `kernel`; empty if it can. That is
/// found out on a copy: not all reasons are seen before.
static std::string whyNotInlined(Function &kernel) {
  if (DenseMap<Function *, bool> known; findCallsOfIds(kernel, known).empty())
    return "";
  Module &module = *kernel.getParent();
  SmallPtrSet<Function *, 32> known;
  for (Function &function : module)
    known.insert(&function);
  ValueToValueMapTy values;
  Function *copy = CloneFunction(&kernel, values);
  std::string why = toString(inlineMarked(*copy));
  copy->eraseFromParent();
  // Inlining declares intrinsics.
  for (Function &function : make_early_inc_range(module))
    if (!known.contains(&function) && function.use_empty())
      function.eraseFromParent();
  return why;
}

std::pair<std::string, std::string> findHiddenId(Function &kernel) {
  DenseMap<Function *, bool> isDone;
  if (isEndless(kernel, isDone))
    return {"recursive-call", "functions that it calls, and that are marked "
                              "always_inline, call each other"};
  // Functions, and whether they stay such.
  SetVector<PointerIntPair<Function *, 1, bool>> reached;
  reached.insert({&kernel, false});
  for (size_t i = 0; i < reached.size(); ++i) {
    Function *function = reached[i].getPointer();
    bool stays = reached[i].getInt();
    for (Instruction &instruction : instructions(*function)) {
      if (stays && readsId(instruction))
        return {"hidden-id", "'" + function->getName().str() +
                                 "', which is not inlined, reads the "
                                 "workgroup id; mark it always_inline"};
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call || call->isInlineAsm())
        continue;
      Function *callee = call->getCalledFunction();
      if (!callee)
        return {"indirect-call",
                "it calls a function that is only known when it runs"};
      if (!callee->isDeclaration())
        reached.insert({callee, stays || !findMarked(*call)});
    }
  }
  if (std::string why = whyNotInlined(kernel); !why.empty())
    return {"hidden-id", std::move(why)};
  return {};
}

Error inlineMarked(Function &kernel) {
  DenseMap<Function *, bool> known;
  size_t added = 0;
  for (SmallVector<CallBase *> calls = findCallsOfIds(kernel, known);
       !calls.empty(); calls = findCallsOfIds(kernel, known))
    for (CallBase *call : calls) {
      Function &callee = *call->getCalledFunction();
      std::string what = "'" + callee.getName().str() +
                         "', which reads the workgroup id, cannot be inlined: ";
      added += callee.getInstructionCount();
      if (added > kMostInlined)
        return createStringError(what + "all of it would be more than " +
                                 Twine(kMostInlined) + " instructions");
      InlineFunctionInfo info;
      InlineResult result =
          InlineFunction(*call, info, /*MergeAttributes=*/true);
      if (!result.isSuccess())
        return createStringError(what + result.getFailureReason());
    }
  return Error::success();
}

} // namespace swizzle::llvmpass
