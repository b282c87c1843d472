//===- ReadCompute.cpp - Arithmetic between accesses ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.TXT for license information. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts floating-point operations: one for each lane of an operation that
// yields floating-point numbers, two for a multiply-add. A transcendental
// function counts as one, as a roofline counts it.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
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

/// Moves and conversions, which compute nothing.
static bool isFree(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"arith.constant", "arith.bitcast", "arith.select"}, true)
      .Cases({"arith.extf", "arith.truncf", "arith.sitofp", "arith.uitofp"},
             true)
      .Cases({"llvm.fpext", "llvm.fptrunc", "llvm.sitofp", "llvm.uitofp"}, true)
      .Default(false);
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
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return false;
  Type type = op->getResult(0).getType();
  StringRef dialect = op->getName().getDialectNamespace();
  if (!isFloat(type))
    return false;
  if (dialect == "arith" || dialect == "math") {
    bool fused = isa<math::FmaOp>(op);
    if (!isFree(name))
      compute((fused ? 2 : 1) * lanesOf(type));
    setUnknown(op, originOf(op, "a floating-point number"));
    return true;
  }
  return false;
}

} // namespace swizzle
