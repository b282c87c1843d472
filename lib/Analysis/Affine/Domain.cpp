//===- Domain.cpp - What is known about a kernel's variables --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interval arithmetic, sharpened in three ways. A remainder written as
// n - d * floor(n / d) lies in [0, d), although n and the quotient apart say
// less. A condition g >= 0 of the path bounds every form that differs from a
// multiple of g by something bounded. And a form whose coefficients share a
// factor takes only values of one residue class.
//
//===----------------------------------------------------------------------===//

#include "Domain.h"
#include "Intervals.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

namespace swizzle::analysis {

static constexpr int64_t kLargestCoefficient = int64_t(1) << 60;

static bool isSmall(int64_t value) {
  return value < kLargestCoefficient && value > -kLargestCoefficient;
}

static std::optional<AffineForm> checked(AffineForm form) {
  bool fits =
      isSmall(form.constant) && llvm::all_of(form.terms, [](const Term &term) {
        return isSmall(term.coefficient);
      });
  return fits ? std::optional(std::move(form)) : std::nullopt;
}

std::optional<AffineForm> addForms(const AffineForm &a, const AffineForm &b) {
  return checked(a + b);
}

std::optional<AffineForm> subtractForms(const AffineForm &a,
                                        const AffineForm &b) {
  return checked(a - b);
}

std::optional<AffineForm> scaleForm(const AffineForm &form, int64_t factor) {
  auto fits = [&](int64_t value) {
    int64_t product;
    return !llvm::MulOverflow(value, factor, product) && isSmall(product);
  };
  if (!isSmall(factor) || !fits(form.constant) ||
      !llvm::all_of(form.terms,
                    [&](const Term &term) { return fits(term.coefficient); }))
    return std::nullopt;
  return form * factor;
}

std::optional<Condition> negate(const Condition &condition) {
  if (condition.equality)
    return std::nullopt;
  return Condition{makeConstant(-1) - condition.form, false};
}

int64_t stepOf(const AffineForm &form) {
  int64_t step = 0;
  for (const Term &term : form.terms)
    step = std::gcd(step, term.coefficient);
  return step;
}

Domain::Domain(KernelModel &model) : model(model) {
  for (unsigned i = 0; i < kFirstFreeVariable; ++i) {
    const Grid &extents = i < kThreadIdX ? model.grid : model.block;
    ranges.push_back({0, std::max<int64_t>(extents[i % 3] - 1, 0)});
  }
  for (size_t i = ranges.size(); i < model.variables.size(); ++i) {
    const Variable &variable = model.variables[i];
    bool counts = variable.kind == VariableKind::LoopCounter;
    ranges.push_back(
        counts ? Interval{0, kUnbounded}
               : derivedRange(variable, plainRange(variable.numerator)));
  }
}

Interval Domain::rangeOf(VariableId id) const {
  const Variable &variable = model.variables[id];
  return isDerived(variable.kind)
             ? derivedRange(variable, range(variable.numerator))
             : range(makeVariable(id));
}

/// What `variable` can be where its numerator is in an interval.
Interval Domain::derivedRange(const Variable &variable,
                              Interval numerator) const {
  if (variable.kind == VariableKind::Loaded)
    return {0, variable.extent - 1};
  return floorOf(numerator, variable.divisor);
}

size_t Domain::variableCount() const { return model.variables.size(); }

void Domain::dropVariables(size_t count) {
  model.variables.resize(count);
  ranges.resize(count);
}

VariableId Domain::addCounter(std::string name, int64_t maxTrip) {
  ranges.push_back({0, std::max<int64_t>(maxTrip - 1, 0)});
  return model.addLoopCounter(std::move(name));
}

VariableId Domain::addOpaque(std::string name, Interval range) {
  ranges.push_back(range);
  return model.addLoopCounter(std::move(name));
}

std::optional<VariableId> Domain::addLoaded(uint32_t buffer,
                                            const AffineForm &offset,
                                            int64_t bytes, int64_t placesOfOne,
                                            int64_t most) {
  // Without the facts of the path: equal places hold the same on all of them.
  Interval range = plainRange(offset);
  if (range.low < 0 || range.high >= kUnbounded)
    return std::nullopt;
  int64_t numbers = range.high / bytes / placesOfOne + 1;
  int64_t extent =
      numbers < most ? int64_t(llvm::bit_ceil(uint64_t(numbers))) : most;
  VariableId id = model.addLoaded(buffer, offset, bytes, extent);
  if (id == ranges.size())
    ranges.push_back({0, extent - 1});
  return id;
}

bool Domain::dependsOn(const AffineForm &form, VariableId variable) const {
  // Numerators are of variables before them: from the last one down, each once.
  llvm::BitVector behind(model.variables.size());
  auto take = [&](const AffineForm &part) {
    for (const Term &term : part.terms)
      behind.set(term.variable);
  };
  take(form);
  for (int id = behind.find_last(); id > int(variable);
       id = behind.find_prev(id))
    take(model.variables[id].numerator);
  return behind.test(variable);
}

Interval Domain::sumRange(const AffineForm &form) const {
  Interval sum{form.constant, form.constant};
  for (const Term &term : form.terms)
    sum = add(sum, scale(ranges[term.variable], term.coefficient));
  return sum;
}

std::optional<Remainder> Domain::takeRemainder(AffineForm &form,
                                               Term quotient) const {
  const Variable &variable = model.variables[quotient.variable];
  if (variable.kind != VariableKind::Quotient)
    return std::nullopt;
  // The simplest rest, and of these the one that the smallest remainder leaves.
  std::optional<Remainder> best;
  AffineForm least = form;
  auto take = [&](const AffineForm &numerator, int64_t divisor) {
    if (quotient.coefficient % divisor != 0)
      return;
    int64_t factor = -(quotient.coefficient / divisor);
    std::optional<AffineForm> part = scaleForm(numerator, factor);
    if (!part)
      return;
    *part = *part + makeVariable(quotient.variable, quotient.coefficient);
    std::optional<AffineForm> without = subtractForms(form, *part);
    Interval range = scale({0, divisor - 1}, factor);
    if (!without || without->terms.size() >= form.terms.size() ||
        (best &&
         (without->terms.size() > least.terms.size() ||
          (without->terms.size() == least.terms.size() &&
           range.high - range.low >= best->range.high - best->range.low))))
      return;
    least = *without;
    best = {*part, range};
  };
  take(variable.numerator, variable.divisor);
  if (auto multiple = multipleBehind(form, quotient))
    take(multiple->first, multiple->second);
  for (const Term &term : form.terms) {
    const Variable &inner = model.variables[term.variable];
    if (inner.kind == VariableKind::Quotient &&
        inner.divisor < variable.divisor &&
        variable.divisor % inner.divisor == 0 &&
        inner.numerator == variable.numerator)
      take(makeVariable(term.variable), variable.divisor / inner.divisor);
  }
  form = least;
  return best;
}

bool Domain::hasQuotient(const AffineForm &form) const {
  return llvm::any_of(form.terms, [&](const Term &term) {
    return model.variables[term.variable].kind == VariableKind::Quotient;
  });
}

Interval Domain::plainRange(const AffineForm &form) const {
  Interval best = sumRange(form);
  if (!hasQuotient(form))
    return best;
  best = intersect(best, digitRange(form));
  // Pair k * n with -k * d * floor(n / d), from the latest quotient on.
  AffineForm rest = form;
  Interval remainders{0, 0};
  for (size_t i = rest.terms.size(); i-- > 0;) {
    std::optional<Remainder> remainder = takeRemainder(rest, rest.terms[i]);
    if (!remainder)
      continue;
    remainders = add(remainders, remainder->range);
    best = intersect(best, add(remainders, sumRange(rest)));
    i = rest.terms.size(); // fewer than before
  }
  return best;
}

static bool haveSameTerms(const AffineForm &a, const AffineForm &b) {
  return llvm::equal(a.terms, b.terms, [](const Term &s, const Term &t) {
    return s.variable == t.variable && s.coefficient == t.coefficient;
  });
}

/// Smallest factor k >= 1 such that k * fact can cancel a term of `form`.
static int64_t matchingFactor(const AffineForm &form, const AffineForm &fact) {
  for (auto i = fact.terms.rbegin(); i != fact.terms.rend(); ++i)
    for (const Term &term : form.terms)
      if (term.variable == i->variable &&
          term.coefficient % i->coefficient == 0)
        return std::abs(term.coefficient / i->coefficient);
  return 0;
}

/// The plain range of form + factor * other; nullopt where that exceeds the
/// coefficients that there are. Without quotients no form is made for it: a
/// path of many conditions asks for little else.
std::optional<Interval> Domain::rangeOfSum(const AffineForm &form,
                                           const AffineForm &other,
                                           int64_t factor) const {
  if (hasQuotient(form) || hasQuotient(other)) {
    std::optional<AffineForm> multiple = scaleForm(other, factor);
    std::optional<AffineForm> sum =
        multiple ? addForms(form, *multiple) : std::nullopt;
    return sum ? std::optional(plainRange(*sum)) : std::nullopt;
  }
  bool fits = isSmall(factor);
  auto combined = [&](int64_t mine, int64_t theirs) {
    __int128 product = __int128(factor) * theirs, sum = product + mine;
    fits &= product < kLargestCoefficient && product > -kLargestCoefficient &&
            sum < kLargestCoefficient && sum > -kLargestCoefficient;
    return fits ? int64_t(sum) : 0;
  };
  int64_t constant = combined(form.constant, other.constant);
  Interval sum{constant, constant};
  auto i = form.terms.begin(), j = other.terms.begin();
  while (fits && (i != form.terms.end() || j != other.terms.end())) {
    bool mine = i != form.terms.end() &&
                (j == other.terms.end() || i->variable <= j->variable);
    bool theirs = j != other.terms.end() &&
                  (i == form.terms.end() || j->variable <= i->variable);
    VariableId variable = mine ? i->variable : j->variable;
    int64_t coefficient =
        combined(mine ? i->coefficient : 0, theirs ? j->coefficient : 0);
    if (coefficient != 0)
      sum = add(sum, scale(ranges[variable], coefficient));
    i += mine;
    j += theirs;
  }
  return fits ? std::optional(sum) : std::nullopt;
}

Interval Domain::range(const AffineForm &form) const {
  spent += 1 + facts.size();
  Interval best = plainRange(form);
  for (const auto &[fact, holds, isImplied, implies] : facts) {
    if (isImplied)
      continue;
    if (!holds) {
      // The form is not what it would be where the equality holds.
      for (const AffineForm &rest : {form - fact.form, form + fact.form})
        if (rest.terms.empty()) {
          best.low += best.low == rest.constant;
          best.high -= best.high == rest.constant;
        }
      continue;
    }
    int64_t factor = matchingFactor(form, fact.form);
    if (factor == 0)
      continue;
    std::optional<Interval> less = rangeOfSum(form, fact.form, -factor);
    std::optional<Interval> more = rangeOfSum(form, fact.form, factor);
    if (!less || !more)
      continue;
    best = intersect(best, {less->low, more->high});
    if (fact.equality)
      best = intersect(best, {more->low, less->high});
  }
  if (int64_t step = stepOf(form);
      step > 1 && best.low > -kUnbounded && best.high < kUnbounded) {
    // Move the ends inwards to the residue class of the constant.
    best.low += llvm::mod(form.constant - best.low, step);
    best.high -= llvm::mod(best.high - form.constant, step);
  }
  return best;
}

void Domain::assume(const Condition &condition, bool holds) {
  Fact fact{condition, holds, false, std::nullopt};
  if (std::optional<Condition> opposite = negate(condition); opposite && !holds)
    fact = {*opposite, true, false, std::nullopt};
  // Of inequalities that differ in their constants, the least one says it all:
  // from a chain of comparisons of one number, two are left.
  const AffineForm &form = fact.condition.form;
  for (size_t i = facts.size(); i-- > 0 && fact.holds;) {
    Fact &known = facts[i];
    if (known.isImplied || !known.holds || known.condition.equality ||
        fact.condition.equality || !haveSameTerms(known.condition.form, form))
      continue;
    if (known.condition.form.constant <= form.constant)
      return;
    known.isImplied = true;
    fact.implies = i;
    break;
  }
  Interval before;
  if (!fact.holds)
    before = range(form);
  facts.push_back(fact);
  // Where 0 is an end of what there is, not to be 0 is to be beyond.
  if (before.low >= before.high)
    return;
  if (before.low == 0)
    assume({condition.form - makeConstant(1), false});
  else if (before.high == 0)
    assume({condition.form * -1 - makeConstant(1), false});
}

void Domain::forgetFacts(size_t count) {
  for (; facts.size() > count; facts.pop_back())
    if (std::optional<size_t> implied = facts.back().implies)
      facts[*implied].isImplied = false;
}

bool Domain::mayBePicked(VariableId variable) const {
  Interval range = rangeOf(variable);
  return range.low == range.high || llvm::any_of(facts, [&](const Fact &fact) {
           return fact.condition.equality && fact.holds &&
                  dependsOn(fact.condition.form, variable);
         });
}

std::optional<bool> Domain::decide(const Condition &condition) const {
  Interval interval = range(condition.form);
  if (interval.low > interval.high)
    return std::nullopt; // the path itself is impossible
  if (!condition.equality) {
    if (interval.low >= 0)
      return true;
    if (interval.high < 0)
      return false;
    return std::nullopt;
  }
  if (interval.low > 0 || interval.high < 0)
    return false;
  if (interval.low == 0 && interval.high == 0)
    return true;
  int64_t step = stepOf(condition.form);
  bool never = step > 1 && condition.form.constant % step != 0;
  never |= llvm::any_of(facts, [&](const Fact &fact) {
    return !fact.holds && (fact.condition.form == condition.form ||
                           fact.condition.form == condition.form * -1);
  });
  return never ? std::optional(false) : std::nullopt;
}

std::optional<int64_t> Domain::constantOf(const AffineForm &form) const {
  if (form.terms.empty())
    return form.constant;
  Interval interval = range(form);
  return interval.low == interval.high ? std::optional(interval.low)
                                       : std::nullopt;
}

std::optional<AffineForm> Domain::floorDivide(const AffineForm &form,
                                              int64_t divisor) {
  if (divisor <= 0 || !isSmall(divisor))
    return std::nullopt;
  if (divisor == 1)
    return form;
  // form = divisor * even + odd, with the constant of `odd` in [0, divisor).
  AffineForm even, odd;
  odd.constant = llvm::mod(form.constant, divisor);
  even.constant = (form.constant - odd.constant) / divisor;
  for (const Term &term : form.terms) {
    if (term.coefficient % divisor == 0)
      even.terms.push_back({term.variable, term.coefficient / divisor});
    else
      odd.terms.push_back(term);
  }
  Interval interval = range(odd), quotients = floorOf(interval, divisor);
  if (interval.low <= interval.high && quotients.low == quotients.high)
    return addForms(even, makeConstant(quotients.low));
  // As a whole, or what is left of it would be a sum of two quotients.
  if (form.terms.size() > 1)
    if (std::optional<AffineForm> simpler = divideNested(form, divisor))
      return simpler;

  // A common factor of numerator and divisor goes first: it changes nothing but
  // the constant, which it rounds down.
  if (int64_t factor = std::gcd(divisor, stepOf(odd)); factor > 1) {
    odd.constant /= factor;
    for (Term &term : odd.terms)
      term.coefficient /= factor;
    divisor /= factor;
  }
  std::optional<AffineForm> simpler = divideNested(odd, divisor);
  if (!simpler)
    simpler = divideByRatio(odd, divisor);
  if (simpler)
    return addForms(even, *simpler);
  VariableId quotient = model.addQuotient(odd, divisor);
  // Without the facts of the path: the variable outlives it.
  if (quotient == ranges.size())
    ranges.push_back(floorOf(plainRange(odd), divisor));
  return addForms(even, makeVariable(quotient));
}

} // namespace swizzle::analysis
