//===- Schedule.cpp - From linalg to GPU kernels --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps in their order; between them upstream's passes.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Schedule/Schedule.h"
#include "Steps.h"
#include "TileOps.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/SCFToGPU/SCFToGPUPass.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/AllInterfaces.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/AllocationOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/TensorInferTypeOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/TensorTilingInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/SubsetInsertionOpInterfaceImpl.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Vector/Transforms/SubsetOpInterfaceImpl.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringRef.h"

using namespace mlir;

namespace swizzle {

void registerScheduleDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect,
                  bufferization::BufferizationDialect, func::FuncDialect,
                  gpu::GPUDialect, linalg::LinalgDialect, math::MathDialect,
                  memref::MemRefDialect, NVVM::NVVMDialect, ROCDL::ROCDLDialect,
                  scf::SCFDialect, tensor::TensorDialect, ub::UBDialect,
                  vector::VectorDialect>();
  affine::registerValueBoundsOpInterfaceExternalModels(registry);
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  arith::registerValueBoundsOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  linalg::registerAllDialectInterfaceImplementations(registry);
  memref::registerAllocationOpInterfaceExternalModels(registry);
  memref::registerValueBoundsOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  scf::registerValueBoundsOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerInferTypeOpInterfaceExternalModels(registry);
  tensor::registerSubsetOpInterfaceExternalModels(registry);
  tensor::registerTilingInterfaceExternalModels(registry);
  tensor::registerValueBoundsOpInterfaceExternalModels(registry);
  vector::registerBufferizableOpInterfaceExternalModels(registry);
  vector::registerSubsetOpInterfaceExternalModels(registry);
}

namespace {

/// One run of upstream's passes over the module.
class Passes {
public:
  explicit Passes(ModuleOp module)
      : module(module), manager(module.getContext()) {}

  Passes &add(std::unique_ptr<Pass> pass) {
    manager.addPass(std::move(pass));
    return *this;
  }
  Passes &addToFunctions(std::unique_ptr<Pass> pass) {
    manager.addNestedPass<func::FuncOp>(std::move(pass));
    return *this;
  }
  Passes &cleanUp() {
    return add(createCanonicalizerPass()).add(createCSEPass());
  }
  LogicalResult run() { return manager.run(module); }

private:
  ModuleOp module;
  PassManager manager;
};

} // namespace

/// Runs `step` on every function that has a body.
static LogicalResult
forEachFunction(ModuleOp module,
                llvm::function_ref<LogicalResult(FunctionOpInterface)> step) {
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && failed(step(function)))
      return failure();
  return success();
}

/// From any linalg to generic operations on tensors.
static LogicalResult normalize(ModuleOp module) {
  if (failed(Passes(module)
                 .addToFunctions(createConvertElementwiseToLinalgPass())
                 .run()))
    return failure();
  (void)forEachFunction(module, [](FunctionOpInterface function) {
    schedule::useTensors(function);
    schedule::normalizeLoops(function);
    return success();
  });
  return Passes(module)
      .add(createLinalgElementwiseOpFusionPass())
      .cleanUp()
      .run();
}

/// From loops over tensors to loops over buffers.
static LogicalResult bufferize(ModuleOp module) {
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  bufferization::BufferResultsToOutParamsPassOptions results;
  results.hoistStaticAllocs = true;
  results.modifyPublicFunctions = true;
  return Passes(module)
      .cleanUp()
      .addToFunctions(createLoopInvariantSubsetHoistingPass())
      .cleanUp()
      .add(bufferization::createEmptyTensorEliminationPass())
      .add(bufferization::createEmptyTensorToAllocTensorPass())
      .add(bufferization::createOneShotBufferizePass(options))
      .add(bufferization::createDropEquivalentBufferResultsPass())
      .cleanUp()
      .add(bufferization::createBufferResultsToOutParamsPass(results))
      .cleanUp()
      .run();
}

/// From loops over buffers to launches of kernels.
static LogicalResult outline(ModuleOp module) {
  if (failed(Passes(module)
                 .addToFunctions(createForallToParallelLoopPass())
                 .run()))
    return failure();
  (void)forEachFunction(module, [](FunctionOpInterface function) {
    schedule::mapLoops(function);
    return success();
  });
  if (failed(Passes(module)
                 .addToFunctions(createConvertParallelLoopToGpuPass())
                 .cleanUp()
                 .run()))
    return failure();
  (void)forEachFunction(module, [](FunctionOpInterface function) {
    schedule::lowerVectors(function);
    return success();
  });
  return Passes(module)
      .addToFunctions(createLowerAffinePass())
      .add(createLoopInvariantCodeMotionPass())
      .cleanUp()
      .add(createGpuLaunchSinkIndexComputationsPass())
      .add(createGpuKernelOutliningPass())
      .cleanUp()
      .run();
}

static void attachTarget(ModuleOp module, llvm::StringRef target) {
  MLIRContext *context = module.getContext();
  Builder builder(context);
  Attribute attribute;
  if (target.starts_with("sm_"))
    attribute = NVVM::NVVMTargetAttr::get(context, /*optLevel=*/3,
                                          "nvptx64-nvidia-cuda", target);
  else if (target.starts_with("gfx"))
    attribute = ROCDL::ROCDLTargetAttr::get(context, /*optLevel=*/3,
                                            "amdgcn-amd-amdhsa", target);
  if (!attribute)
    return;
  module.walk([&](gpu::GPUModuleOp kernels) {
    kernels.setTargetsAttr(builder.getArrayAttr({attribute}));
  });
}

/// Fails where there is nothing to make kernels of, or already a kernel.
static LogicalResult checkInput(ModuleOp module) {
  bool found = false;
  WalkResult result = module.walk([&](Operation *op) {
    if (isa<gpu::GPUModuleOp, gpu::LaunchOp>(op)) {
      op->emitError("is a kernel already: pass the file to swizzle-opt");
      return WalkResult::interrupt();
    }
    found |= isa<linalg::LinalgOp, linalg::AggregatedOpInterface>(op) ||
             (OpTrait::hasElementwiseMappableTraits(op) &&
              isa<TensorType>(op->getResult(0).getType()));
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  if (!found)
    return module.emitError("holds no linalg operation, and no arithmetic on "
                            "tensors: nothing to make a kernel of");
  return success();
}

/// Fails where a function still computes something outside kernels.
static LogicalResult checkOutput(ModuleOp module) {
  return forEachFunction(module, [](FunctionOpInterface function) {
    WalkResult result = function->walk([](Operation *op) {
      if (isa<gpu::LaunchFuncOp>(op))
        return WalkResult::skip();
      if (!isa<linalg::LinalgOp, LoopLikeOpInterface, memref::LoadOp,
               memref::StoreOp>(op) &&
          !isa<vector::VectorDialect, tensor::TensorDialect>(op->getDialect()))
        return WalkResult::advance();
      op->emitError("stays outside kernels: the generic schedule has no way to "
                    "compute it on a GPU");
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  });
}

LogicalResult scheduleForGpu(ModuleOp module, const ScheduleOptions &options) {
  if (failed(checkInput(module)))
    return failure();
  // Attributes of these are made before any pass could load them.
  module.getContext()
      ->loadDialect<bufferization::BufferizationDialect, gpu::GPUDialect,
                    NVVM::NVVMDialect, ROCDL::ROCDLDialect, scf::SCFDialect,
                    tensor::TensorDialect, vector::VectorDialect>();
  if (failed(normalize(module)) ||
      failed(forEachFunction(
          module,
          [&](FunctionOpInterface function) -> LogicalResult {
            schedule::splitReductions(function);
            schedule::normalizeLoops(function);
            if (failed(schedule::tileToThreads(function, options)))
              return failure();
            schedule::vectorizeTiles(function);
            return success();
          })) ||
      failed(bufferize(module)) ||
      failed(forEachFunction(module, schedule::lowerRemainders)) ||
      failed(outline(module)) || failed(checkOutput(module)))
    return failure();
  attachTarget(module, options.target);
  return success();
}

} // namespace swizzle
