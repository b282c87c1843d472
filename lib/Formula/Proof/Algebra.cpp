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

namespace swizzle {

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
  if (isBit(a))
    return a;
  if (isBit(Polynomial(1) - a))
    return a;
  if (a.terms().begin()->second < 0)
    return Polynomial(1) - intern(AtomKind::AtLeastOne, Polynomial(1) - a, 0);
  return intern(AtomKind::AtLeastOne, a, 0);
}

/// For a difference t of which t, -t, t + 1 or 1 - t is a bit, directly; else
/// [t == 0] = [t + 1 >= 1] - [t >= 1].
Polynomial Algebra::equal(const Polynomial &a, const Polynomial &b) {
  Polynomial t = a - b;
  if (isBit(t))
    return Polynomial(1) - t;
  if (isBit(-t))
    return Polynomial(1) + t;
  if (isBit(t + Polynomial(1)))
    return t + Polynomial(1);
  if (isBit(Polynomial(1) - t))
    return Polynomial(1) - t;
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

/// Looks for a sum of terms that are visibly not negative: atoms below zero
/// are replaced by their upper bounds, symbols in the end by low + (something
/// not negative).
bool Algebra::isNonNegative(const Polynomial &a) const {
  if (a.isBroken())
    return false;
  if (std::optional<int64_t> value = a.constant())
    return *value >= 0;
  if (depth > 8 || nonNegative.size() > 20000)
    return false;
  auto [it, added] = nonNegative.try_emplace(a, false);
  if (!added)
    return it->second;
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
  auto atomNonNegative = [&](AtomId id) { return isNonNegative(id); };
  // A bounded symbol with a negative coefficient: use its upper bound, which
  // makes the value smaller if the rest of the term is not negative.
  for (const auto &[monomial, coefficient] : a.terms()) {
    if (coefficient >= 0)
      continue;
    for (size_t i = 0; i < monomial.size(); ++i) {
      const Atom &atom = atoms[monomial[i]];
      if (atom.kind != AtomKind::Symbol || !atom.high)
        continue;
      Monomial others = monomial;
      others.erase(others.begin() + i);
      if (!std::all_of(others.begin(), others.end(), atomNonNegative))
        continue;
      Polynomial smaller = a - Polynomial::term(monomial, coefficient) +
                           Polynomial::term(others, coefficient) * *atom.high;
      return isNonNegative(smaller);
    }
  }
  // The same with a quotient.
  for (const auto &[monomial, coefficient] : a.terms()) {
    if (coefficient >= 0)
      continue;
    for (size_t i = 0; i < monomial.size(); ++i) {
      if (atoms[monomial[i]].kind != AtomKind::Quotient)
        continue;
      Monomial others = monomial;
      others.erase(others.begin() + i);
      std::optional<Polynomial> most = atMost(monomial[i]);
      if (!most || !std::all_of(others.begin(), others.end(), atomNonNegative))
        continue;
      Polynomial smaller = a - Polynomial::term(monomial, coefficient) +
                           Polynomial::term(others, coefficient) * *most;
      if (isNonNegative(smaller))
        return true;
    }
  }
  if (proveByDivision(a, [&](const Polynomial &smaller) {
        return isNonNegative(smaller);
      }))
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
      Monomial others = monomial;
      others.erase(others.begin() + i);
      std::optional<Monomial> rest = divide(others, divisor);
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

} // namespace swizzle
