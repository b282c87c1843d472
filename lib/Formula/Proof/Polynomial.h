//===- Polynomial.h - Integer polynomials over atoms ------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The normal form in which formulas are compared: two texts that expand to the
// same polynomial over the same atoms compute the same for every value of the
// atoms. What an atom stands for is Algebra.h's business.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_PROOF_POLYNOMIAL_H
#define SWIZZLE_LIB_FORMULA_PROOF_POLYNOMIAL_H

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace swizzle::formula {

using AtomId = uint32_t;

/// Product of atoms, sorted, with repetition; empty: 1.
using Monomial = std::vector<AtomId>;

/// Higher degree first, then lexicographic: the order of terms, whose first is
/// the leading one. It is compatible with multiplication.
struct LeadingFirst {
  bool operator()(const Monomial &a, const Monomial &b) const {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  }
};

class Polynomial {
public:
  Polynomial() = default;
  Polynomial(int64_t constant);
  static Polynomial atom(AtomId id);
  /// A polynomial that equals nothing, for what has no value.
  static Polynomial makeBroken();
  static Polynomial term(Monomial monomial, int64_t coefficient);

  using Terms = std::map<Monomial, int64_t, LeadingFirst>;
  const Terms &terms() const { return coefficients; }

  bool isZero() const { return coefficients.empty() && !broken; }
  std::optional<int64_t> constant() const;
  /// The atom, if the polynomial is exactly one.
  std::optional<AtomId> singleAtom() const;

  /// True once a coefficient left +-2^62 or there were more than 400 terms;
  /// such a polynomial equals nothing.
  bool isBroken() const { return broken; }

  Polynomial operator+(const Polynomial &other) const;
  Polynomial operator-(const Polynomial &other) const;
  Polynomial operator*(const Polynomial &other) const;
  Polynomial operator-() const { return Polynomial() - *this; }
  bool operator==(const Polynomial &other) const {
    return !broken && !other.broken && coefficients == other.coefficients;
  }
  bool operator!=(const Polynomial &other) const { return !(*this == other); }
  /// Any strict order, for maps.
  bool operator<(const Polynomial &other) const {
    return coefficients < other.coefficients;
  }

  /// Greatest common divisor of the coefficients, 0 for zero.
  int64_t content() const;
  /// All coefficients divided by `divisor`, which divides them.
  Polynomial dividedBy(int64_t divisor) const;
  /// The largest monomial that divides every term.
  Monomial commonMonomial() const;

  void add(const Monomial &monomial, int64_t coefficient);

private:
  Terms coefficients;
  bool broken = false;
};

/// `a` / `b` if `b` divides `a`.
std::optional<Monomial> divide(const Monomial &a, const Monomial &b);
/// The product of all atoms but the one at `index`.
Monomial without(Monomial monomial, size_t index);
/// Product.
Monomial multiply(const Monomial &a, const Monomial &b);

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_PROOF_POLYNOMIAL_H
