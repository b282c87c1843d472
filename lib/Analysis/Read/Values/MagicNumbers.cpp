//===- MagicNumbers.cpp - Division by multiplication ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The upper half of a product, which kernels divide with:
//
//   n / d = (mulhi(n, m) + n) >> s       or      mulhi(n, m) >> s
//
// for an m and an s of d that the host works out. Where nobody gave these two,
// those of a power of two are as good as any: they have to fit together, and
// neither of them is a size.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "../KernelReader.h"
#include "../Launch/NominalNumbers.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace swizzle::analysis {

void readHighProduct(KernelReader &reader, Operation *op) {
  Scalars &scalars = reader.scalars;
  Type type = op->getResult(0).getType();
  if (!type.isInteger(32))
    return reader.setUnknown(
        op,
        reader.originOf(op, "the upper half of a product of numbers of " +
                                std::to_string(type.getIntOrFloatBitWidth()) +
                                " bits"));
  bool isSigned = !StringRef(canonicalName(op)).contains(".u");
  CasesRef product = scalars.constant(1);
  bool maybePoison = false;
  for (Value operand : op->getOperands()) {
    CasesRef factor = product ? reader.scalar(operand) : nullptr;
    if (!isSigned && factor)
      factor = reader.unsignedBits(factor, type);
    product = factor ? scalars.multiply(product, factor) : nullptr;
    maybePoison |= reader.get(operand).maybePoison;
  }
  CasesRef high;
  if (product)
    high = scalars.floorDivide(product, scalars.constant(int64_t(1) << 32));
  if (high)
    high = reader.fitted(high, type);
  AbstractValue result =
      high ? AbstractValue::of({high}) : AbstractValue::unknown(scalars.reason);
  result.maybePoison = maybePoison;
  reader.set(op->getResult(0), std::move(result));
}

/// Calls `fn` with the upper half of each product that `number` is a factor of,
/// of an intrinsic or of numbers of twice the width, and with the other factor.
template <typename Fn> static void forEachHighProduct(Value number, Fn fn) {
  auto otherOf = [](Operation *product, Value factor) {
    return product->getOperand(product->getOperand(0) == factor ? 1 : 0);
  };
  unsigned bits = number.getType().getIntOrFloatBitWidth();
  for (Operation *user : number.getUsers()) {
    if (StringRef(canonicalName(user)).starts_with("nvvm.mulhi."))
      fn(user->getResult(0), otherOf(user, number));
    if (!isa<LLVM::ZExtOp, LLVM::SExtOp>(user))
      continue;
    for (Operation *product : user->getUsers()) {
      if (!isa<LLVM::MulOp>(product))
        continue;
      for (Operation *shift : product->getUsers())
        if (APInt by; isa<LLVM::LShrOp>(shift) &&
                      matchPattern(shift->getOperand(1), m_ConstantInt(&by)) &&
                      by == bits)
          fn(shift->getResult(0), otherOf(product, user->getResult(0)));
    }
  }
}

/// True if what `high` leads to is added to `other`, or to what that was
/// before it was extended.
static bool isAddedTo(Value high, Value other) {
  Operation *extends = other.getDefiningOp();
  Value narrow = extends && isa<LLVM::ZExtOp, LLVM::SExtOp>(extends)
                     ? extends->getOperand(0)
                     : other;
  return llvm::any_of(high.getUsers(), [&](Operation *user) {
    if (isa<LLVM::TruncOp>(user))
      return isAddedTo(user->getResult(0), narrow);
    return isa<LLVM::AddOp>(user) &&
           llvm::any_of(user->getOperands(), [&](Value operand) {
             return operand == other || operand == narrow;
           });
  });
}

NumberUse useOf(Value number) {
  if (!isa<IntegerType>(number.getType()))
    return NumberUse::Size;
  for (OpOperand &use : number.getUses()) {
    Operation *user = use.getOwner();
    if (isa<LLVM::ShlOp, LLVM::LShrOp, LLVM::AShrOp>(user) &&
        use.getOperandNumber() == 1)
      return NumberUse::Shift;
    // A shift of 64 bits takes its amount in as many.
    if (isa<LLVM::ZExtOp, LLVM::SExtOp, LLVM::TruncOp>(user) &&
        useOf(user->getResult(0)) == NumberUse::Shift)
      return NumberUse::Shift;
  }
  // Products of 64 bits are not read.
  NumberUse found = NumberUse::Size;
  if (number.getType().getIntOrFloatBitWidth() <= 32)
    forEachHighProduct(number, [&](Value high, Value other) {
      found =
          isAddedTo(high, other) ? NumberUse::AddedFactor : NumberUse::Factor;
    });
  return found;
}

} // namespace swizzle::analysis
