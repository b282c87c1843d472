//===- GridFacts.cpp - What a case of a proof knows of the grid -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See GridFacts.h.
//
//===----------------------------------------------------------------------===//

#include "GridFacts.h"

#include <algorithm>
#include <numeric>

namespace swizzle::formula {

namespace {

constexpr int64_t kMaxMultiple = int64_t(1) << 20;

/// The least common multiple, or `a` if that is large.
int64_t commonMultiple(int64_t a, int64_t b) {
  int64_t both = a / std::gcd(a, b) * b;
  return both <= kMaxMultiple ? both : a;
}

} // namespace

bool isMultipleOf(const Algebra &algebra, const Polynomial &known,
                  const Polynomial &divisor) {
  if (known == divisor)
    return true;
  if (known.isZero() || divisor.isZero())
    return false;
  const auto &[a, m] = *known.terms().begin();
  const auto &[b, n] = *divisor.terms().begin();
  std::optional<Monomial> factor = divide(a, b);
  if (!factor || m % n != 0 || m / n < 1)
    return false;
  for (AtomId id : *factor)
    if (!algebra.atom(id).extent)
      return false;
  return known == divisor * Polynomial::term(*factor, m / n);
}

int64_t GridFacts::multipleOf(unsigned axis) const {
  int64_t multiple = 1;
  for (const Fact &fact : facts)
    if (fact.axes == 1u << axis)
      multiple = commonMultiple(multiple, fact.modulus);
  return multiple;
}

GridFacts GridFacts::with(const std::vector<Polynomial> &zeros,
                          const SymbolicInputs &inputs) const {
  GridFacts more = *this;
  for (const Polynomial &zero : zeros)
    learn(zero, inputs, more.facts);
  return more;
}

/// What follows from 0 = c * p + m * (...), p a product of extents: m /
/// gcd(m, c) divides p.
void GridFacts::learn(const Polynomial &zero, const SymbolicInputs &inputs,
                      std::vector<Fact> &to) const {
  for (const auto &[monomial, coefficient] : zero.terms()) {
    Fact fact;
    bool isProduct = !monomial.empty();
    for (AtomId id : monomial) {
      unsigned axis = 0;
      while (axis < 3 && extentAtom(inputs, axis) != id)
        ++axis;
      isProduct &=
          axis < 3 && !(fact.axes & (1u << axis)) && multipleOf(axis) == 1;
      fact.axes |= axis < 3 ? 1u << axis : 0;
    }
    if (!isProduct)
      continue;
    int64_t others = 0;
    for (const auto &other : zero.terms())
      if (other.first != monomial)
        others = std::gcd(others, other.second);
    fact.modulus = others / std::max<int64_t>(std::gcd(others, coefficient), 1);
    if (fact.modulus > 1 && fact.modulus <= kMaxMultiple)
      to.push_back(fact);
  }
}

bool GridFacts::divide(int64_t x, const std::vector<unsigned> &axes,
                       const Grid &grid) const {
  int64_t count = 1;
  unsigned chosen = 0;
  for (unsigned axis : axes) {
    int64_t extent = grid[axis];
    count = count * ((extent < 0 ? multipleOf(axis) : extent) % x) % x;
    chosen |= 1u << axis;
  }
  return count == 0 ||
         std::any_of(facts.begin(), facts.end(), [&](const Fact &fact) {
           return !(fact.axes & ~chosen) && fact.modulus % x == 0;
         });
}

} // namespace swizzle::formula
