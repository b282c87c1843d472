//===- Contents.cpp - What stands in arrays before a kernel runs ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Contents.h. Numbers that are costly to make are made once, 4096 of them,
// and then drawn from.
//
//===----------------------------------------------------------------------===//

#include "Contents.h"

#include <algorithm>
#include <cstring>

namespace swizzle {

llvm::StringRef toString(Inputs inputs) {
  return inputs == Inputs::Plain    ? "plain"
         : inputs == Inputs::Signed ? "signed"
                                    : "extreme";
}

} // namespace swizzle

namespace swizzle::host {

namespace {

/// Numbers to draw from: as many as 12 bits tell apart.
constexpr int kPool = 4096;

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014): one chain of multiplications a number, any seed is good.
struct Random {
  uint64_t state;
  uint64_t next() {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }
  /// In [0, 1).
  double fraction() { return double(next() >> 11) * 0x1p-53; }
};

template <typename T>
void fillWith(char *to, int64_t bytes, llvm::function_ref<T(int64_t)> value) {
  for (int64_t i = 0; i < bytes / int64_t(sizeof(T)); ++i) {
    T v = value(i);
    std::memcpy(to + i * sizeof(T), &v, sizeof(T));
  }
}

void fillIntegers(char *to, int64_t bytes, int64_t elementBytes,
                  llvm::function_ref<int64_t(int64_t)> value) {
  switch (elementBytes) {
  case 1:
    return fillWith<int8_t>(to, bytes, value);
  case 2:
    return fillWith<int16_t>(to, bytes, value);
  case 4:
    return fillWith<int32_t>(to, bytes, value);
  default:
    return fillWith<int64_t>(to, bytes, value);
  }
}

uint64_t encodeRounded(const llvm::fltSemantics &semantics, double number) {
  llvm::APFloat value(number);
  bool lost;
  value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &lost);
  return value.bitcastToAPInt().getZExtValue();
}

/// False for formats that lack a sign, a zero or NaN.
bool isWhole(const llvm::fltSemantics &semantics) {
  using llvm::APFloat;
  return APFloat::semanticsHasZero(semantics) &&
         APFloat::semanticsHasSignedRepr(semantics) &&
         APFloat::semanticsHasNaN(semantics);
}

/// Signs, zeros, denormals, small whole numbers, and numbers that are equal.
uint64_t signedFloat(const llvm::fltSemantics &semantics, Random &random) {
  using llvm::APFloat;
  if (!isWhole(semantics))
    return encodeRounded(semantics, 0.5 + random.fraction());
  bool negative = random.next() & 1;
  auto bitsOf = [](const APFloat &value) {
    return value.bitcastToAPInt().getZExtValue();
  };
  switch (random.next() % 16) {
  case 0:
  case 1:
    return bitsOf(APFloat::getZero(semantics, negative));
  case 2:
    return bitsOf(APFloat::getSmallest(semantics, negative));
  case 3:
    return encodeRounded(semantics, negative ? -1.0 : 1.0);
  case 4:
    return encodeRounded(semantics, double(random.next() % 17) - 8.0);
  default:
    return encodeRounded(semantics,
                         (0.5 + random.fraction()) * (negative ? -1.0 : 1.0));
  }
}

/// Every second one is at an end of the format.
uint64_t extremeFloat(const llvm::fltSemantics &semantics, Random &random) {
  using llvm::APFloat;
  if (!isWhole(semantics))
    return signedFloat(semantics, random);
  bool negative = random.next() & 1;
  auto bitsOf = [](const APFloat &value) {
    return value.bitcastToAPInt().getZExtValue();
  };
  switch (random.next() % 12) {
  case 0:
    // Formats without infinities make something else of it.
    return bitsOf(APFloat::getInf(semantics, negative));
  case 1:
    return bitsOf(APFloat::getNaN(semantics));
  case 2:
    return bitsOf(APFloat::getLargest(semantics, negative));
  case 3:
    return bitsOf(APFloat::getSmallest(semantics, negative));
  case 4:
    return bitsOf(APFloat::getSmallestNormalized(semantics, negative));
  case 5:
    return bitsOf(APFloat::getZero(semantics, negative));
  default:
    return signedFloat(semantics, random);
  }
}

/// Small, equal and extreme ones between any.
uint64_t signedInteger(int64_t elementBytes, Random &random) {
  unsigned bits = std::min<int64_t>(elementBytes, 8) * 8;
  uint64_t lowest = uint64_t(1) << (bits - 1);
  switch (random.next() % 12) {
  case 0:
    return 0;
  case 1:
    return lowest;
  case 2:
    return lowest - 1;
  case 3:
    return ~uint64_t(0);
  case 4:
    return 7;
  case 5:
  case 6:
    return random.next() % 17 - 8;
  default:
    return random.next();
  }
}

/// Floats in [0.5, 1.5): no sums that cancel, logarithms and roots that exist.
void fillPlainFloats(char *to, int64_t bytes, const Contents &contents,
                     Random &random) {
  if (contents.elementBytes == 4)
    return fillWith<float>(to, bytes, [&](int64_t) {
      return 0.5f + float(random.next() >> 40) * 0x1p-24f;
    });
  if (contents.elementBytes == 8)
    return fillWith<double>(to, bytes,
                            [&](int64_t) { return 0.5 + random.fraction(); });
  std::vector<int64_t> values;
  for (int i = 0; i < kPool; ++i)
    values.push_back(
        encodeRounded(*contents.semantics, 0.5 + random.fraction()));
  fillIntegers(to, bytes, contents.elementBytes,
               [&](int64_t) { return values[random.next() >> 52]; });
}

void fillRandom(char *to, int64_t bytes, const Contents &contents,
                Inputs inputs, Random &random) {
  if (inputs == Inputs::Plain) {
    if (contents.semantics)
      return fillPlainFloats(to, bytes, contents, random);
    return fillIntegers(to, bytes, contents.elementBytes,
                        [&](int64_t) { return random.next(); });
  }
  std::vector<int64_t> values;
  for (int i = 0; i < kPool; ++i)
    values.push_back(
        !contents.semantics ? signedInteger(contents.elementBytes, random)
        : inputs == Inputs::Signed ? signedFloat(*contents.semantics, random)
                                   : extremeFloat(*contents.semantics, random));
  fillIntegers(to, bytes, contents.elementBytes,
               [&](int64_t) { return values[random.next() >> 52]; });
}

/// Beside any number of the range its ends, and one number that is repeated.
int64_t inRange(const Contents &contents, Inputs inputs, Random &random) {
  uint64_t span = std::max<int64_t>(contents.high - contents.low, 1);
  switch (inputs == Inputs::Plain ? 0 : random.next() % 4) {
  case 1:
    return contents.low;
  case 2:
    return contents.low + int64_t(span - 1);
  case 3:
    return contents.low + int64_t(span / 2);
  default:
    return contents.low + int64_t(random.next() % span);
  }
}

/// Uneven steps, so that rows have different lengths; unless plain, most rows
/// are empty.
int64_t onRamp(const Contents &contents, Inputs inputs, int64_t i,
               int64_t count, Random &random) {
  int64_t span = std::max<int64_t>(contents.high - contents.low, 1);
  int64_t last = std::max<int64_t>(count - 1, 1);
  if (inputs != Inputs::Plain && i < last)
    return contents.low + int64_t(__int128(span - 1) * (i / 8 * 8) / last);
  int64_t exact = __int128(span - 1) * i / last;
  int64_t step = (span - 1) / last;
  int64_t back = i && i < last && step ? random.next() % (step + 1) : 0;
  return contents.low + exact - back;
}

} // namespace

void fill(char *to, int64_t bytes, const Contents &contents, Inputs inputs) {
  Random random{contents.seed};
  int64_t count = std::max<int64_t>(bytes / contents.elementBytes, 1);
  switch (contents.kind) {
  case Contents::Kind::Random:
    fillRandom(to, bytes, contents, inputs, random);
    break;
  case Contents::Kind::Range:
    fillIntegers(to, bytes, contents.elementBytes,
                 [&](int64_t) { return inRange(contents, inputs, random); });
    break;
  case Contents::Kind::Ramp:
    fillIntegers(to, bytes, contents.elementBytes, [&](int64_t i) {
      return onRamp(contents, inputs, i, count, random);
    });
    break;
  case Contents::Kind::Fixed:
    break;
  }
  std::copy_n(contents.bytes.begin(),
              std::min<int64_t>(bytes, contents.bytes.size()), to);
}

uint64_t scalarBits(const llvm::fltSemantics &semantics, uint64_t seed,
                    Inputs inputs) {
  double plain = 0.75 + 0.125 * double(seed % 4);
  return encodeRounded(semantics, inputs == Inputs::Plain    ? plain
                                  : inputs == Inputs::Signed ? -plain
                                                             : 0.0);
}

} // namespace swizzle::host
