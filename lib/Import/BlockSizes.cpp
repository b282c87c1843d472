//===- BlockSizes.cpp - Required sizes of workgroups ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch with another size fails, so these are facts. They are lost in
// translation, and are put on the translated functions:
//
//   "nvvm.reqntid"="128"                            known_block_size [128, 1, 1]
//   !reqd_work_group_size !{i32 16, i32 16, i32 1}   known_block_size [16, 16, 1]
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace swizzle::importing {

/// What the kernel's own vendor holds launches to: NVIDIA's assembler the
/// attribute, AMD's runtime the metadata.
static SmallVector<int32_t> requiredSize(const Function &function) {
  SmallVector<int32_t> sizes;
  MDNode *node = function.getMetadata("reqd_work_group_size");
  if (node && function.getCallingConv() != CallingConv::PTX_Kernel)
    for (const MDOperand &operand : node->operands())
      if (auto *size = mdconst::dyn_extract<ConstantInt>(operand))
        sizes.push_back(size->getZExtValue());
  SmallVector<StringRef> parts;
  if (function.getCallingConv() != CallingConv::AMDGPU_KERNEL)
    function.getFnAttribute("nvvm.reqntid")
        .getValueAsString()
        .split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    int32_t size = 0;
    if (part.trim().getAsInteger(10, size) || size < 1)
      return {};
    sizes.push_back(size);
  }
  if (sizes.empty() || sizes.size() > 3)
    return {};
  sizes.resize(3, 1);
  return sizes;
}

RequiredSizes findRequiredSizes(const Module &module) {
  RequiredSizes sizes;
  for (const Function &function : module)
    if (SmallVector<int32_t> size = requiredSize(function); !size.empty())
      sizes[function.getName()] = std::move(size);
  return sizes;
}

void noteRequiredSizes(mlir::ModuleOp module, const RequiredSizes &sizes) {
  module.walk([&](mlir::LLVM::LLVMFuncOp function) {
    auto found = sizes.find(function.getName());
    if (found != sizes.end())
      function->setAttr(
          "known_block_size",
          mlir::DenseI32ArrayAttr::get(module.getContext(), found->second));
  });
}

} // namespace swizzle::importing
