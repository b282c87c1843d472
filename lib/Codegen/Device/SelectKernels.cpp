//===- SelectKernels.cpp - The kernels that are to be compiled ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the kernels out of whatever module they came in: host code, transform
// schedules and other GPU modules stay behind, so that nothing of them can make
// the compilation fail.
//
//===----------------------------------------------------------------------===//

#include "DeviceModule.h"
#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Lowering/KernelMark.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace swizzle;
using namespace swizzle::device;

char UnknownKernelError::ID;

/// Whether the driver launches `function`, in any dialect.
static bool isEntry(FunctionOpInterface function) {
  return !function.isExternal() && isKernel(function);
}

static CompiledKernel describe(FunctionOpInterface function) {
  CompiledKernel kernel;
  kernel.name = function.getName().str();
  for (llvm::StringRef name :
       {"known_block_size", "nvvm.reqntid", "rocdl.reqd_work_group_size"})
    if (auto size = function->getAttrOfType<DenseI32ArrayAttr>(name);
        size && size.size() <= 3) {
      kernel.block = {1, 1, 1};
      llvm::copy(size.asArrayRef(), kernel.block->begin());
    }
  return kernel;
}

/// Whether every memref argument can be passed as one pointer.
static bool takesBarePointers(FunctionOpInterface function) {
  return llvm::all_of(function.getArgumentTypes(), [](Type type) {
    auto memref = dyn_cast<BaseMemRefType>(type);
    return !memref || LLVMTypeConverter::canConvertToBarePtr(memref);
  });
}

/// Kernels in the llvm dialect that stand in no gpu.module are moved into one,
/// with everything else of the llvm dialect beside them.
static void wrapLooseKernels(ModuleOp module) {
  auto isLoose = [](Operation &op) {
    auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
    return function && isEntry(function);
  };
  if (llvm::none_of(*module.getBody(), isLoose))
    return;
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  auto wrapper = gpu::GPUModuleOp::create(builder, module.getLoc(), "kernels");
  Block &body = wrapper.getBodyRegion().front();
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa_and_nonnull<LLVM::LLVMDialect>(op.getDialect()))
      op.moveBefore(&body, body.end());
}

/// The kernel of `device` that is not materialised, as an error.
static llvm::Error checkMaterialised(gpu::GPUModuleOp gpuModule) {
  std::string name;
  gpuModule.walk([&](RemapOp remap) {
    if (auto function = remap->getParentOfType<FunctionOpInterface>())
      name = function.getName().str();
  });
  if (name.empty())
    return llvm::Error::success();
  return llvm::createStringError("kernel " + name +
                                 " holds a swizzle.remap; lower it first, with "
                                 "swizzle-opt --swizzle-materialize");
}

llvm::Expected<DeviceModule>
swizzle::device::selectKernels(ModuleOp module, const CompileOptions &options) {
  module.getContext()
      ->loadDialect<gpu::GPUDialect, LLVM::LLVMDialect, NVVM::NVVMDialect,
                    ROCDL::ROCDLDialect>();
  OwningOpRef<ModuleOp> copy = module.clone();
  bool launches = false;
  copy->walk([&](gpu::LaunchOp) { launches = true; });
  if (launches) {
    PassManager manager(copy->getContext());
    manager.addPass(createGpuKernelOutliningPass());
    if (failed(manager.run(*copy)))
      return llvm::createStringError(
          "the launches of the module cannot be outlined");
  }
  wrapLooseKernels(*copy);

  std::string names;
  llvm::SmallVector<gpu::GPUModuleOp> chosen;
  copy->walk([&](gpu::GPUModuleOp gpuModule) {
    bool matches = false;
    for (auto function : gpuModule.getOps<FunctionOpInterface>()) {
      if (!isEntry(function))
        continue;
      std::string name = function.getName().str();
      std::string full = (gpuModule.getName() + "::" + name).str();
      names += (names.empty() ? "" : ", ") + full;
      matches |= options.kernel.empty() || options.kernel == name ||
                 options.kernel == full;
    }
    if (matches)
      chosen.push_back(gpuModule);
  });
  if (names.empty())
    return llvm::createStringError(
        "the module has no kernel: expected a gpu.func, or "
        "an llvm.func, that is marked as one, or a "
        "gpu.launch");
  if (chosen.empty())
    return llvm::make_error<UnknownKernelError>(options.kernel, names);
  if (chosen.size() > 1)
    return llvm::createStringError(
        "kernels of several GPU modules are meant; choose "
        "one of " +
        names);

  DeviceModule device;
  device.holder = ModuleOp::create(module.getLoc());
  chosen.front()->remove();
  device.holder->push_back(chosen.front());
  device.gpuModule = chosen.front();
  device.gpuModule.removeTargetsAttr();
  for (auto function : llvm::make_early_inc_range(
           device.gpuModule.getOps<FunctionOpInterface>())) {
    if (!isEntry(function))
      continue;
    llvm::StringRef name = llvm::StringRef(options.kernel).rsplit("::").second;
    if (name.empty())
      name = options.kernel;
    if (!name.empty() && function.getName() != name) {
      function->erase();
      continue;
    }
    device.kernels.push_back(describe(function));
    device.barePointers &= takesBarePointers(function);
  }
  if (llvm::Error error = checkMaterialised(device.gpuModule))
    return error;
  return device;
}
