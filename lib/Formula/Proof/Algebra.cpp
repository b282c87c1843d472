//===- Algebra.cpp - Floor division, min and tests in normal form ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every rewriting here is used to prove that code may be replaced, so each one
// is an identity that is stated next to it, with what it needs.
//
//===----------------------------------------------------------------------===//

#include "Algebra.h"

#include "swizzle/Support/IntegerMath.h"
#include <algorithm>

namespace swizzle::formula {

Polynomial Algebra::symbol(std::string name, int64_t low,
                           std::optional<Polynomial> high, bool extent,
                           std::optional<Polynomial> definition) {
  Atom atom;
  atom.name = std::move(name);
  atom.low = low;
  atom.high = std::move(high);
  atom.extent = extent;
  atom.definition = std::move(definition);
  atoms.push_back(std::move(atom));
  return Polynomial::atom(atoms.size() - 1);
}

Polynomial Algebra::intern(AtomKind kind, const Polynomial &a,
                           const Polynomial &b) {
  if (a.isBroken() || b.isBroken())
    return Polynomial::makeBroken();
  auto [it, added] = interned.try_emplace({kind, a, b}, atoms.size());
  if (added) {
    Atom atom;
    atom.kind = kind;
    atom.a = a;
    atom.b = b;
    atoms.push_back(std::move(atom));
  }
  return Polynomial::atom(it->second);
}

/// a // (f * g * ...) = ((a // f) // g) // ... for positive factors. Extents
/// first, so that the id of a row-major grid falls apart at once. Positive
/// factors are extents and constants; the rest stays together as one factor.
Polynomial Algebra::quotient(const Polynomial &a, const Polynomial &b) {
  if (a.isBroken() || b.isBroken() || b.isZero())
    return Polynomial::makeBroken();
  Monomial common = b.commonMonomial(), extents;
  for (AtomId id : common)
    if (atoms[id].extent)
      extents.push_back(id);
  Polynomial rest;
  for (const auto &[monomial, coefficient] : b.terms())
    rest.add(*divide(monomial, extents), coefficient);
  Polynomial result = a;
  for (AtomId id : extents)
    result = quotientByFactor(result, Polynomial::atom(id));
  return extents.empty() || rest != Polynomial(1)
             ? quotientByFactor(result, rest)
             : result;
}

Polynomial Algebra::quotientByFactor(const Polynomial &a, const Polynomial &b) {
  if (b == Polynomial(1))
    return a;
  bool positive = isPositive(b);
  if (!positive)
    divisors.push_back(b);
  std::optional<int64_t> divisor = b.constant();
  // (b * q + r) // b = q + r // b: move whole multiples out.
  Polynomial whole, rest;
  if (divisor && *divisor > 0) {
    for (const auto &[monomial, coefficient] : a.terms()) {
      int64_t q = floorDiv(coefficient, *divisor);
      whole.add(monomial, q);
      rest.add(monomial, coefficient - q * *divisor);
    }
  } else {
    rest = a;
    const auto &[leading, factor] = *b.terms().begin();
    for (bool changed = !leading.empty(); changed && !rest.isBroken();) {
      changed = false;
      for (const auto &[monomial, coefficient] : rest.terms()) {
        std::optional<Monomial> q = divide(monomial, leading);
        if (!q || coefficient % factor != 0)
          continue;
        Polynomial part = Polynomial::term(*q, coefficient / factor);
        whole = whole + part;
        rest = rest - part * b;
        changed = true;
        break;
      }
    }
  }
  if (a.isBroken() || rest.isBroken() || whole.isBroken())
    return Polynomial::makeBroken();
  if (rest.isZero())
    return whole;
  if (positive) {
    // 0 <= r < b: r // b = 0.
    if (isNonNegative(rest) && isPositive(b - rest))
      return whole;
    // (e // w) // b = e // (w * b), w positive: constants are joined, and an
    // extent goes before a divisor that is none.
    if (std::optional<AtomId> id = rest.singleAtom();
        id && atoms[*id].kind == AtomKind::Quotient) {
      Polynomial e = atoms[*id].a, w = atoms[*id].b;
      std::optional<AtomId> extent = b.singleAtom();
      bool before = extent && atoms[*extent].extent && w.singleAtom() &&
                    !atoms[*w.singleAtom()].extent;
      before |= extent && atoms[*extent].extent && w.constant();
      bool ordered = extent && atoms[*extent].extent && w.singleAtom() &&
                     atoms[*w.singleAtom()].extent && *extent < *w.singleAtom();
      if (isPositive(w) && divisor && w.constant())
        return whole + quotientByFactor(e, b * w);
      if (isPositive(w) && (before || ordered))
        return whole + quotientByFactor(quotientByFactor(e, b), w);
    }
  }
  return whole + intern(AtomKind::Quotient, rest, b);
}

/// pos(c * t) = c * pos(t) for c > 0; pos(t) = t + pos(-t).
Polynomial Algebra::positivePart(const Polynomial &a) {
  if (a.isZero() || a.isBroken() || isNonNegative(a))
    return a;
  if (isNonNegative(-a))
    return 0;
  int64_t content = a.content();
  Polynomial t = a.dividedBy(content);
  if (t.terms().begin()->second < 0)
    return a + Polynomial(content) * intern(AtomKind::Positive, -t, 0);
  return Polynomial(content) * intern(AtomKind::Positive, t, 0);
}

/// [t >= 1] = 1 - [1 - t >= 1].
Polynomial Algebra::atLeastOne(const Polynomial &a) {
  if (a.isBroken())
    return a;
  if (isPositive(a))
    return 1;
  if (isNonNegative(-a))
    return 0;
  if (isBit(a) || isBit(Polynomial(1) - a))
    return a;
  if (a.terms().begin()->second < 0)
    return Polynomial(1) - intern(AtomKind::AtLeastOne, Polynomial(1) - a, 0);
  return intern(AtomKind::AtLeastOne, a, 0);
}

/// For a difference t of which t, -t, t + 1 or 1 - t is a bit, directly; else
/// [t == 0] = [t + 1 >= 1] - [t >= 1].
Polynomial Algebra::equal(const Polynomial &a, const Polynomial &b) {
  Polynomial t = a - b;
  for (const Polynomial &s : {t, -t})
    if (isBit(s) || isBit(Polynomial(1) - s))
      return Polynomial(1) - s;
  return atLeastOne(t + Polynomial(1)) - atLeastOne(t);
}

/// otherwise + bit * (then - otherwise); and where bit is [s >= 1], or one less
/// that, [s >= 1] * s = pos(s) and [s >= 1] * (s - 1) = pos(s - 1).
Polynomial Algebra::select(const Polynomial &bit, const Polynomial &then,
                           const Polynomial &otherwise) {
  Polynomial difference = then - otherwise;
  for (bool inverted : {false, true}) {
    std::optional<AtomId> id =
        (inverted ? Polynomial(1) - bit : bit).singleAtom();
    if (!id || atoms[*id].kind != AtomKind::AtLeastOne || difference.isZero())
      continue;
    for (const Polynomial &s : {atoms[*id].a, atoms[*id].a - Polynomial(1)}) {
      if (s.isZero() || difference.content() % s.content() != 0)
        continue;
      int64_t factor = difference.content() / s.content();
      for (int64_t f : {factor, -factor}) {
        if (difference != Polynomial(f) * s)
          continue;
        Polynomial product = Polynomial(f) * positivePart(s);
        return inverted ? then - product : otherwise + product;
      }
    }
  }
  return otherwise + bit * difference;
}

Polynomial Algebra::truth(const Polynomial &a) {
  if (isBit(a))
    return a;
  return Polynomial(1) - equal(a, 0);
}

std::optional<Polynomial> Algebra::asRemainder(const Polynomial &a) const {
  for (const auto &[monomial, coefficient] : a.terms())
    for (AtomId id : monomial)
      if (atoms[id].kind == AtomKind::Quotient) {
        const Atom &q = atoms[id];
        // The numerator was reduced: whole multiples of b are not in it.
        if (a == q.a - q.b * Polynomial::atom(id))
          return q.b;
        // (e // c) - m * (e // (c * m)) = (e // c) % m.
        std::optional<int64_t> product = q.b.constant();
        if (!product || *product < 1 || monomial.size() != 1 ||
            coefficient >= -1 || *product % coefficient != 0)
          continue;
        Polynomial c = *product / -coefficient;
        for (const auto &other : a.terms())
          for (AtomId e : other.first)
            if (a == Polynomial::atom(e) +
                         Polynomial::term(monomial, coefficient) &&
                atoms[e].kind == AtomKind::Quotient && atoms[e].a == q.a &&
                atoms[e].b == c)
              return Polynomial(-coefficient);
      }
  return std::nullopt;
}

bool Algebra::isBit(const Polynomial &a) const {
  if (std::optional<int64_t> value = a.constant())
    return *value == 0 || *value == 1;
  if (std::optional<Polynomial> modulus = asRemainder(a))
    return *modulus == Polynomial(2);
  auto indicator = [&](const Polynomial &p) {
    std::optional<AtomId> id = p.singleAtom();
    if (!id)
      return false;
    const Atom &atom = atoms[*id];
    return atom.kind == AtomKind::AtLeastOne ||
           (atom.kind == AtomKind::Symbol && atom.low == 0 && atom.high &&
            *atom.high == Polynomial(1));
  };
  return indicator(a) || indicator(Polynomial(1) - a);
}

bool Algebra::isFreeOf(const Polynomial &a,
                       const std::vector<AtomId> &ids) const {
  std::vector<bool> seen(atoms.size());
  std::vector<AtomId> work;
  auto push = [&](const Polynomial &p) {
    for (const auto &entry : p.terms())
      for (AtomId id : entry.first)
        if (!seen[id]) {
          seen[id] = true;
          work.push_back(id);
        }
  };
  push(a);
  while (!work.empty()) {
    AtomId id = work.back();
    work.pop_back();
    if (std::find(ids.begin(), ids.end(), id) != ids.end())
      return false;
    push(atoms[id].a);
    push(atoms[id].b);
    if (atoms[id].definition)
      push(*atoms[id].definition);
  }
  return true;
}

std::optional<int64_t>
Algebra::evaluate(const Polynomial &a,
                  std::map<AtomId, int64_t> &values) const {
  if (a.isBroken())
    return std::nullopt;
  int64_t sum = 0;
  for (const auto &[monomial, coefficient] : a.terms()) {
    int64_t product = coefficient;
    for (AtomId id : monomial) {
      std::optional<int64_t> value = evaluate(id, values);
      if (!value || __builtin_mul_overflow(product, *value, &product))
        return std::nullopt;
    }
    if (__builtin_add_overflow(sum, product, &sum))
      return std::nullopt;
  }
  return sum;
}

std::optional<int64_t>
Algebra::evaluate(AtomId id, std::map<AtomId, int64_t> &values) const {
  if (auto it = values.find(id); it != values.end())
    return it->second;
  const Atom &atom = atoms[id];
  std::optional<int64_t> value;
  if (atom.kind == AtomKind::Symbol) {
    if (atom.definition)
      value = evaluate(*atom.definition, values);
  } else if (std::optional<int64_t> a = evaluate(atom.a, values)) {
    if (atom.kind == AtomKind::Positive)
      value = std::max<int64_t>(0, *a);
    else if (atom.kind == AtomKind::AtLeastOne)
      value = *a >= 1;
    else if (std::optional<int64_t> b = evaluate(atom.b, values); b && *b > 0)
      value = floorDiv(*a, *b);
  }
  if (value)
    values[id] = *value;
  return value;
}

} // namespace swizzle::formula
