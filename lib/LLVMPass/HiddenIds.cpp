//===- HiddenIds.cpp - Ids that a kernel reads in what it calls -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions are reached in two ways: through calls that can be inlined, and
// through others. Ids are rewritten in what is reached in the first way alone.
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

/// True if what `callee` computes is the same where `caller` has the attributes.
static bool areAlike(const Function &caller, const Function &callee) {
  auto isSame = [&](StringRef name) {
    return !callee.hasFnAttribute(name) ||
           callee.getFnAttribute(name) == caller.getFnAttribute(name);
  };
  return AttributeFuncs::areInlineCompatible(caller, callee) &&
         isSame("target-cpu") && isSame("target-features") &&
         isSame("denormal-fp-math") && isSame("denormal-fp-math-f32") &&
         caller.hasFnAttribute(Attribute::StrictFP) ==
             callee.hasFnAttribute(Attribute::StrictFP);
}

/// The function that `call` calls, if its body can take the place of the call.
static Function *findCallee(const CallBase &call) {
  Function *callee = call.getCalledFunction();
  bool isKnown = callee && !callee->isDeclaration() &&
                 !callee->isInterposable() &&
                 call.getCallingConv() == callee->getCallingConv() &&
                 areAlike(*call.getFunction(), *callee);
  return isKnown && isInlineViable(*callee).isSuccess() ? callee : nullptr;
}

namespace {
/// Functions that read ids, or call others that do, by calls that can be
/// inlined.
class IdReaders {
public:
  explicit IdReaders(Function &kernel) { visit(kernel); }

  bool contains(const Function &function) const {
    return readers.contains(&function);
  }
  /// True if one of them calls itself, or is called by what it calls.
  bool isEndless() const { return hasCycle; }

  /// The calls to them in `function`.
  SmallVector<CallBase *> callsIn(Function &function) const {
    SmallVector<CallBase *> calls;
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (Function *callee = findCallee(*call); callee && contains(*callee))
          calls.push_back(call);
    return calls;
  }

private:
  /// Callees first. One that is met again while it is visited ends no way to an
  /// id, and may read one itself: that is known once all are visited.
  void visit(Function &function) {
    open.insert(&function);
    SmallVector<Function *> again;
    bool reads = false;
    for (Instruction &instruction : instructions(function)) {
      reads |= readsId(instruction).has_value();
      auto *call = dyn_cast<CallBase>(&instruction);
      Function *callee = call ? findCallee(*call) : nullptr;
      if (!callee)
        continue;
      if (open.contains(callee)) {
        again.push_back(callee);
        continue;
      }
      if (visited.insert(callee).second)
        visit(*callee);
      reads |= contains(*callee);
    }
    open.erase(&function);
    if (reads)
      readers.insert(&function);
    // Of what calls each other, all may reach what one of them reads.
    if (!again.empty()) {
      readers.insert(again.begin(), again.end());
      readers.insert(&function);
      hasCycle = true;
    }
  }

  SmallPtrSet<const Function *, 16> open, visited, readers;
  bool hasCycle = false;
};
} // namespace

/// Why what reads ids cannot be inlined into `kernel`; empty if it can. That is
/// found out on a copy: not all reasons are seen before.
static std::string whyNotInlined(Function &kernel) {
  if (IdReaders(kernel).callsIn(kernel).empty())
    return "";
  Module &module = *kernel.getParent();
  SmallPtrSet<Function *, 32> known;
  for (Function &function : module)
    known.insert(&function);
  ValueToValueMapTy values;
  Function *copy = CloneFunction(&kernel, values);
  std::string why = toString(inlineReaders(*copy));
  copy->eraseFromParent();
  // Inlining declares intrinsics.
  for (Function &function : make_early_inc_range(module))
    if (!known.contains(&function) && function.use_empty())
      function.eraseFromParent();
  return why;
}

std::pair<std::string, std::string> findHiddenId(Function &kernel) {
  // Functions, and whether they stay such.
  SetVector<PointerIntPair<Function *, 1, bool>> reached;
  reached.insert({&kernel, false});
  for (size_t i = 0; i < reached.size(); ++i) {
    Function *function = reached[i].getPointer();
    bool stays = reached[i].getInt();
    for (Instruction &instruction : instructions(*function)) {
      if (stays && readsId(instruction))
        return {"hidden-id", "'" + function->getName().str() +
                                 "', which cannot be inlined, reads the "
                                 "workgroup id"};
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call || call->isInlineAsm())
        continue;
      Function *callee = call->getCalledFunction();
      if (!callee)
        return {"indirect-call",
                "it calls a function that is only known when it runs"};
      if (!callee->isDeclaration())
        reached.insert({callee, stays || !findCallee(*call)});
    }
  }
  if (IdReaders(kernel).isEndless())
    return {"recursive-call",
            "functions that it calls, and that may read ids, call each other"};
  if (std::string why = whyNotInlined(kernel); !why.empty())
    return {"hidden-id", std::move(why)};
  return {};
}

Error inlineReaders(Function &kernel) {
  const IdReaders readers(kernel);
  size_t added = 0;
  for (SmallVector<CallBase *> calls = readers.callsIn(kernel); !calls.empty();
       calls = readers.callsIn(kernel))
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
