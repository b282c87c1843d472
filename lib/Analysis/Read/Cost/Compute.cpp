//===- Compute.cpp - Arithmetic between accesses --------------------------===//
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

#include "../Handlers.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "swizzle/Lowering/WorkgroupIds.h"

using namespace mlir;

namespace swizzle::analysis {

static double lanesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? double(vector.getNumElements()) : 1;
}

static bool isFloat(Type type) {
  return isa<FloatType>(getElementTypeOrSelf(type));
}

/// One floating-point operation a lane; functions of device libraries, and
/// NVIDIA's approximations, among them.
static constexpr llvm::StringLiteral kArithmetic(
    "llvm.fadd llvm.fsub llvm.fmul llvm.fdiv llvm.frem llvm.fneg "
    "llvm.intr.sqrt llvm.intr.exp llvm.intr.exp2 llvm.intr.exp10 llvm.intr.log "
    "llvm.intr.log2 llvm.intr.log10 llvm.intr.sin llvm.intr.cos llvm.intr.tan "
    "llvm.intr.pow llvm.intr.powi llvm.intr.fabs llvm.intr.ceil "
    "llvm.intr.floor llvm.intr.rint llvm.intr.round llvm.intr.roundeven "
    "llvm.intr.trunc llvm.intr.copysign llvm.intr.maxnum llvm.intr.minnum "
    "llvm.intr.maximum llvm.intr.minimum rocdl.exp rocdl.exp2 rocdl.log "
    "rocdl.rcp rocdl.rsq rocdl.sqrt rocdl.sin rocdl.cos rocdl.tanh nvvm.tanh "
    "nvvm.ex2* nvvm.lg2* nvvm.rcp* nvvm.rsqrt* nvvm.sqrt* __nv_* __ocml_*");

void readArithmetic(KernelReader &reader, Operation *op) {
  if (op->getNumResults() != 1 || !isFloat(op->getResult(0).getType()))
    return;
  std::string text = canonicalName(op);
  StringRef name = text;
  double lanes = lanesOf(op->getResult(0).getType());
  if (name == "llvm.intr.fma" || name == "llvm.intr.fmuladd")
    reader.compute(2 * lanes);
  else if (name.starts_with("llvm.intr.vector.reduce.f"))
    reader.compute(lanesOf(op->getOperand(op->getNumOperands() - 1).getType()));
  else if (matches(kArithmetic, name) ||
           (isa<CallOpInterface>(op) && !name.starts_with("llvm.") &&
            !name.starts_with("nvvm.") && !name.starts_with("rocdl.")))
    reader.compute(lanes); // or a function of a mathematics library
}

void readBarrier(KernelReader &reader, Operation *op) {
  reader.barrier();
  reader.setUnknown(op, "result of a barrier");
}

namespace {
struct Product {
  double elements = 0; ///< of its result
  double flops = 0;
};
} // namespace

/// A product of matrices whose shape is in its name
/// ("rocdl.mfma.f32.32x32x4.2b.f16": two blocks;
/// "nvvm.mma.sp.m16n8k16.row..."); nothing if it is not.
static Product productInName(StringRef name) {
  SmallVector<StringRef> parts;
  name.split(parts, '.');
  double elements = 0, flops = 0, blocks = 1;
  for (StringRef part : parts) {
    int64_t m, n, k;
    if (StringRef shape = part;
        shape.consume_front("m") && !shape.consumeInteger(10, m) &&
        shape.consume_front("n") && !shape.consumeInteger(10, n) &&
        shape.consume_front("k") && !shape.getAsInteger(10, k)) {
      elements = double(m) * double(n);
      flops = 2.0 * m * n * k;
    }
    SmallVector<StringRef> sizes;
    part.split(sizes, 'x');
    if (sizes.size() == 3 && !sizes[0].getAsInteger(10, m) &&
        !sizes[1].getAsInteger(10, n)) {
      StringRef rest = sizes[2];
      if (!rest.consumeInteger(10, k)) {
        elements = double(m) * double(n);
        flops = 2.0 * m * n * k;
      }
    }
    int64_t count;
    StringRef rest = part;
    if (!rest.consumeInteger(10, count) && rest == "b")
      blocks = count;
  }
  return {elements * blocks, flops * blocks};
}

/// Counts instructions beyond the one that every operation is: one makes 16 by
/// 8 elements of a result.
static void issueFragments(KernelReader &reader, double elements) {
  constexpr double ofOne = 16 * 8;
  reader.issue(std::max(0.0, elements / ofOne - 1));
}

void readMatrixProduct(KernelReader &reader, Operation *op) {
  StringRef name = op->getName().getStringRef();
  double flops = 0;
  if (auto product = dyn_cast<NVVM::WMMAMmaOp>(op)) {
    flops = 2.0 * product.getM() * product.getN() * product.getK();
    issueFragments(reader, double(product.getM()) * double(product.getN()));
  } else if (auto shape = op->getAttrOfType<NVVM::MMAShapeAttr>("shape")) {
    flops = 2.0 * shape.getM() * shape.getN() * shape.getK();
    // Four subgroups do one product together.
    if (name.starts_with("nvvm.wgmma."))
      flops /= 4;
  } else {
    std::string text = canonicalName(op);
    Product product = productInName(text);
    flops = product.flops;
    if (StringRef(text).starts_with("nvvm.wmma."))
      issueFragments(reader, product.elements);
  }
  reader.compute(flops, /*tensor=*/true, Issuer::Subgroup);
  reader.setUnknown(op, "a floating-point number");
}

} // namespace swizzle::analysis
