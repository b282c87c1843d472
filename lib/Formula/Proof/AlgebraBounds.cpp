//===- AlgebraBounds.cpp - What is never negative -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proofs that a polynomial is not negative, for all values of its symbols, by
// bounds that are stated next to each step. What is not found is not claimed.
//
//   7 - x % 8        a remainder is at most 7
//   gx - 1 - x       x is at most gx - 1
//   8 - min(8, t)    min(8, t) is at most 8
//
//===----------------------------------------------------------------------===//

#include "Algebra.h"

#include "swizzle/Support/IntegerMath.h"
#include <algorithm>

namespace swizzle::formula {

/// Looks for a sum of terms that are visibly not negative: atoms below zero
/// are replaced by their upper bounds, symbols in the end by low + (something
/// not negative).
bool Algebra::isNonNegative(const Polynomial &a) const {
  if (a.isBroken())
    return false;
  if (std::optional<int64_t> value = a.constant())
    return *value >= 0;
  if (depth > 8 || isExhausted())
    return false;
  auto [it, added] = nonNegative.try_emplace(a, false);
  if (!added)
    return it->second;
  spent += static_cast<int64_t>(a.terms().size());
  ++depth;
  bool proved = proveNonNegative(a);
  --depth;
  return nonNegative[a] = proved;
}

/// All atoms are >= 0 except symbols that may be lower, of which there are
/// none, and quotients of what may be negative.
bool Algebra::isNonNegative(AtomId id) const {
  const Atom &atom = atoms[id];
  switch (atom.kind) {
  case AtomKind::Symbol:
    return atom.low >= 0;
  case AtomKind::Positive:
  case AtomKind::AtLeastOne:
    return true;
  case AtomKind::Quotient:
    return isNonNegative(atom.a) && isNonNegative(atom.b - Polynomial(1));
  }
  return false;
}

/// Shifts symbols to their lower bounds, s = low + s' with s' >= 0, and looks
/// at the signs of the terms.
bool Algebra::isVisiblyNonNegative(const Polynomial &a) const {
  Polynomial shifted;
  for (const auto &[monomial, coefficient] : a.terms()) {
    Polynomial product(coefficient);
    for (AtomId id : monomial) {
      if (!isNonNegative(id))
        return false;
      Polynomial factor = Polynomial::atom(id);
      if (atoms[id].kind == AtomKind::Symbol && atoms[id].low > 0)
        factor = factor + Polynomial(atoms[id].low);
      product = product * factor;
    }
    shifted = shifted + product;
  }
  return !a.isBroken() && !shifted.isBroken() &&
         std::all_of(shifted.terms().begin(), shifted.terms().end(),
                     [](const auto &entry) { return entry.second >= 0; });
}

bool Algebra::proveNonNegative(const Polynomial &a) const {
  if (asRemainder(a) && isPositive(*asRemainder(a)))
    return true;
  if (isVisiblyNonNegative(a))
    return true;
  // Cheap, and before bounds that lose what a remainder says: in w - 1 - e % w
  // the symbols of e must not be bounded one by one.
  if (proveByDivision(a, [&](const Polynomial &smaller) {
        return isVisiblyNonNegative(smaller);
      }))
    return true;
  // e - pos(t) = min(e, e - t): exact, so nothing else need be tried.
  for (const auto &[monomial, coefficient] : a.terms()) {
    if (monomial.size() != 1 || coefficient >= 0 ||
        atoms[monomial[0]].kind != AtomKind::Positive)
      continue;
    Polynomial e = a - Polynomial::term(monomial, coefficient);
    return isNonNegative(e) &&
           isNonNegative(e + Polynomial(coefficient) * atoms[monomial[0]].a);
  }
  // A term below zero whose i-th atom has an upper bound becomes smaller with
  // the bound in its place if the rest of the term is not negative.
  auto bounded =
      [&](const Monomial &monomial, int64_t coefficient, size_t i,
          const std::optional<Polynomial> &most) -> std::optional<Polynomial> {
    Monomial others = without(monomial, i);
    if (!most || !std::all_of(others.begin(), others.end(),
                              [&](AtomId id) { return isNonNegative(id); }))
      return std::nullopt;
    return a - Polynomial::term(monomial, coefficient) +
           Polynomial::term(others, coefficient) * *most;
  };
  // Symbols first: their bounds are exact, so the first that has one decides.
  for (AtomKind kind : {AtomKind::Symbol, AtomKind::Quotient})
    for (const auto &[monomial, coefficient] : a.terms())
      for (size_t i = 0; coefficient < 0 && i < monomial.size(); ++i) {
        if (atoms[monomial[i]].kind != kind)
          continue;
        std::optional<Polynomial> smaller =
            bounded(monomial, coefficient, i, atMost(monomial[i]));
        if (smaller && (isNonNegative(*smaller) || kind == AtomKind::Symbol))
          return isNonNegative(*smaller);
      }
  if (proveByDivision(
          a, [&](const Polynomial &smaller) { return isNonNegative(smaller); }))
    return true;
  // e + pos(t) = max(e, e + t).
  for (const auto &[monomial, coefficient] : a.terms()) {
    if (monomial.size() != 1 || atoms[monomial[0]].kind != AtomKind::Positive)
      continue;
    Polynomial e = a - Polynomial::term(monomial, coefficient);
    Polynomial t = Polynomial(coefficient) * atoms[monomial[0]].a;
    return isNonNegative(e) || isNonNegative(e + t);
  }
  return false;
}

/// With m >= 0, and q = e // w for positive w: m * w * q <= m * e, and
/// m * (e - w * q) <= m * (w - 1). `holds` judges what is left, which is less.
bool Algebra::proveByDivision(
    const Polynomial &a,
    llvm::function_ref<bool(const Polynomial &)> holds) const {
  for (const auto &[monomial, coefficient] : a.terms())
    for (size_t i = 0; i < monomial.size(); ++i) {
      const Atom &atom = atoms[monomial[i]];
      if (atom.kind != AtomKind::Quotient || atom.b.terms().size() != 1)
        continue;
      const auto &[divisor, factor] = *atom.b.terms().begin();
      std::optional<Monomial> rest = divide(without(monomial, i), divisor);
      if (!rest || coefficient % factor != 0 || !isPositive(atom.b) ||
          !std::all_of(rest->begin(), rest->end(),
                       [&](AtomId id) { return isNonNegative(id); }))
        continue;
      Polynomial m = Polynomial::term(*rest, std::abs(coefficient / factor));
      Polynomial multiple = atom.b * Polynomial::atom(monomial[i]);
      Polynomial smaller =
          coefficient / factor < 0
              ? a + m * multiple - m * atom.a
              : a + m * (atom.a - multiple) - m * (atom.b - Polynomial(1));
      if (holds(smaller))
        return true;
    }
  return false;
}

/// e <= u gives e // w <= u // w for positive w; and (w * q - s) // w < q for
/// positive s.
std::optional<Polynomial> Algebra::atMost(AtomId id) const {
  const Atom &atom = atoms[id];
  if (atom.kind == AtomKind::Symbol)
    return atom.high;
  if (atom.kind != AtomKind::Quotient || atom.b.terms().size() != 1 ||
      !isPositive(atom.b))
    return std::nullopt;
  std::optional<AtomId> inner = atom.a.singleAtom();
  std::optional<Polynomial> upper = inner ? atMost(*inner) : std::nullopt;
  if (!upper || upper->isBroken())
    return std::nullopt;
  const auto &[divisor, factor] = *atom.b.terms().begin();
  Polynomial whole, rest;
  for (const auto &[monomial, coefficient] : upper->terms()) {
    std::optional<Monomial> quotient = divide(monomial, divisor);
    int64_t times = quotient ? floorDiv(coefficient, factor) : 0;
    if (times)
      whole.add(*quotient, times);
    rest.add(monomial, coefficient - times * factor);
  }
  if (isPositive(-rest))
    return whole - Polynomial(1);
  if (isPositive(atom.b - rest))
    return whole;
  return std::nullopt;
}

} // namespace swizzle::formula
