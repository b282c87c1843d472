//===- Scalars.h - Integers of a kernel as case distinctions ----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `min`, `select`, the results of an `if`, a truncating division: none of them
// is affine, all of them are affine in each of a few cases. An integer of the
// kernel is therefore a binary decision tree with conditions on affine forms at
// its nodes and affine forms at its leaves; a boolean is the same with leaves 0
// and 1. The cases come out as guards in the model, and as several trip counts
// of a loop where they describe a minimum.
//
// A null tree stands for "not affine"; `Scalars::reason` says why.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_AFFINE_SCALARS_H
#define SWIZZLE_LIB_ANALYSIS_AFFINE_SCALARS_H

#include "Domain.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace swizzle::analysis {

struct Cases;
using CasesRef = std::shared_ptr<const Cases>;

/// A leaf, or a branch on `condition`.
struct Cases {
  AffineForm form;
  Condition condition;
  CasesRef yes, no;
  unsigned leaves = 1;

  bool isLeaf() const { return !yes; }
};

/// `yes` where `condition` holds, else `no`.
CasesRef makeBranch(const Condition &condition, CasesRef yes, CasesRef no);

/// What the reason begins with where a number may be too large for its type.
inline constexpr llvm::StringLiteral kMayWrap("may wrap around");

enum class Comparison : uint8_t { Equal, NotEqual, Less, LessEqual };

/// Arithmetic on trees. Every operation yields a null tree, and sets `reason`,
/// where the result has no description by affine cases.
class Scalars {
public:
  explicit Scalars(Domain &domain) : domain(domain) {}

  CasesRef leaf(AffineForm form);
  CasesRef constant(int64_t value) { return leaf(makeConstant(value)); }
  CasesRef fail(std::string why) {
    reason = std::move(why);
    return nullptr;
  }

  CasesRef add(const CasesRef &a, const CasesRef &b);
  CasesRef subtract(const CasesRef &a, const CasesRef &b);
  CasesRef multiply(const CasesRef &a, const CasesRef &b);
  CasesRef scale(const CasesRef &a, int64_t factor);
  CasesRef minimum(const CasesRef &a, const CasesRef &b);
  CasesRef maximum(const CasesRef &a, const CasesRef &b);
  /// What `a` has more than `b`; 0 if that is less.
  CasesRef excess(const CasesRef &a, const CasesRef &b) {
    return subtract(maximum(a, b), b);
  }
  /// \name Division; the divisor must be a constant in each case
  /// @{
  CasesRef floorDivide(const CasesRef &a, const CasesRef &b);
  CasesRef truncDivide(const CasesRef &a, const CasesRef &b);
  CasesRef floorRemainder(const CasesRef &a, const CasesRef &b);
  CasesRef truncRemainder(const CasesRef &a, const CasesRef &b);
  /// @}
  /// \name Bits of two's complement numbers; one operand must be constant
  /// @{
  CasesRef bitAnd(const CasesRef &a, const CasesRef &b);
  CasesRef bitOr(const CasesRef &a, const CasesRef &b);
  CasesRef bitXor(const CasesRef &a, const CasesRef &b);
  CasesRef shiftLeft(const CasesRef &a, const CasesRef &amount);
  CasesRef shiftRight(const CasesRef &a, const CasesRef &amount);
  /// @}

  /// A boolean tree; signed.
  CasesRef compare(Comparison kind, const CasesRef &a, const CasesRef &b);
  /// `condition` is boolean.
  CasesRef select(const CasesRef &condition, const CasesRef &yes,
                  const CasesRef &no);

  /// `a` if all its cases are at least 0, else null: what an unsigned operation
  /// needs of its operands.
  CasesRef requireNonNegative(const CasesRef &a);
  /// `a` if all its cases lie in the interval, else null.
  CasesRef requireRange(const CasesRef &a, Interval interval,
                        const std::string &why);

  /// The value, if the tree has only one.
  std::optional<int64_t> constantOf(const CasesRef &a);
  /// Union of the ranges of all cases.
  Interval range(const CasesRef &a);

  /// The forms whose minimum the tree is, or nothing if it is no minimum.
  std::optional<std::vector<AffineForm>> asMinimum(const CasesRef &tree);

  /// Applies `function` to every leaf, under the conditions that lead there.
  CasesRef map(const CasesRef &a,
               llvm::function_ref<CasesRef(const AffineForm &)> function);
  CasesRef
  map(const CasesRef &a, const CasesRef &b,
      llvm::function_ref<CasesRef(const AffineForm &, const AffineForm &)>
          function);

  /// `yes` where the condition holds, else `no`.
  CasesRef branch(const Condition &condition, const CasesRef &yes,
                  const CasesRef &no);

  Domain &domain;
  std::string reason; ///< of the latest null tree

private:
  CasesRef wrap(std::optional<AffineForm> form);
  CasesRef ordered(const AffineForm &a, const AffineForm &b, bool equality,
                   const CasesRef &yes, const CasesRef &no);
  CasesRef multiplyByEach(const AffineForm &left, const AffineForm &right);
  std::optional<std::pair<int64_t, AffineForm>>
  splitConstant(const AffineForm &left, const AffineForm &right);
  bool isTruth(const AffineForm &form);
  CasesRef maskedBits(const AffineForm &form, uint64_t mask);
  CasesRef maskedRuns(const AffineForm &form, uint64_t mask);
};

bool sameCases(const CasesRef &a, const CasesRef &b);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_AFFINE_SCALARS_H
