//===- EmittedSteps.cpp - What one emitted operation computes -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One loop over the lanes for each operation, without branches: every lane gets
// some value, and a bit says whether any was undefined. Only then is the first
// such lane looked for.
//
// The promise of an operation not to wrap is checked from the wrapped result of
// a sum or difference as wide as a lane, and from the exact result, in twice
// the width, elsewhere.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Emit/EmittedProgram.h"
#include "swizzle/Support/ColumnLoops.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <type_traits>

namespace swizzle {

namespace {

using Kind = LoweredKind;

template <typename T> constexpr unsigned kBits = sizeof(T) * 8;

/// Integers that hold any product of two lanes.
template <typename T>
using WideUnsigned =
    std::conditional_t<sizeof(T) == 4, uint64_t, unsigned __int128>;
template <typename T>
using WideSigned = std::conditional_t<sizeof(T) == 4, int64_t, __int128>;

/// Values of some width in lanes of `T`.
template <typename T> struct Width {
  using Signed = std::make_signed_t<T>;

  explicit Width(unsigned bits)
      : bits(bits), unused(kBits<T> - bits), mask(T(~T(0)) >> unused) {}

  Signed sign(T value) const { return Signed(value << unused) >> unused; }
  T truncate(T value) const { return value & mask; }

  unsigned bits, unused;
  T mask;
};

/// Applies `fn(a, b, c, fault)` to the lanes. The first lane that it says is
/// undefined is the result, or `count`.
template <typename A, typename B, typename C, typename Out, typename Fn>
size_t forLanes(size_t count, const A *a, const B *b, const C *c, Out *out,
                Fn fn) {
  if (!columns::map(count, a, b, c, out, fn))
    return count;
  for (size_t lane = 0; lane < count; ++lane) {
    uint32_t fault = 0;
    fn(a[lane], b[lane], c[lane], fault);
    if (fault)
      return lane;
  }
  return count;
}

} // namespace

/// Sums, differences and products, which may promise not to wrap.
template <typename T>
size_t EmittedProgram::runSum(const Step &step, size_t count) {
  using Signed = std::make_signed_t<T>;
  const T *a = lanes<T>(step.operands[0]), *b = lanes<T>(step.operands[1]);
  T *out = lanes<T>(step.result);
  Width<T> width(step.width);
  Kind kind = step.kind;
  uint32_t checkUnsigned = step.wrapping.noUnsigned;
  uint32_t checkSigned = step.wrapping.noSigned;
  if (!checkUnsigned && !checkSigned) {
    auto wrapping = [&](auto compute) {
      return forLanes(count, a, b, b, out, [=](T x, T y, T, uint32_t &) {
        return width.truncate(compute(x, y));
      });
    };
    if (kind == Kind::Add)
      return wrapping([](T x, T y) { return T(x + y); });
    if (kind == Kind::Sub)
      return wrapping([](T x, T y) { return T(x - y); });
    return wrapping([](T x, T y) { return T(x * y); });
  }
  // The sign of these is set where the signed result does not fit.
  auto isNegative = [](T bits) { return uint32_t(bits >> (kBits<T> - 1)); };
  if (width.unused == 0 && kind == Kind::Add)
    return forLanes(count, a, b, b, out, [=](T x, T y, T, uint32_t &fault) {
      T sum = x + y;
      fault = (uint32_t(sum < x) & checkUnsigned) |
              (isNegative((x ^ sum) & (y ^ sum)) & checkSigned);
      return sum;
    });
  if (width.unused == 0 && kind == Kind::Sub)
    return forLanes(count, a, b, b, out, [=](T x, T y, T, uint32_t &fault) {
      T difference = x - y;
      fault = (uint32_t(x < y) & checkUnsigned) |
              (isNegative((x ^ y) & (x ^ difference)) & checkSigned);
      return difference;
    });
  auto exact = [&](auto compute) {
    return forLanes(count, a, b, b, out, [=](T x, T y, T, uint32_t &fault) {
      auto unsignedResult = compute(WideUnsigned<T>(x), WideUnsigned<T>(y));
      auto signedResult =
          compute(WideSigned<T>(width.sign(x)), WideSigned<T>(width.sign(y)));
      T kept = width.truncate(T(unsignedResult));
      fault =
          (uint32_t(unsignedResult != kept) & checkUnsigned) |
          (uint32_t(signedResult != Signed(width.sign(kept))) & checkSigned);
      return kept;
    });
  };
  // Below zero an unsigned difference has bits that no lane keeps.
  if (kind == Kind::Add)
    return exact([](auto x, auto y) { return x + y; });
  if (kind == Kind::Sub)
    return exact([](auto x, auto y) { return x - y; });
  return exact([](auto x, auto y) { return x * y; });
}

template <typename T>
size_t EmittedProgram::runComparison(const Step &step, size_t count) {
  const T *a = lanes<T>(step.operands[0]), *b = lanes<T>(step.operands[1]);
  uint32_t *out = lanes<uint32_t>(step.result);
  Width<T> width(step.width);
  auto asUnsigned = [&](auto compare) {
    return forLanes(count, a, b, b, out, [=](T x, T y, T, uint32_t &) {
      return uint32_t(compare(x, y));
    });
  };
  auto asSigned = [&](auto compare) {
    return forLanes(count, a, b, b, out, [=](T x, T y, T, uint32_t &) {
      return uint32_t(compare(width.sign(x), width.sign(y)));
    });
  };
  switch (step.kind) {
  case Kind::CmpEq:
    return asUnsigned([](auto x, auto y) { return x == y; });
  case Kind::CmpNe:
    return asUnsigned([](auto x, auto y) { return x != y; });
  case Kind::CmpSLt:
    return asSigned([](auto x, auto y) { return x < y; });
  case Kind::CmpSLe:
    return asSigned([](auto x, auto y) { return x <= y; });
  case Kind::CmpULt:
    return asUnsigned([](auto x, auto y) { return x < y; });
  default:
    return asUnsigned([](auto x, auto y) { return x <= y; });
  }
}

template <typename From, typename To>
size_t EmittedProgram::runConversion(const Step &step, size_t count) {
  const From *a = lanes<From>(step.operands[0]);
  To *out = lanes<To>(step.result);
  Width<From> from(step.width);
  Width<To> to(step.resultWidth);
  if (step.kind != Kind::SExt)
    return forLanes(count, a, a, a, out, [=](From x, From, From, uint32_t &) {
      return to.truncate(To(x));
    });
  return forLanes(count, a, a, a, out, [=](From x, From, From, uint32_t &) {
    return to.truncate(To(from.sign(x)));
  });
}

template <typename T>
size_t EmittedProgram::runShift(const Step &step, size_t count) {
  const T *a = lanes<T>(step.operands[0]), *b = lanes<T>(step.operands[1]);
  T *out = lanes<T>(step.result);
  Width<T> width(step.width);
  // By the same amount everywhere, or by each lane's own.
  auto shift = [&](auto compute) {
    auto apply = [=](T x, T y, uint32_t &fault) {
      fault = y >= width.bits;
      return compute(x, unsigned(y) & (kBits<T> - 1), fault);
    };
    if (step.amount) {
      T amount = T(*step.amount);
      return forLanes(count, a, a, a, out, [=](T x, T, T, uint32_t &fault) {
        return apply(x, amount, fault);
      });
    }
    return forLanes(count, a, b, b, out, [=](T x, T y, T, uint32_t &fault) {
      return apply(x, y, fault);
    });
  };
  switch (step.kind) {
  case Kind::Shl: {
    uint32_t checkUnsigned = step.wrapping.noUnsigned;
    uint32_t checkSigned = step.wrapping.noSigned;
    return shift([=](T x, unsigned amount, uint32_t &fault) {
      T kept = width.truncate(x << amount);
      fault |=
          (uint32_t(kept >> amount != x) & checkUnsigned) |
          (uint32_t(width.sign(kept) >> amount != width.sign(x)) & checkSigned);
      return kept;
    });
  }
  case Kind::LShr:
    return shift(
        [](T x, unsigned amount, uint32_t &) { return T(x >> amount); });
  default: // AShr
    return shift([=](T x, unsigned amount, uint32_t &) {
      return width.truncate(T(width.sign(x) >> amount));
    });
  }
}

template <typename T>
size_t EmittedProgram::runArithmetic(const Step &step, size_t count) {
  const T *b = lanes<T>(step.operands[1]);
  T *out = lanes<T>(step.result);
  if (step.kind == Kind::Select)
    return forLanes(
        count, lanes<uint32_t>(step.operands[0]), b, lanes<T>(step.operands[2]),
        out, [](uint32_t test, T x, T y, uint32_t &) { return test ? x : y; });
  const T *a = lanes<T>(step.operands[0]);
  Width<T> width(step.width);
  auto total = [&](auto compute) {
    return forLanes(count, a, b, b, out,
                    [=](T x, T y, T, uint32_t &) { return T(compute(x, y)); });
  };
  auto divide = [&](auto compute) {
    return forLanes(count, a, b, b, out, [=](T x, T y, T, uint32_t &fault) {
      fault = y == 0;
      return T(compute(x, T(y + fault)));
    });
  };
  // A divisor of -1 may overflow, and emission makes none.
  auto divideSigned = [&](auto compute) {
    return forLanes(count, a, b, b, out, [=](T x, T y, T, uint32_t &fault) {
      fault = (y == 0) | (y == width.mask);
      return width.truncate(T(compute(
          width.sign(x), fault ? decltype(width.sign(y))(1) : width.sign(y))));
    });
  };
  switch (step.kind) {
  case Kind::UMulHi:
    return total([=](T x, T y) {
      return width.truncate(T(WideUnsigned<T>(x) * y >> width.bits));
    });
  case Kind::UDiv:
    return divide([](T x, T y) { return x / y; });
  case Kind::URem:
    return divide([](T x, T y) { return x % y; });
  case Kind::SDiv:
    return divideSigned([](auto x, auto y) { return x / y; });
  case Kind::SRem:
    return divideSigned([](auto x, auto y) { return x % y; });
  case Kind::Shl:
  case Kind::LShr:
  case Kind::AShr:
    return runShift<T>(step, count);
  case Kind::And:
    return total([](T x, T y) { return x & y; });
  case Kind::Or:
    return total([](T x, T y) { return x | y; });
  case Kind::Xor:
    return total([](T x, T y) { return x ^ y; });
  case Kind::UMin:
    return total([](T x, T y) { return x < y ? x : y; });
  case Kind::UMax:
    return total([](T x, T y) { return x < y ? y : x; });
  case Kind::SMin:
    return total(
        [=](T x, T y) { return width.sign(x) < width.sign(y) ? x : y; });
  case Kind::SMax:
    return total(
        [=](T x, T y) { return width.sign(x) < width.sign(y) ? y : x; });
  default:
    return runSum<T>(step, count);
  }
}

size_t EmittedProgram::runStep(const Step &step, size_t count) {
  bool wide = step.operands.back().wide, wideResult = step.result.wide;
  switch (step.kind) {
#define SWIZZLE_COMPARISON(kind, arith, llvm) case Kind::kind:
#include "swizzle/Emit/LoweredOps.def"
    return wide ? runComparison<uint64_t>(step, count)
                : runComparison<uint32_t>(step, count);
#define SWIZZLE_CONVERSION(kind, arith, llvm) case Kind::kind:
#include "swizzle/Emit/LoweredOps.def"
    if (wide)
      return wideResult ? runConversion<uint64_t, uint64_t>(step, count)
                        : runConversion<uint64_t, uint32_t>(step, count);
    return wideResult ? runConversion<uint32_t, uint64_t>(step, count)
                      : runConversion<uint32_t, uint32_t>(step, count);
  default:
    return wide ? runArithmetic<uint64_t>(step, count)
                : runArithmetic<uint32_t>(step, count);
  }
}

} // namespace swizzle
