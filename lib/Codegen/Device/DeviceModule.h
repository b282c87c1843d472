//===- DeviceModule.h - The kernels to compile, lowered ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of compileForDevice(), each in a file of its own: choose the
// kernels (SelectKernels.cpp), lower them to the llvm dialect
// (LowerToLLVM.cpp), make bytes of that (Serialize.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_CODEGEN_DEVICE_DEVICEMODULE_H
#define SWIZZLE_LIB_CODEGEN_DEVICE_DEVICEMODULE_H

#include "swizzle/Codegen/Device/DeviceCompiler.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/OwningOpRef.h"

namespace swizzle::device {

/// A module that holds nothing but one gpu.module with the kernels to compile.
struct DeviceModule {
  mlir::OwningOpRef<mlir::ModuleOp> holder;
  mlir::gpu::GPUModuleOp gpuModule;
  std::vector<CompiledKernel> kernels;
  bool barePointers = true;
  /// LLVM IR that is compiled as it is; the gpu.module is empty then.
  std::string llvmIR;
};

/// Copies the kernels that `options` ask for out of `module`.
llvm::Expected<DeviceModule> selectKernels(mlir::ModuleOp module,
                                           const CompileOptions &options);

/// The kernels of LLVM IR that `options` ask for; an error if they are none for
/// `target`.
llvm::Expected<DeviceModule> takeLLVM(llvm::MemoryBufferRef module,
                                      mlir::MLIRContext &context,
                                      const Target &target,
                                      const CompileOptions &options);

/// Lowers to the llvm dialect, in place.
mlir::LogicalResult lowerToLLVM(DeviceModule &device, const Target &target,
                                const CompileOptions &options);

/// Translates, links the device libraries, optimises, and emits what `kind`
/// says. Fills the resources of the kernels as far as they are known.
llvm::Expected<std::string> serialize(DeviceModule &device,
                                      const Target &target, ArtifactKind kind,
                                      const CompileOptions &options);

} // namespace swizzle::device

#endif // SWIZZLE_LIB_CODEGEN_DEVICE_DEVICEMODULE_H
