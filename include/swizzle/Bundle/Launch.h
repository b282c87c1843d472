//===- Launch.h - How one kernel is started ---------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sizes of a launch, its arguments and what is in its buffers, as plain
// data without LLVM. Every program fills a buffer by the same rule, so that two
// machines measure and compare the same contents:
//
//   BufferArgument a{4096, ElementType::F32, Direction::In, {FillKind::Random, 7}};
//   std::vector<unsigned char> bytes(a.bytes);
//   fillBuffer(bytes.data(), a);   // 1024 floats from -1 to 0.875, steps of 1/8
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_BUNDLE_LAUNCH_H
#define SWIZZLE_BUNDLE_LAUNCH_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace swizzle {

enum class ElementType : uint8_t {
  Unknown, ///< the kernel's facts tell the width alone
  I8,
  I16,
  I32,
  I64,
  F16,
  BF16,
  F32,
  F64,
};
/// "unknown", "i8", ..., "f64".
std::string_view toString(ElementType type);
std::optional<ElementType> readElementType(std::string_view word);
/// Bytes of one element; 0 of an unknown type.
int64_t sizeOf(ElementType type);

/// Whether a kernel reads a buffer, writes it, or both.
enum class Direction : uint8_t { In, Out, InOut };
/// "in", "out", "inout".
std::string_view toString(Direction direction);
std::optional<Direction> readDirection(std::string_view word);

enum class FillKind : uint8_t {
  Zeros,
  /// Element i is made of h = splitmix64(seed + i): of a floating-point type
  /// (h % 16 - 8) / 8, which all of them hold exactly; else h % 16, which as
  /// bits of an unknown type is never a NaN.
  Random,
};
/// "zeros", "random".
std::string_view toString(FillKind kind);
std::optional<FillKind> readFillKind(std::string_view word);

struct Fill {
  FillKind kind = FillKind::Zeros;
  int64_t seed = 0; ///< from 0 on
};

struct BufferArgument {
  int64_t bytes = 0;
  ElementType type = ElementType::Unknown;
  Direction direction = Direction::InOut;
  Fill fill;
  int64_t elementBytes = 1; ///< of an unknown type
  /// Of a memref that is passed as pointer, aligned pointer, offset 0, sizes
  /// and strides, in elements, as all are if the IR leaves one's size open.
  /// Empty: as one pointer.
  std::vector<int64_t> sizes = {}, strides = {};
};

struct ScalarArgument {
  ElementType type = ElementType::I64;
  std::variant<int64_t, double> value = int64_t(0);
};

struct LaunchArgument {
  std::string name;
  std::variant<BufferArgument, ScalarArgument> value;
};

struct LaunchDescription {
  std::string kernel; ///< as the artifact calls it
  std::array<int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  int64_t dynamicWorkgroupBytes = 0;
  std::vector<LaunchArgument> arguments; ///< in the kernel's order
};

/// True if a launch writes a buffer that has bytes: there are outputs to
/// compare.
bool writesAnything(const std::vector<LaunchDescription> &launches);

/// Fills `buffer.bytes` bytes at `to` by the buffer's rule. A rest that is
/// shorter than an element is zero.
void fillBuffer(unsigned char *to, const BufferArgument &buffer);

} // namespace swizzle

#endif // SWIZZLE_BUNDLE_LAUNCH_H
