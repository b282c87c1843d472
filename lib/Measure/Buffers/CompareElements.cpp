//===- CompareElements.cpp - Outputs, element by element ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two values agree if they are equal, if both are NaN, or if they differ by no
// more than absolute + relative times the larger one.
//
//===----------------------------------------------------------------------===//

#include "CompareElements.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace swizzle::measuring {

namespace {

/// A float of `mantissaBits` and the exponent of IEEE's half or of bfloat16.
double decodeSmall(uint16_t bits, int exponentBits, int mantissaBits) {
  int exponent = (bits >> mantissaBits) & ((1 << exponentBits) - 1);
  int mantissa = bits & ((1 << mantissaBits) - 1);
  double sign = bits >> 15 ? -1 : 1;
  int bias = (1 << (exponentBits - 1)) - 1;
  if (exponent == (1 << exponentBits) - 1)
    return mantissa ? NAN : sign * INFINITY;
  if (exponent == 0)
    return sign * std::ldexp(double(mantissa), 1 - bias - mantissaBits);
  return sign * std::ldexp(1 + std::ldexp(double(mantissa), -mantissaBits),
                           exponent - bias);
}

template <typename T> T read(const unsigned char *at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

double decode(const unsigned char *at, ElementType type) {
  switch (type) {
  case ElementType::F16:
    return decodeSmall(read<uint16_t>(at), 5, 10);
  case ElementType::BF16:
    return decodeSmall(read<uint16_t>(at), 8, 7);
  case ElementType::F32:
    return double(read<float>(at));
  case ElementType::F64:
    return read<double>(at);
  case ElementType::I8:
    return read<int8_t>(at);
  case ElementType::I16:
    return read<int16_t>(at);
  case ElementType::I32:
    return read<int32_t>(at);
  case ElementType::I64:
    return double(read<int64_t>(at));
  case ElementType::Unknown:
    break;
  }
  return 0;
}

std::string show(const unsigned char *at, ElementType type, int64_t bytes) {
  char text[64];
  if (type != ElementType::Unknown) {
    std::snprintf(text, sizeof(text), "%.9g", decode(at, type));
    return text;
  }
  std::string bits = "0x";
  for (int64_t i = std::min<int64_t>(bytes, 8); i-- > 0;) {
    std::snprintf(text, sizeof(text), "%02x", at[i]);
    bits += text;
  }
  return bits;
}

/// True if the numbers are as near to each other as `check` asks; an infinity
/// is not near to anything else.
bool agree(double a, double b, const JobCheck &check) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return true;
  double bound =
      check.absolute + check.relative * std::max(std::abs(a), std::abs(b));
  return std::isfinite(a) && std::isfinite(b) && std::abs(a - b) <= bound;
}

/// Rounding is what a tolerance is for: integers are exact.
bool isFloat(ElementType type) {
  return type == ElementType::F16 || type == ElementType::BF16 ||
         type == ElementType::F32 || type == ElementType::F64;
}

} // namespace

std::string compareElements(const unsigned char *expected,
                            const unsigned char *found,
                            const BufferArgument &shape,
                            const JobCheck &check) {
  size_t bytes = size_t(shape.bytes);
  if (std::memcmp(expected, found, bytes) == 0)
    return "";
  int64_t size = sizeOf(shape.type) ? sizeOf(shape.type) : shape.elementBytes;
  bool tolerant =
      (check.absolute > 0 || check.relative > 0) && isFloat(shape.type);
  int64_t count = 0, first = -1;
  for (int64_t at = 0; at + size <= shape.bytes; at += size) {
    if (std::memcmp(expected + at, found + at, size_t(size)) == 0)
      continue;
    if (tolerant && agree(decode(expected + at, shape.type),
                          decode(found + at, shape.type), check))
      continue;
    first = first < 0 ? at : first;
    ++count;
  }
  size_t whole = bytes - bytes % size_t(size);
  if (!count &&
      std::memcmp(expected + whole, found + whole, bytes - whole) != 0)
    return "the bytes after the last whole element differ";
  if (!count)
    return "";
  return "element " + std::to_string(first / size) + " is " +
         show(found + first, shape.type, size) + ", the original's is " +
         show(expected + first, shape.type, size) + " (" +
         std::to_string(count) + " of " + std::to_string(shape.bytes / size) +
         " elements differ)";
}

uint64_t encodeHalf(double value, bool bfloat) {
  float narrow = float(value);
  uint32_t bits = 0;
  std::memcpy(&bits, &narrow, sizeof(bits));
  if (bfloat)
    return bits >> 16;
  uint64_t sign = bits >> 31 << 15;
  double size = std::abs(double(narrow));
  if (std::isnan(value))
    return 0x7e00;
  if (size >= 65536)
    return sign | 0x7c00;
  if (size == 0)
    return sign;
  int exponent = 0;
  std::frexp(size, &exponent); // size is 0.5 to 1 times 2^exponent
  exponent = std::max(exponent, -13);
  uint64_t mantissa = uint64_t(std::ldexp(size, 11 - exponent));
  // The leading bit adds one to the exponent, and nothing if there is none.
  return sign | ((uint64_t(exponent + 13) << 10) + mantissa);
}

} // namespace swizzle::measuring
