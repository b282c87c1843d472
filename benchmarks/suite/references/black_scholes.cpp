//===- black_scholes.cpp - What black_scholes.cu shall compute ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prices of European options, at a rate of 0.02 and a volatility of 0.3; 2 is
// added to every input, so that they lie in [1, 3).
//
// The kernel has polynomials for exp, log and the normal distribution, so there
// are two functions:
//  - `reference` has the same ones as formulas: exp(x) is (1 + x / 256)^256,
//    log(s / k) the first two terms of 2 atanh((s - k) / (s + k)), the
//    distribution is number 26.2.17 of Abramowitz and Stegun. In floats such a
//    power is off by 256 * 2^-25 for its base and by as much for its squarings,
//    1.6e-5 of itself; a price is a difference of two numbers below 3 with
//    powers in them: 1e-4, absolutely.
//  - `mathematics` has exp, log and erfc. The logarithm lacks 2 r^5 / 5 and
//    more, up to 0.015 for r up to 1/2, which moves d1 and d2 by up to 0.05
//    alike. There the price's first derivative is 0 and its second at most 0.6:
//    8e-4. A tail of the distribution lacks d^4 / 2048 of itself, at most 2e-4,
//    and is multiplied with a price below 3, twice. Together less than 2e-3,
//    absolutely.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cmath>
#include <cstddef>

extern "C" const double relative = 0, absolute = 1e-4;
extern "C" const double mathematics_relative = 0, mathematics_absolute = 2e-3;

struct Functions {
  double (*exp)(double);
  double (*log)(double s, double k); ///< of s / k
  double (*normal)(double);          ///< the distribution
};

static double power(double x) {
  return std::pow(1 + std::max(x, -64.0) / 256, 256);
}
static double twoTerms(double s, double k) {
  double r = (s - k) / (s + k);
  return 2 * (r + r * r * r / 3);
}
static double byFiveTerms(double d) {
  double k = 1 / (1 + 0.2316419 * std::abs(d));
  double tail = power(-d * d / 2) / std::sqrt(2 * M_PI) *
                (0.319381530 * k - 0.356563782 * std::pow(k, 2) +
                 1.781477937 * std::pow(k, 3) - 1.821255978 * std::pow(k, 4) +
                 1.330274429 * std::pow(k, 5));
  return d < 0 ? tail : 1 - tail;
}

static void prices(const float *price, const float *strike, const float *years,
                   float *call, float *put, const Functions &functions) {
  for (size_t i = 0; i < N; ++i) {
    double s = 2.0 + price[i], k = 2.0 + strike[i], t = 2.0 + years[i];
    double rate = 0.02, volatility = 0.3, spread = volatility * std::sqrt(t);
    double d1 =
        (functions.log(s, k) + (rate + volatility * volatility / 2) * t) /
        spread;
    double now = k * functions.exp(-rate * t);
    double value =
        s * functions.normal(d1) - now * functions.normal(d1 - spread);
    call[i] = float(value);
    put[i] = float(value + now - s); // both together are worth s - now
  }
}

extern "C" void reference(const float *price, const float *strike,
                          const float *years, float *call, float *put) {
  prices(price, strike, years, call, put, {power, twoTerms, byFiveTerms});
}
extern "C" void mathematics(const float *price, const float *strike,
                            const float *years, float *call, float *put) {
  prices(price, strike, years, call, put,
         {[](double x) { return std::exp(x); },
          [](double s, double k) { return std::log(s / k); },
          [](double d) { return std::erfc(-d / std::sqrt(2.0)) / 2; }});
}
