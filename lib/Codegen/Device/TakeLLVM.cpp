//===- TakeLLVM.cpp - Kernels that come as LLVM IR ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module of LLVM IR is never translated to MLIR to be compiled: that would
// drop metadata. It travels as bitcode beside an empty gpu.module, from which
// upstream's serializer makes an empty module; there it is linked in.
//
//===----------------------------------------------------------------------===//

#include "DeviceModule.h"

#include "swizzle/IR/CompiledFor.h"
#include "swizzle/Support/ReadModule.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace swizzle;
using namespace swizzle::device;

static bool isKernel(const llvm::Function &function) {
  llvm::CallingConv::ID convention = function.getCallingConv();
  return !function.isDeclaration() &&
         (convention == llvm::CallingConv::AMDGPU_KERNEL ||
          convention == llvm::CallingConv::PTX_Kernel);
}

/// Notes the block that `function` has to be launched with, if it says.
static void noteBlock(const llvm::Function &function, CompiledKernel &kernel) {
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<llvm::StringRef> parts;
  if (function.hasFnAttribute("nvvm.reqntid"))
    function.getFnAttribute("nvvm.reqntid")
        .getValueAsString()
        .split(parts, ',');
  for (llvm::StringRef part : parts)
    if (part.trim().getAsInteger(10, extents.emplace_back()))
      return;
  if (llvm::MDNode *node = function.getMetadata("reqd_work_group_size"))
    for (const llvm::MDOperand &operand : node->operands())
      if (auto *number =
              llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(operand))
        extents.push_back(number->getSExtValue());
  if (extents.empty() || extents.size() > 3)
    return;
  kernel.block = {1, 1, 1};
  llvm::copy(extents, kernel.block->begin());
}

llvm::Expected<DeviceModule>
swizzle::device::takeLLVM(llvm::MemoryBufferRef module, MLIRContext &context,
                          const Target &target, const CompileOptions &options) {
  llvm::LLVMContext own;
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> read = readModule(module, problem, own);
  if (!read)
    return llvm::createStringError(module.getBufferIdentifier() + ":" +
                                   llvm::Twine(problem.getLineNo()) + ": " +
                                   problem.getMessage());
  DeviceModule device;
  std::string names;
  for (llvm::Function &function : llvm::make_early_inc_range(*read)) {
    if (!isKernel(function))
      continue;
    llvm::StringRef vendor =
        function.getCallingConv() == llvm::CallingConv::PTX_Kernel ? "nvidia"
                                                                   : "amd";
    if (llvm::Error error =
            checkVendors(vendor, read->getTargetTriple().str(),
                         vendorOfTriple(target.triple), target.arch))
      return llvm::createStringError(llvm::toString(std::move(error)));
    std::string name = function.getName().str();
    names += (names.empty() ? "" : ", ") + name;
    if (!options.kernel.empty() && options.kernel != name) {
      if (function.use_empty())
        function.eraseFromParent();
      continue;
    }
    CompiledKernel &kernel = device.kernels.emplace_back();
    kernel.name = name;
    noteBlock(function, kernel);
  }
  if (names.empty())
    return llvm::createStringError(
        "the module has no kernel: expected a function of "
        "calling convention amdgpu_kernel or ptx_kernel");
  if (device.kernels.empty())
    return llvm::make_error<UnknownKernelError>(options.kernel, names);
  context.loadDialect<gpu::GPUDialect, LLVM::LLVMDialect, NVVM::NVVMDialect,
                      ROCDL::ROCDLDialect>();
  Location at = UnknownLoc::get(&context);
  device.holder = ModuleOp::create(at);
  auto builder = OpBuilder::atBlockEnd(device.holder->getBody());
  device.gpuModule = gpu::GPUModuleOp::create(builder, at, "kernels");
  llvm::raw_string_ostream stream(device.llvmIR);
  llvm::WriteBitcodeToFile(*read, stream);
  return std::move(device);
}
