//===- InlinePtxFuzzer.cpp - Any statements of inline PTX -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes statements whose opcodes are known, with operands that may fit or not,
// and replaces them. Whatever comes out is a module.
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

/// R a register, N a number, L two registers, A an address, M a tensor map at
/// two coordinates, J a label.
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
    "ld.global.s16 R, A",
    "red.global.add.noftz.bf16x2 A, R",
    "atom.add.noftz.f16x2 R, A, R",
    "setp.lt.s32 R, R, R",
    "setp.eq.u64 R|R, R, N",
    "selp.b32 R, R, N, R",
    "mul.wide.u32 R, R, R",
    "mad.lo.s32 R, R, N, R",
    "shl.b32 R, R, N",
    "shr.s64 R, R, N",
    "and.pred R, R, R",
    "cvt.u32.u64 R, R",
    "cvta.to.shared.u64 R, R",
    "elect.sync R|R, N",
    "shfl.sync.idx.b32 R|R, R, N, N, N",
    "ldmatrix.sync.aligned.m8n8.x2.shared.b16 L, A",
    "stmatrix.sync.aligned.x2.trans.m8n8.shared.b16 A, L",
    "mbarrier.init.shared::cta.b64 A, N",
    "mbarrier.try_wait.parity.shared::cta.b64 R, A, R",
    "mbarrier.arrive.expect_tx.shared::cta.b64 _, A, N",
    "fence.proxy.async.shared::cta",
    "fence.acq_rel.gpu",
    "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::"
    "bytes "
    "A, M, A",
    "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group M, A",
    "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group M, "
    "A",
    "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes A, A, R, A",
    "cp.async.bulk.global.shared::cta.bulk_group A, A, N",
    "tensormap.replace.tile.rank.shared::cta.b1024.b32 A, R",
    "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu."
    "sync.aligned A, A, N",
    "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 A, N",
    "tcgen05.mma.cta_group::1.kind::f16 A, R, R, R, R",
    "tcgen05.ld.sync.aligned.32x32b.x2.b32 L, A",
    "tcgen05.st.sync.aligned.32x32b.x2.b32 A, L",
    "griddepcontrol.wait",
    "bra.uni J",
};

/// Registers that are no operands.
static constexpr const char *kDeclared =
    "{\n.reg .pred p;\n.reg .b32 %a;\n.reg .b64 d<2>;\n";
static constexpr const char *kNames[] = {"p", "%a",     "d0",    "d1",
                                         "_", "%tid.x", "%smid", "%ctaid.x"};

/// Four outputs, then five inputs: an address in memory, a number, a predicate,
/// a constant and an address in workgroup memory.
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
  auto reg = [&]() -> std::string {
    unsigned number = next() % (kNumRegisters + std::size(kNames));
    return number < kNumRegisters ? "$" + std::to_string(number)
                                  : kNames[number - kNumRegisters];
  };
  bool inBlock = next() % 2;
  if (inBlock)
    text += kDeclared;
  if (next() % 4 == 0)
    text += "before:\n";
  while (!bytes.empty()) {
    unsigned predicate = next();
    if (predicate % 4 == 1)
      text += "@$" + std::to_string(predicate / 4 % kNumRegisters) + " ";
    else if (predicate % 4 == 2)
      text += "@!$" + std::to_string(predicate / 4 % kNumRegisters) + " ";
    StringRef statement = kStatements[next() % std::size(kStatements)];
    for (auto [index, letter] : enumerate(statement)) {
      // The L of "L2" is no operand.
      bool isName =
          index + 1 < statement.size() &&
          (isAlnum(statement[index + 1]) || statement[index + 1] == ':');
      if (isName)
        text += letter;
      else if (letter == 'R')
        text += reg();
      else if (letter == 'N')
        text += std::to_string(1u << next() % 6);
      else if (letter == 'L')
        text += "{ " + reg() + ", " + reg() + " }";
      else if (letter == 'M')
        text += "[ " + reg() + ", { " + reg() + ", " + reg() + " } ]";
      else if (letter == 'J')
        text += next() % 2 ? "before" : "behind";
      else if (letter == 'A')
        text += "[ " + reg() + " + " + std::to_string(next()) + " ]";
      else
        text += letter;
    }
    text += ";\n";
  }
  text += "behind:\n";
  if (inBlock)
    text += "}\n";
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
  auto *type =
      FunctionType::get(results, {global, i32, i1, i32, shared}, false);
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
