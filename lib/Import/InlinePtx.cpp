//===- InlinePtx.cpp - Inline PTX as instructions of LLVM IR --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces inline assembly, on the copy that is read, by what it does:
//
//   asm "mov.u32 $0, 0x0; @$2 ld.global.b32 $0, [ $1 + 16 ];", "=r,l,b"
//
//   if %2:  %loaded = load i32, ptr addrspace(1) (%1 + 16)
//   %0 = phi [ %loaded ], [ 0 ]
//
// Assembly of which one statement is not understood stays as it is, and refuses
// its kernel. Understood are plain loads and stores, atomic updates that
// commute, copies between global and workgroup memory, by tensor maps, too,
// matrix products, and statements that work on registers alone. What a kernel
// waits for within its workgroup leaves nothing behind, in a loop neither.
// Assembly without a statement, a barrier for the compiler, is understood for
// every vendor, with comments, too; AMD's that only waits is in
// AmdAssembly.cpp.
//
//===----------------------------------------------------------------------===//

#include "PtxReplacer.h"
#include "RegisterWebs.h"
#include "Steps.h"
#include "swizzle/Import/ImportModule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include <optional>

using namespace llvm;

namespace swizzle::importing {

/// `__nvvm_reflect` asks how the kernel is compiled: a number that is not
/// known.
static void hideReflection(Module &module) {
  Function *reflect = module.getFunction("__nvvm_reflect");
  if (!reflect || !reflect->isDeclaration())
    return;
  FunctionCallee opaque = module.getOrInsertFunction(
      (kPtxMarker + "value.reflect").str(), reflect->getReturnType());
  auto *function = cast<Function>(opaque.getCallee());
  function->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  function->setDoesNotThrow();
  function->setWillReturn();
  for (User *user : make_early_inc_range(reflect->users()))
    if (auto *call = dyn_cast<CallInst>(user);
        call && call->getCalledFunction() == reflect) {
      IRBuilder<> builder(call);
      call->replaceAllUsesWith(builder.CreateCall(opaque));
      call->eraseFromParent();
    }
}

/// Assembly, and which of its arguments may be in the register of a result.
struct Assembly {
  CallInst *call;
  SmallVector<bool> shareResult;
};

/// All of a module, as it is before any of it is replaced.
static SmallVector<Assembly> findAssembly(Module &module) {
  SmallVector<Assembly> found;
  for (Function &function : module) {
    std::optional<RegisterWebs> webs;
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction);
          call && call->isInlineAsm()) {
        if (!webs)
          webs.emplace(function);
        found.push_back({call, webs->shareResult(*call)});
      }
  }
  return found;
}

/// True of AMD's assembly if nothing of it is assembled: its comments, as
/// libraries put them into values to keep the compiler from moving these.
static bool isComment(StringRef text) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  return all_of(lines, [](StringRef line) {
    return line.split(';').first.trim().empty();
  });
}

void replaceInlineAssembly(Module &module, bool isPtx) {
  if (isPtx)
    hideReflection(module);
  for (auto &[call, shareResult] : findAssembly(module)) {
    std::string text =
        cast<InlineAsm>(call->getCalledOperand())->getAsmString().str();
    if (!isPtx && !isComment(text)) {
      (void)replaceWait(*call);
      continue;
    }
    if (!isPtx)
      text.clear();
    Expected<PtxText> read = parsePtx(text);
    if (read)
      (void)PtxReplacer(*call, std::move(*read), shareResult).run(isPtx);
    else
      consumeError(read.takeError()); // it stays, and refuses its kernel
  }
}

} // namespace swizzle::importing
