//===- KernelMark.cpp - What marks a function as a kernel -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Either is what upstream's lowering leaves, or what clang writes.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Lowering/KernelMark.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace swizzle {

std::optional<GpuVendor> vendorOfMark(FunctionOpInterface kernel) {
  if (kernel->hasAttr("nvvm.kernel"))
    return GpuVendor::NVIDIA;
  if (kernel->hasAttr("rocdl.kernel"))
    return GpuVendor::AMD;
  auto function = dyn_cast<LLVM::LLVMFuncOp>(kernel.getOperation());
  if (!function)
    return std::nullopt;
  switch (function.getCConv()) {
  case LLVM::CConv::PTX_Kernel:
    return GpuVendor::NVIDIA;
  case LLVM::CConv::AMDGPU_KERNEL:
    return GpuVendor::AMD;
  default:
    return std::nullopt;
  }
}

bool isKernel(FunctionOpInterface function) {
  if (auto kernel = dyn_cast<gpu::GPUFuncOp>(function.getOperation()))
    return kernel.isKernel();
  return function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
         vendorOfMark(function);
}

} // namespace swizzle
