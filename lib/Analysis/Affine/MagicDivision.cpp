//===- MagicDivision.cpp - Quotients by multiplication --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hardware divides slowly, so that a host hands its kernels, for each divisor,
// a number to multiply with and one to shift by:
//
//   n / 3 = (mulhi(n, 0x55555556) + n) >> 2      of 32 bits
//
// That is floor(n * m / d) with a large m and d, and the same as n / 3 for all
// n that there are: a model with the small numbers has the same quotients as
// one of the kernel that divides, and they cancel where it takes a remainder.
//
//===----------------------------------------------------------------------===//

#include "Domain.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>
#include <tuple>
#include <utility>

namespace swizzle::analysis {

/// The first convergent p / q of m / d that is not above it, of positive p, with
/// floor(n * p / q) = floor(n * m / d) for n from 0 to `most`; nullopt if it is
/// no simpler than m / d.
///
/// With m / d = p / q + e, the quotients are the same if n * e is less than the
/// least distance from n * p / q to a greater integer, which is 1 / q.
static std::optional<std::pair<int64_t, int64_t>>
simplerRatio(int64_t m, int64_t d, int64_t most) {
  using Wide = __int128;
  Wide p = 1, q = 0, previousP = 0, previousQ = 1;
  Wide numerator = m, denominator = d;
  while (denominator != 0) {
    Wide whole = numerator / denominator;
    numerator -= whole * denominator;
    std::swap(numerator, denominator);
    std::tie(p, previousP) = std::pair(whole * p + previousP, p);
    std::tie(q, previousQ) = std::pair(whole * q + previousQ, q);
    if (q > d / 2)
      return std::nullopt;
    Wide above = Wide(m) * q - p * Wide(d);
    if (p > 0 && above >= 0 && Wide(most) * above < d)
      return std::pair(int64_t(p), int64_t(q));
  }
  return std::nullopt;
}

std::optional<AffineForm> Domain::divideByRatio(const AffineForm &form,
                                                int64_t divisor) {
  int64_t multiplier = stepOf(form);
  Interval interval = range(form);
  if (multiplier <= 1 || form.constant != 0 || interval.low < 0 ||
      interval.high < interval.low || interval.high >= kUnbounded)
    return std::nullopt;
  auto ratio = simplerRatio(multiplier, divisor, interval.high / multiplier);
  if (!ratio)
    return std::nullopt;
  AffineForm scaled = form;
  for (Term &term : scaled.terms)
    term.coefficient = term.coefficient / multiplier * ratio->first;
  return floorDivide(scaled, ratio->second);
}

std::optional<std::pair<AffineForm, int64_t>>
Domain::multipleBehind(const AffineForm &form, Term quotient) const {
  const Variable &variable = model.variables[quotient.variable];
  const AffineForm &numerator = variable.numerator;
  int64_t p = stepOf(numerator);
  if (p == 0 || numerator.constant != 0 || quotient.coefficient == 0)
    return std::nullopt;
  const Term &first = numerator.terms.front();
  auto same = llvm::find_if(form.terms, [&](const Term &term) {
    return term.variable == first.variable;
  });
  if (same == form.terms.end() ||
      same->coefficient % (first.coefficient / p) != 0)
    return std::nullopt;
  int64_t ofNumber = same->coefficient / (first.coefficient / p);
  int64_t factor = std::gcd(ofNumber, quotient.coefficient);
  int64_t m = std::abs(ofNumber) / factor;
  int64_t d = std::abs(quotient.coefficient) / factor;
  if ((ofNumber > 0) == (quotient.coefficient > 0) || d <= variable.divisor)
    return std::nullopt;
  Interval interval = plainRange(numerator);
  if (interval.low < 0 || interval.high >= kUnbounded ||
      simplerRatio(m, d, interval.high / p) != std::pair(p, variable.divisor))
    return std::nullopt;
  AffineForm multiple = numerator;
  for (Term &term : multiple.terms)
    if (llvm::MulOverflow(term.coefficient / p, m, term.coefficient))
      return std::nullopt;
  return std::pair(multiple, d);
}

std::optional<AffineForm> Domain::divideNested(const AffineForm &form,
                                               int64_t divisor) {
  for (const Term &term : form.terms) {
    const Variable &inner = model.variables[term.variable];
    int64_t product;
    if (term.coefficient != 1 || inner.kind != VariableKind::Quotient ||
        llvm::MulOverflow(inner.divisor, divisor, product))
      continue;
    auto rest = subtractForms(form, makeVariable(term.variable));
    auto scaled = rest ? scaleForm(*rest, inner.divisor) : std::nullopt;
    auto numerator = scaled ? addForms(inner.numerator, *scaled) : std::nullopt;
    if (!numerator)
      continue;
    // Of several terms, only what gets simpler by that.
    if (rest->terms.empty() ||
        std::gcd(product, stepOf(*numerator)) % divisor == 0)
      return floorDivide(*numerator, product);
    if (auto simpler = divideByRatio(*numerator, product))
      return simpler;
  }
  return std::nullopt;
}

} // namespace swizzle::analysis
