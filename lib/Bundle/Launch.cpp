//===- Launch.cpp - How one kernel is started -----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of the enumerations, and the rule by which buffers are filled.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Bundle/Launch.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace swizzle {

namespace {

struct TypeRow {
  std::string_view name;
  int64_t bytes;
  int exponentBits, mantissaBits; ///< 0: an integer
};
constexpr TypeRow kTypes[] = {
    {"unknown", 0, 0, 0}, {"i8", 1, 0, 0},   {"i16", 2, 0, 0},
    {"i32", 4, 0, 0},     {"i64", 8, 0, 0},  {"f16", 2, 5, 10},
    {"bf16", 2, 8, 7},    {"f32", 4, 8, 23}, {"f64", 8, 11, 52}};
constexpr std::string_view kDirections[] = {"in", "out", "inout"};
constexpr std::string_view kFills[] = {"zeros", "random"};

template <typename Enum, size_t N>
std::optional<Enum> find(const std::string_view (&names)[N],
                         std::string_view word) {
  for (size_t i = 0; i < N; ++i)
    if (names[i] == word)
      return Enum(i);
  return std::nullopt;
}

/// The next number of a SplitMix64 generator at this state (Steele, Lea and
/// Flood, "Fast splittable pseudorandom number generators", 2014).
uint64_t splitMix64(uint64_t state) {
  state += 0x9e3779b97f4a7c15u;
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
  state = (state ^ (state >> 27)) * 0x94d049bb133111ebu;
  return state ^ (state >> 31);
}

/// The bits of a number that the IEEE format of these widths holds exactly:
/// -0.5 as half precision (5, 10) is 0xb800.
uint64_t encode(double value, int exponentBits, int mantissaBits) {
  if (value == 0)
    return 0;
  int exponent = 0;
  double fraction = std::frexp(std::abs(value), &exponent); // 0.5 to 1
  uint64_t mantissa = uint64_t(std::ldexp(2 * fraction - 1, mantissaBits));
  int bias = (1 << (exponentBits - 1)) - 1;
  return uint64_t(value < 0) << (exponentBits + mantissaBits) |
         uint64_t(exponent - 1 + bias) << mantissaBits | mantissa;
}

} // namespace

std::string_view toString(ElementType type) {
  return kTypes[size_t(type)].name;
}
int64_t sizeOf(ElementType type) { return kTypes[size_t(type)].bytes; }

std::optional<ElementType> readElementType(std::string_view word) {
  for (size_t i = 0; i < std::size(kTypes); ++i)
    if (kTypes[i].name == word)
      return ElementType(i);
  return std::nullopt;
}

std::string_view toString(Direction direction) {
  return kDirections[size_t(direction)];
}
std::optional<Direction> readDirection(std::string_view word) {
  return find<Direction>(kDirections, word);
}

std::string_view toString(FillKind kind) { return kFills[size_t(kind)]; }
std::optional<FillKind> readFillKind(std::string_view word) {
  return find<FillKind>(kFills, word);
}

bool writesAnything(const std::vector<LaunchDescription> &launches) {
  for (const LaunchDescription &launch : launches)
    for (const LaunchArgument &argument : launch.arguments) {
      auto *buffer = std::get_if<BufferArgument>(&argument.value);
      if (buffer && buffer->direction != Direction::In && buffer->bytes > 0)
        return true;
    }
  return false;
}

void fillBuffer(unsigned char *to, const BufferArgument &buffer) {
  if (buffer.fill.kind == FillKind::Zeros) {
    std::memset(to, 0, size_t(buffer.bytes));
    return;
  }
  const TypeRow &type = kTypes[size_t(buffer.type)];
  int64_t size = type.bytes ? type.bytes : buffer.elementBytes;
  // There are sixteen elements; lowest byte first, as all GPUs have it,
  // whatever this machine does. What is longer than 8 bytes ends with zeros.
  std::vector<unsigned char> elements(size_t(16 * size));
  for (int64_t number = 0; number < 16; ++number) {
    uint64_t bits = uint64_t(number);
    if (type.exponentBits)
      bits = encode((double(number) - 8) / 8, type.exponentBits,
                    type.mantissaBits);
    for (int64_t byte = 0; byte < std::min<int64_t>(size, 8); ++byte)
      elements[size_t(number * size + byte)] =
          static_cast<unsigned char>(bits >> (8 * byte));
  }
  int64_t count = buffer.bytes / size;
  auto fill = [&](auto bytes) {
    for (int64_t i = 0; i < count; ++i) {
      uint64_t number =
          splitMix64(uint64_t(buffer.fill.seed) + uint64_t(i)) % 16;
      std::memcpy(to + i * bytes, &elements[size_t(int64_t(number) * bytes)],
                  size_t(bytes));
    }
  };
  // With a size that the compiler knows, a gigabyte takes a second.
  if (size == 2)
    fill(std::integral_constant<int64_t, 2>());
  else if (size == 4)
    fill(std::integral_constant<int64_t, 4>());
  else if (size == 8)
    fill(std::integral_constant<int64_t, 8>());
  else
    fill(size);
  std::memset(to + count * size, 0, size_t(buffer.bytes - count * size));
}

} // namespace swizzle
