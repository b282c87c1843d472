//===- BitFields.cpp - Bits that a number may have ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Remainders first, k * (n - d * floor(n / d)), then each term that is left,
// and the constant. A part that is a multiple of 2^l and at most h has bits
// from l up to the highest one of h. Parts that may share bits become one.
//
//===----------------------------------------------------------------------===//

#include "BitFields.h"

#include "llvm/ADT/bit.h"

#include <algorithm>

namespace swizzle::analysis {

static constexpr int64_t kLargest = int64_t(1) << 59;

namespace {
/// A part with what its values have in common.
struct Part {
  AffineForm form;
  int64_t unit = 0; ///< a power of two that divides all values
  int64_t high = 0; ///< none is greater; none is negative

  uint64_t mask() const { return onesUpTo(high) & ~uint64_t(unit - 1); }
};
} // namespace

/// The greatest power of two that divides `value`, which is not 0.
static int64_t powerIn(int64_t value) {
  return int64_t(1) << llvm::countr_zero(uint64_t(value));
}

/// Makes one of parts that may share bits; false if that becomes too large.
static bool separate(std::vector<Part> &parts) {
  for (size_t i = 0; i < parts.size(); ++i)
    for (size_t j = i + 1; j < parts.size(); ++j) {
      if ((parts[i].mask() & parts[j].mask()) == 0)
        continue;
      parts[i].form = parts[i].form + parts[j].form;
      parts[i].unit = std::min(parts[i].unit, parts[j].unit);
      parts[i].high += parts[j].high;
      if (parts[i].high >= kLargest)
        return false;
      parts.erase(parts.begin() + j);
      i = 0; // it may reach into others now
      j = 0;
    }
  return true;
}

std::optional<std::vector<BitField>> bitFieldsOf(const Domain &domain,
                                                 const AffineForm &form) {
  std::vector<Part> parts;
  auto addPart = [&](const AffineForm &part, int64_t unit, Interval range) {
    if (range.low < 0 || range.high >= kLargest)
      return false;
    if (range.high > 0)
      parts.push_back({part, unit, range.high});
    return true;
  };
  AffineForm rest = form;
  for (size_t i = rest.terms.size(); i-- > 0;) {
    if (rest.terms[i].coefficient > 0) // of a remainder that may be negative
      continue;
    std::optional<Remainder> taken = domain.takeRemainder(rest, rest.terms[i]);
    if (!taken)
      continue;
    int64_t unit = 0;
    for (const Term &term : taken->form.terms)
      unit = unit ? std::min(unit, powerIn(term.coefficient))
                  : powerIn(term.coefficient);
    if (taken->form.constant)
      unit = std::min(unit, powerIn(taken->form.constant));
    if (!addPart(taken->form, unit, taken->range))
      return std::nullopt;
    i = rest.terms.size(); // fewer than before
  }
  for (const Term &term : rest.terms) {
    AffineForm part = makeVariable(term.variable, term.coefficient);
    if (!addPart(part, powerIn(term.coefficient), domain.range(part)))
      return std::nullopt;
  }
  if (rest.constant < 0 || rest.constant >= kLargest)
    return std::nullopt;
  // Each bit of the constant by itself: it has no others.
  for (int64_t left = rest.constant; left; left &= left - 1)
    addPart(makeConstant(powerIn(left)), powerIn(left),
            {powerIn(left), powerIn(left)});
  if (!separate(parts))
    return std::nullopt;
  std::vector<BitField> fields;
  for (Part &part : parts)
    fields.push_back({std::move(part.form), part.mask()});
  return fields;
}

uint64_t possibleBits(const Domain &domain, const AffineForm &form) {
  std::optional<std::vector<BitField>> fields = bitFieldsOf(domain, form);
  if (!fields)
    return ~uint64_t(0);
  uint64_t bits = 0;
  for (const BitField &field : *fields)
    bits |= field.mask;
  return bits;
}

} // namespace swizzle::analysis
