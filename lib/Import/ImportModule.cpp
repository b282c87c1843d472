//===- ImportModule.cpp - From LLVM IR to the llvm dialect ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The copy lives in a context of its own, so that nothing that the cleaning
// does or says reaches the compilation that it is part of.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Import/ImportModule.h"
#include "swizzle/Support/ReadModule.h"

#include "Steps.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Import.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace swizzle {

using namespace importing;

static bool hasFunction(const Module &module, CallingConv::ID convention) {
  return any_of(module, [&](const Function &function) {
    return function.getCallingConv() == convention;
  });
}

bool isForGpu(const Module &module) {
  const Triple &triple = module.getTargetTriple();
  if (triple.getArch() == Triple::UnknownArch)
    return hasFunction(module, CallingConv::AMDGPU_KERNEL) ||
           hasFunction(module, CallingConv::PTX_Kernel);
  return triple.isAMDGCN() || triple.isNVPTX();
}

/// IREE writes modules for AMD without a target triple; the calling convention
/// of their kernels names the target as well.
static void nameTarget(Module &module) {
  if (module.getTargetTriple().getArch() != Triple::UnknownArch ||
      !hasFunction(module, CallingConv::AMDGPU_KERNEL))
    return;
  module.setTargetTriple(Triple("amdgcn-amd-amdhsa"));
  if (module.getDataLayout().isDefault())
    module.setDataLayout(module.getTargetTriple().computeDataLayout());
}

/// Whatever cleaning has to say, nobody asked for it.
static void stayQuiet(LLVMContext &context) {
  struct Quiet : DiagnosticHandler {
    bool handleDiagnostics(const DiagnosticInfo &) override { return true; }
  };
  context.setDiagnosticHandler(std::make_unique<Quiet>());
}

/// Cleans `module` and translates it, kernels and what they use.
static Expected<mlir::OwningOpRef<mlir::ModuleOp>>
translate(std::unique_ptr<Module> module, mlir::MLIRContext &context) {
  for (const Function &function : *module)
    if (function.getName().starts_with(kPtxMarker))
      return createStringError("a function is called '" + function.getName() +
                               "'; names that begin with '" + kPtxMarker +
                               "' stand for inline PTX");
  nameTarget(*module);
  announceMadeMaps(*module);
  // Triton's kernels for NVIDIA come without a triple.
  replaceInlineAssembly(*module, !module->getTargetTriple().isAMDGCN());
  forgetMetadataOperands(*module);
  replaceScopedAtomics(*module);
  if (Error error = checkInlinedSizes(*module))
    return std::move(error);
  cleanForReading(*module);
  RequiredSizes sizes = findRequiredSizes(*module);
  mlir::DialectRegistry registry;
  mlir::registerAllFromLLVMIRTranslations(registry);
  context.appendDialectRegistry(registry);
  context.loadDialect<mlir::DLTIDialect, mlir::LLVM::LLVMDialect,
                      mlir::NVVM::NVVMDialect, mlir::ROCDL::ROCDLDialect>();
  std::string problem;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
            problem.empty())
          problem = diagnostic.str();
        return mlir::success();
      });
  mlir::OwningOpRef<mlir::ModuleOp> imported = mlir::translateLLVMIRToModule(
      std::move(module), &context, /*emitExpensiveWarnings=*/false,
      /*dropDICompositeTypeElements=*/true, /*loadAllDialects=*/false);
  if (!imported)
    return createStringError("the module has no translation to the llvm "
                             "dialect: " +
                             problem);
  noteRequiredSizes(*imported, sizes);
  nameLaunchSizes(*imported);
  nameBulkCopies(*imported);
  return std::move(imported);
}

bool isBodyOfKernel(const Function &function) {
  return function.getName().starts_with("__clang_ocl_kern_imp_");
}

std::string copyAsBitcode(const Module &module) {
  std::string bitcode;
  raw_string_ostream os(bitcode);
  WriteBitcodeToFile(module, os);
  return bitcode;
}

Expected<mlir::OwningOpRef<mlir::ModuleOp>>
importBitcode(StringRef bitcode, mlir::MLIRContext &context) {
  LLVMContext fresh;
  stayQuiet(fresh);
  Expected<std::unique_ptr<Module>> copy =
      parseBitcodeFile(MemoryBufferRef(bitcode, "kernels"), fresh);
  if (!copy)
    return copy.takeError();
  return translate(std::move(*copy), context);
}

Expected<mlir::OwningOpRef<mlir::ModuleOp>>
importFile(StringRef path, mlir::MLIRContext &context) {
  LLVMContext fresh;
  stayQuiet(fresh);
  SMDiagnostic error;
  std::unique_ptr<Module> module = readModuleFile(path, error, fresh);
  if (!module)
    return createStringError(
        path +
        (error.getLineNo() > 0 ? ":" + std::to_string(error.getLineNo()) : "") +
        ": " + error.getMessage());
  return translate(std::move(module), context);
}

} // namespace swizzle
