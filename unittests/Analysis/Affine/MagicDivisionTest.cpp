//===- MagicDivisionTest.cpp - Quotients by multiplication ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// floor(n * m / d) as the domain writes it, against numbers, for every n; and
// that what hosts hand to kernels to divide with becomes the division itself.
//
//===----------------------------------------------------------------------===//
#include "Affine/Scalars.h"

#include "gtest/gtest.h"

#include <numeric>
#include <random>

using namespace swizzle;
using namespace swizzle::analysis;

namespace {

/// n = 256 * workgroup + thread, of `workgroups` workgroups.
struct Numbers {
  explicit Numbers(int64_t workgroups)
      : model(KernelModel::create(Grid(workgroups), Grid(256))), domain(model),
        scalars(domain), n(scalars.leaf(makeVariable(kWorkgroupIdX) * 256 +
                                        makeVariable(kThreadIdX))) {}

  int64_t valueAt(const CasesRef &value, int64_t n) {
    std::vector<int64_t> values(model.variables.size(), 0);
    values[kWorkgroupIdX] = n / 256;
    values[kThreadIdX] = n % 256;
    evaluateDerived(model, values);
    return evaluate(value->form, values);
  }

  KernelModel model;
  Domain domain;
  Scalars scalars;
  CasesRef n;
};

TEST(MagicDivision, MultipliersOfHostsDivide) {
  std::mt19937 random(7);
  std::vector<int64_t> divisors = {1, 2, 3, 5, 6, 7, 10, 641, 4096, 65535};
  while (divisors.size() < 200)
    divisors.push_back(1 + random() % (random() % 2 ? 100 : 1'000'000));
  for (int64_t d : divisors) {
    Numbers all(4096);
    Scalars &scalars = all.scalars;
    int64_t shift = 0;
    while ((int64_t(1) << shift) < d)
      ++shift;
    int64_t m = (int64_t(1) << 32) * ((int64_t(1) << shift) - d) / d + 1;
    CasesRef high =
        scalars.floorDivide(scalars.multiply(all.n, scalars.constant(m)),
                            scalars.constant(int64_t(1) << 32));
    CasesRef quotient =
        scalars.shiftRight(scalars.add(high, all.n), scalars.constant(shift));
    ASSERT_TRUE(quotient && quotient->isLeaf()) << d;
    // The same variables, whoever made them first.
    EXPECT_TRUE(quotient->form ==
                scalars.floorDivide(all.n, scalars.constant(d))->form)
        << "by " << d << ": by "
        << (quotient->form.terms.empty()
                ? 0
                : all.model.variables[quotient->form.terms[0].variable]
                      .divisor);
    // That of a remainder as well.
    CasesRef rest = scalars.subtract(
        all.n, scalars.multiply(quotient, scalars.constant(d)));
    for (int64_t n : {int64_t(0), d - 1, d, int64_t(4096 * 256 - 1)})
      if (n < 4096 * 256)
        EXPECT_EQ(all.valueAt(rest, n), n % d) << n << " by " << d;
  }
}

TEST(MagicDivision, AnyRatioIsWhatItWas) {
  std::mt19937 random(11);
  unsigned simpler = 0;
  for (unsigned trial = 0; trial < 400; ++trial) {
    Numbers all(1 + random() % 16);
    Scalars &scalars = all.scalars;
    int64_t d = 2 + random() % (random() % 2 ? 50 : 100'000);
    int64_t m = 1 + random() % (2 * d), add = random() % 3 ? 0 : random() % d;
    CasesRef value = scalars.floorDivide(
        scalars.add(scalars.multiply(all.n, scalars.constant(m)),
                    scalars.constant(add)),
        scalars.constant(d));
    ASSERT_TRUE(value && value->isLeaf());
    // Not by a common factor alone.
    simpler += add == 0 && std::gcd(m, d) == 1 &&
               all.model.variables.back().divisor < d;
    for (int64_t n = 0; n < all.model.grid.count() * 256; ++n)
      ASSERT_EQ(all.valueAt(value, n), (n * m + add) / d)
          << n << " * " << m << " + " << add << " over " << d;
  }
  EXPECT_GT(simpler, 20u);
}

/// (n * m) % d is known to be below d, whatever its quotient has become.
TEST(MagicDivision, RemaindersOfMultiplesAreSmall) {
  unsigned simpler = 0;
  for (int64_t d : {5, 16, 32, 100, 1024})
    for (int64_t m = 2; m < 2 * d; ++m) {
      Numbers all(1);
      Scalars &scalars = all.scalars;
      CasesRef multiple = scalars.multiply(all.n, scalars.constant(m));
      CasesRef rest = scalars.floorRemainder(multiple, scalars.constant(d));
      ASSERT_TRUE(rest && rest->isLeaf());
      simpler += all.model.variables.back().divisor < d / std::gcd(m, d);
      Interval range = all.domain.range(rest->form);
      EXPECT_GE(range.low, 0) << m << " % " << d;
      EXPECT_LT(range.high, d) << m << " % " << d;
    }
  EXPECT_GT(simpler, 100u);
}

/// What is assumed of a number does not bound a product that nothing bounds.
TEST(MagicDivision, ProductsThatAreTooLargeStayUnbounded) {
  for (int64_t factor : {int64_t(1) << 32, (int64_t(1) << 34) + 1}) {
    Numbers all((int64_t(1) << 31) - 1);
    AffineForm x = makeVariable(kWorkgroupIdX);
    AffineForm product = x * factor * 4;
    EXPECT_GE(all.domain.range(product).high, kUnbounded);
    all.domain.assume({x - makeConstant(1), false});
    EXPECT_GE(all.domain.range(product).high, kUnbounded);
    EXPECT_LE(all.domain.range(product * -1).low, -kUnbounded);
    EXPECT_GE(all.domain.range(product - makeConstant(1000)).high, kUnbounded);
    EXPECT_GT(all.domain.range(product).low, 0);
  }
}

/// A ratio may rest on what is assumed, and is forgotten with it.
TEST(MagicDivision, ARatioOfAPathHoldsThere) {
  Numbers all(4096);
  const int64_t m = 3435, d = 10301; // about n / 3, for a while
  AffineForm n = all.n->form, multiple = n * m;
  {
    Domain::Scope scope(all.domain);
    all.domain.assume({makeConstant(1000) - n, false});
    AffineForm quotient = *all.domain.floorDivide(multiple, d);
    for (int64_t i = 0; i <= 1000; ++i)
      ASSERT_EQ(all.valueAt(all.scalars.leaf(quotient), i), i * m / d) << i;
  }
  AffineForm quotient = *all.domain.floorDivide(multiple, d);
  for (int64_t i = 0; i < 4096 * 256; i += 77)
    ASSERT_EQ(all.valueAt(all.scalars.leaf(quotient), i), i * m / d) << i;
}

/// Of a quotient and something else, too.
TEST(MagicDivision, SumsWithQuotientsAreWhatTheyWere) {
  std::mt19937 random(13);
  for (unsigned trial = 0; trial < 400; ++trial) {
    Numbers all(1 + random() % 8);
    Scalars &scalars = all.scalars;
    int64_t b = 2 + random() % 12, c = 2 + random() % 12;
    int64_t k = random() % 5, add = random() % 7;
    CasesRef inner = scalars.floorDivide(all.n, scalars.constant(b));
    CasesRef sum = scalars.add(
        scalars.add(inner, scalars.multiply(all.n, scalars.constant(k))),
        scalars.constant(add));
    CasesRef value = scalars.floorDivide(sum, scalars.constant(c));
    ASSERT_TRUE(value && value->isLeaf());
    for (int64_t n = 0; n < all.model.grid.count() * 256; ++n)
      ASSERT_EQ(all.valueAt(value, n), (n / b + k * n + add) / c)
          << n << ": " << b << " " << k << " " << add << " " << c;
  }
}

} // namespace
