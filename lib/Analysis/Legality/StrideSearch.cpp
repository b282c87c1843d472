//===- StrideSearch.cpp - Can strides alone keep accesses apart? ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The difference of two addresses is a sum of stride times difference. With the
// strides in falling order, as the digits of a number, few differences can
// bring it near zero, and a short search goes through them.
//
// Quotients of the thread id, such as the row of a lane in a matrix fragment,
// are digits as well: with N = d * q + r, what an address says of N and q it
// says of q and r, which range freely. So are those of a workgroup id, from
// which a kernel takes the row and the column of its tile; if the ids differ,
// so does one of their digits. Taking digits for independent that are not only
// adds sums: where the search finds nothing, there is nothing.
//
//===----------------------------------------------------------------------===//

#include "StrideSearch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace swizzle::analysis {

namespace {
/// Strides and ranges are multiplied in twice their width. What does not fit
/// into kMostReach is left to the exact question.
constexpr Wide kMostReach = Wide(1) << 60;

/// Searches differences of digits whose weighted sum lands in an interval, with
/// at least one difference between workgroups.
class DigitSearch {
public:
  struct Digit {
    int64_t stride = 0; ///< positive
    int64_t low = 0, high = 0;
    bool workgroup = false;
  };

  /// True if such differences may exist, or if the search became too long.
  bool mayReach(int64_t low, int64_t high) {
    llvm::sort(digits, [](const Digit &a, const Digit &b) {
      return a.stride > b.stride;
    });
    least.assign(digits.size() + 1, 0);
    greatest.assign(digits.size() + 1, 0);
    divisor.assign(digits.size() + 1, 0);
    Wide reach = std::max(std::abs(low), std::abs(high));
    for (size_t i = digits.size(); i-- > 0;) {
      const Digit &digit = digits[i];
      reach += Wide(digit.stride) *
               std::max(std::abs(digit.low), std::abs(digit.high));
      if (reach > 4 * kMostReach)
        return true;
      least[i] = least[i + 1] + digit.stride * digit.low;
      greatest[i] = greatest[i + 1] + digit.stride * digit.high;
      divisor[i] = std::gcd(divisor[i + 1], digits[i].stride);
    }
    workgroupsLeft.assign(digits.size() + 1, false);
    for (size_t i = digits.size(); i-- > 0;)
      workgroupsLeft[i] = workgroupsLeft[i + 1] || digits[i].workgroup;
    steps = 0;
    return search(0, low, high, false);
  }

  int64_t stepsTaken() const { return steps; }

  std::vector<Digit> digits;

private:
  /// Can the digits from `index` on sum to something in [low, high]?
  bool search(size_t index, int64_t low, int64_t high, bool differs) {
    if (++steps > kMaxSteps)
      return true;
    if (!differs && !workgroupsLeft[index])
      return false;
    if (low > greatest[index] || high < least[index])
      return false;
    if (int64_t unit = divisor[index];
        unit > 1 && llvm::divideFloorSigned(high, unit) * unit < low)
      return false;
    if (index == digits.size())
      return differs && low <= 0 && high >= 0;
    const Digit &digit = digits[index];
    // stride * d must leave a rest that the later digits can make up.
    int64_t first =
        std::max(digit.low, llvm::divideCeilSigned(low - greatest[index + 1],
                                                   digit.stride));
    int64_t last =
        std::min(digit.high, llvm::divideFloorSigned(high - least[index + 1],
                                                     digit.stride));
    for (int64_t d = first; d <= last; ++d)
      if (search(index + 1, low - d * digit.stride, high - d * digit.stride,
                 differs || (digit.workgroup && d != 0)))
        return true;
    return false;
  }

  static constexpr int64_t kMaxSteps = 20000;
  int64_t steps = 0;
  std::vector<int64_t> least, greatest, divisor;
  std::vector<bool> workgroupsLeft;
};
} // namespace

namespace {
/// The digits of one numerator: quotients by divisors that divide one another.
struct IdDigits {
  AffineForm numerator; ///< in thread ids, constant 0, never negative, or an id
  /// The workgroup id that the numerator is, if it is one.
  std::optional<VariableId> workgroup;
  /// divisor -> quotient variables that are floor(numerator / divisor)
  std::map<int64_t, std::vector<VariableId>> quotients;
};

/// An address by digits: strides by key. Keys below the number of variables are
/// those variables; the others are digits of threads or workgroups.
struct DigitForm {
  int64_t constant = 0;
  std::map<unsigned, Wide> strides;
  std::array<bool, 3> isSplit = {}; ///< by axis: the workgroup id has digits
};

/// Rewrites addresses into digits.
class DigitView {
public:
  explicit DigitView(const KernelModel &model);

  DigitForm rewrite(const AffineForm &form) const;
  /// The range of the digit `key`.
  Interval rangeOf(unsigned key) const { return digits[key - numVariables]; }
  /// The workgroup id that the digit `key` is one of, if it is.
  std::optional<VariableId> workgroupOf(unsigned key) const {
    return key < numVariables ? std::nullopt
                              : workgroups[key - numVariables];
  }

private:
  std::vector<IdDigits> groups;
  std::vector<unsigned> firstKey; ///< of each group
  std::vector<Interval> digits;   ///< their ranges
  /// By digit: the workgroup id that it is one of, if it is.
  std::vector<std::optional<VariableId>> workgroups;
  size_t numVariables;
};
} // namespace

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
  for (const IdDigits &group : groups) {
    firstKey.push_back(model.variables.size() + digits.size());
    const Grid &extents = group.workgroup ? model.grid : model.block;
    Wide greatest = 0;
    for (const Term &term : group.numerator.terms)
      greatest += Wide(term.coefficient) *
                  (extents[model.variables[term.variable].axis] - 1);
    int64_t previous = 1;
    for (const auto &[divisor, ids] : group.quotients) {
      digits.push_back({0, divisor / previous - 1});
      previous = divisor;
    }
    digits.push_back(
        {0, int64_t(std::min(greatest / previous, Wide(kUnbounded)))});
    workgroups.resize(digits.size(), group.workgroup);
  }
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

struct StrideComparison::View : DigitView {
  using DigitView::DigitView;
};

StrideComparison::StrideComparison(const KernelModel &model, Domain &domain)
    : model(model), domain(domain), view(std::make_unique<View>(model)) {}

StrideComparison::~StrideComparison() = default;

StrideSide StrideComparison::sideOf(const AccessSite &site) {
  DigitForm form = view->rewrite(site.access->address);
  StrideSide side;
  side.first = {form.constant, form.constant};
  side.isSplit = form.isSplit;
  side.bytes = site.access->bytes;
  side.box = site.access->box;
  Domain::Scope scope(domain);
  for (const Condition &condition : site.conditions)
    domain.assume(condition);
  // Workgroup ids matter even where nothing depends on them.
  for (VariableId axis = 0; axis < 3; ++axis)
    form.strides.try_emplace(kWorkgroupIdX + axis, 0);
  for (auto [key, stride] : form.strides) {
    bool workgroup = key < kThreadIdX || view->workgroupOf(key);
    if (stride != 0 || workgroup)
      side.digits.push_back({key, stride, rangeOf(key)});
  }
  return side;
}

Interval StrideComparison::rangeOf(unsigned key) const {
  return key < domain.variableCount() ? domain.rangeOf(key)
                                      : view->rangeOf(key);
}

void StrideSide::join(const StrideSide &other) {
  first = hull(first, other.first);
  for (auto [digit, one] : llvm::zip_equal(digits, other.digits))
    digit.range = hull(digit.range, one.range);
}

/// The difference of the addresses of two sides, as digits.
struct DigitDifference {
  DigitSearch search;
  bool bounded = true;

  // Differences of what is not bounded need more than 64 bits, too.
  void add(Wide product, Wide from, Wide to, bool workgroup) {
    // Ranges beyond this are left to the exact question.
    constexpr int64_t most = int64_t(1) << 40;
    bounded &= product <= kMostReach && product >= -kMostReach;
    bounded &= product == 0 || (from >= -most && to <= most);
    if (!bounded || product == 0)
      return;
    int64_t stride(product), low(from), high(to);
    if (stride < 0)
      search.digits.push_back({-stride, -high, -low, workgroup});
    else
      search.digits.push_back({stride, low, high, workgroup});
  }
};

/// Adds the digit `key` of both sides, of which either may be missing; false if it
/// ties the ids of both workgroups together, so that strides say nothing.
bool StrideComparison::addDigit(const StrideSide &a, const StrideSide &b,
                                const StrideSide::Digit &here,
                                const StrideSide::Digit &there,
                                DigitDifference &difference) const {
  unsigned key = here.key;
  std::optional<VariableId> of = view->workgroupOf(key);
  bool isSplit = key < kThreadIdX && (a.isSplit[key] || b.isSplit[key]);
  bool isDigit = of && (a.isSplit[*of] || b.isSplit[*of]);
  bool workgroup = key < kThreadIdX || isDigit;
  int64_t most = isDigit            ? view->rangeOf(key).high
                 : key < kThreadIdX ? model.grid[key] - 1
                                    : 0;
  Wide mine = here.stride, other = there.stride;
  // Different strides of an id, or of a digit of it, would tie the ids of both
  // workgroups together. One of stride 0 does not tell them apart; an id that
  // is split leaves that to its digits.
  bool tells = isSplit ? mine == 0 : mine != 0 || most == 0;
  if (workgroup && (mine != other || !tells))
    return false;
  if (isSplit)
    return true;
  if (mine == other) {
    difference.add(mine, Wide(here.range.low) - there.range.high,
                   Wide(here.range.high) - there.range.low, workgroup);
  } else {
    difference.add(mine, here.range.low, here.range.high, false);
    difference.add(-other, there.range.low, there.range.high, false);
  }
  return true;
}

Answer StrideComparison::meet(const StrideSide &a, const StrideSide &b) {
  DigitDifference difference;
  // a's address minus b's, digit by digit.
  auto i = a.digits.begin(), j = b.digits.begin();
  while (i != a.digits.end() || j != b.digits.end()) {
    unsigned key = j == b.digits.end() ? i->key
                   : i == a.digits.end() ? j->key
                                         : std::min(i->key, j->key);
    StrideSide::Digit here{key, 0, {}}, there = here;
    if (i != a.digits.end() && i->key == key)
      here = *i++;
    if (j != b.digits.end() && j->key == key)
      there = *j++;
    if (!addDigit(a, b, here, there, difference))
      return Answer::Unknown;
  }
  for (const BoxDim &dim : a.box)
    difference.add(dim.stride, 0, dim.count - 1, false);
  for (const BoxDim &dim : b.box)
    difference.add(-dim.stride, 0, dim.count - 1, false);
  if (!difference.bounded)
    return Answer::Unknown;
  // They meet if the difference of the first bytes lies in this interval.
  Wide least = Wide(a.first.low) - b.first.high;
  Wide greatest = Wide(a.first.high) - b.first.low;
  if (greatest > kMostReach || least < -kMostReach)
    return Answer::Unknown;
  bool may = difference.search.mayReach(-a.bytes + 1 - int64_t(greatest),
                                        b.bytes - 1 - int64_t(least));
  steps += difference.search.stepsTaken();
  return may ? Answer::Unknown : Answer::No;
}

} // namespace swizzle::analysis
