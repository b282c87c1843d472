//===- LowerToLLVM.cpp - GPU-dialect IR to the llvm dialect ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lowering that all parts share, and the alignment that device code wants.
//
// Alignment: a vector<4xf32> access is lowered with the alignment of an f32.
// The pointers of the arguments get the alignment that they are known to have;
// LLVM derives that of the accesses from it.
//
//===----------------------------------------------------------------------===//

#include "DeviceModule.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace swizzle;
using namespace swizzle::device;

/// Tells LLVM what alignment the buffers have.
static void alignArguments(DeviceModule &device, unsigned alignment) {
  if (alignment <= 1)
    return;
  Builder builder(device.gpuModule.getContext());
  llvm::StringRef name = LLVM::LLVMDialect::getAlignAttrName();
  for (const CompiledKernel &kernel : device.kernels) {
    auto function =
        device.gpuModule.lookupSymbol<LLVM::LLVMFuncOp>(kernel.name);
    for (unsigned i = 0, e = function ? function.getNumArguments() : 0; i != e;
         ++i)
      if (isa<LLVM::LLVMPointerType>(function.getArgument(i).getType()) &&
          !function.getArgAttr(i, name))
        function.setArgAttr(i, name, builder.getI64IntegerAttr(alignment));
  }
}

LogicalResult swizzle::device::lowerToLLVM(DeviceModule &device,
                                           const Target &target,
                                           const CompileOptions &options) {
  // Kernels that came lowered keep what their author said of their pointers.
  bool lowered =
      llvm::all_of(device.kernels, [&](const CompiledKernel &kernel) {
        return isa_and_nonnull<LLVM::LLVMFuncOp>(
            device.gpuModule.lookupSymbol(kernel.name));
      });
  ModuleLoweringOptions how;
  how.barePointers = device.barePointers;
  how.expandMath = options.deviceLibraries.empty();
  how.alignedVectors = options.alignedVectors;
  LoweringTarget to{target.vendor, target.arch, target.waveSize};
  if (failed(lowerGpuModule(device.gpuModule, to, how)))
    return failure();
  if (!lowered)
    alignArguments(device, options.pointerAlignment);
  return success();
}
