//===- NaiveEvaluator.h - Formulas by the letter ----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle of the formula part: walks the tree recursively, once per id, with
// no compiling, no ranges and no sharing, in 128-bit arithmetic. Shares nothing
// with the evaluator under test but the tree. For tests and the fuzzer only:
// it recurses, so it is for texts of bounded depth.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_FORMULA_NAIVEEVALUATOR_H
#define SWIZZLE_UNITTESTS_FORMULA_NAIVEEVALUATOR_H

#include "swizzle/Formula/Formula.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace swizzle {
namespace naive {

/// Either `code` is empty and `id` is the result, or `code` is a refusal's.
struct Outcome {
  std::string code;
  WorkgroupId id;
};

/// The cells of a w x h rectangle along a curve, by sorting all cells.
inline std::vector<std::pair<int64_t, int64_t>> curve(bool hilbert, int64_t w,
                                                      int64_t h) {
  // (square, distance in the square), x, y
  std::vector<std::tuple<int64_t, int64_t, int64_t, int64_t>> cells;
  bool tall = hilbert && h > w;
  int64_t side = 1;
  while (side < (hilbert ? std::min(w, h) : std::max(w, h)))
    side *= 2;
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) {
      int64_t along = tall ? y : x, across = tall ? x : y;
      int64_t u = along % side, v = across, distance = 0;
      for (int64_t s = side / 2; s > 0; s /= 2) {
        int64_t ru = (u & s) > 0, rv = (v & s) > 0;
        if (!hilbert) {
          distance = distance * 4 + rv * 2 + ru;
          continue;
        }
        distance += s * s * ((3 * ru) ^ rv);
        if (rv == 0) {
          if (ru == 1) {
            u = side - 1 - u;
            v = side - 1 - v;
          }
          std::swap(u, v);
        }
      }
      cells.push_back({along / side, distance, x, y});
    }
  std::sort(cells.begin(), cells.end());
  std::vector<std::pair<int64_t, int64_t>> order;
  for (auto &[square, distance, x, y] : cells)
    order.push_back({x, y});
  return order;
}

class Evaluator {
public:
  Evaluator(const FormulaAST &ast, const Environment &environment)
      : ast(ast), environment(environment) {
    builtIn["gx"] = environment.grid.x();
    builtIn["gy"] = environment.grid.y();
    builtIn["gz"] = environment.grid.z();
    for (auto &[name, value] : environment.hardware)
      builtIn[name] = value.value_or(0);
    for (auto &[name, value] : environment.params)
      builtIn[name] = value;
  }

  Outcome run(WorkgroupId id) {
    fault.clear();
    assigned.clear();
    builtIn["x"] = id.x;
    builtIn["y"] = id.y;
    builtIn["z"] = id.z;
    size_t next = 0;
    for (size_t i = 0; i <= ast.assignments.size(); ++i) {
      for (; next < ast.requirements.size() &&
             ast.requirements[next].afterAssignments <= i;
           ++next)
        if (!eval(ast.requirements[next].condition) && fault.empty())
          fault = "infeasible";
      if (!fault.empty())
        return {fault, {}};
      if (i == ast.assignments.size())
        break;
      std::vector<int64_t> values;
      for (ExprId value : ast.assignments[i].values)
        values.push_back(eval(value));
      for (size_t j = 0; j < values.size(); ++j)
        assigned[ast.assignments[i].targets[j]] = values[j];
    }
    int64_t result[3] = {id.x, id.y, id.z};
    for (size_t axis = 0; axis < ast.results.size(); ++axis)
      result[axis] = eval(ast.results[axis]);
    for (unsigned axis = 0; axis < ast.results.size(); ++axis)
      if (fault.empty() &&
          (result[axis] < 0 || result[axis] >= environment.grid[axis]))
        fault = "out-of-grid";
    return {fault, {result[0], result[1], result[2]}};
  }

private:
  using Wide = __int128;

  int64_t fail(const char *code) {
    if (fault.empty())
      fault = code;
    return 0;
  }

  int64_t narrow(Wide value) {
    return value < INT64_MIN || value > INT64_MAX ? fail("overflow")
                                                  : int64_t(value);
  }

  static bool compare(ExprKind kind, int64_t a, int64_t b) {
    switch (kind) {
    case ExprKind::Less:
      return a < b;
    case ExprKind::LessEqual:
      return a <= b;
    case ExprKind::Greater:
      return a > b;
    case ExprKind::GreaterEqual:
      return a >= b;
    case ExprKind::Equal:
      return a == b;
    default:
      return a != b;
    }
  }

  int64_t eval(ExprId id) {
    if (!fault.empty())
      return 0;
    const Expr &e = ast.expressions[id];
    auto op = [&](size_t i) { return eval(e.operands[i]); };
    switch (e.kind) {
    case ExprKind::Literal:
      return e.value;
    case ExprKind::Name: {
      auto local = assigned.find(e.name);
      return local != assigned.end() ? local->second : builtIn.at(e.name);
    }
    case ExprKind::Conditional:
      return op(0) ? op(1) : op(2);
    case ExprKind::LogicalAnd: {
      int64_t a = op(0);
      return a ? op(1) : a;
    }
    case ExprKind::LogicalOr: {
      int64_t a = op(0);
      return a ? a : op(1);
    }
    case ExprKind::LogicalNot:
      return op(0) == 0;
    case ExprKind::Negate:
      return narrow(-Wide(op(0)));
    case ExprKind::Invert:
      return ~op(0);
    case ExprKind::Abs: {
      Wide a = op(0);
      return narrow(a < 0 ? -a : a);
    }
    case ExprKind::Chain: {
      int64_t left = op(0);
      for (size_t i = 1; i < e.operands.size(); ++i) {
        int64_t right = op(i);
        if (!fault.empty() || !compare(e.chain[i - 1], left, right))
          return 0;
        left = right;
      }
      return 1;
    }
    default:
      return strict(e);
    }
  }

  int64_t strict(const Expr &e) {
    std::vector<int64_t> v;
    for (ExprId operand : e.operands)
      v.push_back(eval(operand));
    if (!fault.empty())
      return 0;
    Wide a = v[0], b = v[1];
    switch (e.kind) {
    case ExprKind::Add:
      return narrow(a + b);
    case ExprKind::Sub:
      return narrow(a - b);
    case ExprKind::Mul:
      return narrow(a * b);
    case ExprKind::FloorDiv:
    case ExprKind::Mod:
    case ExprKind::CeilDiv: {
      if (b == 0)
        return fail("division-by-zero");
      Wide r = ((a % b) + b) % b; // the sign of b
      Wide q = (a - r) / b;
      if (e.kind == ExprKind::Mod)
        return int64_t(r);
      return narrow(e.kind == ExprKind::CeilDiv && r != 0 ? q + 1 : q);
    }
    case ExprKind::And:
      return v[0] & v[1];
    case ExprKind::Or:
      return v[0] | v[1];
    case ExprKind::Xor:
      return v[0] ^ v[1];
    case ExprKind::Shl:
    case ExprKind::Shr:
      if (b < 0 || b > 63)
        return fail("bad-shift");
      if (e.kind == ExprKind::Shl)
        return narrow(a * (Wide(1) << int(b)));
      return v[0] >> v[1];
    case ExprKind::Min:
      return *std::min_element(v.begin(), v.end());
    case ExprKind::Max:
      return *std::max_element(v.begin(), v.end());
    case ExprKind::HilbertX:
    case ExprKind::HilbertY:
    case ExprKind::MortonX:
    case ExprKind::MortonY:
      return curvePoint(e.kind, v[0], v[1], v[2]);
    default:
      return compare(e.kind, v[0], v[1]);
    }
  }

  int64_t curvePoint(ExprKind kind, int64_t i, int64_t w, int64_t h) {
    if (w < 1 || h < 1 || w > INT32_MAX || h > INT32_MAX || i < 0 ||
        Wide(i) >= Wide(w) * h)
      return fail("bad-curve");
    if (Wide(w) * h > 1 << 16)
      return fail("too-large-for-the-oracle");
    bool hilbert = kind == ExprKind::HilbertX || kind == ExprKind::HilbertY;
    auto &order = orders[{hilbert, w, h}];
    if (order.empty())
      order = curve(hilbert, w, h);
    return kind == ExprKind::HilbertX || kind == ExprKind::MortonX
               ? order[i].first
               : order[i].second;
  }

  const FormulaAST &ast;
  const Environment &environment;
  std::map<std::string, int64_t> builtIn, assigned;
  std::map<std::tuple<bool, int64_t, int64_t>,
           std::vector<std::pair<int64_t, int64_t>>>
      orders;
  std::string fault;
};

} // namespace naive
} // namespace swizzle

#endif // SWIZZLE_UNITTESTS_FORMULA_NAIVEEVALUATOR_H
