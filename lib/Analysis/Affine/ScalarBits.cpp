//===- ScalarBits.cpp - Operations on the bits of integers ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Masks, shifts and what joins bits, as floor divisions, remainders and sums.
//
//===----------------------------------------------------------------------===//

#include "BitFields.h"
#include "Scalars.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

namespace swizzle::analysis {

/// The bits of `form` selected by `mask`, one run of set bits at a time: a run
/// from bit l up to (not including) bit h is 2^l * (floor(f / 2^l) mod
/// 2^(h-l)). Holds for negative numbers in two's complement too, because floor
/// does.
CasesRef Scalars::maskedRuns(const AffineForm &form, uint64_t mask) {
  auto power = [](unsigned bits) { return int64_t(1) << bits; };
  CasesRef sum = constant(0);
  while (mask && sum) {
    unsigned low = llvm::countr_zero(mask);
    unsigned high = low + llvm::countr_one(mask >> low);
    if (low >= 60 || (high >= 60 && high < 64))
      return fail("bits beyond 2^60");
    CasesRef run = floorDivide(leaf(form), constant(power(low)));
    if (high < 64)
      run = floorRemainder(run, constant(power(high - low)));
    sum = add(sum, scale(run, power(low)));
    mask = high < 64 ? mask >> high << high : 0;
  }
  return sum;
}

/// The bits of `form` selected by `mask`: of parts that share no bits, those
/// inside the mask as they are, and what is selected of those across its ends.
CasesRef Scalars::maskedBits(const AffineForm &form, uint64_t mask) {
  std::optional<std::vector<BitField>> fields = bitFieldsOf(domain, form);
  if (!fields)
    return maskedRuns(form, mask);
  CasesRef sum = constant(0);
  for (const BitField &field : *fields)
    if (field.mask & mask)
      sum = add(sum, field.mask & ~mask ? maskedRuns(field.form, mask)
                                        : leaf(field.form));
  return sum;
}

bool Scalars::isTruth(const AffineForm &form) {
  Interval interval = domain.range(form);
  return interval.low >= 0 && interval.high <= 1;
}

/// True if no bit may be set in both.
static bool isDisjoint(const Domain &domain, const AffineForm &a,
                       const AffineForm &b) {
  // All values of one are multiples of 2^k, also negative ones, and the other
  // lies in [0, 2^k).
  auto isAbove = [&](const AffineForm &high, const AffineForm &low) {
    Interval interval = domain.range(low);
    if (interval.low < 0 || interval.high >= (int64_t(1) << 59))
      return false;
    int64_t step = onesUpTo(interval.high) + 1;
    return high.constant % step == 0 &&
           llvm::all_of(high.terms, [&](const Term &term) {
             return term.coefficient % step == 0;
           });
  };
  return isAbove(a, b) || isAbove(b, a) ||
         (possibleBits(domain, a) & possibleBits(domain, b)) == 0;
}

CasesRef Scalars::bitAnd(const CasesRef &a, const CasesRef &b) {
  return map(a, b, [&](const AffineForm &left, const AffineForm &right) {
    if (auto masked = splitConstant(left, right))
      return maskedBits(masked->second, uint64_t(masked->first));
    if (isTruth(left) && isTruth(right))
      return branch({left - makeConstant(1), false}, leaf(right), constant(0));
    if (isDisjoint(domain, left, right))
      return constant(0);
    return fail("bitwise and of two variables");
  });
}

CasesRef Scalars::bitOr(const CasesRef &a, const CasesRef &b) {
  return map(a, b, [&](const AffineForm &left, const AffineForm &right) {
    if (isDisjoint(domain, left, right))
      return wrap(addForms(left, right));
    if (isTruth(left) && isTruth(right))
      return branch({left - makeConstant(1), false}, constant(1), leaf(right));
    // a | m = a + m - (a & m)
    if (auto masked = splitConstant(left, right))
      return subtract(add(leaf(masked->second), constant(masked->first)),
                      maskedBits(masked->second, uint64_t(masked->first)));
    return fail("bitwise or of two variables");
  });
}

CasesRef Scalars::bitXor(const CasesRef &a, const CasesRef &b) {
  return map(a, b, [&](const AffineForm &left, const AffineForm &right) {
    // a ^ m = a + m - 2 * (a & m)
    if (auto masked = splitConstant(left, right))
      return subtract(
          add(leaf(masked->second), constant(masked->first)),
          scale(maskedBits(masked->second, uint64_t(masked->first)), 2));
    if (isDisjoint(domain, left, right))
      return wrap(addForms(left, right));
    return fail("bitwise xor of two variables");
  });
}

/// Shifts by fewer bits are products and quotients of coefficients that fit.
static constexpr int64_t kMostShifted = 59;

CasesRef Scalars::shiftLeft(const CasesRef &a, const CasesRef &amount) {
  return map(a, amount, [&](const AffineForm &left, const AffineForm &right) {
    std::optional<int64_t> bits = domain.constantOf(right);
    if (domain.constantOf(left) == 0)
      return constant(0);
    if (!bits || *bits < 0)
      return fail("shift by a variable");
    if (*bits > kMostShifted)
      return fail("shift to the left by 60 bits or more");
    return wrap(scaleForm(left, int64_t(1) << *bits));
  });
}

CasesRef Scalars::shiftRight(const CasesRef &a, const CasesRef &amount) {
  return map(a, amount, [&](const AffineForm &left, const AffineForm &right) {
    std::optional<int64_t> bits = domain.constantOf(right);
    if (!bits || *bits < 0)
      return fail("shift by a variable");
    // Of a number with fewer bits, any such shift leaves the sign alone.
    constexpr int64_t beyond = int64_t(1) << kMostShifted;
    if (*bits > kMostShifted) {
      Interval interval = domain.range(left);
      if (interval.low < -beyond || interval.high >= beyond)
        return fail("shift to the right by 60 bits or more");
    }
    return wrap(domain.floorDivide(
        left, *bits > kMostShifted ? beyond : int64_t(1) << *bits));
  });
}

} // namespace swizzle::analysis
