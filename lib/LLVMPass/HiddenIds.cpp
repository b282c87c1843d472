//===- HiddenIds.cpp - Ids that a kernel reads in what it calls -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions are reached in two ways: through calls that every pipeline inlines, from
// -O0 on, and through others. Ids are rewritten in what is reached in the first way
// alone.
//
//===----------------------------------------------------------------------===//

#include "HiddenIds.h"

#include "Machine.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace swizzle::llvmpass {

/// The function that `call` calls, if its body takes the place of the call in any case.
static Function *findMarked(const CallBase &call) {
  Function *callee = call.getCalledFunction();
  bool isMarked = callee && !callee->isDeclaration() &&
                  !callee->isInterposable() && !call.isNoInline() &&
                  call.hasFnAttr(Attribute::AlwaysInline) &&
                  call.getCallingConv() == callee->getCallingConv();
  return isMarked && isInlineViable(*callee).isSuccess() ? callee : nullptr;
}

/// True if inlining into `function` would not end. `isDone` has those that are being
/// looked at, with false, and those that end.
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
  return {};
}

Error inlineMarked(Function &kernel) {
  while (true) {
    SmallVector<CallBase *> calls;
    for (Instruction &instruction : instructions(kernel))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (findMarked(*call))
          calls.push_back(call);
    if (calls.empty())
      return Error::success();
    for (CallBase *call : calls) {
      std::string name = call->getCalledFunction()->getName().str();
      InlineFunctionInfo info;
      if (InlineResult inlined = InlineFunction(*call, info);
          !inlined.isSuccess())
        return createStringError("'" + name + "' cannot be inlined into '" +
                                 kernel.getName() +
                                 "': " + inlined.getFailureReason());
    }
  }
}

} // namespace swizzle::llvmpass
