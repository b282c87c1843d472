//===- DeviceCompiler.h - GPU-dialect IR to PTX or a code object *- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles one `gpu.module` with MLIR's and LLVM's own back ends. Neither CUDA
// nor ROCm need be installed: NVIDIA's driver takes PTX; for AMD, lld links the
// object, and the ROCm device libraries (a Debian package) are found by search.
//
// This runs in the process of the caller, where a crash of a back end is the
// end; CompileService.h has the form that survives one.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_CODEGEN_DEVICE_DEVICECOMPILER_H
#define SWIZZLE_CODEGEN_DEVICE_DEVICECOMPILER_H

#include "swizzle/Codegen/Device/Artifact.h"
#include "swizzle/Codegen/Device/CompileOptions.h"
#include "swizzle/Codegen/Device/Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace swizzle {

/// No kernel has the name that was asked for. The message says which there are.
class UnknownKernelError : public llvm::ErrorInfo<UnknownKernelError> {
public:
  static char ID;
  UnknownKernelError(const std::string &wanted, const std::string &known)
      : message("no kernel is called " + wanted + "; there are " + known) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string message;
};

/// What the context of a module to compile must know: upstream's dialects, ours
/// and the translations to LLVM IR.
void registerDeviceDialects(mlir::DialectRegistry &registry);

/// Compiles the kernels of `module`, which stays as it is. They may be
/// GPU-dialect IR (remaps materialised; launches are outlined) or lowered
/// already to the llvm dialect with nvvm or rocdl, within a gpu.module or
/// without. What cannot be compiled is an error with MLIR's diagnostics in it.
llvm::Expected<Artifact> compileForDevice(mlir::ModuleOp module,
                                          const Target &target,
                                          const CompileOptions &options);

/// The same of LLVM IR, text or bitcode: a module of kernels as clang or Triton
/// write it. Nothing of it is translated: metadata and attributes stay.
llvm::Expected<Artifact> compileForDevice(llvm::MemoryBufferRef module,
                                          mlir::MLIRContext &context,
                                          const Target &target,
                                          const CompileOptions &options);

} // namespace swizzle

#endif // SWIZZLE_CODEGEN_DEVICE_DEVICECOMPILER_H
