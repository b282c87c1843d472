//===- Text.h - Lines of a kernel at one of two levels ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes integer arithmetic as `arith` or as `llvm` operations, and knows the
// range of each value, so that only flags are written that hold, and only
// addresses that lie within their buffer:
//
//   %3 = arith.muli %1, %2 overflow<nsw> : i32      %3 in [0, 88]
//   %3 = llvm.mul %1, %2 overflow<nsw> : i32
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_FUZZ_KERNELS_TEXT_H
#define SWIZZLE_FUZZ_KERNELS_TEXT_H

#include "Choices.h"
#include "FuzzKernel.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace swizzle::fuzz {

enum class Level : uint8_t {
  High, ///< gpu, scf, memref, vector, arith
  Low,  ///< llvm, with nvvm or rocdl
};

/// Ranges of values up to 64 bits are exact; those of i128 are cut off at
/// 2^120.
using Wide = __int128;

struct IntType {
  unsigned bits = 32;
  bool index = false; ///< of 64 bits; `High` only

  bool operator==(IntType other) const {
    return bits == other.bits && index == other.index;
  }
  std::string text() const {
    return index ? "index" : "i" + std::to_string(bits);
  }
};

/// A value of the kernel, and the least and the greatest that it can be, read
/// as signed: `true` is -1.
struct Int {
  std::string name;
  IntType type;
  Wide lo = 0, hi = 0;

  bool isConstant() const { return lo == hi; }
  bool isNonNegative() const { return lo >= 0; }
};

enum class Op : uint8_t {
  Add,
  Sub,
  Mul,
  Shl,
  LShr,
  AShr,
  UDiv,
  SDiv,
  URem,
  SRem,
  And,
  Or,
  Xor,
  SMin,
  SMax,
  UMin,
  UMax,
};

class Text {
public:
  Text(Choices &choices, FuzzKernel &kernel)
      : choices(choices), kernel(kernel) {}

protected:
  int64_t draw(int64_t low, int64_t high) { return choices.draw(low, high); }
  bool chance(int percent) { return choices.chance(percent); }
  /// Draws whether to use `feature`, by its weight as a percentage.
  bool use(Feature feature);
  /// Draws one of `features` by their weights.
  Feature oneOf(std::initializer_list<Feature> features);
  void note(Feature feature) { kernel.features.set(size_t(feature)); }

  bool high() const { return level == Level::High; }
  void line(const std::string &text) { *out += text + "\n"; }
  /// Writes `%name = right`; the name.
  std::string define(const std::string &right);
  std::string fresh() { return "%" + std::to_string(++names); }
  std::string label() { return "^b" + std::to_string(++labels); }

  /// The type in which indices of memory are written.
  IntType indexType() const { return {64, high()}; }
  /// A type of arithmetic that can hold lo..hi.
  IntType anyType(Wide lo, Wide hi);

  Int constant(IntType type, Wide value);
  Int boolean(bool value) { return constant({1, false}, value ? -1 : 0); }
  Int binary(Op op, const Int &a, const Int &b);
  Int binary(Op op, const Int &a, Wide b) {
    return binary(op, a, constant(a.type, b));
  }
  /// Widens by sign or by zeros, or cuts off.
  Int cast(const Int &value, IntType to, bool isSigned);
  /// Any cast that keeps the value, which must fit.
  Int convert(const Int &value, IntType to);
  Int compare(const char *predicate, const Int &a, const Int &b);
  Int compare(const char *predicate, const Int &a, Wide b) {
    return compare(predicate, a, constant(a.type, b));
  }
  Int select(const Int &condition, const Int &yes, const Int &no);

  Choices &choices;
  FuzzKernel &kernel;
  Level level = Level::High;
  std::string *out = nullptr;

private:
  int names = 0, labels = 0;
};

} // namespace swizzle::fuzz

#endif // SWIZZLE_FUZZ_KERNELS_TEXT_H
