//===- WorkgroupBoxes.cpp - What one workgroup touches --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Intervals go through quotients and conditions: a condition without quotients
// narrows the threads and the counters that it is about, and one that cannot
// hold leaves nothing. Ends beyond `kUnbounded` say that nothing is known.
//
//===----------------------------------------------------------------------===//

#include "WorkgroupBoxes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace swizzle::analysis {

/// What the address may at most be, and strides.
static constexpr Wide kMostAddress = Wide(1) << 60;

static bool isBounded(Interval range) {
  return range.low > -kUnbounded && range.high < kUnbounded;
}

WorkgroupBoxes::WorkgroupBoxes(const KernelModel &model,
                               const DigitView &digits, const AccessSite &site)
    : model(model), digits(digits), site(site), ranges(model.variables.size()) {
  // Variables come after what they are made of.
  std::vector<bool> isUniform(model.variables.size(), false);
  for (VariableId id : site.variables) {
    const Variable &variable = model.variables[id];
    isUniform[id] =
        variable.kind == VariableKind::WorkgroupId ||
        (variable.kind == VariableKind::Quotient &&
         llvm::all_of(variable.numerator.terms, [&](const Term &term) {
           return isUniform[term.variable];
         }));
  }
  AffineForm other;
  uniform.constant = site.access->address.constant;
  for (const Term &term : site.access->address.terms)
    (isUniform[term.variable] ? uniform : other).terms.push_back(term);
  rest = digits.rewrite(other);
  workOfOne = site.variables.size() + rest.strides.size();
  for (const Condition &condition : site.conditions)
    workOfOne += 2 * condition.form.terms.size();
  for (const Guard *guard : site.notAll)
    workOfOne += guard->conditions.size();
}

/// The interval of `form`, or of what it is without one variable.
Interval WorkgroupBoxes::rangeOf(const AffineForm &form,
                                 std::optional<VariableId> without) const {
  constexpr size_t kMostTerms = 16; // or sums may leave 128 bits
  Wide low = form.constant, high = form.constant;
  bool falls = form.terms.size() > kMostTerms, rises = falls;
  for (const Term &term : form.terms) {
    if (term.variable == without || (falls && rises))
      continue;
    Interval range = ranges[term.variable];
    bool isPositive = term.coefficient > 0;
    falls |= isPositive ? range.low <= -kUnbounded : range.high >= kUnbounded;
    rises |= isPositive ? range.high >= kUnbounded : range.low <= -kUnbounded;
    low += Wide(term.coefficient) * (isPositive ? range.low : range.high);
    high += Wide(term.coefficient) * (isPositive ? range.high : range.low);
  }
  // An end that is too far away is less than it could be, never more.
  constexpr Wide most = kUnbounded;
  return {falls ? -kUnbounded : int64_t(std::clamp(low, -most, most - 1)),
          rises ? kUnbounded : int64_t(std::clamp(high, 1 - most, most))};
}

void WorkgroupBoxes::deriveQuotients() {
  for (VariableId id : site.variables) {
    const Variable &variable = model.variables[id];
    if (variable.kind != VariableKind::Quotient)
      continue;
    Interval range = rangeOf(variable.numerator);
    if (range.low > -kUnbounded)
      range.low = llvm::divideFloorSigned(range.low, variable.divisor);
    if (range.high < kUnbounded)
      range.high = llvm::divideFloorSigned(range.high, variable.divisor);
    ranges[id] = range;
  }
}

/// Leaves of one variable what `form >= 0` does; false if that is nothing.
bool WorkgroupBoxes::narrow(const AffineForm &form, const Term &term) {
  int64_t most = rangeOf(form, term.variable).high;
  if (most >= kUnbounded)
    return true;
  // coefficient * variable >= -most
  Interval &range = ranges[term.variable];
  if (term.coefficient > 0)
    range.low =
        std::max(range.low, llvm::divideCeilSigned(-most, term.coefficient));
  else
    range.high =
        std::min(range.high, llvm::divideFloorSigned(most, -term.coefficient));
  return range.low <= range.high;
}

/// The same of all threads and counters.
bool WorkgroupBoxes::narrow(const AffineForm &form) {
  return rangeOf(form).high >= 0 &&
         llvm::all_of(form.terms, [&](const Term &term) {
           VariableKind kind = model.variables[term.variable].kind;
           bool isFree = kind == VariableKind::ThreadId ||
                         kind == VariableKind::LoopCounter;
           return !isFree || narrow(form, term);
         });
}

/// Narrows all ranges by the conditions; false if the access cannot happen.
bool WorkgroupBoxes::isReached() {
  for (unsigned round = 0; round < 2; ++round) {
    deriveQuotients();
    for (const Condition &condition : site.conditions)
      if (!narrow(condition.form) ||
          (condition.equality && !narrow(condition.form * -1)))
        return false;
  }
  deriveQuotients();
  // In an `otherwise`, one of the conditions fails.
  return llvm::none_of(site.notAll, [&](const Guard *guard) {
    return llvm::all_of(guard->conditions, [&](const Condition &condition) {
      Interval range = rangeOf(condition.form);
      return condition.equality ? range.low == 0 && range.high == 0
                                : range.low >= 0;
    });
  });
}

/// Joins steps that leave no gap between them, which changes nothing, and
/// sorts.
static void joinSteps(StridedBytes &touched) {
  llvm::sort(touched.steps,
             [](const auto &a, const auto &b) { return a.stride < b.stride; });
  llvm::SmallVector<StridedBytes::Step, 4> kept;
  for (const StridedBytes::Step &step : touched.steps) {
    if (kept.empty() && step.stride <= touched.bytes)
      touched.bytes += step.stride * (step.count - 1);
    else if (!kept.empty() && step.stride % kept.back().stride == 0 &&
             step.stride / kept.back().stride <= kept.back().count)
      kept.back().count += step.stride / kept.back().stride * (step.count - 1);
    else
      kept.push_back(step);
  }
  touched.steps = std::move(kept);
}

/// Adds what threads, counters and the box do; false if there is no bound.
bool WorkgroupBoxes::addSteps(StridedBytes &touched) const {
  Wide reach = touched.bytes;
  auto add = [&](Wide stride, Interval range) {
    if (!isBounded(range) || stride > kMostAddress || stride < -kMostAddress)
      return false;
    Wide count = Wide(range.high) - range.low + 1;
    touched.first += stride * (stride > 0 ? range.low : range.high);
    Wide size = stride > 0 ? stride : -stride;
    if (count > 1 && size > 0) {
      reach += std::min(count, kMostAddress) * size;
      touched.steps.push_back({int64_t(size), int64_t(count)});
    }
    return reach < kMostAddress && touched.first < kMostAddress &&
           touched.first > -kMostAddress;
  };
  for (auto [key, stride] : rest.strides) {
    Interval range =
        key < model.variables.size()
            ? ranges[key]
            : digits.rangeOf(key, rangeOf(digits.numeratorOf(key)));
    if (stride != 0 && !add(stride, range))
      return false;
  }
  for (const BoxDim &dim : site.access->box)
    if (!add(dim.stride, {0, dim.count - 1}))
      return false;
  joinSteps(touched);
  return true;
}

WorkgroupBoxes::Result WorkgroupBoxes::touch(WorkgroupId at,
                                             StridedBytes &touched) {
  const int64_t ids[] = {at.x, at.y, at.z};
  for (VariableId id : site.variables) {
    const Variable &variable = model.variables[id];
    switch (variable.kind) {
    case VariableKind::WorkgroupId:
      ranges[id] = {ids[variable.axis], ids[variable.axis]};
      break;
    case VariableKind::ThreadId:
      ranges[id] = {0, model.block[variable.axis] - 1};
      break;
    case VariableKind::Quotient:
      break;
    case VariableKind::LoopCounter: // where it runs is among the conditions
    case VariableKind::Loaded:
      ranges[id] = {-kUnbounded, kUnbounded};
      break;
    }
  }
  if (!isReached())
    return Result::Nothing;
  // It is one number, unless it is out of reach.
  Interval base = rangeOf(uniform);
  if (!isBounded(base) || base.low != base.high)
    return Result::Unknown;
  touched = {base.low, site.access->bytes, {}};
  return addSteps(touched) ? Result::Touched : Result::Unknown;
}

} // namespace swizzle::analysis
