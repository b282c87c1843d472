//===- InlinePtxFuzzer.cpp - Any statements of inline PTX -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes statements whose opcodes are known, with operands that may fit or not, and
// replaces them. Whatever comes out is a module.
//
//   bytes 4 0 1 ...    "@$6 ld.global.b32 $0, [ $4 + 16 ];"
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"

#include <cstdlib>

using namespace llvm;

/// R a register, N a number, L two registers, A an address.
static constexpr const char *kStatements[] = {
    "mov.b32 R, R",
    "mov.u64 R, N",
    "mov.b64 R, L",
    "add.s32 R, R, R",
    "setp.ne.b32 R, R, N",
    "ld.global.b32 R, A",
    "ld.shared.v2.b32 L, A",
    "st.global.b32 A, R",
    "st.global.v2.b64 A, L",
    "atom.global.gpu.relaxed.add.u32 R, A, R",
    "atom.global.cta.acq_rel.max.s32 R, A, R",
    "atom.global.gpu.relaxed.add.v2.f32 L, A, L",
    "red.global.gpu.relaxed.add.f32 A, R",
    "cp.async.ca.shared.global A, A, N",
    "cp.async.cg.shared.global A, A, R",
    "cp.async.ca.shared.global A, A, N, R",
    "cp.async.wait_all",
    "bar.sync N",
    "ld.b32 R, A",
    "st.cs.v2.b32 A, L",
    "ld.global.L2::cache_hint.b32 R, A, R",
    "st.global.L1::evict_first.L2::cache_hint.b32 A, R, R",
    "cp.async.cg.shared.global.L2::cache_hint A, A, N, R",
    "red.shared.add.u32 A, R",
    "red.release.gpu.add.f32 A, R",
    "atom.L2::cache_hint.add.u64 R, A, R, R",
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 L, L, R, L",
    "createpolicy.fractional.L2::evict_last.b64 R, 1.0",
    "mov.f32 R, 0f3F800000",
};

/// Four outputs, then five inputs: an address in memory, a number, a predicate, a
/// constant and an address in workgroup memory.
static constexpr const char *kConstraints = "=r,=l,=b,=f,l,r,b,n,r";
static constexpr unsigned kNumRegisters = 9;

static std::string writeStatements(ArrayRef<uint8_t> bytes) {
  std::string text;
  auto next = [&]() -> unsigned {
    if (bytes.empty())
      return 0;
    uint8_t byte = bytes.front();
    bytes = bytes.drop_front();
    return byte;
  };
  auto reg = [&] { return "$" + std::to_string(next() % kNumRegisters); };
  while (!bytes.empty()) {
    unsigned predicate = next();
    if (predicate % 4 == 1)
      text += "@$" + std::to_string(predicate / 4 % kNumRegisters) + " ";
    else if (predicate % 4 == 2)
      text += "@!$" + std::to_string(predicate / 4 % kNumRegisters) + " ";
    StringRef statement = kStatements[next() % std::size(kStatements)];
    for (auto [index, letter] : enumerate(statement)) {
      // The L of "L2" is no operand.
      bool isName = index + 1 < statement.size() &&
                    (isAlnum(statement[index + 1]) ||
                     statement[index + 1] == ':');
      if (isName)
        text += letter;
      else if (letter == 'R')
        text += reg();
      else if (letter == 'N')
        text += std::to_string(1u << next() % 6);
      else if (letter == 'L')
        text += "{ " + reg() + ", " + reg() + " }";
      else if (letter == 'A')
        text += "[ " + reg() + " + " + std::to_string(next()) + " ]";
      else
        text += letter;
    }
    text += ";\n";
  }
  return text;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text = writeStatements({data, std::min<size_t>(size, 64)});
  LLVMContext context;
  Module module("fuzz", context);
  IRBuilder<> builder(context);
  Type *i32 = builder.getInt32Ty(), *i1 = builder.getInt1Ty();
  Type *global = builder.getPtrTy(1), *shared = builder.getPtrTy(3);
  auto *results =
      StructType::get(i32, builder.getInt64Ty(), i1, builder.getFloatTy());
  Function *function = Function::Create(
      FunctionType::get(results, {global, i32, i1, shared}, false),
      GlobalValue::ExternalLinkage, "kernel", module);
  builder.SetInsertPoint(BasicBlock::Create(context, "entry", function));
  auto *type = FunctionType::get(results, {global, i32, i1, i32, shared}, false);
  Value *result = builder.CreateCall(
      InlineAsm::get(type, text, kConstraints, /*hasSideEffects=*/true),
      {function->getArg(0), function->getArg(1), function->getArg(2),
       builder.getInt32(16), function->getArg(3)});
  builder.CreateRet(result);
  swizzle::importing::replaceInlineAssembly(module, /*isPtx=*/true);
  if (verifyModule(module, &errs()))
    abort();
  return 0;
}
