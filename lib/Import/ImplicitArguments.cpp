//===- ImplicitArguments.cpp - Sizes of a launch on AMD -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From version 5 of the code object on, the loader puts the sizes of a launch
// behind the arguments of the kernel:
//
//   bytes 0, 4, 8      workgroups along x, y and z        (32 bits)
//   bytes 12, 14, 16   threads of a workgroup             (16 bits)
//   bytes 18, 20, 22   threads of the last, shorter one   (16 bits)
//
// Source: LLVM, "User Guide for AMDGPU Backend", Code Object V5 Kernel Argument
// Metadata (hidden_block_count_*, hidden_group_size_*, hidden_remainder_*).
//
//   %p = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
//   %n = load i32, ptr addrspace(4) %p           rocdl.grid.dim.x
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace swizzle::importing {

/// The distance from the implicit arguments at which `pointer` points, if it is
/// a constant.
static std::optional<int64_t> offsetOf(Value pointer) {
  Operation *op = pointer.getDefiningOp();
  if (auto call = dyn_cast_or_null<LLVM::CallIntrinsicOp>(op))
    return call.getIntrin() == "llvm.amdgcn.implicitarg.ptr"
               ? std::optional<int64_t>(0)
               : std::nullopt;
  auto step = dyn_cast_or_null<LLVM::GEPOp>(op);
  if (!step || !step.getElemType().isInteger(8) ||
      step.getRawConstantIndices().size() != 1)
    return std::nullopt;
  std::optional<int64_t> base = offsetOf(step.getBase());
  APInt bytes;
  if (!base)
    return std::nullopt;
  if (step.getDynamicIndices().empty())
    return *base + step.getRawConstantIndices()[0];
  if (!matchPattern(step.getDynamicIndices().front(), m_ConstantInt(&bytes)))
    return std::nullopt;
  return *base + bytes.getSExtValue();
}

/// Erases the addresses that nothing is read from any more.
static void eraseUnused(ModuleOp module) {
  SmallVector<Operation *> addresses;
  module.walk([&](Operation *op) {
    if (op->getNumResults() == 1 && offsetOf(op->getResult(0)))
      addresses.push_back(op);
  });
  for (Operation *address : llvm::reverse(addresses))
    if (address->use_empty())
      address->erase();
}

/// The operation that stands for a read of `bits` at `offset`. It yields 64
/// bits, as the function that it becomes does.
static Value makeRead(OpBuilder &builder, Location loc, int64_t offset,
                      unsigned bits) {
  Type i64 = builder.getI64Type();
  if (bits == 32 && offset == 0)
    return ROCDL::GridDimXOp::create(builder, loc, i64);
  if (bits == 32 && offset == 4)
    return ROCDL::GridDimYOp::create(builder, loc, i64);
  if (bits == 32 && offset == 8)
    return ROCDL::GridDimZOp::create(builder, loc, i64);
  if (bits == 16 && offset == 12)
    return ROCDL::BlockDimXOp::create(builder, loc, i64);
  if (bits == 16 && offset == 14)
    return ROCDL::BlockDimYOp::create(builder, loc, i64);
  if (bits == 16 && offset == 16)
    return ROCDL::BlockDimZOp::create(builder, loc, i64);
  return nullptr;
}

/// The version of the code object, in hundreds, that the module is compiled to;
/// 0 if it does not say.
static int64_t codeObjectVersion(ModuleOp module) {
  int64_t version = 0;
  module.walk([&](LLVM::ModuleFlagsOp flags) {
    for (auto flag : flags.getFlags().getAsRange<LLVM::ModuleFlagAttr>())
      if (flag.getKey() == "amdhsa_code_object_version")
        if (auto number = dyn_cast<IntegerAttr>(flag.getValue()))
          version = number.getInt();
  });
  return version;
}

void nameImplicitArguments(ModuleOp module) {
  if (codeObjectVersion(module) < 500)
    return;
  SmallVector<LLVM::LoadOp> loads;
  module.walk([&](LLVM::LoadOp load) { loads.push_back(load); });
  for (LLVM::LoadOp load : loads) {
    Type type = load.getType();
    std::optional<int64_t> offset = offsetOf(load.getAddr());
    if (!offset || !type.isInteger())
      continue;
    OpBuilder builder(load);
    unsigned bits = type.getIntOrFloatBitWidth();
    Value read = makeRead(builder, load.getLoc(), *offset, bits);
    if (!read)
      continue;
    read = LLVM::TruncOp::create(builder, load.getLoc(), type, read);
    load.replaceAllUsesWith(read);
    load.erase();
  }
  eraseUnused(module);
}

} // namespace swizzle::importing
