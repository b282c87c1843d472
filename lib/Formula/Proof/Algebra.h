//===- Algebra.h - Floor division, min and tests in normal form -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The atoms of polynomials: symbols (the grid's extents, the id, proved
// positions), and operations that are not polynomial, in one spelling each:
//
//   a % b           a - b * (a // b)
//   min, max, abs   by pos(t) = max(0, t), with pos(-t) = pos(t) - t
//   comparisons     by [t >= 1], with [t <= 0] = 1 - [t >= 1]
//   c ? a : b       b + c * (a - b), c being 0 or 1
//   a // (b * c)    (a // b) // c for positive b, c, extents first
//
// Each rewriting is an identity of the integers under what is known of the
// symbols (an id lies below its extent, extents are at least 1); so equal
// normal forms are equal values, for every extent. The converse need not hold:
// a proof that is not found is a refusal.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_PROOF_ALGEBRA_H
#define SWIZZLE_LIB_FORMULA_PROOF_ALGEBRA_H

#include "Polynomial.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <tuple>

namespace swizzle::formula {

enum class AtomKind : uint8_t {
  Symbol,     ///< in [low, high]; `high` may be missing
  Quotient,   ///< a // b, b proved positive or listed in `divisors`
  Positive,   ///< max(0, a)
  AtLeastOne, ///< a >= 1
};

struct Atom {
  AtomKind kind = AtomKind::Symbol;
  std::string name;               ///< Symbol
  int64_t low = 0;                ///< Symbol
  std::optional<Polynomial> high; ///< Symbol: inclusive
  Polynomial a, b;
  /// Symbol: its value as a polynomial in older atoms, if it stands for one.
  std::optional<Polynomial> definition;
  bool extent = false; ///< divides first
};

class Algebra {
public:
  /// Some two seconds. What the catalogue's largest formulas take, on grids of
  /// which no extent is known, is half of it.
  static constexpr int64_t kMostWork = 300000;

  Polynomial symbol(std::string name, int64_t low,
                    std::optional<Polynomial> high, bool extent = false,
                    std::optional<Polynomial> definition = std::nullopt);

  Polynomial quotient(const Polynomial &a, const Polynomial &b);
  Polynomial remainder(const Polynomial &a, const Polynomial &b) {
    return a - b * quotient(a, b);
  }
  Polynomial positivePart(const Polynomial &a);
  Polynomial minimum(const Polynomial &a, const Polynomial &b) {
    return a - positivePart(a - b);
  }
  Polynomial maximum(const Polynomial &a, const Polynomial &b) {
    return b + positivePart(a - b);
  }
  /// 1 if a >= 1, else 0.
  Polynomial atLeastOne(const Polynomial &a);
  /// 1 if a == b, else 0.
  Polynomial equal(const Polynomial &a, const Polynomial &b);
  /// 1 if a != 0, else 0.
  Polynomial truth(const Polynomial &a);
  Polynomial select(const Polynomial &bit, const Polynomial &then,
                    const Polynomial &otherwise);

  /// True if proved; false says nothing.
  bool isNonNegative(const Polynomial &a) const;
  bool isPositive(const Polynomial &a) const {
    return isNonNegative(a - Polynomial(1));
  }
  /// True if proved to be 0 or 1.
  bool isBit(const Polynomial &a) const;
  /// If `a` is `e % w`: w.
  std::optional<Polynomial> asRemainder(const Polynomial &a) const;

  const Atom &atom(AtomId id) const { return atoms[id]; }
  size_t size() const { return atoms.size(); }

  /// True once nothing more is proved, as `kMostWork` terms were looked at.
  bool isExhausted() const { return spent > kMostWork; }
  /// Goes on counting where `other`, on a part of the same question, ended.
  void takeWork(const Algebra &other) { spent = other.spent; }

  /// True if no atom of `a`, at any depth, is one of `ids`.
  bool isFreeOf(const Polynomial &a, const std::vector<AtomId> &ids) const;

  /// Divisors that could not be proved positive when they were used. A proof
  /// must show each of them positive.
  const std::vector<Polynomial> &openDivisors() const { return divisors; }

  /// The value of `a` where the symbols that stand for nothing have `values`;
  /// the values of other atoms are added to them. nullopt on division by zero.
  std::optional<int64_t> evaluate(const Polynomial &a,
                                  std::map<AtomId, int64_t> &values) const;

private:
  Polynomial intern(AtomKind kind, const Polynomial &a, const Polynomial &b);
  Polynomial quotientByFactor(const Polynomial &a, const Polynomial &b);
  std::optional<int64_t> evaluate(AtomId id,
                                  std::map<AtomId, int64_t> &values) const;

  bool proveNonNegative(const Polynomial &a) const;
  bool
  proveByDivision(const Polynomial &a,
                  llvm::function_ref<bool(const Polynomial &)> holds) const;
  bool isNonNegative(AtomId id) const;
  bool isVisiblyNonNegative(const Polynomial &a) const;
  /// An upper bound of the atom, if one is seen.
  std::optional<Polynomial> atMost(AtomId id) const;

  std::vector<Atom> atoms;
  /// What was asked before; false also while the answer is being looked for,
  /// and once the algebra is exhausted.
  mutable std::map<Polynomial, bool> nonNegative;
  mutable unsigned depth = 0;
  mutable int64_t spent = 0;
  std::map<std::tuple<AtomKind, Polynomial, Polynomial>, AtomId> interned;
  std::vector<Polynomial> divisors;
};

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_PROOF_ALGEBRA_H
