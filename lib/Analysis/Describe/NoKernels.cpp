//===- NoKernels.cpp - Why a module has no kernel -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tool that finds nothing to do says so, with the reason and the next step.
// The reasons are tried from the most to the least telling: a function that
// reads ids, code that is not lowered yet, kernels of another dialect,
// binaries, and at last host code.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Analysis/Describe/Kernels.h"

#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace swizzle {

namespace {
/// What is in a module that has no kernel.
struct Contents {
  FunctionOpInterface readsId; ///< the first function that does
  Operation *unlowered = nullptr;
  Operation *foreign = nullptr;
  Operation *loop = nullptr; ///< the first parallel one
  bool binary = false, functions = false;
};
} // namespace

/// What is usual in the host's part of a module, or around it.
static bool isUsual(StringRef dialect) {
  return llvm::StringSwitch<bool>(dialect)
      .Cases({"affine", "arith", "async", "bufferization", "builtin", "cf"},
             true)
      .Cases({"complex", "dlti", "func", "gpu", "index", "linalg", "llvm"},
             true)
      .Cases({"math", "memref", "nvvm", "rocdl", "scf", "swizzle", "tensor"},
             true)
      .Cases({"transform", "ub", "vector", "nvgpu", "amdgpu"}, true)
      .Default(false);
}

static Contents look(ModuleOp module) {
  Contents contents;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (auto function = dyn_cast<FunctionOpInterface>(op)) {
      contents.functions = true;
      if (!contents.readsId && !function.isExternal() &&
          !findIdReadings(function).empty())
        contents.readsId = function;
    }
    if (!contents.unlowered && (dialect == "linalg" || dialect == "tensor" ||
                                dialect == "tosa" || dialect == "stablehlo"))
      contents.unlowered = op;
    if (!contents.foreign && !isUsual(dialect))
      contents.foreign = op;
    contents.binary |= isa<gpu::BinaryOp>(op);
    StringRef name = op->getName().getStringRef();
    if (!contents.loop && (name == "scf.parallel" || name == "scf.forall" ||
                           name == "affine.parallel"))
      contents.loop = op;
  });
  return contents;
}

/// What makes a kernel of a parallel loop.
static std::string explainLoop(Operation *loop) {
  StringRef name = loop->getName().getStringRef();
  if (name == "scf.forall" && loop->hasAttr("mapping"))
    return "its parallel loops are not mapped to a GPU yet; do that first: "
           "transform.gpu.map_forall_to_blocks and "
           "transform.gpu.map_nested_forall_to_threads";
  if (name == "scf.parallel" && loop->hasAttr("mapping"))
    return "its parallel loops are mapped to a GPU, but not converted; do that "
           "next: mlir-opt --convert-parallel-loops-to-gpu, which leaves loops "
           "whose bounds depend on outer ones (tile them with "
           "no-min-max-bounds=true)";
  StringRef first = name == "scf.forall"        ? "--scf-forall-to-parallel "
                    : name == "affine.parallel" ? "--lower-affine "
                                                : "";
  return ("its parallel loops are not mapped to a GPU yet; do that first: "
          "mlir-opt " +
          first + "--gpu-map-parallel-loops --convert-parallel-loops-to-gpu")
      .str();
}

std::string explainNoKernels(ModuleOp module) {
  Contents contents = look(module);
  if (FunctionOpInterface function = contents.readsId)
    return ("function '" + function.getName() +
            "' reads a workgroup id, but nothing marks it as a kernel, and it "
            "is called, private or returns values; if it is one, say kernel=" +
            function.getName())
        .str();
  auto name = [](Operation *op) {
    return "'" + op->getName().getStringRef().str() + "'";
  };
  if (contents.unlowered)
    return name(contents.unlowered) +
           " is not lowered to a kernel yet; do that first: swizzle-lower "
           "FILE.mlir --chip=NAME -o KERNEL.mlir";
  if (contents.loop)
    return explainLoop(contents.loop);
  if (contents.foreign)
    return "kernels of dialect '" +
           contents.foreign->getName().getDialectNamespace().str() + "' (" +
           name(contents.foreign) +
           ") are not read; lower them to the gpu or the llvm dialect first";
  if (contents.binary)
    return "its kernels are compiled already (gpu.binary); run this before "
           "they are";
  if (contents.functions)
    return "it has host code only; give the file that has the gpu.func, the "
           "gpu.launch, or the llvm.func that a vendor's attribute or calling "
           "convention marks";
  return "it has no function";
}

} // namespace swizzle
