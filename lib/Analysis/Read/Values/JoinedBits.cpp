//===- JoinedBits.cpp - Numbers that are joined to be compared ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM asks of several numbers at a time whether they are zero, or below a
// power of two, and joins their bits for that. What is joined has no form, the
// answer has:
//
//   icmp eq i32 (or %x, %t), 0       x == 0 and t == 0
//   icmp ult i32 (or %x, %t), 16     x < 16 and t < 16
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "../KernelReader.h"

using namespace mlir;

namespace swizzle::analysis {

/// 1 where `value`, which bits are joined to, is below `limit` as an unsigned
/// number, a power of two: where all that are joined are. Null if one of them
/// is not known.
static CasesRef isBelow(KernelReader &reader, Value value, int64_t limit,
                        bool &poison, unsigned depth = 8) {
  Scalars &scalars = reader.scalars;
  poison |= reader.get(value).maybePoison;
  if (CasesRef number = reader.scalar(value)) {
    if (limit == 1)
      return scalars.compare(Comparison::Equal, number, scalars.constant(0));
    return scalars.select(
        scalars.compare(Comparison::LessEqual, scalars.constant(0), number),
        scalars.compare(Comparison::Less, number, scalars.constant(limit)),
        scalars.constant(0));
  }
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return nullptr;
  // A wider number is zero where the narrow one is; else its sign would matter.
  if (isa<LLVM::ZExtOp, LLVM::SExtOp>(op) && limit == 1)
    return isBelow(reader, op->getOperand(0), limit, poison, depth - 1);
  if (!isa<LLVM::OrOp>(op))
    return nullptr;
  CasesRef a = isBelow(reader, op->getOperand(0), limit, poison, depth - 1);
  CasesRef b = a ? isBelow(reader, op->getOperand(1), limit, poison, depth - 1)
                 : nullptr;
  return b ? scalars.select(a, b, scalars.constant(0)) : nullptr;
}

bool readJoinedBits(KernelReader &reader, Operation *op) {
  using Predicate = LLVM::ICmpPredicate;
  auto compares = dyn_cast<LLVM::ICmpOp>(op);
  if (!compares || !compares.getLhs().getType().isInteger() ||
      reader.scalar(compares.getLhs()))
    return false;
  Scalars &scalars = reader.scalars;
  std::optional<int64_t> bound =
      scalars.constantOf(reader.scalar(compares.getRhs()));
  Predicate predicate = compares.getPredicate();
  if (!bound || *bound < 0 || *bound > INT32_MAX)
    return false;
  bool isEquality =
      *bound == 0 && (predicate == Predicate::eq || predicate == Predicate::ne);
  bool isNot = predicate == Predicate::ne || predicate == Predicate::ugt;
  if (predicate == Predicate::ugt)
    ++*bound;
  if (!isEquality &&
      ((predicate != Predicate::ult && predicate != Predicate::ugt) ||
       !llvm::isPowerOf2_64(*bound)))
    return false;
  bool poison = false;
  CasesRef below =
      isBelow(reader, compares.getLhs(), isEquality ? 1 : *bound, poison);
  if (!below)
    return false;
  CasesRef no = scalars.constant(0), yes = scalars.constant(1);
  AbstractValue result =
      AbstractValue::of({isNot ? scalars.select(below, no, yes) : below});
  result.maybePoison = poison;
  reader.set(op->getResult(0), std::move(result));
  return true;
}

} // namespace swizzle::analysis
