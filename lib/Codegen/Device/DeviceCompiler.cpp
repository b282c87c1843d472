//===- DeviceCompiler.cpp - GPU-dialect IR to PTX or a code object --------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Choose the kernels, lower them, make bytes of them; MLIR's diagnostics of the
// way become the message of the error.
//
//===----------------------------------------------------------------------===//

#include "DeviceModule.h"
#include "swizzle/IR/CompiledFor.h"
#include "swizzle/IR/SwizzleDialect.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"

using namespace mlir;
using namespace swizzle;
using namespace swizzle::device;

void swizzle::registerDeviceDialects(DialectRegistry &registry) {
  registerAllDialects(registry); // host code beside the kernels may be anything
  registerAllExtensions(registry);
  registry.insert<SwizzleDialect>();
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
  registerROCDLDialectTranslation(registry);
}

/// What to emit for `target`; an error if the target cannot have it.
static llvm::Expected<ArtifactKind> chooseKind(const Target &target,
                                               const CompileOptions &options) {
  bool nvidia = target.vendor == GpuVendor::NVIDIA;
  ArtifactKind kind =
      options.emit.value_or(nvidia ? ArtifactKind::PTX : ArtifactKind::HSACO);
  if (kind == ArtifactKind::LLVM)
    return kind;
  if (nvidia != (kind == ArtifactKind::PTX))
    return llvm::createStringError(
        "there is no " + toString(kind) + " for " + target.arch +
        "; there is " + (nvidia ? "ptx and llvm" : "hsaco, asm and llvm"));
  return kind;
}

/// Compiles what `select` yields.
static llvm::Expected<Artifact>
compile(MLIRContext *context, const Target &target,
        const CompileOptions &options,
        llvm::function_ref<llvm::Expected<DeviceModule>()> select) {
  llvm::Expected<ArtifactKind> kind = chooseKind(target, options);
  if (!kind)
    return kind.takeError();
  std::string diagnostics;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &said) {
    if (said.getSeverity() != DiagnosticSeverity::Error)
      return success();
    llvm::raw_string_ostream stream(diagnostics);
    if (auto at = said.getLocation()->findInstanceOf<FileLineColLoc>())
      stream << at.getFilename().getValue() << ':' << at.getLine() << ':'
             << at.getColumn() << ": ";
    stream << said << '\n';
    return success();
  });
  auto explain = [&](const llvm::Twine &message) {
    llvm::StringRef details = llvm::StringRef(diagnostics).rtrim();
    return llvm::createStringError(details.empty() ? message
                                                   : message + ":\n" + details);
  };

  llvm::Expected<DeviceModule> device = select();
  if (!device)
    return diagnostics.empty() ? device.takeError()
                               : explain(llvm::toString(device.takeError()));
  if (device->llvmIR.empty() && failed(lowerToLLVM(*device, target, options)))
    return explain("the kernel cannot be lowered for " + target.str());
  llvm::Expected<std::string> bytes =
      serialize(*device, target, *kind, options);
  if (!bytes) {
    if (bytes.errorIsA<MissingToolError>() || diagnostics.empty())
      return bytes.takeError();
    // The diagnostics say why; the error only that there were some.
    llvm::consumeError(bytes.takeError());
    return explain("the kernel cannot be compiled for " + target.str());
  }
  Artifact artifact;
  artifact.kind = *kind;
  artifact.target = target.str();
  artifact.bytes = std::move(*bytes);
  artifact.kernels = std::move(device->kernels);
  artifact.barePointers = device->barePointers;
  return artifact;
}

llvm::Expected<Artifact>
swizzle::compileForDevice(ModuleOp module, const Target &target,
                          const CompileOptions &options) {
  if (llvm::Error error =
          checkVendor(module, vendorOfTriple(target.triple), target.arch))
    return llvm::createStringError(llvm::toString(std::move(error)));
  return compile(module.getContext(), target, options,
                 [&] { return selectKernels(module, options); });
}

llvm::Expected<Artifact>
swizzle::compileForDevice(llvm::MemoryBufferRef module, MLIRContext &context,
                          const Target &target, const CompileOptions &options) {
  return compile(&context, target, options,
                 [&] { return takeLLVM(module, context, target, options); });
}
