//===- BitCounts.cpp - How many bits of a known number are set ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels take logarithms of what a launch tells, of the block's size mostly:
//
//   cttz i32 %blockDim, ...      7 where a block has 128 threads
//
// Of a number that is not known, neither is that.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "../KernelReader.h"

using namespace mlir;

namespace swizzle::analysis {

bool readBitCount(KernelReader &reader, Operation *op) {
  if (!isa<LLVM::CountLeadingZerosOp, LLVM::CountTrailingZerosOp,
           LLVM::CtPopOp>(op))
    return false;
  auto type = dyn_cast<IntegerType>(op->getOperand(0).getType());
  CasesRef number = type ? reader.scalar(op->getOperand(0)) : nullptr;
  std::optional<int64_t> known =
      number ? reader.scalars.constantOf(number) : std::nullopt;
  if (!known || type.getWidth() > 64)
    return false;
  APInt bits(type.getWidth(), static_cast<uint64_t>(*known), /*isSigned=*/true,
             /*implicitTrunc=*/true);
  auto isPoison = [&](auto counts) {
    return counts && counts.getIsZeroPoison() && bits.isZero();
  };
  auto leading = dyn_cast<LLVM::CountLeadingZerosOp>(op);
  auto trailing = dyn_cast<LLVM::CountTrailingZerosOp>(op);
  AbstractValue count =
      AbstractValue::of(reader.scalars.constant(leading    ? bits.countl_zero()
                                                : trailing ? bits.countr_zero()
                                                           : bits.popcount()),
                        "");
  count.maybePoison = reader.get(op->getOperand(0)).maybePoison ||
                      isPoison(leading) || isPoison(trailing);
  reader.set(op->getResult(0), std::move(count));
  return true;
}

} // namespace swizzle::analysis
