//===- Executor.h - Columns of workgroup ids through a program --*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One loop per instruction over a block of ids, in 32 or 64 bits, written so
// that the compiler turns the common ones into vector code: no branches, no
// division by a constant, and 32-bit quotients by way of doubles, which are
// exact there (the quotient of two integers below 2^53 is never rounded up to
// the next integer).
//
// Arithmetic wraps and is total whatever the operands are: an id whose guard
// does not hold gets some value, and only checks decide what is a fault.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_EVAL_EXECUTOR_H
#define SWIZZLE_LIB_FORMULA_EVAL_EXECUTOR_H

#include "Program.h"
#include "swizzle/Formula/Orders/Curves.h"
#include "swizzle/Support/ColumnLoops.h"
#include "swizzle/Support/IntegerMath.h"

#include <limits>
#include <tuple>

namespace swizzle::formula {

/// Floor division that is defined for all operands: 0 for a divisor of 0, and
/// the smallest number stays itself when divided by -1.
template <typename T> T totalDiv(T a, T b) {
  if (b == 0)
    return 0;
  if (b == -1)
    return T(-std::make_unsigned_t<T>(a));
  return floorDiv(a, b);
}

template <typename T> T totalMod(T a, T b) {
  return b == 0 ? 0 : floorMod(a, b);
}

template <typename T> class Executor {
public:
  using Unsigned = std::make_unsigned_t<T>;

  /// For blocks of up to `lanes` ids. Without checks `run` finds no faults.
  Executor(const BoundFormula::Program &program, unsigned lanes,
           bool withChecks = true)
      : program(program), grid(program.environment.grid), lanes(lanes),
        withChecks(withChecks), storage(size_t(program.numColumns) * lanes) {
    for (Slot i = 0; i < program.code.size(); ++i)
      if (program.code[i].op == Op::Constant && live(i))
        std::fill_n(column(i), lanes, T(program.code[i].low));
  }

  /// Adds to `mask` the lanes in which a check fires, whatever its guard.
  void mark(const Instruction &check, bool *mask) {
    test(check, [&](auto bad) {
      for (unsigned k = 0; k < n; ++k)
        mask[k] |= bad(k);
      return 0;
    });
  }

  /// Runs ids first .. first+count-1, count <= lanes.
  FaultAt run(int64_t first, unsigned count) {
    FaultAt fault;
    start = first;
    n = count;
    for (Slot i = 0; i < program.code.size(); ++i) {
      const Instruction &instruction = program.code[i];
      if (isCheck(instruction.op)) {
        int lane = withChecks ? firstFault(instruction) : -1;
        if (lane >= 0 && (fault.id < 0 || first + lane < fault.id))
          fault = {first + lane, i};
      } else if (live(i) && instruction.op != Op::Constant) {
        compute(i, instruction);
      }
    }
    return fault;
  }

  T *column(Slot slot) {
    return storage.data() + size_t(program.columns[slot]) * lanes;
  }

private:
  bool live(Slot slot) const { return program.columns[slot] != ~uint32_t(0); }

  template <typename F> void binary(Slot i, const Instruction &in, F f) {
    const T *a = column(in.a), *b = column(in.b);
    columns::map(n, a, b, b, column(i),
                 [f](T x, T y, T, uint32_t &) { return f(x, y); });
  }

  template <typename F> void unary(Slot i, const Instruction &in, F f) {
    const T *a = column(in.a);
    columns::map(n, a, a, a, column(i),
                 [f](T x, T, T, uint32_t &) { return f(x); });
  }

  /// Whether all values of a column, in this block at least, reach `bound`.
  bool isAtLeast(Slot slot, T bound) {
    return program.code[slot].low >= bound ||
           columns::range(n, column(slot)).first >= bound;
  }

  void compute(Slot i, const Instruction &in) {
    switch (in.op) {
    case Op::X:
    case Op::Y:
    case Op::Z:
    case Op::Linear:
      return input(i, in.op);
    case Op::Add:
      return binary(i, in,
                    [](T a, T b) { return T(Unsigned(a) + Unsigned(b)); });
    case Op::Sub:
      return binary(i, in,
                    [](T a, T b) { return T(Unsigned(a) - Unsigned(b)); });
    case Op::Mul:
      return binary(i, in,
                    [](T a, T b) { return T(Unsigned(a) * Unsigned(b)); });
    case Op::Div:
    case Op::Mod:
      if (program.code[in.b].op == Op::Constant && program.code[in.b].low > 1)
        return divideBy(i, in, program.code[in.b].low);
      return divide(i, in);
    case Op::Min:
      return binary(i, in, [](T a, T b) { return a < b ? a : b; });
    case Op::Max:
      return binary(i, in, [](T a, T b) { return a > b ? a : b; });
    case Op::And:
      return binary(i, in, [](T a, T b) { return T(a & b); });
    case Op::Or:
      return binary(i, in, [](T a, T b) { return T(a | b); });
    case Op::Xor:
      return binary(i, in, [](T a, T b) { return T(a ^ b); });
    case Op::Shl:
      return binary(i, in, [](T a, T b) {
        return T(uint64_t(int64_t(a)) << (unsigned(b) & 63));
      });
    case Op::Shr:
      return binary(
          i, in, [](T a, T b) { return T(int64_t(a) >> (unsigned(b) & 63)); });
    case Op::Less:
      return binary(i, in, [](T a, T b) { return T(a < b); });
    case Op::LessEqual:
      return binary(i, in, [](T a, T b) { return T(a <= b); });
    case Op::Equal:
      return binary(i, in, [](T a, T b) { return T(a == b); });
    case Op::NotEqual:
      return binary(i, in, [](T a, T b) { return T(a != b); });
    case Op::Select:
      columns::map(n, column(in.a), column(in.b), column(in.c), column(i),
                   [](T test, T x, T y, uint32_t &) { return test ? x : y; });
      return;
    default:
      return curve(i, in);
    }
  }

  void input(Slot i, Op op) {
    T *__restrict out = column(i);
    if (op == Op::Linear) {
      for (unsigned k = 0; k < n; ++k)
        out[k] = T(start + k);
      return;
    }
    WorkgroupId id = delinearise(start, grid);
    for (unsigned k = 0; k < n;) {
      unsigned run = unsigned(std::min<int64_t>(n - k, grid.x() - id.x));
      for (unsigned j = 0; j < run; ++j)
        out[k + j] = T(op == Op::X ? id.x + j : op == Op::Y ? id.y : id.z);
      k += run;
      id.x = 0;
      if (++id.y == grid.y()) {
        id.y = 0;
        ++id.z;
      }
    }
  }

  void divide(Slot i, const Instruction &in) {
    bool remainder = in.op == Op::Mod;
    // Ranges are facts in a narrow program, where nothing wraps.
    if (sizeof(T) == 4 && isAtLeast(in.b, 1) && isAtLeast(in.a, 0)) {
      auto quotient = [](T a, T b) { return T(double(a) / double(b)); };
      if (!remainder)
        return binary(i, in, quotient);
      return binary(i, in, [=](T a, T b) { return T(a - quotient(a, b) * b); });
    }
    if (remainder)
      return binary(i, in, [](T a, T b) { return totalMod(a, b); });
    binary(i, in, [](T a, T b) { return totalDiv(a, b); });
  }

  /// By the constant `divisor` >= 2.
  void divideBy(Slot i, const Instruction &in, int64_t divisor) {
    T d = T(divisor);
    bool remainder = in.op == Op::Mod;
    // A divisor beyond every value of a narrow column. A remainder of a
    // negative value would not fit the column, so there is none.
    if (divisor > int64_t(std::numeric_limits<T>::max())) {
      if (remainder)
        return unary(i, in, [](T a) { return a; });
      return unary(i, in, [](T a) { return T(a < 0 ? -1 : 0); });
    }
    if (llvm::isPowerOf2_64(divisor)) {
      unsigned shift = llvm::Log2_64(divisor);
      if (remainder)
        return unary(i, in, [=](T a) { return T(a & (d - 1)); });
      return unary(i, in, [=](T a) { return T(a >> shift); });
    }
    Reciprocal<T> by(d);
    // floor(a / d) for a < 0 is the complement of floor(~a / d).
    auto quotient = [by](T a) {
      Unsigned sign = Unsigned(a >> (sizeof(T) * 8 - 1));
      return Unsigned(by.divide(Unsigned(a) ^ sign) ^ sign);
    };
    if (remainder)
      return unary(i, in, [=](T a) {
        return T(Unsigned(a) - quotient(a) * Unsigned(d));
      });
    unary(i, in, [=](T a) { return T(quotient(a)); });
  }

  /// The coordinates of a curve are usually wanted together, so both are
  /// computed at once and kept until another curve is asked for.
  void curve(Slot i, const Instruction &in) {
    auto key = std::tuple(isHilbert(in.op), in.a, in.b, in.c, start);
    if (!(curveKey == key)) {
      curveKey = key;
      curvePoints.resize(lanes);
      const T *a = column(in.a), *b = column(in.b), *c = column(in.c);
      for (unsigned k = 0; k < n; ++k) {
        curvePoints[k] = CurvePoint();
        if (isCurvePoint(a[k], b[k], c[k]))
          curvePoints[k] = isHilbert(in.op) ? hilbert.at(a[k], b[k], c[k])
                                            : mortonPoint(a[k], b[k], c[k]);
      }
    }
    T *out = column(i);
    for (unsigned k = 0; k < n; ++k)
      out[k] = T(givesX(in.op) ? curvePoints[k].x : curvePoints[k].y);
  }

  /// The first lane for which `bad` holds under the guard, or -1. The first
  /// loop only asks whether there is one, without branches.
  template <typename F> int search(Slot guard, F bad) {
    const T *on = guard == kNoSlot ? nullptr : column(guard);
    bool any = false;
    if (on)
      for (unsigned k = 0; k < n; ++k)
        any |= bad(k) & (on[k] != 0);
    else
      for (unsigned k = 0; k < n; ++k)
        any |= bad(k);
    if (!any)
      return -1;
    for (unsigned k = 0;; ++k)
      if (bad(k) && (!on || on[k]))
        return k;
  }

  int firstFault(const Instruction &in) {
    return test(in, [&](auto bad) { return search(in.c, bad); });
  }

  /// `use(bad)`, where bad(k) tells whether a check fires in lane k.
  template <typename Use> int test(const Instruction &in, Use use) {
    const T *a = in.a == kNoSlot ? nullptr : column(in.a);
    const T *b = in.b == kNoSlot ? nullptr : column(in.b);
    int64_t sink;
    switch (in.op) {
    case Op::CheckAlways:
      return use([](unsigned) { return true; });
    case Op::CheckZero:
      return use([=](unsigned k) { return a[k] == 0; });
    case Op::CheckShift:
      return use([=](unsigned k) { return (a[k] & ~T(63)) != 0; });
    case Op::CheckBelow: {
      // Coordinates are below 2^31, so the bound fits in either width.
      Unsigned bound = Unsigned(in.imm);
      return use([=](unsigned k) { return Unsigned(a[k]) >= bound; });
    }
    case Op::CheckMinByMinus:
      return use(
          [=](unsigned k) { return int64_t(a[k]) == INT64_MIN && b[k] == -1; });
    case Op::CheckAdd:
      return use([=, &sink](unsigned k) {
        return __builtin_add_overflow(int64_t(a[k]), int64_t(b[k]), &sink);
      });
    case Op::CheckSub:
      return use([=, &sink](unsigned k) {
        return __builtin_sub_overflow(int64_t(a[k]), int64_t(b[k]), &sink);
      });
    case Op::CheckMul:
      return use([=, &sink](unsigned k) {
        return __builtin_mul_overflow(int64_t(a[k]), int64_t(b[k]), &sink);
      });
    case Op::CheckShl:
      return use([=](unsigned k) {
        unsigned amount = unsigned(b[k]) & 63;
        int64_t shifted = int64_t(uint64_t(int64_t(a[k])) << amount);
        return (shifted >> amount) != int64_t(a[k]);
      });
    case Op::CheckCurve: {
      const T *h = column(Slot(in.imm));
      return use([=](unsigned k) { return !isCurvePoint(a[k], b[k], h[k]); });
    }
    default:
      return use([](unsigned) { return false; });
    }
  }

  const BoundFormula::Program &program;
  Grid grid;
  unsigned lanes;
  bool withChecks;
  std::vector<T> storage;
  int64_t start = 0;
  unsigned n = 0;
  std::tuple<bool, Slot, Slot, Slot, int64_t> curveKey{false, kNoSlot, kNoSlot,
                                                       kNoSlot, -1};
  std::vector<CurvePoint> curvePoints;
  HilbertWalk hilbert;
};

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_EVAL_EXECUTOR_H
