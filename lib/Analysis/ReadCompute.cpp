//===- ReadCompute.cpp - Arithmetic between accesses ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts floating-point operations: one for each lane of an operation that
// yields floating-point numbers, two for a multiply-add, 2 m n k for a product
// of matrices. A transcendental function counts as one, as a roofline counts
// it.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace swizzle {

static double lanesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? double(vector.getNumElements()) : 1;
}

static bool isFloat(Type type) {
  return isa<FloatType>(getElementTypeOrSelf(type));
}

/// Floating-point operations per lane of the result; nullopt for an operation
/// that is no arithmetic.
static std::optional<double> flopsPerLane(StringRef name) {
  StringRef dialect = name.split('.').first;
  if (dialect == "math")
    return name == "math.fma" ? 2 : 1;
  if (dialect == "arith")
    return llvm::StringSwitch<std::optional<double>>(name)
        .Cases({"arith.addf", "arith.subf", "arith.mulf", "arith.divf",
                "arith.remf", "arith.negf", "arith.maximumf", "arith.minimumf",
                "arith.maxnumf", "arith.minnumf"},
               1)
        .Default(0);
  if (dialect == "llvm")
    return llvm::StringSwitch<std::optional<double>>(name)
        .Cases({"llvm.fadd", "llvm.fsub", "llvm.fmul", "llvm.fdiv", "llvm.frem",
                "llvm.fneg", "llvm.intr.sqrt", "llvm.intr.exp",
                "llvm.intr.exp2", "llvm.intr.log", "llvm.intr.maxnum",
                "llvm.intr.minnum", "llvm.intr.maximum", "llvm.intr.minimum"},
               1)
        .Cases({"llvm.intr.fma", "llvm.intr.fmuladd"}, 2)
        .Default(std::nullopt);
  if (name == "vector.fma")
    return 2;
  return std::nullopt;
}

/// 2 m n k of a matrix operation whose shape its attributes `m`, `n`, `k` (and
/// `blocks`) tell; 0 if they do not.
static double matrixFlops(Operation *op) {
  double flops = 2;
  for (StringRef name : {"m", "n", "k"}) {
    auto size = op->getAttrOfType<IntegerAttr>(name);
    if (!size)
      return 0;
    flops *= size.getInt();
  }
  if (auto blocks = op->getAttrOfType<IntegerAttr>("blocks"))
    flops *= blocks.getInt();
  return flops;
}

/// 2 m n k of a `rocdl.mfma` or `rocdl.wmma`, whose shape is in its name
/// ("rocdl.mfma.f32.32x32x4.2b.f16": two blocks); 0 if it is not.
static double flopsInName(StringRef name) {
  SmallVector<StringRef> parts;
  name.split(parts, '.');
  double flops = 0, blocks = 1;
  for (StringRef part : parts) {
    SmallVector<StringRef> sizes;
    part.split(sizes, 'x');
    int64_t m, n, k;
    if (sizes.size() == 3 && !sizes[0].getAsInteger(10, m) &&
        !sizes[1].getAsInteger(10, n)) {
      StringRef rest = sizes[2];
      if (!rest.consumeInteger(10, k))
        flops = 2.0 * m * n * k;
    }
    int64_t count;
    StringRef rest = part;
    if (!rest.consumeInteger(10, count) && rest == "b")
      blocks = count;
  }
  return flops * blocks;
}

bool KernelReader::readMatrixProduct(Operation *op) {
  StringRef name = op->getName().getStringRef();
  double flops = 0;
  Issuer issuer = Issuer::Subgroup;
  if (auto product = dyn_cast<gpu::SubgroupMmaComputeOp>(op)) {
    auto a = cast<gpu::MMAMatrixType>(product.getOpA().getType());
    auto b = cast<gpu::MMAMatrixType>(product.getOpB().getType());
    flops = 2.0 * a.getShape()[0] * a.getShape()[1] * b.getShape()[1];
  } else if (isa<nvgpu::MmaSyncOp, nvgpu::MmaSparseSyncOp>(op)) {
    flops = 2;
    for (Attribute size : op->getAttrOfType<ArrayAttr>("mmaShape"))
      flops *= cast<IntegerAttr>(size).getInt();
  } else if (auto product = dyn_cast<nvgpu::WarpgroupMmaOp>(op)) {
    // Four subgroups do one product together.
    auto a = product.getDescriptorA().getType().getTensor();
    auto b = product.getDescriptorB().getType().getTensor();
    flops = 2.0 * a.getDimSize(0) * a.getDimSize(1) *
            b.getDimSize(product.getTransposeB() ? 0 : 1) / 4;
  } else if (name.starts_with("amdgpu.") &&
             (name.ends_with("mfma") || name.ends_with("wmma"))) {
    flops = matrixFlops(op);
  } else if (name == "nvvm.wmma.mma") {
    flops = matrixFlops(op);
  } else if (name.starts_with("rocdl.mfma.") ||
             name.starts_with("rocdl.wmma.")) {
    flops = flopsInName(name);
  } else if (name == "nvvm.mma.sync") {
    if (Attribute shape = op->getAttr("shape")) {
      std::string text;
      llvm::raw_string_ostream(text) << shape;
      // #nvvm.shape<m = 16, n = 8, k = 16>
      flops = 2;
      StringRef rest = text;
      while (!rest.empty()) {
        int64_t size;
        rest = rest.drop_until([](char c) { return c == '='; })
                   .drop_front(rest.contains('=') ? 2 : 0);
        if (rest.consumeInteger(10, size))
          break;
        flops *= size;
      }
    }
  } else {
    return false;
  }
  compute(flops, /*tensor=*/true, issuer);
  setUnknown(op, "a floating-point number");
  return true;
}

bool KernelReader::readCompute(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (isa<gpu::BarrierOp>(op) || name == "nvvm.barrier0" ||
      name == "nvvm.barrier" || name == "rocdl.barrier" ||
      name == "rocdl.s.barrier" || name == "amdgpu.lds_barrier") {
    if (blocked.empty())
      emit({Barrier()});
    setUnknown(op, "result of a barrier");
    return true;
  }
  if (readMatrixProduct(op))
    return true;
  if (auto contract = dyn_cast<vector::ContractionOp>(op)) {
    SmallVector<int64_t> bounds;
    contract.getIterationBounds(bounds);
    double flops = 2;
    for (int64_t bound : bounds)
      flops *= bound;
    compute(flops);
    setUnknown(op, "a floating-point number");
    return true;
  }
  if (isa<vector::ReductionOp, vector::MultiDimReductionOp>(op)) {
    if (isFloat(op->getResult(0).getType()))
      compute(lanesOf(op->getOperand(0).getType()));
    setUnknown(op, originOf(op, "a floating-point number"));
    return true;
  }
  if (isa<vector::OuterProductOp>(op)) {
    if (isFloat(op->getResult(0).getType()))
      compute(2 * lanesOf(op->getResult(0).getType()));
    setUnknown(op, "a floating-point number");
    return true;
  }
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return false;
  Type type = op->getResult(0).getType();
  if (!isFloat(type))
    return false;
  std::optional<double> flops = flopsPerLane(name);
  if (!flops)
    return false;
  compute(*flops * lanesOf(type));
  setUnknown(op, originOf(op, "a floating-point number"));
  return true;
}

} // namespace swizzle
