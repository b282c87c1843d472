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

/// The number that the bits of `value`, 32 of them, stand for.
static CasesRef asUnsigned(Scalars &scalars, const CasesRef &value) {
  if (!value)
    return nullptr;
  if (std::optional<int64_t> known = scalars.constantOf(value))
    return scalars.constant(uint32_t(*known));
  return scalars.requireNonNegative(value);
}

void readHighProduct(KernelReader &reader, Operation *op) {
  Scalars &scalars = reader.scalars;
  Type type = op->getResult(0).getType();
  if (!type.isInteger(32))
    return reader.setUnknown(op, "the upper half of a product of 64 bits");
  bool isSigned = !StringRef(canonicalName(op)).contains(".u");
  CasesRef product = scalars.constant(1);
  bool maybePoison = false;
  for (Value operand : op->getOperands()) {
    CasesRef factor = product ? reader.scalar(operand) : nullptr;
    if (!isSigned)
      factor = asUnsigned(scalars, factor);
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

/// The upper half of the product `number` is a factor of, as a value: of an
/// intrinsic, or of numbers of twice the width. Null if there is none.
static Value highProductOf(Value number, Operation *user, Value &other) {
  auto otherOf = [&](Operation *product, Value factor) {
    return product->getOperand(product->getOperand(0) == factor ? 1 : 0);
  };
  if (StringRef(canonicalName(user)).starts_with("nvvm.mulhi.")) {
    other = otherOf(user, number);
    return user->getResult(0);
  }
  if (!isa<LLVM::ZExtOp, LLVM::SExtOp>(user) || !user->hasOneUse())
    return Value();
  Operation *product = *user->user_begin();
  if (!isa<LLVM::MulOp>(product) || !product->hasOneUse())
    return Value();
  auto shift = dyn_cast<LLVM::LShrOp>(*product->user_begin());
  APInt by;
  if (!shift || !matchPattern(shift.getRhs(), m_ConstantInt(&by)) ||
      by.getZExtValue() < number.getType().getIntOrFloatBitWidth())
    return Value();
  other = otherOf(product, user->getResult(0));
  return shift.getResult();
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
  for (OpOperand &use : number.getUses()) {
    Operation *user = use.getOwner();
    if (isa<LLVM::ShlOp, LLVM::LShrOp, LLVM::AShrOp>(user) &&
        use.getOperandNumber() == 1)
      return NumberUse::Shift;
    Value other;
    if (Value high = highProductOf(number, user, other))
      return isAddedTo(high, other) ? NumberUse::AddedFactor
                                    : NumberUse::Factor;
    // A shift of 64 bits takes its amount in as many.
    if (isa<LLVM::ZExtOp, LLVM::SExtOp, LLVM::TruncOp>(user) &&
        useOf(user->getResult(0)) == NumberUse::Shift)
      return NumberUse::Shift;
  }
  return NumberUse::Size;
}

} // namespace swizzle::analysis
