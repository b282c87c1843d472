//===- AddressDigits.cpp - Addresses as sums over digits of ids -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See AddressDigits.h.
//
//===----------------------------------------------------------------------===//

#include "AddressDigits.h"

#include "../Affine/Domain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace swizzle::analysis {

/// floor(numerator / divisor) in thread ids or of a workgroup id, through
/// quotients of quotients; nullopt if anything else is in it.
static std::optional<std::pair<AffineForm, int64_t>>
flatten(const KernelModel &model, const Variable &quotient) {
  AffineForm numerator = quotient.numerator;
  int64_t divisor = quotient.divisor;
  while (numerator.terms.size() == 1 && numerator.constant == 0 &&
         numerator.terms[0].coefficient == 1 &&
         model.variables[numerator.terms[0].variable].kind ==
             VariableKind::Quotient) {
    const Variable &inner = model.variables[numerator.terms[0].variable];
    if (llvm::MulOverflow(divisor, inner.divisor, divisor))
      return std::nullopt;
    numerator = inner.numerator;
  }
  if (numerator.constant != 0 || numerator.terms.empty())
    return std::nullopt;
  const Term &lead = numerator.terms.front();
  bool isId = numerator.terms.size() == 1 && lead.coefficient == 1 &&
              model.variables[lead.variable].kind == VariableKind::WorkgroupId;
  for (const Term &term : numerator.terms)
    if (!isId &&
        (term.coefficient <= 0 ||
         model.variables[term.variable].kind != VariableKind::ThreadId))
      return std::nullopt;
  return std::make_pair(numerator, divisor);
}

DigitView::DigitView(const KernelModel &model)
    : numVariables(model.variables.size()) {
  for (VariableId id = 0; id < model.variables.size(); ++id) {
    if (model.variables[id].kind != VariableKind::Quotient)
      continue;
    auto flat = flatten(model, model.variables[id]);
    if (!flat)
      continue;
    auto group = llvm::find_if(groups, [&](const IdDigits &one) {
      return one.numerator == flat->first;
    });
    if (group == groups.end()) {
      VariableId lead = flat->first.terms.front().variable;
      bool isId = model.variables[lead].kind == VariableKind::WorkgroupId;
      groups.push_back(
          {flat->first, isId ? std::optional(lead) : std::nullopt, {}});
      group = std::prev(groups.end());
    }
    // Divisors must divide one another, or they do not share digits.
    if (llvm::all_of(group->quotients, [&](const auto &entry) {
          return entry.first % flat->second == 0 ||
                 flat->second % entry.first == 0;
        }))
      group->quotients[flat->second].push_back(id);
  }
  for (auto [index, group] : llvm::enumerate(groups)) {
    firstKey.push_back(model.variables.size() + digits.size());
    const Grid &extents = group.workgroup ? model.grid : model.block;
    Wide greatest = 0;
    for (const Term &term : group.numerator.terms)
      greatest += Wide(term.coefficient) *
                  (extents[model.variables[term.variable].axis] - 1);
    int64_t previous = 1;
    for (const auto &[divisor, ids] : group.quotients) {
      int64_t modulus = divisor / previous;
      digits.push_back({index, previous, modulus, {0, modulus - 1}});
      previous = divisor;
    }
    digits.push_back(
        {index,
         previous,
         0,
         {0, int64_t(std::min(greatest / previous, Wide(kUnbounded)))}});
  }
}

Interval DigitView::rangeOf(unsigned key, Interval numerator) const {
  const Digit &digit = digitOf(key);
  Interval quotient{numerator.low / digit.divisor,
                    numerator.high / digit.divisor};
  if (digit.modulus == 0)
    return quotient;
  if (quotient.low / digit.modulus != quotient.high / digit.modulus)
    return digit.range;
  return {quotient.low % digit.modulus, quotient.high % digit.modulus};
}

DigitForm DigitView::rewrite(const AffineForm &form) const {
  DigitForm result;
  result.constant = form.constant;
  for (const Term &term : form.terms)
    result.strides[term.variable] = term.coefficient;
  for (auto [index, group] : llvm::enumerate(groups)) {
    bool used = false;
    for (const auto &[divisor, ids] : group.quotients)
      for (VariableId id : ids)
        used |= result.strides.count(id) != 0;
    if (!used)
      continue;
    if (group.workgroup)
      result.isSplit[*group.workgroup - kWorkgroupIdX] = true;
    // What the address has of the numerator goes into its digits.
    const Term &lead = group.numerator.terms.front();
    Wide multiple = 0;
    auto found = result.strides.find(lead.variable);
    if (found != result.strides.end() && found->second % lead.coefficient == 0)
      multiple = found->second / lead.coefficient;
    if (multiple)
      for (const Term &term : group.numerator.terms)
        result.strides[term.variable] -= multiple * term.coefficient;
    // Stride of the digit of weight d: multiple * d, and for each quotient by a
    // divisor of d, its stride times what is left of d.
    std::vector<std::pair<int64_t, Wide>> parts = {{1, multiple}};
    unsigned key = firstKey[index];
    auto emit = [&] {
      int64_t weight = parts.back().first;
      Wide stride = 0;
      for (auto [divisor, part] : parts)
        stride += part * (weight / divisor);
      result.strides[key++] += stride;
    };
    emit();
    for (const auto &[divisor, ids] : group.quotients) {
      Wide part = 0;
      for (VariableId id : ids) {
        auto one = result.strides.find(id);
        if (one == result.strides.end())
          continue;
        part += one->second;
        result.strides.erase(one);
      }
      parts.push_back({divisor, part});
      emit();
    }
  }
  return result;
}

} // namespace swizzle::analysis
