//===- LowerToLLVM.cpp - GPU-dialect IR to the llvm dialect ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's conversions in the order in which they fit, with two additions.
//
// Mathematical functions for NVIDIA: upstream's conversion calls CUDA's
// libdevice (`__nv_expf`), which no driver brings. What PTX has an instruction
// for is lowered to LLVM's intrinsics beforehand, and fp32 functions are
// expanded by upstream's polynomials, unless a device library is given.
//
// Alignment: a vector<4xf32> access is lowered with the alignment of an f32.
// The pointers of the arguments get the alignment that they are known to have;
// LLVM derives that of the accesses from it.
//
//===----------------------------------------------------------------------===//

#include "DeviceModule.h"

#include "mlir/Conversion/AMDGPUToROCDL/AMDGPUToROCDL.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/GPUToROCDL/GPUToROCDLPass.h"
#include "mlir/Conversion/MathToROCDL/MathToROCDL.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace swizzle;

/// Calls of libdevice that are one instruction of PTX become LLVM's intrinsics.
/// Upstream's conversion refuses to meet those, so this comes after it.
static void useIntrinsics(gpu::GPUModuleOp gpuModule) {
  static const std::pair<llvm::StringRef, llvm::StringRef> intrinsics[] = {
      {"ceil", "ceil"},   {"copysign", "copysign"}, {"fabs", "fabs"},
      {"floor", "floor"}, {"fma", "fma"},           {"fmax", "maxnum"},
      {"fmin", "minnum"}, {"rint", "rint"},         {"sqrt", "sqrt"},
      {"trunc", "trunc"}};
  gpuModule.walk([&](LLVM::CallOp call) {
    llvm::StringRef name = call.getCallee().value_or("");
    if (!name.consume_front("__nv_") || call->getNumResults() != 1)
      return;
    Type type = call->getResult(0).getType();
    if (type.isF32())
      name.consume_back("f");
    else if (!type.isF64())
      return;
    for (auto [function, intrinsic] : intrinsics) {
      if (name != function)
        continue;
      OpBuilder builder(call);
      std::string full =
          ("llvm." + intrinsic + (type.isF32() ? ".f32" : ".f64")).str();
      auto instead = LLVM::CallIntrinsicOp::create(builder, call.getLoc(), type,
                                                   builder.getStringAttr(full),
                                                   call.getArgOperands());
      call->replaceAllUsesWith(instead->getResults());
      call->erase();
      return;
    }
  });
}

/// Expands every other function that upstream has an expansion for.
static LogicalResult expandMath(gpu::GPUModuleOp gpuModule) {
  // The functions that are expressed by others first: 2^x, x^y, sinh, ...
  RewritePatternSet composed(gpuModule.getContext());
  math::populateExpansionPatterns(composed, {"acosh", "asinh", "atanh", "cosh",
                                             "exp2", "fpowi", "powf", "round",
                                             "rsqrt", "sinh", "tan"});
  if (failed(applyPatternsGreedily(gpuModule, std::move(composed))))
    return failure();
  RewritePatternSet approximated(gpuModule.getContext());
  auto all = [](llvm::StringRef name) {
    return name != math::SqrtOp::getOperationName() &&
           name != math::RsqrtOp::getOperationName() &&
           name != math::AbsFOp::getOperationName() &&
           name != math::FmaOp::getOperationName() &&
           name != math::FloorOp::getOperationName() &&
           name != math::CeilOp::getOperationName();
  };
  populateMathF32ExpansionPatterns(approximated, all);
  populateMathPolynomialApproximationPatterns(approximated, all);
  return applyPatternsGreedily(gpuModule, std::move(approximated));
}

/// Reductions over a subgroup become shuffles, its number arithmetic on thread
/// ids, its size the constant that it is for this target.
static LogicalResult lowerSubgroups(gpu::GPUModuleOp gpuModule,
                                    const Target &target) {
  RewritePatternSet patterns(gpuModule.getContext());
  populateGpuSubgroupIdPatterns(patterns);
  populateGpuBreakDownSubgroupReducePatterns(patterns);
  populateGpuLowerSubgroupReduceToShufflePatterns(patterns, target.waveSize);
  populateGpuLowerClusteredSubgroupReduceToShufflePatterns(patterns,
                                                           target.waveSize);
  if (failed(applyPatternsGreedily(gpuModule, std::move(patterns))))
    return failure();
  gpuModule.walk([&](gpu::SubgroupSizeOp size) {
    OpBuilder builder(size);
    auto number =
        arith::ConstantIndexOp::create(builder, size.getLoc(), target.waveSize);
    size->replaceAllUsesWith(number);
    size->erase();
  });
  return success();
}

/// Conversion to the llvm dialect with the intrinsics of the target's vendor.
static void addVendorPasses(OpPassManager &passes, const DeviceModule &device,
                            const Target &target) {
  if (target.vendor == GpuVendor::NVIDIA) {
    passes.addPass(createConvertNVGPUToNVVMPass());
    ConvertGpuOpsToNVVMOpsOptions options;
    options.useBarePtrCallConv = device.barePointers;
    passes.addPass(createConvertGpuOpsToNVVMOps(options));
    return;
  }
  ConvertAMDGPUToROCDLPassOptions amdgpu;
  amdgpu.chipset = target.arch;
  passes.addPass(createConvertAMDGPUToROCDLPass(amdgpu));
  ConvertGpuOpsToROCDLOpsOptions options;
  options.chipset = target.arch;
  options.useBarePtrCallConv = device.barePointers;
  options.runtime = gpu::amd::Runtime::HIP;
  passes.addPass(createConvertGpuOpsToROCDLOps(options));
}

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

LogicalResult swizzle::lowerToLLVM(DeviceModule &device, const Target &target,
                                   const CompileOptions &options) {
  MLIRContext *context = device.gpuModule.getContext();
  // Kernels that came lowered keep what their author said of their pointers.
  bool lowered =
      llvm::all_of(device.kernels, [&](const CompiledKernel &kernel) {
        return isa_and_nonnull<LLVM::LLVMFuncOp>(
            device.gpuModule.lookupSymbol(kernel.name));
      });

  PassManager structure(context);
  OpPassManager &first = structure.nest<gpu::GPUModuleOp>();
  first.addPass(createConvertLinalgToLoopsPass());
  first.addPass(createConvertVectorToSCFPass());
  first.addPass(createLowerAffinePass());
  first.addPass(memref::createExpandStridedMetadataPass());
  first.addPass(createLowerAffinePass());
  if (target.vendor == GpuVendor::AMD) {
    // Apart from the conversion of the rest: that has patterns of its own for
    // functions that only the device libraries have (tanh, sinh).
    ConvertMathToROCDLOptions math;
    math.chipset = target.arch;
    structure.addPass(createConvertMathToROCDL(math));
  }
  if (failed(structure.run(*device.holder)))
    return failure();

  if (failed(lowerSubgroups(device.gpuModule, target)))
    return failure();
  if (target.vendor == GpuVendor::NVIDIA && options.deviceLibraries.empty() &&
      failed(expandMath(device.gpuModule)))
    return failure();

  PassManager conversion(context);
  OpPassManager &second = conversion.nest<gpu::GPUModuleOp>();
  second.addPass(createSCFToControlFlowPass());
  ConvertVectorToLLVMPassOptions vectors;
  vectors.useVectorAlignment = options.alignedVectors;
  second.addPass(createConvertVectorToLLVMPass(vectors));
  addVendorPasses(second, device, target);
  second.addPass(createReconcileUnrealizedCastsPass());
  if (failed(conversion.run(*device.holder)))
    return failure();
  if (target.vendor == GpuVendor::NVIDIA)
    useIntrinsics(device.gpuModule);
  if (!lowered)
    alignArguments(device, options.pointerAlignment);
  return success();
}
