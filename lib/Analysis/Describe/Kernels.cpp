//===- Kernels.cpp - The kernels of a module, by name ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two modules may have kernels of one name: both are found by it, and told
// apart by their paths. Functions that nothing marks are taken for kernels only
// where no function is marked: beside kernels, they are what kernels call.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Analysis/Describe/Kernels.h"

#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace swizzle {

/// True if `function` looks like what somebody launches.
static bool looksLikeKernel(func::FuncOp function, ModuleOp module) {
  if (function.isExternal() || function.isPrivate() ||
      function.getNumResults() != 0 ||
      !SymbolTable::symbolKnownUseEmpty(function, module))
    return false;
  auto interface = cast<FunctionOpInterface>(function.getOperation());
  return llvm::any_of(reachableFunctions(interface),
                      [](FunctionOpInterface reached) {
                        return !findIdReadings(reached).empty();
                      });
}

/// True if `function` launches kernels, as only the host does.
static bool launches(FunctionOpInterface function) {
  return function
      ->walk([](Operation *op) {
        return isa<gpu::LaunchFuncOp, gpu::LaunchOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
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
  bool hasLaunches = false;
  module.walk([&](gpu::LaunchOp) { hasLaunches = true; });
  if (kernels.empty() && !hasLaunches)
    module.walk<WalkOrder::PreOrder>([&](func::FuncOp function) {
      if (looksLikeKernel(function, module))
        kernels.push_back(cast<FunctionOpInterface>(function.getOperation()));
    });
  return kernels;
}

bool isCalled(FunctionOpInterface function, llvm::StringRef name) {
  return name == function.getName() || name == kernelPath(function);
}

llvm::Expected<SmallVector<FunctionOpInterface>>
selectKernels(ModuleOp module, llvm::StringRef name) {
  SmallVector<FunctionOpInterface> selected;
  std::string names;
  for (FunctionOpInterface kernel : findKernels(module)) {
    std::string path = kernelPath(kernel);
    names += (names.empty() ? "" : ", ") + path;
    if (name.empty() || isCalled(kernel, name))
      selected.push_back(kernel);
  }
  // Whoever names a function says that it is a kernel; but no host's.
  if (selected.empty() && !name.empty())
    module.walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
      if (!function.isExternal() && isCalled(function, name) &&
          !launches(function))
        selected.push_back(function);
    });
  if (!selected.empty())
    return selected;
  if (names.empty())
    return llvm::createStringError("no kernel was found: " +
                                   explainNoKernels(module));
  return llvm::createStringError("no kernel is called " + name +
                                 "; there are " + names);
}

} // namespace swizzle
