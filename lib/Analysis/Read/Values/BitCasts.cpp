//===- BitCasts.cpp - Numbers that are taken apart and put together -------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vector of integers as one of wider or narrower ones. GPUs have the lowest
// bits first:
//
//   bitcast <2 x i64> %v to <4 x i32>
//     v0 mod 2^32, floor(v0 / 2^32), v1 mod 2^32, floor(v1 / 2^32)
//   bitcast <2 x i32> %v to i64
//     v0 mod 2^32 + 2^32 * v1
//   bitcast <2 x i1> %v to i2
//     v0 - 2 * v1
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "../KernelReader.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace swizzle::analysis {

/// What the lowest `bits` bits of `number` stand for, without a sign.
static CasesRef lowBits(Scalars &scalars, const CasesRef &number,
                        unsigned bits) {
  return scalars.floorRemainder(number, scalars.constant(int64_t(1) << bits));
}

/// The same with a sign.
static CasesRef withSign(Scalars &scalars, const CasesRef &number,
                         unsigned bits) {
  int64_t half = int64_t(1) << (bits - 1);
  return scalars.map(number, [&](const AffineForm &form) {
    return scalars.branch({makeConstant(half - 1) - form, false},
                          scalars.leaf(form),
                          scalars.leaf(form - makeConstant(2 * half)));
  });
}

/// Appends the parts of `bits` bits that `number`, of `count` as many, has.
static void takeApart(Scalars &scalars, const CasesRef &number, size_t count,
                      unsigned bits, std::vector<CasesRef> &parts) {
  for (size_t i = 0; i < count; ++i) {
    CasesRef rest =
        number ? scalars.floorDivide(number,
                                     scalars.constant(int64_t(1) << (i * bits)))
               : nullptr;
    // The last one is what is left, and has the sign.
    bool isLast = i + 1 == count;
    if (rest && (!isLast || bits == 1))
      rest = lowBits(scalars, rest, bits);
    // Numbers of one bit are 0 and 1.
    bool isSigned = !isLast && bits > 1;
    parts.push_back(rest && isSigned ? withSign(scalars, rest, bits) : rest);
  }
}

/// The number whose parts of `bits` bits are `parts`.
static CasesRef putTogether(Scalars &scalars, ArrayRef<CasesRef> parts,
                            unsigned bits) {
  CasesRef sum = scalars.constant(0);
  for (auto [i, part] : llvm::enumerate(parts)) {
    bool isLast = i + 1 == parts.size();
    CasesRef number =
        part && !isLast ? lowBits(scalars, part, bits) : CasesRef(part);
    int64_t factor = int64_t(1) << (i * bits);
    if (isLast && bits == 1)
      factor = -factor;
    number = number && sum ? scalars.scale(number, factor) : nullptr;
    sum = number ? scalars.add(sum, number) : nullptr;
  }
  return sum;
}

/// The bits of an integer, or of each in a vector; 0 for all else.
static unsigned bitsOf(Type type) {
  auto number = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  auto vector = dyn_cast<VectorType>(type);
  return number && !(vector && vector.isScalable()) ? number.getWidth() : 0;
}

void readBitCast(KernelReader &reader, Operation *op) {
  Scalars &scalars = reader.scalars;
  Type source = op->getOperand(0).getType();
  Type result = op->getResult(0).getType();
  AbstractValue value = reader.get(op->getOperand(0));
  unsigned from = bitsOf(source), to = bitsOf(result);
  unsigned narrow = std::min(from, to), wide = std::max(from, to);
  // Conditions that are the bits of a number make many cases of it.
  if (!value.isNumber() || narrow == 0 || wide > (narrow == 1 ? 8 : 64) ||
      wide % narrow != 0)
    return readCast(reader, op);
  size_t ratio = wide / narrow;
  if (ratio == 1)
    return reader.set(op->getResult(0), std::move(value));
  std::vector<CasesRef> lanes;
  if (from >= to)
    for (const CasesRef &lane : value.lanes)
      takeApart(scalars, lane, ratio, narrow, lanes);
  else
    for (size_t i = 0; i + ratio <= value.lanes.size(); i += ratio)
      lanes.push_back(
          putTogether(scalars, ArrayRef(value.lanes).slice(i, ratio), narrow));
  auto vector = dyn_cast<VectorType>(result);
  size_t count = vector ? vector.getNumElements() : 1;
  for (CasesRef &lane : lanes)
    if (lane)
      lane = reader.fitted(lane, getElementTypeOrSelf(result));
  bool isKnown = llvm::any_of(lanes, [](const CasesRef &l) { return !!l; });
  if (lanes.size() != count || count > size_t(kMaxLanes) || !isKnown)
    return reader.setUnknown(op, reader.originOf(op, "a part of a number"));
  value.lanes = std::move(lanes);
  reader.set(op->getResult(0), std::move(value));
}

} // namespace swizzle::analysis
