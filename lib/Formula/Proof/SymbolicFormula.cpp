//===- SymbolicFormula.cpp - A formula as polynomials ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pass over the straight-line text. Both sides of a conditional are run: a
// division that only one side reaches must be sound anyway, which refuses more
// than laziness would.
//
//===----------------------------------------------------------------------===//

#include "SymbolicFormula.h"

#include <algorithm>
#include <cmath>

namespace swizzle::formula {

namespace {

constexpr double maxValue = 4611686018427387904.0; // 2^62
constexpr size_t maxAtoms = 20000;

struct Value {
  Polynomial value;
  double bound = 0; ///< of the absolute value
  /// Of a condition: what is 0 wherever it holds, and where it does not.
  std::vector<Polynomial> zeros = {}, zerosElse = {};
};

class Runner {
public:
  Runner(Algebra &algebra, const FormulaAST &ast,
         const Environment &environment, const SymbolicInputs &inputs)
      : algebra(algebra), ast(ast), inputs(inputs),
        values(ast.expressions.size()), done(ast.expressions.size()) {
    for (const auto &[name, number] : environment.hardware)
      if (number)
        names[name] = literal(*number);
    for (const ParamDecl &param : ast.params) {
      auto it = environment.params.find(param.name);
      if (it != environment.params.end())
        names[param.name] = literal(it->second);
    }
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (std::optional<AtomId> atom = inputs.id[axis].singleAtom())
        ids.push_back(*atom);
      std::string id(1, "xyz"[axis]);
      names[id] = {inputs.id[axis], kMaxExtent};
      names["g" + id] = {inputs.extent[axis], kMaxExtent};
    }
  }

  SymbolicResult run() {
    size_t before = algebra.openDivisors().size();
    for (size_t i = 0; i < ast.assignments.size() && out.failure.empty(); ++i) {
      require(i);
      const Assignment &assignment = ast.assignments[i];
      std::vector<Value> computed;
      for (ExprId value : assignment.values)
        computed.push_back(evaluate(value));
      for (size_t k = 0; k < computed.size(); ++k)
        names[assignment.targets[k]] = computed[k];
    }
    require(ast.assignments.size());
    for (unsigned axis = 0; axis < 3; ++axis)
      out.result[axis] = axis < ast.results.size()
                             ? evaluate(ast.results[axis]).value
                             : inputs.id[axis];
    out.openDivisors.assign(algebra.openDivisors().begin() + before,
                            algebra.openDivisors().end());
    return std::move(out);
  }

private:
  static Value literal(int64_t number) {
    return {Polynomial(number), std::abs(double(number))};
  }

  void require(size_t assignments) {
    for (const Requirement &requirement : ast.requirements)
      if (requirement.afterAssignments == assignments &&
          evaluate(requirement.condition).value.isZero())
        out.infeasible = true;
  }

  void fail(const std::string &why) {
    if (out.failure.empty())
      out.failure = why;
  }

  /// Operands have smaller indices, so a statement's expressions are computed
  /// in order of their index: no recursion, whatever the nesting.
  const Value &evaluate(ExprId root) {
    std::vector<ExprId> needed{root};
    for (size_t i = 0; i < needed.size(); ++i)
      for (ExprId operand : ast.expressions[needed[i]].operands)
        needed.push_back(operand);
    std::sort(needed.begin(), needed.end());
    for (ExprId id : needed) {
      if (done[id])
        continue;
      if (!out.failure.empty())
        break;
      done[id] = true;
      Value value = compute(id);
      value.zerosElse.push_back(value.value);
      for (const auto &[from, to] : inputs.cuts)
        if (value.value == from)
          value.value = to;
      value.bound = std::min(value.bound, magnitude(value.value, 0));
      if (auto known = inputs.bounds.find(value.value);
          known != inputs.bounds.end())
        value.bound = std::min(value.bound, known->second);
      if (value.value.isBroken() || algebra.size() > maxAtoms)
        fail("it grows beyond what is analysed");
      out.mayOverflow |= !(value.bound <= maxValue);
      out.nodes.push_back(value.value);
      values[id] = std::move(value);
    }
    return values[root];
  }

  /// A bound on |p|; uses w * (e // w) <= e for e >= 0, and that at most 2^40
  /// workgroups are launched.
  double magnitude(const Polynomial &p, unsigned depth) const {
    if (depth > 8)
      return HUGE_VAL;
    double sum = 0;
    for (const auto &[monomial, coefficient] : p.terms())
      sum += std::abs(double(coefficient)) * magnitude(monomial, depth);
    return sum;
  }
  double magnitude(const Monomial &monomial, unsigned depth) const {
    // Those of few atoms come again and again.
    if (magnitudes.size() > maxAtoms)
      return HUGE_VAL; // too many are different
    auto known = magnitudes.find({monomial, depth});
    if (known == magnitudes.end())
      known = magnitudes
                  .emplace(std::pair(monomial, depth), boundOf(monomial, depth))
                  .first;
    return known->second;
  }
  double boundOf(const Monomial &monomial, unsigned depth) const {
    for (size_t i = 0; i < monomial.size(); ++i) {
      const Atom &atom = algebra.atom(monomial[i]);
      if (atom.kind != AtomKind::Quotient || atom.b.terms().size() != 1)
        continue;
      const auto &[divisor, factor] = *atom.b.terms().begin();
      std::optional<Monomial> rest =
          formula::divide(without(monomial, i), divisor);
      if (!rest || factor < 1)
        continue;
      // Rounding down goes one divisor further at most.
      double further = algebra.isNonNegative(atom.a)
                           ? 0
                           : magnitude(without(monomial, i), depth + 1);
      return magnitude(atom.a * Polynomial::term(*rest, 1), depth + 1) /
                 factor +
             further;
    }
    double product = 1;
    unsigned used = 0; // axes whose extent is in the product already
    double volume = 1;
    for (AtomId id : monomial) {
      int axis = axisOf(id);
      if (axis >= 0 && !(used & (1u << axis))) {
        used |= 1u << axis;
        volume = std::min(volume * kMaxExtent, kMaxWorkgroups);
        continue;
      }
      product *= magnitude(id, depth);
    }
    return product * volume;
  }
  double magnitude(AtomId id, unsigned depth) const {
    const Atom &atom = algebra.atom(id);
    switch (atom.kind) {
    case AtomKind::Symbol:
      if (axisOf(id) >= 0)
        return kMaxExtent;
      return atom.high ? magnitude(*atom.high, depth + 1) : HUGE_VAL;
    case AtomKind::Quotient:
      return magnitude(atom.a, depth + 1) + 1;
    case AtomKind::Positive:
      return magnitude(atom.a, depth + 1);
    case AtomKind::AtLeastOne:
      return 1;
    }
    return HUGE_VAL;
  }
  /// 0 to 2 if `id` is an id or an extent of that axis, else -1.
  int axisOf(AtomId id) const {
    for (int axis = 0; axis < 3; ++axis)
      if (inputs.id[axis].singleAtom() == id || extentAtom(inputs, axis) == id)
        return axis;
    return -1;
  }

  Value name(const Expr &expr) {
    auto it = names.find(expr.name);
    if (it != names.end())
      return it->second;
    fail("'" + expr.name + "' has no value");
    return literal(0);
  }

  /// |(c * (e // (c * w))) * w| <= |e| + |c * w|.
  Value multiply(const Value &a, const Value &b) const {
    double bound = a.bound * b.bound;
    for (const auto &[q, w] : {std::pair(&a, &b), std::pair(&b, &a)}) {
      if (q->value.terms().size() != 1)
        continue;
      const auto &[monomial, factor] = *q->value.terms().begin();
      if (monomial.size() != 1)
        continue;
      if (const Atom &atom = algebra.atom(monomial.front());
          atom.kind == AtomKind::Quotient &&
          atom.b == Polynomial(factor) * w->value)
        bound = std::min(bound, magnitude(atom.a, 0) +
                                    std::abs(double(factor)) * w->bound);
    }
    return {a.value * b.value, bound};
  }

  Value divide2(const Value &a, const Value &b) {
    return {algebra.quotient(a.value, b.value), a.bound + 1};
  }

  /// 2^k for a constant shift.
  std::optional<int64_t> power(const Value &amount) {
    std::optional<int64_t> k = amount.value.constant();
    if (k && *k >= 0 && *k <= 40)
      return int64_t(1) << *k;
    fail("it shifts by what is no constant up to 40");
    return std::nullopt;
  }

  Value compare(ExprKind kind, const Value &a, const Value &b) {
    const Polynomial &p = a.value, &q = b.value, one(1);
    switch (kind) {
    case ExprKind::Less:
    case ExprKind::LessEqual:
      return {algebra.atLeastOne(kind == ExprKind::Less ? q - p : q - p + one),
              1};
    case ExprKind::Greater:
      return compare(ExprKind::Less, b, a);
    case ExprKind::GreaterEqual:
      return compare(ExprKind::LessEqual, b, a);
    case ExprKind::Equal:
      return {algebra.equal(p, q), 1, {p - q}};
    default:
      return {one - algebra.equal(p, q), 1, {}, {p - q}};
    }
  }

  Value extreme(const Expr &expr) {
    Value value = values[expr.operands[0]];
    for (size_t i = 1; i < expr.operands.size(); ++i) {
      const Value &next = values[expr.operands[i]];
      value.value = expr.kind == ExprKind::Min
                        ? algebra.minimum(value.value, next.value)
                        : algebra.maximum(value.value, next.value);
      value.bound = std::max(value.bound, next.bound);
    }
    return {value.value, value.bound};
  }

  /// What holds where both do.
  static std::vector<Polynomial> both(const Value &a, const Value &b) {
    std::vector<Polynomial> zeros = a.zeros;
    zeros.insert(zeros.end(), b.zeros.begin(), b.zeros.end());
    return zeros;
  }

  /// The sum of a and b if no bit can be set in both: one is a multiple of 2^k,
  /// the other lies in [0, 2^k).
  std::optional<Polynomial> disjointOr(const Polynomial &a,
                                       const Polynomial &b) {
    for (const auto &[high, low] : {std::pair(&a, &b), std::pair(&b, &a)}) {
      int64_t content = high->isZero() ? 0 : high->content();
      int64_t power = content & -content;
      if (power > 1 && algebra.isNonNegative(*low) &&
          algebra.isPositive(Polynomial(power) - *low))
        return a + b;
      std::optional<Polynomial> modulus = algebra.asRemainder(*low);
      std::optional<int64_t> m = modulus ? modulus->constant() : std::nullopt;
      if (power > 1 && m && *m >= 1 && *m <= power)
        return a + b;
    }
    return std::nullopt;
  }

  /// a < b <= c: 1 where each comparison holds.
  Value compareAll(const Expr &expr) {
    Value all = literal(1);
    for (size_t i = 0; i < expr.chain.size(); ++i) {
      Value one = compare(expr.chain[i], values[expr.operands[i]],
                          values[expr.operands[i + 1]]);
      all = {all.value * one.value, 1, both(all, one)};
    }
    return all;
  }

  /// Takes a side of the conditional `id`, or both.
  Value choose(ExprId id, const Value &condition, const Value &then,
               const Value &otherwise) {
    auto decided = inputs.taken.find(id);
    if (decided != inputs.taken.end())
      return decided->second ? then : otherwise;
    if (!condition.value.constant() && algebra.isFreeOf(condition.value, ids)) {
      auto same = std::find_if(out.conditions.begin(), out.conditions.end(),
                               [&](const UniformCondition &known) {
                                 return known.value == condition.value;
                               });
      if (same == out.conditions.end())
        same = out.conditions.insert(
            same, {condition.value, {}, condition.zeros, condition.zerosElse});
      same->conditionals.push_back(id);
    }
    return {algebra.select(algebra.truth(condition.value), then.value,
                           otherwise.value),
            std::max(then.bound, otherwise.bound)};
  }

  /// Operators on bits, as far as they are arithmetic.
  Value computeBits(const Expr &expr) {
    auto operand = [&](unsigned i) -> const Value & {
      return values[expr.operands[i]];
    };
    switch (expr.kind) {
    case ExprKind::Shl:
      if (std::optional<int64_t> factor = power(operand(1)))
        return {operand(0).value * Polynomial(*factor),
                operand(0).bound * double(*factor)};
      return literal(0);
    case ExprKind::Shr:
      if (std::optional<int64_t> divisor = power(operand(1)))
        return {algebra.quotient(operand(0).value, *divisor),
                operand(0).bound + 1};
      return literal(0);
    case ExprKind::And: {
      // a & (2^k - 1) = a % 2^k.
      std::optional<int64_t> mask = operand(1).value.constant();
      std::optional<int64_t> masked = operand(0).value.constant();
      if (mask && masked)
        return literal(*masked & *mask);
      if (mask && *mask > 0 && (*mask & (*mask + 1)) == 0)
        return {algebra.remainder(operand(0).value, Polynomial(*mask + 1)),
                double(*mask)};
      if (algebra.isBit(operand(0).value) && algebra.isBit(operand(1).value))
        return {operand(0).value * operand(1).value, 1,
                both(operand(0), operand(1))};
      fail("'&' is analysed only with a mask of low bits");
      return literal(0);
    }
    case ExprKind::Or:
    case ExprKind::Xor: {
      const Polynomial &a = operand(0).value, &b = operand(1).value;
      if (a.constant() && b.constant())
        return literal(expr.kind == ExprKind::Or
                           ? *a.constant() | *b.constant()
                           : *a.constant() ^ *b.constant());
      int64_t overlap = expr.kind == ExprKind::Or ? 1 : 2;
      if (algebra.isBit(a) && algebra.isBit(b))
        return {a + b - Polynomial(overlap) * a * b, 1};
      if (std::optional<Polynomial> sum = disjointOr(a, b))
        return {*sum, operand(0).bound + operand(1).bound};
      fail("'|' and '^' are analysed only where no bit is set on both sides");
      return literal(0);
    }
    case ExprKind::Invert: // ~a = -a - 1
      return {Polynomial(-1) - operand(0).value, operand(0).bound + 1};
    default:
      return literal(0);
    }
  }

  Value compute(ExprId id) {
    const Expr &expr = ast.expressions[id];
    auto operand = [&](unsigned i) -> const Value & {
      return values[expr.operands[i]];
    };
    switch (expr.kind) {
    case ExprKind::Literal:
      return literal(expr.value);
    case ExprKind::Name:
      return name(expr);
    case ExprKind::Add:
      return {operand(0).value + operand(1).value,
              operand(0).bound + operand(1).bound};
    case ExprKind::Sub:
      return {operand(0).value - operand(1).value,
              operand(0).bound + operand(1).bound};
    case ExprKind::Mul:
      return multiply(operand(0), operand(1));
    case ExprKind::FloorDiv:
      return divide2(operand(0), operand(1));
    case ExprKind::Mod:
      return {algebra.remainder(operand(0).value, operand(1).value),
              operand(1).bound};
    case ExprKind::CeilDiv: {
      // (a + b - 1) // b: for positive b, which `quotient` asks for.
      Value sum{operand(0).value + operand(1).value - Polynomial(1),
                operand(0).bound + operand(1).bound};
      return {algebra.quotient(sum.value, operand(1).value),
              operand(0).bound + 1};
    }
    case ExprKind::Negate:
      return {-operand(0).value, operand(0).bound};
    case ExprKind::Abs:
      return {algebra.positivePart(operand(0).value) +
                  algebra.positivePart(-operand(0).value),
              operand(0).bound};
    case ExprKind::Less:
    case ExprKind::LessEqual:
    case ExprKind::Greater:
    case ExprKind::GreaterEqual:
    case ExprKind::Equal:
    case ExprKind::NotEqual:
      return compare(expr.kind, operand(0), operand(1));
    case ExprKind::Chain:
      return compareAll(expr);
    case ExprKind::LogicalNot:
      return {Polynomial(1) - algebra.truth(operand(0).value), 1,
              operand(0).zerosElse, operand(0).zeros};
    case ExprKind::LogicalAnd:
      return {algebra.select(algebra.truth(operand(0).value), operand(1).value,
                             operand(0).value),
              std::max(operand(0).bound, operand(1).bound),
              both(operand(0), operand(1))};
    case ExprKind::LogicalOr:
      return {algebra.select(algebra.truth(operand(0).value), operand(0).value,
                             operand(1).value),
              std::max(operand(0).bound, operand(1).bound)};
    case ExprKind::Conditional:
      return choose(id, operand(0), operand(1), operand(2));
    case ExprKind::Min:
    case ExprKind::Max:
      return extreme(expr);
    case ExprKind::Shl:
    case ExprKind::Shr:
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::Xor:
    case ExprKind::Invert:
      return computeBits(expr);
    case ExprKind::HilbertX:
    case ExprKind::HilbertY:
    case ExprKind::MortonX:
    case ExprKind::MortonY:
      return curve(expr);
    }
    return literal(0);
  }

  /// Over a rectangle of one row or one column every curve is the line itself:
  /// its i-th point lies i cells along the long side.
  Value curve(const Expr &expr) {
    const Value &i = values[expr.operands[0]];
    const Value &w = values[expr.operands[1]];
    const Value &h = values[expr.operands[2]];
    bool isRow = h.value == Polynomial(1);
    if (!isRow && w.value != Polynomial(1)) {
      fail("a curve over more than one row is no loop nest");
      return literal(0);
    }
    const Polynomial &length = isRow ? w.value : h.value;
    out.leavesCurve |= !algebra.isNonNegative(i.value) ||
                       !algebra.isPositive(length - i.value);
    bool wantsX =
        expr.kind == ExprKind::HilbertX || expr.kind == ExprKind::MortonX;
    return wantsX == isRow ? Value{i.value, i.bound} : literal(0);
  }

  Algebra &algebra;
  const FormulaAST &ast;
  const SymbolicInputs &inputs;
  std::vector<Value> values;
  std::vector<bool> done;
  std::map<std::string, Value> names;
  std::vector<AtomId> ids;
  mutable std::map<std::pair<Monomial, unsigned>, double> magnitudes;
  SymbolicResult out;
};

} // namespace

SymbolicResult runSymbolically(Algebra &algebra, const Formula &formula,
                               const Environment &environment,
                               const SymbolicInputs &inputs) {
  return Runner(algebra, formula.ast(), environment, inputs).run();
}

} // namespace swizzle::formula
