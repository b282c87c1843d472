//===- Scalars.cpp - Integers of a kernel as case distinctions ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operation walks the trees of its operands down to pairs of affine forms
// and decides there, under the conditions that lead to the pair, what the
// result is. Conditions that the path has decided already drop out on the way,
// which keeps the trees small.
//
//===----------------------------------------------------------------------===//

#include "Scalars.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace swizzle {

/// A tree with more leaves than this is given up.
static constexpr unsigned kMaxLeaves = 64;

static unsigned countLeaves(const CasesRef &tree) {
  return tree->isLeaf() ? 1 : countLeaves(tree->yes) + countLeaves(tree->no);
}

static bool sameCondition(const Condition &a, const Condition &b) {
  return a.equality == b.equality && a.form == b.form;
}

bool sameCases(const CasesRef &a, const CasesRef &b) {
  if (a == b)
    return true;
  if (!a || !b || a->isLeaf() != b->isLeaf())
    return false;
  if (a->isLeaf())
    return a->form == b->form;
  return sameCondition(a->condition, b->condition) &&
         sameCases(a->yes, b->yes) && sameCases(a->no, b->no);
}

CasesRef Scalars::leaf(AffineForm form) {
  auto tree = std::make_shared<Cases>();
  tree->form = std::move(form);
  return tree;
}

CasesRef Scalars::wrap(std::optional<AffineForm> form) {
  if (!form)
    return fail("a coefficient exceeds 2^60");
  return leaf(std::move(*form));
}

CasesRef Scalars::branch(const Condition &condition, const CasesRef &yes,
                         const CasesRef &no) {
  if (!yes || !no)
    return nullptr;
  if (std::optional<bool> decided = domain.decide(condition))
    return *decided ? yes : no;
  if (sameCases(yes, no))
    return yes;
  auto tree = std::make_shared<Cases>();
  tree->condition = condition;
  tree->yes = yes;
  tree->no = no;
  return tree;
}

CasesRef
Scalars::map(const CasesRef &a,
             llvm::function_ref<CasesRef(const AffineForm &)> function) {
  if (!a)
    return nullptr;
  if (a->isLeaf())
    return function(a->form);
  if (std::optional<bool> decided = domain.decide(a->condition))
    return map(*decided ? a->yes : a->no, function);
  size_t facts = domain.factCount();
  domain.assume(a->condition);
  CasesRef yes = map(a->yes, function);
  domain.dropFacts(facts);
  if (!yes)
    return nullptr;
  if (std::optional<Condition> opposite = negate(a->condition))
    domain.assume(*opposite);
  CasesRef no = map(a->no, function);
  domain.dropFacts(facts);
  if (!no)
    return nullptr;
  if (countLeaves(yes) + countLeaves(no) > kMaxLeaves)
    return fail("too many cases");
  return branch(a->condition, yes, no);
}

CasesRef Scalars::map(
    const CasesRef &a, const CasesRef &b,
    llvm::function_ref<CasesRef(const AffineForm &, const AffineForm &)>
        function) {
  if (!a || !b)
    return nullptr;
  return map(a, [&](const AffineForm &left) {
    return map(b,
               [&](const AffineForm &right) { return function(left, right); });
  });
}

CasesRef Scalars::add(const CasesRef &a, const CasesRef &b) {
  return map(a, b, [&](const AffineForm &left, const AffineForm &right) {
    return wrap(addForms(left, right));
  });
}

CasesRef Scalars::subtract(const CasesRef &a, const CasesRef &b) {
  return map(a, b, [&](const AffineForm &left, const AffineForm &right) {
    return wrap(subtractForms(left, right));
  });
}

CasesRef Scalars::scale(const CasesRef &a, int64_t factor) {
  return map(
      a, [&](const AffineForm &form) { return wrap(scaleForm(form, factor)); });
}

CasesRef Scalars::multiply(const CasesRef &a, const CasesRef &b) {
  return map(a, b, [&](const AffineForm &left, const AffineForm &right) {
    if (std::optional<int64_t> factor = domain.constantOf(right))
      return wrap(scaleForm(left, *factor));
    if (std::optional<int64_t> factor = domain.constantOf(left))
      return wrap(scaleForm(right, *factor));
    return fail("product of two variables");
  });
}

CasesRef Scalars::minimum(const CasesRef &a, const CasesRef &b) {
  return map(a, b, [&](const AffineForm &left, const AffineForm &right) {
    std::optional<AffineForm> gap = subtractForms(right, left);
    if (!gap)
      return fail("a coefficient exceeds 2^60");
    return branch({*gap, false}, leaf(left), leaf(right));
  });
}

CasesRef Scalars::maximum(const CasesRef &a, const CasesRef &b) {
  return map(a, b, [&](const AffineForm &left, const AffineForm &right) {
    std::optional<AffineForm> gap = subtractForms(left, right);
    if (!gap)
      return fail("a coefficient exceeds 2^60");
    return branch({*gap, false}, leaf(left), leaf(right));
  });
}

CasesRef Scalars::floorDivide(const CasesRef &a, const CasesRef &b) {
  return map(a, b, [&](const AffineForm &left, const AffineForm &right) {
    std::optional<int64_t> divisor = domain.constantOf(right);
    if (!divisor)
      return fail("division by a variable");
    if (*divisor == 0)
      return fail("division by zero");
    if (*divisor < 0) {
      std::optional<AffineForm> opposite = scaleForm(left, -1);
      return opposite ? wrap(domain.floorDivide(*opposite, -*divisor))
                      : fail("a coefficient exceeds 2^60");
    }
    return wrap(domain.floorDivide(left, *divisor));
  });
}

CasesRef Scalars::ceilDivide(const CasesRef &a, const CasesRef &b) {
  // ceil(a / b) = -floor(-a / b)
  return scale(floorDivide(scale(a, -1), b), -1);
}

CasesRef Scalars::truncDivide(const CasesRef &a, const CasesRef &b) {
  return map(a, b, [&](const AffineForm &left, const AffineForm &right) {
    std::optional<int64_t> divisor = domain.constantOf(right);
    if (!divisor)
      return fail("division by a variable");
    if (*divisor == 0 || *divisor <= -kUnbounded)
      return fail("division by zero");
    int64_t magnitude = std::abs(*divisor);
    auto floorOf = [&](const AffineForm &form) {
      return wrap(domain.floorDivide(form, magnitude));
    };
    std::optional<AffineForm> opposite = scaleForm(left, -1);
    if (!opposite)
      return fail("a coefficient exceeds 2^60");
    Interval interval = domain.range(left);
    CasesRef quotient;
    if (interval.low >= 0)
      quotient = floorOf(left);
    else if (interval.high <= 0)
      quotient = scale(floorOf(*opposite), -1);
    else
      quotient =
          branch({left, false}, floorOf(left), scale(floorOf(*opposite), -1));
    return *divisor < 0 ? scale(quotient, -1) : quotient;
  });
}

CasesRef Scalars::floorRemainder(const CasesRef &a, const CasesRef &b) {
  return subtract(a, multiply(floorDivide(a, b), b));
}

CasesRef Scalars::truncRemainder(const CasesRef &a, const CasesRef &b) {
  return subtract(a, multiply(truncDivide(a, b), b));
}

/// The bits of `form` selected by `mask`, one run of set bits at a time: a run
/// from bit l up to (not including) bit h is 2^l * (floor(f / 2^l) mod
/// 2^(h-l)). Holds for negative numbers in two's complement too, because floor
/// does.
CasesRef Scalars::maskedBits(const AffineForm &form, uint64_t mask) {
  AffineForm sum;
  for (unsigned low = 0; low < 64;) {
    if (!((mask >> low) & 1)) {
      ++low;
      continue;
    }
    unsigned high = low;
    while (high < 64 && ((mask >> high) & 1))
      ++high;
    if (low >= 60 || (high >= 60 && high < 64))
      return fail("bits beyond 2^60");
    std::optional<AffineForm> shifted =
        domain.floorDivide(form, int64_t(1) << low);
    if (!shifted)
      return fail("a coefficient exceeds 2^60");
    AffineForm run = *shifted;
    if (high < 64) {
      std::optional<AffineForm> above =
          domain.floorDivide(*shifted, int64_t(1) << (high - low));
      std::optional<AffineForm> whole;
      if (above)
        whole = scaleForm(*above, int64_t(1) << (high - low));
      if (!whole)
        return fail("a coefficient exceeds 2^60");
      run = run - *whole;
    }
    std::optional<AffineForm> placed = scaleForm(run, int64_t(1) << low);
    if (!placed)
      return fail("a coefficient exceeds 2^60");
    std::optional<AffineForm> next = addForms(sum, *placed);
    if (!next)
      return fail("a coefficient exceeds 2^60");
    sum = *next;
    low = high;
  }
  return leaf(sum);
}

CasesRef Scalars::bitAnd(const CasesRef &a, const CasesRef &b) {
  return map(a, b, [&](const AffineForm &left, const AffineForm &right) {
    if (std::optional<int64_t> mask = domain.constantOf(right))
      return maskedBits(left, uint64_t(*mask));
    if (std::optional<int64_t> mask = domain.constantOf(left))
      return maskedBits(right, uint64_t(*mask));
    // Values 0 and 1: a truth value.
    Interval p = domain.range(left), q = domain.range(right);
    if (p.low >= 0 && p.high <= 1 && q.low >= 0 && q.high <= 1)
      return branch({left - makeConstant(1), false}, leaf(right), constant(0));
    return fail("bitwise and of two variables");
  });
}

CasesRef Scalars::bitOr(const CasesRef &a, const CasesRef &b) {
  return map(a, b, [&](const AffineForm &left, const AffineForm &right) {
    // a | b = a + b - (a & b); with a constant, or with bits that are disjoint:
    // all values of one are multiples of 2^k, the other lies in [0, 2^k).
    auto disjoint = [&](const AffineForm &high, const AffineForm &low) {
      Interval interval = domain.range(low);
      if (interval.low < 0 || interval.high >= (int64_t(1) << 59))
        return false;
      int64_t step = 1;
      while (step <= interval.high)
        step *= 2;
      return high.constant % step == 0 &&
             std::all_of(
                 high.terms.begin(), high.terms.end(),
                 [&](const Term &t) { return t.coefficient % step == 0; });
    };
    if (disjoint(left, right) || disjoint(right, left))
      return wrap(addForms(left, right));
    Interval p = domain.range(left), q = domain.range(right);
    if (p.low >= 0 && p.high <= 1 && q.low >= 0 && q.high <= 1)
      return branch({left - makeConstant(1), false}, constant(1), leaf(right));
    std::optional<int64_t> mask = domain.constantOf(right);
    const AffineForm *other = &left;
    if (!mask) {
      mask = domain.constantOf(left);
      other = &right;
    }
    if (!mask)
      return fail("bitwise or of two variables");
    return subtract(add(leaf(*other), constant(*mask)),
                    maskedBits(*other, uint64_t(*mask)));
  });
}

CasesRef Scalars::bitXor(const CasesRef &a, const CasesRef &b) {
  return map(a, b, [&](const AffineForm &left, const AffineForm &right) {
    // a ^ m = a + m - 2 * (a & m)
    std::optional<int64_t> mask = domain.constantOf(right);
    const AffineForm *other = &left;
    if (!mask) {
      mask = domain.constantOf(left);
      other = &right;
    }
    if (!mask)
      return fail("bitwise xor of two variables");
    return subtract(add(leaf(*other), constant(*mask)),
                    scale(maskedBits(*other, uint64_t(*mask)), 2));
  });
}

CasesRef Scalars::shiftLeft(const CasesRef &a, const CasesRef &amount) {
  return map(a, amount, [&](const AffineForm &left, const AffineForm &right) {
    std::optional<int64_t> bits = domain.constantOf(right);
    if (bits && *bits >= 0 && *bits < 60)
      return wrap(scaleForm(left, int64_t(1) << *bits));
    if (std::optional<int64_t> value = domain.constantOf(left);
        value && *value == 0)
      return constant(0);
    return fail("shift by a variable");
  });
}

CasesRef Scalars::shiftRight(const CasesRef &a, const CasesRef &amount) {
  return map(a, amount, [&](const AffineForm &left, const AffineForm &right) {
    std::optional<int64_t> bits = domain.constantOf(right);
    if (!bits || *bits < 0 || *bits >= 60)
      return fail("shift by a variable");
    return wrap(domain.floorDivide(left, int64_t(1) << *bits));
  });
}

CasesRef Scalars::compare(Comparison kind, const CasesRef &a,
                          const CasesRef &b) {
  return map(a, b, [&](const AffineForm &left, const AffineForm &right) {
    std::optional<AffineForm> gap = subtractForms(right, left);
    if (!gap)
      return fail("a coefficient exceeds 2^60");
    CasesRef one = constant(1), zero = constant(0);
    switch (kind) {
    case Comparison::Equal:
      return branch({*gap, true}, one, zero);
    case Comparison::NotEqual:
      return branch({*gap, true}, zero, one);
    case Comparison::Less:
      return branch({*gap - makeConstant(1), false}, one, zero);
    case Comparison::LessEqual:
      return branch({*gap, false}, one, zero);
    }
    return CasesRef();
  });
}

CasesRef Scalars::select(const CasesRef &condition, const CasesRef &yes,
                         const CasesRef &no) {
  if (!yes || !no)
    return nullptr;
  return map(condition, [&](const AffineForm &truth) -> CasesRef {
    std::optional<int64_t> value = domain.constantOf(truth);
    auto same = [&](const AffineForm &form) { return leaf(form); };
    if (value)
      return map(*value ? yes : no, same);
    return branch({truth, true}, no, yes);
  });
}

CasesRef Scalars::requireRange(const CasesRef &a, Interval interval,
                               const std::string &why) {
  return map(a, [&](const AffineForm &form) {
    Interval actual = domain.range(form);
    if (actual.low < interval.low || actual.high > interval.high)
      return fail(why);
    return leaf(form);
  });
}

CasesRef Scalars::requireNonNegative(const CasesRef &a) {
  return requireRange(a, {0, kUnbounded},
                      "an unsigned operation on a value that may be negative");
}

std::optional<int64_t> Scalars::constantOf(const CasesRef &a) {
  if (!a || !a->isLeaf())
    return std::nullopt;
  return domain.constantOf(a->form);
}

Interval Scalars::range(const CasesRef &a) {
  Interval all{kUnbounded, -kUnbounded};
  map(a, [&](const AffineForm &form) {
    Interval one = domain.range(form);
    all = {std::min(all.low, one.low), std::max(all.high, one.high)};
    return leaf(form);
  });
  return all;
}

/// True if `form` + `slack` >= some member of `forms` wherever `fact` >= 0.
static bool isDominated(const AffineForm &form, const AffineForm &fact,
                        const std::vector<AffineForm> &forms) {
  return std::any_of(forms.begin(), forms.end(), [&](const AffineForm &least) {
    AffineForm slack = form - least;
    if (slack.terms.empty() && slack.constant >= 0)
      return true;
    slack = slack - fact;
    return slack.terms.empty() && slack.constant >= 0;
  });
}

std::optional<std::vector<AffineForm>>
Scalars::asMinimum(const CasesRef &tree) {
  if (!tree)
    return std::nullopt;
  if (tree->isLeaf())
    return std::vector<AffineForm>{tree->form};
  std::optional<Condition> opposite = negate(tree->condition);
  std::optional<std::vector<AffineForm>> yes = asMinimum(tree->yes);
  std::optional<std::vector<AffineForm>> no = asMinimum(tree->no);
  if (!opposite || !yes || !no)
    return std::nullopt;
  // The minimum of all is the minimum of one side if there each form of the
  // other side is at least as large as some form of this one.
  for (const AffineForm &form : *no)
    if (!isDominated(form, tree->condition.form, *yes))
      return std::nullopt;
  for (const AffineForm &form : *yes)
    if (!isDominated(form, opposite->form, *no))
      return std::nullopt;
  std::vector<AffineForm> all = *yes;
  for (const AffineForm &form : *no)
    if (std::find(all.begin(), all.end(), form) == all.end())
      all.push_back(form);
  return all;
}

} // namespace swizzle
