//===- BitFieldsTest.cpp - Bits of thread ids against all of them ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random expressions of bits of a thread id, as compilers write them, evaluated
// as affine forms and as numbers, for every thread.
//
//===----------------------------------------------------------------------===//

#include "Affine/BitFields.h"
#include "Affine/Scalars.h"

#include "gtest/gtest.h"

#include <random>

using namespace swizzle;
using namespace swizzle::analysis;

namespace {

/// An expression both ways.
struct Both {
  CasesRef form;
  std::vector<int64_t> values; ///< by thread
};

class Writer {
public:
  explicit Writer(unsigned seed)
      : model(KernelModel::create(Grid(4), Grid(256))), domain(model),
        scalars(domain), random(seed) {}

  /// Null forms are what the analysis gives up.
  Both write(unsigned depth) {
    if (depth == 0)
      return leaf();
    Both a = write(depth - 1);
    switch (pick(0, 5)) {
    case 0:
      return apply(a, &Scalars::bitAnd, constant(mask()),
                   [](int64_t x, int64_t y) { return x & y; });
    case 1:
      return apply(a, &Scalars::bitXor, constant(mask()),
                   [](int64_t x, int64_t y) { return x ^ y; });
    case 2:
      // By 60 or more, which leaves the sign, too.
      return apply(a, &Scalars::shiftRight,
                   constant(pick(0, 5) == 5 ? pick(58, 63) : pick(0, 4)),
                   [](int64_t x, int64_t y) { return x >> y; });
    case 3:
      return apply(a, &Scalars::shiftLeft, constant(pick(0, 3)),
                   [](int64_t x, int64_t y) { return x << y; });
    case 4:
      return apply(a, &Scalars::bitOr, constant(mask()),
                   [](int64_t x, int64_t y) { return x | y; });
    default:
      Both b = write(depth - 1);
      return pick(0, 1) ? apply(a, &Scalars::bitOr, b,
                                [](int64_t x, int64_t y) { return x | y; })
                        : apply(a, &Scalars::bitXor, b,
                                [](int64_t x, int64_t y) { return x ^ y; });
    }
  }

  /// The values of the form.
  std::vector<int64_t> evaluateAll(const CasesRef &form) {
    std::vector<int64_t> result;
    for (int64_t t = 0; t < 256; ++t) {
      std::vector<int64_t> values(model.variables.size(), 0);
      values[kThreadIdX] = t;
      evaluateDerived(model, values);
      const Cases *at = form.get();
      while (!at->isLeaf()) {
        int64_t value = evaluate(at->condition.form, values);
        bool holds = at->condition.equality ? value == 0 : value >= 0;
        at = holds ? at->yes.get() : at->no.get();
      }
      result.push_back(evaluate(at->form, values));
    }
    return result;
  }

  KernelModel model;
  Domain domain;
  Scalars scalars;

private:
  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  int64_t mask() {
    static const int64_t kMasks[] = {1,  3,  12, 16,  31,  32,
                                     48, 64, 96, 128, 240, 1024};
    return kMasks[pick(0, 11)];
  }
  Both constant(int64_t value) {
    return {scalars.constant(value), std::vector<int64_t>(256, value)};
  }
  Both leaf() {
    Both thread{scalars.leaf(makeVariable(kThreadIdX)), {}};
    for (int64_t t = 0; t < 256; ++t)
      thread.values.push_back(t);
    return apply(thread, &Scalars::bitAnd, constant(mask()),
                 [](int64_t x, int64_t y) { return x & y; });
  }
  template <typename Rule>
  Both apply(const Both &a,
             CasesRef (Scalars::*operation)(const CasesRef &, const CasesRef &),
             const Both &b, Rule rule) {
    Both result;
    if (a.form && b.form)
      result.form = (scalars.*operation)(a.form, b.form);
    for (size_t t = 0; t < a.values.size(); ++t)
      result.values.push_back(rule(a.values[t], b.values[t]));
    return result;
  }

  std::mt19937 random;
};

TEST(BitFields, AgreeWithAllThreads) {
  int known = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Writer writer(seed);
    Both both = writer.write(1 + seed % 4);
    if (!both.form)
      continue;
    ++known;
    ASSERT_EQ(writer.evaluateAll(both.form), both.values) << "seed " << seed;
    Interval range = writer.scalars.range(both.form);
    for (int64_t value : both.values) {
      ASSERT_LE(range.low, value) << "seed " << seed;
      ASSERT_GE(range.high, value) << "seed " << seed;
    }
    if (!both.form->isLeaf())
      continue;
    uint64_t bits = possibleBits(writer.domain, both.form->form);
    for (int64_t value : both.values)
      ASSERT_EQ(uint64_t(value) & ~bits, 0u) << "seed " << seed;
  }
  EXPECT_GT(known, 2000);
}

// Only the sign is left of a number that is known to be small; what is said of
// others is that they are not.
TEST(BitFields, FarShifts) {
  KernelModel model = KernelModel::create(Grid(4), Grid(256));
  Domain domain(model);
  Scalars scalars(domain);
  CasesRef thread = scalars.leaf(makeVariable(kThreadIdX));
  CasesRef negative = scalars.subtract(thread, scalars.constant(256));
  CasesRef far = scalars.constant(63);
  EXPECT_EQ(scalars.constantOf(scalars.shiftRight(thread, far)), 0);
  EXPECT_EQ(scalars.constantOf(scalars.shiftRight(negative, far)), -1);
  CasesRef large = scalars.scale(thread, int64_t(1) << 58);
  EXPECT_FALSE(scalars.shiftRight(large, far));
  EXPECT_EQ(scalars.reason, "shift to the right by 60 bits or more");
  EXPECT_FALSE(scalars.shiftLeft(thread, far));
  EXPECT_EQ(scalars.reason, "shift to the left by 60 bits or more");
  EXPECT_FALSE(scalars.shiftRight(far, thread));
  EXPECT_EQ(scalars.reason, "shift by a variable");
}

/// (t & bit) >> shift
CasesRef bitOf(Scalars &scalars, int64_t bit, int64_t shift) {
  CasesRef thread = scalars.leaf(makeVariable(kThreadIdX));
  return scalars.shiftRight(scalars.bitAnd(thread, scalars.constant(bit)),
                            scalars.constant(shift));
}

TEST(BitFields, IndicesOfMatrixProducts) {
  KernelModel model = KernelModel::create(Grid(4), Grid(256));
  Domain domain(model);
  Scalars scalars(domain);
  CasesRef column = scalars.bitOr(bitOf(scalars, 32, 3), bitOf(scalars, 64, 1));
  ASSERT_TRUE(column);
  EXPECT_EQ(scalars.range(column).low, 0);
  EXPECT_EQ(scalars.range(column).high, 36);
  EXPECT_EQ(possibleBits(domain, column->form), 36u);
  // Bits that are never set take no quotients.
  size_t variables = domain.variableCount();
  EXPECT_TRUE(sameCases(scalars.bitOr(column, scalars.constant(16)),
                        scalars.add(column, scalars.constant(16))));
  EXPECT_EQ(scalars.constantOf(scalars.bitAnd(column, scalars.constant(27))),
            0);
  EXPECT_EQ(domain.variableCount(), variables);
}

} // namespace
