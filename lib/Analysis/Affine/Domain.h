//===- Domain.h - What is known about a kernel's variables ------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ranges. Whether an unsigned division is a floor division, whether a tail
// guard can fail, whether the divisor of a short last group is a constant: all
// of it hangs on the interval that an affine form lives in. A `Domain` knows
// the range of every variable of a model and the conditions that hold on the
// current path, and derives intervals from them. All answers are safe: a range
// may be too wide, never too narrow.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_AFFINE_DOMAIN_H
#define SWIZZLE_LIB_ANALYSIS_AFFINE_DOMAIN_H

#include "swizzle/Kernel/KernelModel.h"
#include "swizzle/Support/IntegerMath.h"
#include "swizzle/Support/Interval.h"
#include <optional>
#include <utility>

namespace swizzle::analysis {

/// Where ends of intervals saturate, in both directions.
inline constexpr int64_t kUnbounded = int64_t(1) << 62;

/// \name Affine arithmetic that reports overflow
/// Coefficients stay below 2^60, so that sums of two never overflow.
/// @{
std::optional<AffineForm> addForms(const AffineForm &a, const AffineForm &b);
std::optional<AffineForm> subtractForms(const AffineForm &a,
                                        const AffineForm &b);
std::optional<AffineForm> scaleForm(const AffineForm &form, int64_t factor);
/// @}

/// The values of `form` differ by multiples of this; 0 for a constant.
int64_t stepOf(const AffineForm &form);

/// The condition that holds exactly where `condition` does not, or nullopt for
/// an equality (its complement is not one condition).
std::optional<Condition> negate(const Condition &condition);

/// A multiple of a remainder, and its values.
struct Remainder {
  AffineForm form;
  Interval range;
};

class Domain {
public:
  /// Of a model that has variables already, no more is known of counters than
  /// that they start at 0.
  explicit Domain(KernelModel &model);

  /// Adds a counter that runs from 0 to `maxTrip` - 1.
  VariableId addCounter(std::string name, int64_t maxTrip);
  /// Adds a variable of which nothing but its range is known.
  VariableId addOpaque(std::string name, Interval range);
  /// Adds what the element of `bytes` bytes at `offset` of `buffer` is assumed
  /// to hold: one value for each `placesOfOne` elements that the launch may
  /// read, but `most`, a power of two. Nullopt if an offset may be negative, or
  /// nothing bounds it.
  std::optional<VariableId> addLoaded(uint32_t buffer, const AffineForm &offset,
                                      int64_t bytes, int64_t placesOfOne,
                                      int64_t most);
  /// True if `form` has `variable`, in a quotient or as such.
  bool dependsOn(const AffineForm &form, VariableId variable) const;

  /// What is assumed while a scope lives is forgotten with it.
  class Scope {
  public:
    explicit Scope(Domain &domain)
        : domain(domain), facts(domain.facts.size()) {}
    ~Scope() { domain.forgetFacts(facts); }

  private:
    Domain &domain;
    size_t facts;
  };
  /// Assumes that `condition` holds, or that it does not.
  void assume(const Condition &condition, bool holds = true);

  /// How many intervals have been worked out, those of the conditions of the
  /// path counted with each: what the answers so far have taken.
  uint64_t work() const { return spent; }

  /// Forgets the variables from `count` on; nothing may use them any more.
  void dropVariables(size_t count);
  size_t variableCount() const;

  /// The interval of `form` on the current path.
  Interval range(const AffineForm &form) const;
  /// The same of a variable by itself.
  Interval rangeOf(VariableId id) const;

  /// True if one value of `variable`, or few, may be all that get here: where it
  /// is equal to something, or where no range of it is left.
  bool mayBePicked(VariableId variable) const;

  /// True or false if `condition` is decided on the current path.
  std::optional<bool> decide(const Condition &condition) const;

  /// The only value that `form` can have on the current path, if there is one:
  /// either its range is a point, or one member of its residue class lies in
  /// it.
  std::optional<int64_t> constantOf(const AffineForm &form) const;

  /// floor(form / divisor) for a positive divisor; adds a quotient variable
  /// only if the division does not come out even. The result is that on the
  /// current path, where the simplest form may rest on what is assumed.
  std::optional<AffineForm> floorDivide(const AffineForm &form,
                                        int64_t divisor);

  /// Takes k * (n - d * floor(n / d)) out of `form`, where `quotient` is its
  /// term -k * d * floor(n / d); nullopt, with nothing changed, if `form` gets
  /// no simpler by that. Of floor(n / (d * m)), which is
  /// floor(floor(n / d) / m), n may also be a quotient:
  ///
  ///   4 * floor(t / 32) - 8 * floor(t / 64)    (t & 32) >> 3: 0 to 4
  std::optional<Remainder> takeRemainder(AffineForm &form, Term quotient) const;

private:
  /// Takes f * (n - d * floor(n / d)) out of `form`, which has f * n, whatever it
  /// has of floor(n / d), `quotient`; n may be floor(m / e) where that is
  /// floor(m / (d * e)).
  std::optional<Interval> takeDigit(AffineForm &form,
                                    VariableId quotient) const;
  /// The sum of the ranges of such digits, and of what is left.
  Interval digitRange(const AffineForm &form) const;
  /// MagicDivision.cpp: what `floorDivide` finds where a quotient is in the
  /// numerator, floor((floor(n / b) + k) / c) = floor((n + k * b) / (b * c)),
  /// and where n * m is, of which there may be a simpler ratio than m / divisor.
  std::optional<AffineForm> divideNested(const AffineForm &form,
                                         int64_t divisor);
  std::optional<AffineForm> divideByRatio(const AffineForm &form,
                                          int64_t divisor);
  /// n * m and d, if `quotient` is floor(n * p / q), which is
  /// floor(n * m / d) for all n that there are, and has with the n of `form`
  /// the factors of a remainder, k * m * n - k * d * floor(n * m / d).
  std::optional<std::pair<AffineForm, int64_t>>
  multipleBehind(const AffineForm &form, Term quotient) const;
  Interval plainRange(const AffineForm &form) const;
  Interval derivedRange(const Variable &variable, Interval numerator) const;
  Interval sumRange(const AffineForm &form) const;
  bool hasQuotient(const AffineForm &form) const;
  std::optional<Interval> rangeOfSum(const AffineForm &form,
                                     const AffineForm &other,
                                     int64_t factor) const;
  void forgetFacts(size_t count);

  KernelModel &model;
  /// A condition of the path; `holds` is false for an equality that does not.
  struct Fact {
    Condition condition;
    bool holds = true;
    bool isImplied = false;        ///< by a later one, which says more
    std::optional<size_t> implies; ///< the earlier one, which says less
  };

  std::vector<Interval> ranges; ///< by variable
  std::vector<Fact> facts;
  mutable uint64_t spent = 0;
};

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_AFFINE_DOMAIN_H
