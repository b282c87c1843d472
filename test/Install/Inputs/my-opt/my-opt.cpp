//===- my-opt.cpp - An out-of-tree driver that uses Swizzle ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a project needs in order to have the remap among its own passes: the
// dialect in its registry, the passes and pipelines registered.
//
//===----------------------------------------------------------------------===//

#include "swizzle/InitAll.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::gpu::GPUDialect,
                  mlir::ROCDL::ROCDLDialect, mlir::memref::MemRefDialect,
                  mlir::scf::SCFDialect>();
  swizzle::registerAllDialects(registry);
  swizzle::registerAllPasses();
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "An optimiser with remaps\n", registry));
}
