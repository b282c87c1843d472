//===- Polynomial.cpp - Integer polynomials over atoms --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums and products with every coefficient checked: a polynomial that outgrows
// its bounds is marked broken and from then on equals nothing, so that a proof
// by equality cannot rest on a number that wrapped around.
//
//===----------------------------------------------------------------------===//

#include "Polynomial.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace swizzle::formula {

namespace {

constexpr int64_t maxCoefficient = int64_t(1) << 62;
constexpr size_t maxTerms = 400;

} // namespace

Polynomial::Polynomial(int64_t constant) { add({}, constant); }

Polynomial Polynomial::atom(AtomId id) { return term({id}, 1); }

Polynomial Polynomial::makeBroken() {
  Polynomial result;
  result.broken = true;
  return result;
}

Polynomial Polynomial::term(Monomial monomial, int64_t coefficient) {
  Polynomial result;
  result.add(monomial, coefficient);
  return result;
}

std::optional<int64_t> Polynomial::constant() const {
  if (broken || coefficients.size() > 1)
    return std::nullopt;
  if (coefficients.empty())
    return 0;
  if (!coefficients.begin()->first.empty())
    return std::nullopt;
  return coefficients.begin()->second;
}

std::optional<AtomId> Polynomial::singleAtom() const {
  if (broken || coefficients.size() != 1 ||
      coefficients.begin()->first.size() != 1 ||
      coefficients.begin()->second != 1)
    return std::nullopt;
  return coefficients.begin()->first.front();
}

void Polynomial::add(const Monomial &monomial, int64_t coefficient) {
  if (coefficient == 0)
    return;
  int64_t sum;
  int64_t &slot = coefficients[monomial];
  if (__builtin_add_overflow(slot, coefficient, &sum) || sum > maxCoefficient ||
      sum < -maxCoefficient) {
    broken = true;
    return;
  }
  slot = sum;
  if (sum == 0)
    coefficients.erase(monomial);
  broken |= coefficients.size() > maxTerms;
}

Polynomial Polynomial::operator+(const Polynomial &other) const {
  Polynomial sum = *this;
  sum.broken |= other.broken;
  for (const auto &[monomial, coefficient] : other.coefficients)
    sum.add(monomial, coefficient);
  return sum;
}

Polynomial Polynomial::operator-(const Polynomial &other) const {
  Polynomial sum = *this;
  sum.broken |= other.broken;
  for (const auto &[monomial, coefficient] : other.coefficients)
    sum.add(monomial, -coefficient);
  return sum;
}

Polynomial Polynomial::operator*(const Polynomial &other) const {
  Polynomial product;
  product.broken = broken || other.broken;
  for (const auto &[m, a] : coefficients) {
    for (const auto &[n, b] : other.coefficients) {
      int64_t coefficient;
      if (product.broken || __builtin_mul_overflow(a, b, &coefficient)) {
        product.broken = true;
        return product;
      }
      product.add(multiply(m, n), coefficient);
    }
  }
  return product;
}

int64_t Polynomial::content() const {
  int64_t divisor = 0;
  for (const auto &entry : coefficients)
    divisor = std::gcd(divisor, entry.second);
  return divisor;
}

Polynomial Polynomial::dividedBy(int64_t divisor) const {
  Polynomial result = *this;
  for (auto &entry : result.coefficients)
    entry.second /= divisor;
  return result;
}

Monomial Polynomial::commonMonomial() const {
  if (coefficients.empty())
    return {};
  Monomial common = coefficients.begin()->first;
  for (const auto &entry : coefficients) {
    Monomial next;
    std::set_intersection(common.begin(), common.end(), entry.first.begin(),
                          entry.first.end(), std::back_inserter(next));
    common = std::move(next);
  }
  return common;
}

Monomial without(Monomial monomial, size_t index) {
  monomial.erase(monomial.begin() + index);
  return monomial;
}

std::optional<Monomial> divide(const Monomial &a, const Monomial &b) {
  if (!std::includes(a.begin(), a.end(), b.begin(), b.end()))
    return std::nullopt;
  Monomial quotient;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(),
                      std::back_inserter(quotient));
  return quotient;
}

Monomial multiply(const Monomial &a, const Monomial &b) {
  Monomial product;
  product.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(),
             std::back_inserter(product));
  return product;
}

} // namespace swizzle::formula
