//===- Reductions.cpp - All lanes of a vector as one number ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What compilers make of sums of products that are computed side by side:
//
//   llvm.vector.reduce.add <2 x i32> %v      v0 + v1
//   llvm.vector.reduce.umax <4 x i32> %v     max(v0, v1, v2, v3)
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "../KernelReader.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace swizzle::analysis {

using Combine = CasesRef (Scalars::*)(const CasesRef &, const CasesRef &);

/// What joins two lanes; null if that is not followed.
static Combine combineOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Combine>(op)
      .Case([](LLVM::vector_reduce_add) { return &Scalars::add; })
      .Case([](LLVM::vector_reduce_mul) { return &Scalars::multiply; })
      .Case<LLVM::vector_reduce_smin, LLVM::vector_reduce_umin>(
          [](Operation *) { return &Scalars::minimum; })
      .Case<LLVM::vector_reduce_smax, LLVM::vector_reduce_umax>(
          [](Operation *) { return &Scalars::maximum; })
      .Default([](Operation *) -> Combine { return nullptr; });
}

void readReduction(KernelReader &reader, Operation *op) {
  Scalars &scalars = reader.scalars;
  AbstractValue vector = reader.get(op->getOperand(0));
  Type type = op->getResult(0).getType();
  Combine combine = combineOf(op);
  // Of one bit, 1 stands for -1.
  if (!combine || !vector.isNumber() || vector.lanes.empty() ||
      type.isInteger(1))
    return reader.setUnknown(
        op, reader.originOf(op, "lanes that are joined to one number"));
  bool isUnsigned = isa<LLVM::vector_reduce_umin, LLVM::vector_reduce_umax>(op);
  CasesRef result;
  for (auto [i, lane] : llvm::enumerate(vector.lanes)) {
    CasesRef number =
        lane && isUnsigned ? scalars.requireNonNegative(lane) : lane;
    result = i == 0             ? number
             : result && number ? (scalars.*combine)(result, number)
                                : nullptr;
  }
  // Sums that wrap around on the way come to the same.
  AbstractValue value = AbstractValue::of(
      result ? reader.fitted(result, type) : nullptr,
      reader.originOf(op, "lanes that are joined to one number"));
  value.maybePoison = vector.maybePoison;
  reader.set(op->getResult(0), std::move(value));
}

} // namespace swizzle::analysis
