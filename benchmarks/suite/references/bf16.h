//===- bf16.h - Numbers in bf16, as words ---------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The upper half of a float. Compilers convert `__bf16` by calls into a runtime
// library that a shared object of a test does not have.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_BENCHMARKS_SUITE_REFERENCES_BF16_H
#define SWIZZLE_BENCHMARKS_SUITE_REFERENCES_BF16_H

#include <cstring>

using Bf16 = unsigned short;

inline float widened(Bf16 x) {
  unsigned bits = unsigned(x) << 16;
  float wide;
  std::memcpy(&wide, &bits, sizeof bits);
  return wide;
}

/// Towards zero.
inline Bf16 cut(float x) {
  unsigned bits;
  std::memcpy(&bits, &x, sizeof bits);
  return Bf16(bits >> 16);
}

/// To the nearest, ties to even, of finite numbers.
inline Bf16 rounded(float x) {
  unsigned bits;
  std::memcpy(&bits, &x, sizeof bits);
  return Bf16((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#endif // SWIZZLE_BENCHMARKS_SUITE_REFERENCES_BF16_H
