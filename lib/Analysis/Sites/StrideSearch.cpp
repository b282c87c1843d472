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
// Quotients of ids are digits as well (AddressDigits.h). If two workgroup ids
// differ, so does one of their digits. Taking digits for independent that are
// not only adds sums: where the search finds nothing, there is nothing.
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

/// Adds the digit `key` of both sides, of which either may be missing; false if
/// it ties the ids of both workgroups together, so that strides say nothing.
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
    unsigned key = j == b.digits.end()   ? i->key
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
