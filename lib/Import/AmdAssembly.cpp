//===- AmdAssembly.cpp - Inline assembly for AMD that only waits ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers of AMD's machines may hold a workgroup id, and there is no grammar
// of their assembly here. What is known are the few statements that let time
// pass and have no registers, as the intrinsics of the same names do:
//
//   asm sideeffect "s_waitcnt vmcnt(0)", ""     call @llvm.amdgcn.s.nop
//
// Assembly that says that it touches memory ("memory") stays.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace swizzle::importing {

/// Sources: AMD, instruction set architectures of CDNA 3 and of RDNA 3 and 4,
/// "Program Flow Control" and "Data Dependency Resolution".
static bool isWait(StringRef mnemonic) {
  return is_contained<StringRef>({"s_nop",
                                  "s_sleep",
                                  "s_setprio",
                                  "s_waitcnt",
                                  "s_waitcnt_vscnt",
                                  "s_waitcnt_vmcnt",
                                  "s_waitcnt_expcnt",
                                  "s_waitcnt_lgkmcnt",
                                  "s_waitcnt_depctr",
                                  "s_wait_loadcnt",
                                  "s_wait_storecnt",
                                  "s_wait_dscnt",
                                  "s_wait_kmcnt",
                                  "s_wait_expcnt",
                                  "s_wait_samplecnt",
                                  "s_wait_bvhcnt",
                                  "s_wait_loadcnt_dscnt",
                                  "s_wait_storecnt_dscnt",
                                  "s_wait_alu",
                                  "s_wait_idle"},
                                 mnemonic);
}

/// True for statements that wait, one a line, without comments behind them,
/// labels and directives.
static bool hasOnlyWaits(StringRef text) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  bool any = false;
  for (StringRef line : lines) {
    line = line.trim(" \t");
    if (line.empty())
      continue;
    size_t end = line.find_first_of(" \t");
    StringRef operands = line.drop_front(std::min(end, line.size()));
    bool isPlain = all_of(operands, [](char c) {
      return isAlnum(c) || StringRef(" \t_,()&$").contains(c);
    });
    if (!isWait(line.take_front(end)) || !isPlain)
      return false;
    any = true;
  }
  return any;
}

/// True if the assembly is handed nothing but numbers, yields nothing, and does
/// not say that it touches memory.
static bool isHandedNumbers(const CallInst &call) {
  auto *assembly = cast<InlineAsm>(call.getCalledOperand());
  bool isQuiet = all_of(
      assembly->ParseConstraints(), [](const InlineAsm::ConstraintInfo &info) {
        if (info.Type == InlineAsm::isClobber)
          return !is_contained(info.Codes, "{memory}");
        return info.Type == InlineAsm::isInput && !info.isIndirect;
      });
  return isQuiet && call.getType()->isVoidTy() &&
         all_of(call.args(),
                [](const Use &argument) { return isa<ConstantInt>(argument); });
}

bool replaceWait(CallInst &call) {
  StringRef text = cast<InlineAsm>(call.getCalledOperand())->getAsmString();
  if (!hasOnlyWaits(text) || !isHandedNumbers(call))
    return false;
  IRBuilder<> builder(&call);
  builder.CreateIntrinsic(Intrinsic::amdgcn_s_nop, {}, {builder.getInt16(0)});
  call.eraseFromParent();
  return true;
}

} // namespace swizzle::importing
