//===- Kernels.cpp - The kernels of a module, by name ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two modules may have kernels of one name: both are found by it, and told
// apart by their paths.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Analysis/Kernels.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace swizzle {

bool isKernel(FunctionOpInterface function) {
  if (auto kernel = dyn_cast<gpu::GPUFuncOp>(function.getOperation()))
    return kernel.isKernel();
  if (auto lowered = dyn_cast<LLVM::LLVMFuncOp>(function.getOperation()))
    if (lowered.getCConv() == LLVM::CConv::AMDGPU_KERNEL ||
        lowered.getCConv() == LLVM::CConv::PTX_Kernel)
      return true;
  return function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
         function->hasAttr("nvvm.kernel") || function->hasAttr("rocdl.kernel");
}

std::string kernelPath(FunctionOpInterface kernel) {
  std::string name = kernel.getName().str();
  if (auto parent = kernel->getParentOfType<gpu::GPUModuleOp>())
    return (parent.getName() + "::" + name).str();
  return name;
}

SmallVector<FunctionOpInterface> findKernels(ModuleOp module) {
  SmallVector<FunctionOpInterface> kernels;
  module.walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    if (isKernel(function))
      kernels.push_back(function);
  });
  return kernels;
}

llvm::Expected<SmallVector<FunctionOpInterface>>
selectKernels(ModuleOp module, llvm::StringRef name) {
  SmallVector<FunctionOpInterface> selected;
  std::string names;
  for (FunctionOpInterface kernel : findKernels(module)) {
    std::string path = kernelPath(kernel);
    names += (names.empty() ? "" : ", ") + path;
    if (name.empty() || name == path || name == kernel.getName())
      selected.push_back(kernel);
  }
  if (names.empty())
    return llvm::createStringError("the module has no kernel");
  if (selected.empty())
    return llvm::createStringError("no kernel is called " + name +
                                   "; there are " + names);
  return selected;
}

} // namespace swizzle
