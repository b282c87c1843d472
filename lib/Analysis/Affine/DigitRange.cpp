//===- DigitRange.cpp - Numbers that are taken apart and put together -----===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The digits of a number, each times something, are a sum in which the quotients
// that they share have the coefficients of two of them:
//
//   864 * (i % 20) + (i / 20 % 36)
//     = 864 * i - (17280 - 1) * floor(i / 20) - 36 * floor(i / 720)
//
// The lowest digit goes by the coefficient of i alone, 864 * (i - 20 *
// floor(i / 20)), and what is left of the quotient says what the next one is.
//
//===----------------------------------------------------------------------===//

#include "Domain.h"
#include "Intervals.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>
#include <vector>

namespace swizzle::analysis {

/// How many times `part` is in `form`, by the first of its terms; 0 if not all
/// of them are in it as often.
static int64_t timesWithin(const AffineForm &form, const AffineForm &part) {
  if (part.terms.empty())
    return 0;
  auto coefficientOf = [&](VariableId variable) {
    for (const Term &term : form.terms)
      if (term.variable == variable)
        return term.coefficient;
    return int64_t(0);
  };
  const Term &first = part.terms.front();
  int64_t all = coefficientOf(first.variable);
  int64_t times = all % first.coefficient == 0 ? all / first.coefficient : 0;
  for (const Term &term : part.terms)
    if (__int128(times) * term.coefficient != coefficientOf(term.variable))
      return 0;
  return times;
}

std::optional<Interval> Domain::takeDigit(AffineForm &form,
                                          VariableId quotient) const {
  const Variable &variable = model.variables[quotient];
  AffineForm number = variable.numerator;
  int64_t base = variable.divisor, times = timesWithin(form, number);
  for (const Term &term : form.terms) {
    const Variable &inner = model.variables[term.variable];
    if (times == 0 && inner.kind == VariableKind::Quotient &&
        inner.divisor < variable.divisor &&
        variable.divisor % inner.divisor == 0 &&
        inner.numerator == variable.numerator) {
      number = makeVariable(term.variable);
      base = variable.divisor / inner.divisor;
      times = term.coefficient;
    }
  }
  if (times == 0)
    return std::nullopt;
  std::optional<AffineForm> all = scaleForm(number, times);
  std::optional<AffineForm> above =
      scaleForm(makeVariable(quotient, base), times);
  std::optional<AffineForm> digit =
      all && above ? subtractForms(*all, *above) : std::nullopt;
  std::optional<AffineForm> rest =
      digit ? subtractForms(form, *digit) : std::nullopt;
  if (!rest)
    return std::nullopt;
  form = *rest;
  return scale({0, base - 1}, times);
}

Interval Domain::digitRange(const AffineForm &form) const {
  AffineForm rest = form;
  Interval digits{0, 0};
  // The lowest digit first; each takes a number out, and none back in.
  for (size_t taken = 0; taken <= form.terms.size(); ++taken) {
    std::vector<VariableId> quotients;
    for (const Term &term : rest.terms)
      if (model.variables[term.variable].kind == VariableKind::Quotient)
        quotients.push_back(term.variable);
    llvm::sort(quotients, [&](VariableId a, VariableId b) {
      return std::pair(model.variables[a].divisor, a) <
             std::pair(model.variables[b].divisor, b);
    });
    std::optional<Interval> digit;
    for (VariableId quotient : quotients)
      if (!digit)
        digit = takeDigit(rest, quotient);
    if (!digit)
      break;
    digits = add(digits, *digit);
  }
  return add(digits, sumRange(rest));
}

} // namespace swizzle::analysis
