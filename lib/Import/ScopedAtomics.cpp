//===- ScopedAtomics.cpp - Updates of one workgroup, or of the system -----===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang has intrinsics for what CUDA calls atomicAdd_block() and
// atomicAdd_system(). They are updates like others, with a scope:
//
//   %r = call float @llvm.nvvm.atomic.add.gen.f.cta.f32.p0(ptr %p, float %v)
//   %r = atomicrmw fadd ptr %p, float %v syncscope("block") monotonic
//
// Source: NVIDIA, "PTX ISA", atom: of no semantics are relaxed ones.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace swizzle::importing {

/// What "add" of "llvm.nvvm.atomic.add.gen.i.cta" does.
static AtomicRMWInst::BinOp operationOf(StringRef name, bool isFloat) {
  using Inst = AtomicRMWInst;
  return StringSwitch<Inst::BinOp>(name)
      .Case("add", isFloat ? Inst::FAdd : Inst::Add)
      .Case("and", Inst::And)
      .Case("dec", Inst::UDecWrap)
      .Case("exch", Inst::Xchg)
      .Case("inc", Inst::UIncWrap)
      .Case("max", Inst::Max)
      .Case("min", Inst::Min)
      .Case("or", Inst::Or)
      .Case("xor", Inst::Xor)
      .Default(Inst::BAD_BINOP);
}

/// The instruction that does the same as `call`; null if it is something else.
static Value *asUpdate(IntrinsicInst &call, IRBuilder<> &builder) {
  SmallVector<StringRef, 4> words; // "add", "gen", "i", "cta"
  StringRef name = Intrinsic::getBaseName(call.getIntrinsicID());
  if (!name.consume_front("llvm.nvvm.atomic."))
    return nullptr;
  name.split(words, '.');
  if (words.size() != 4 || (words[3] != "cta" && words[3] != "sys"))
    return nullptr;
  SyncScope::ID scope = words[3] == "sys"
                            ? SyncScope::System
                            : call.getContext().getOrInsertSyncScopeID("block");
  constexpr AtomicOrdering relaxed = AtomicOrdering::Monotonic;
  Value *pointer = call.getArgOperand(0), *number = call.getArgOperand(1);
  if (words[0] == "cas")
    return builder.CreateExtractValue(
        builder.CreateAtomicCmpXchg(pointer, number, call.getArgOperand(2),
                                    MaybeAlign(), relaxed, relaxed, scope),
        0);
  AtomicRMWInst::BinOp operation =
      operationOf(words[0], number->getType()->isFloatingPointTy());
  if (operation == AtomicRMWInst::BAD_BINOP)
    return nullptr;
  return builder.CreateAtomicRMW(operation, pointer, number, MaybeAlign(),
                                 relaxed, scope);
}

void replaceScopedAtomics(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
        IRBuilder<> builder(call);
        if (Value *update = asUpdate(*call, builder)) {
          call->replaceAllUsesWith(update);
          call->eraseFromParent();
        }
      }
}

} // namespace swizzle::importing
