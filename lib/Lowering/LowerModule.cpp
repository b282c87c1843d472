//===- LowerModule.cpp - A GPU module to the llvm dialect -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's conversions in the order in which they fit. Structure first:
// everything becomes loops over scalars and rows of vectors, with addresses as
// arithmetic. Then blocks and branches, and the vendor's intrinsics.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Lowering/LowerModule.h"

#include "Steps.h"

#include "mlir/Conversion/AMDGPUToROCDL/AMDGPUToROCDL.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToAMDGPU/ArithToAMDGPU.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/GPUToROCDL/GPUToROCDLPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToROCDL/MathToROCDL.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace swizzle;

void swizzle::registerLoweringDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, amdgpu::AMDGPUDialect,
                  arith::ArithDialect, cf::ControlFlowDialect,
                  complex::ComplexDialect, func::FuncDialect, gpu::GPUDialect,
                  index::IndexDialect, linalg::LinalgDialect, LLVM::LLVMDialect,
                  math::MathDialect, memref::MemRefDialect, nvgpu::NVGPUDialect,
                  NVVM::NVVMDialect, ROCDL::ROCDLDialect, scf::SCFDialect,
                  ub::UBDialect, vector::VectorDialect>();
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertComplexToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  registerConvertNVVMToLLVMInterface(registry);
  NVVM::registerConvertGpuToNVVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
}

/// Loops, branches and addresses, in the dialects that the kernel came in.
static void addStructurePasses(OpPassManager &passes,
                               const ModuleLoweringOptions &options) {
  passes.addPass(createConvertLinalgToLoopsPass());
  VectorTransferToSCFOptions transfers;
  transfers.enableFullUnroll(options.unrollTransfers);
  passes.addPass(createConvertVectorToSCFPass(transfers));
  passes.addPass(createLowerAffinePass());
  passes.addPass(memref::createExpandStridedMetadataPass());
  passes.addPass(createLowerAffinePass());
}

/// Conversion to the llvm dialect with the intrinsics of the target's vendor.
static void addConversionPasses(OpPassManager &passes,
                                const LoweringTarget &target,
                                const ModuleLoweringOptions &options) {
  passes.addPass(createSCFToControlFlowPass());
  ConvertVectorToLLVMPassOptions vectors;
  vectors.useVectorAlignment = options.alignedVectors;
  passes.addPass(createConvertVectorToLLVMPass(vectors));
  if (target.vendor == GpuVendor::NVIDIA) {
    passes.addPass(createConvertNVGPUToNVVMPass());
    ConvertGpuOpsToNVVMOpsOptions nvidia;
    nvidia.useBarePtrCallConv = options.barePointers;
    passes.addPass(createConvertGpuOpsToNVVMOps(nvidia));
  } else {
    ConvertAMDGPUToROCDLPassOptions amdgpu;
    if (!target.arch.empty())
      amdgpu.chipset = target.arch;
    passes.addPass(createConvertAMDGPUToROCDLPass(amdgpu));
    ConvertGpuOpsToROCDLOpsOptions amd;
    if (!target.arch.empty())
      amd.chipset = target.arch;
    amd.useBarePtrCallConv = options.barePointers;
    amd.runtime = gpu::amd::Runtime::HIP;
    passes.addPass(createConvertGpuOpsToROCDLOps(amd));
  }
  passes.addPass(createReconcileUnrealizedCastsPass());
}

LogicalResult swizzle::lowerGpuModule(gpu::GPUModuleOp module,
                                      const LoweringTarget &target,
                                      const ModuleLoweringOptions &options) {
  if (failed(prepare(module)) || failed(lowerFirstLanes(module)))
    return failure();
  auto holder = cast<ModuleOp>(module->getParentOp());
  MLIRContext *context = module.getContext();
  PassManager structure(context);
  if (target.vendor == GpuVendor::AMD && !target.arch.empty()) {
    // Conversions from and to floats of eight bits.
    ArithToAMDGPUConversionPassOptions floats;
    floats.chipset = target.arch;
    structure.addPass(createArithToAMDGPUConversionPass(floats));
  }
  addStructurePasses(structure.nest<gpu::GPUModuleOp>(), options);
  if (target.vendor == GpuVendor::AMD) {
    // Apart from the conversion of the rest: that has patterns of its own for
    // functions that only the device libraries have (tanh, sinh).
    ConvertMathToROCDLOptions math;
    if (!target.arch.empty())
      math.chipset = target.arch;
    structure.addPass(createConvertMathToROCDL(math));
  }
  if (failed(structure.run(holder)) || failed(lowerSubgroups(module, target)))
    return failure();
  if (failed(lowerCommonMath(module)))
    return failure();
  bool expands = options.expandMath && target.vendor == GpuVendor::NVIDIA;
  if (expands && failed(expandMath(module)))
    return failure();
  PassManager conversion(context);
  addConversionPasses(conversion.nest<gpu::GPUModuleOp>(), target, options);
  if (failed(conversion.run(holder)))
    return failure();
  if (target.vendor == GpuVendor::NVIDIA)
    useMathIntrinsics(module);
  return success();
}
