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

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace swizzle::analysis {

/// A tree with more leaves than this is given up.
static constexpr unsigned kMaxLeaves = 64;

CasesRef makeBranch(const Condition &condition, CasesRef yes, CasesRef no) {
  unsigned leaves = llvm::SaturatingAdd(yes->leaves, no->leaves);
  return std::make_shared<const Cases>(
      Cases{{}, condition, std::move(yes), std::move(no), leaves});
}

bool sameCases(const CasesRef &a, const CasesRef &b) {
  if (a == b)
    return true;
  if (!a || !b || a->isLeaf() != b->isLeaf())
    return false;
  if (a->isLeaf())
    return a->form == b->form;
  return a->condition.equality == b->condition.equality &&
         a->condition.form == b->condition.form && sameCases(a->yes, b->yes) &&
         sameCases(a->no, b->no);
}

CasesRef Scalars::leaf(AffineForm form) {
  return std::make_shared<const Cases>(
      Cases{std::move(form), {}, nullptr, nullptr});
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
  return makeBranch(condition, yes, no);
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
  auto side = [&](bool holds) {
    Domain::Scope scope(domain);
    domain.assume(a->condition, holds);
    return map(holds ? a->yes : a->no, function);
  };
  CasesRef yes = side(true), no = yes ? side(false) : nullptr;
  if (!no)
    return nullptr;
  if (yes->leaves + no->leaves > kMaxLeaves)
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

/// The constant among two operands, and the other one.
std::optional<std::pair<int64_t, AffineForm>>
Scalars::splitConstant(const AffineForm &left, const AffineForm &right) {
  if (std::optional<int64_t> value = domain.constantOf(right))
    return std::make_pair(*value, left);
  if (std::optional<int64_t> value = domain.constantOf(left))
    return std::make_pair(*value, right);
  return std::nullopt;
}

/// A case for each of the few numbers that one factor may be, the same for all
/// threads: a bit, a direction, the rows of a short group. What threads do in
/// different cases would be accesses of their own.
CasesRef Scalars::multiplyByEach(const AffineForm &left,
                                 const AffineForm &right) {
  constexpr int64_t most = 8;
  auto isUniform = [&](const AffineForm &form) {
    return !domain.dependsOn(form, kThreadIdX) &&
           !domain.dependsOn(form, kThreadIdX + 1) &&
           !domain.dependsOn(form, kThreadIdX + 2);
  };
  Interval a = domain.range(left), b = domain.range(right);
  bool isLeft = a.high - a.low < b.high - b.low;
  const AffineForm &few = isLeft ? left : right, &other = isLeft ? right : left;
  Interval range = isLeft ? a : b;
  if (range.high - range.low >= most || !isUniform(few))
    return fail("product of two variables");
  CasesRef product = wrap(scaleForm(other, range.low));
  for (int64_t value = range.low + 1; value <= range.high && product; ++value) {
    CasesRef each = wrap(scaleForm(other, value));
    CasesRef away = wrap(addForms(few, makeConstant(-value)));
    product =
        each && away ? branch({away->form, true}, each, product) : nullptr;
  }
  return product;
}

CasesRef Scalars::multiply(const CasesRef &a, const CasesRef &b) {
  return map(a, b, [&](const AffineForm &left, const AffineForm &right) {
    auto scaled = splitConstant(left, right);
    return scaled ? wrap(scaleForm(scaled->second, scaled->first))
                  : multiplyByEach(left, right);
  });
}

/// `yes` where b - a >= 0 (or == 0), else `no`.
CasesRef Scalars::ordered(const AffineForm &a, const AffineForm &b,
                          bool equality, const CasesRef &yes,
                          const CasesRef &no) {
  CasesRef gap = wrap(subtractForms(b, a));
  return gap ? branch({gap->form, equality}, yes, no) : nullptr;
}

CasesRef Scalars::minimum(const CasesRef &a, const CasesRef &b) {
  return map(a, b, [&](const AffineForm &left, const AffineForm &right) {
    return ordered(left, right, false, leaf(left), leaf(right));
  });
}

CasesRef Scalars::maximum(const CasesRef &a, const CasesRef &b) {
  return map(a, b, [&](const AffineForm &left, const AffineForm &right) {
    return ordered(right, left, false, leaf(left), leaf(right));
  });
}

CasesRef Scalars::floorDivide(const CasesRef &a, const CasesRef &b) {
  return map(a, b, [&](const AffineForm &left, const AffineForm &right) {
    std::optional<int64_t> divisor = domain.constantOf(right);
    if (!divisor)
      return fail("division by a variable");
    if (*divisor == 0)
      return fail("division by zero");
    if (*divisor <= -kUnbounded)
      return fail("division by a number beyond 2^62");
    if (*divisor < 0)
      return floorDivide(scale(leaf(left), -1), constant(-*divisor));
    return wrap(domain.floorDivide(left, *divisor));
  });
}

CasesRef Scalars::truncDivide(const CasesRef &a, const CasesRef &b) {
  return map(a, b, [&](const AffineForm &left, const AffineForm &right) {
    std::optional<int64_t> divisor = domain.constantOf(right);
    if (!divisor)
      return fail("division by a variable");
    if (*divisor == 0)
      return fail("division by zero");
    if (*divisor <= -kUnbounded)
      return fail("division by a number beyond 2^62");
    CasesRef size = constant(std::abs(*divisor));
    auto down = [&] { return floorDivide(leaf(left), size); };
    // ceil(a / b) = -floor(-a / b)
    auto up = [&] {
      return scale(floorDivide(scale(leaf(left), -1), size), -1);
    };
    Interval interval = domain.range(left);
    CasesRef quotient = interval.low >= 0 ? down()
                        : interval.high <= 0
                            ? up()
                            : branch({left, false}, down(), up());
    return *divisor < 0 ? scale(quotient, -1) : quotient;
  });
}

CasesRef Scalars::floorRemainder(const CasesRef &a, const CasesRef &b) {
  return subtract(a, multiply(floorDivide(a, b), b));
}

CasesRef Scalars::truncRemainder(const CasesRef &a, const CasesRef &b) {
  return subtract(a, multiply(truncDivide(a, b), b));
}

CasesRef Scalars::compare(Comparison kind, const CasesRef &a,
                          const CasesRef &b) {
  return map(a, b, [&](const AffineForm &left, const AffineForm &right) {
    bool strict = kind == Comparison::Less;
    if (strict || kind == Comparison::LessEqual)
      return ordered(left + makeConstant(strict), right, false, constant(1),
                     constant(0));
    bool equal = kind == Comparison::Equal;
    return ordered(left, right, true, constant(equal), constant(!equal));
  });
}

CasesRef Scalars::select(const CasesRef &condition, const CasesRef &yes,
                         const CasesRef &no) {
  if (!yes || !no)
    return nullptr;
  return map(condition, [&](const AffineForm &truth) -> CasesRef {
    if (std::optional<int64_t> value = domain.constantOf(truth))
      return map(*value ? yes : no,
                 [&](const AffineForm &form) { return leaf(form); });
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

/// True if wherever `fact` >= 0, each of `forms` is at least as large as some
/// member of `bounds`.
static bool areDominated(const std::vector<AffineForm> &forms,
                         const AffineForm &fact,
                         const std::vector<AffineForm> &bounds) {
  auto isNatural = [](const AffineForm &slack) {
    return slack.terms.empty() && slack.constant >= 0;
  };
  return llvm::all_of(forms, [&](const AffineForm &form) {
    return llvm::any_of(bounds, [&](const AffineForm &least) {
      return isNatural(form - least) || isNatural(form - least - fact);
    });
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
  if (!areDominated(*no, tree->condition.form, *yes) ||
      !areDominated(*yes, opposite->form, *no))
    return std::nullopt;
  std::vector<AffineForm> all = *yes;
  for (const AffineForm &form : *no)
    if (!llvm::is_contained(all, form))
      all.push_back(form);
  return all;
}

} // namespace swizzle::analysis
