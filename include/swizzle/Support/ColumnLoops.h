//===- ColumnLoops.h - One operation over columns of numbers -- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is computed for every workgroup of a grid is computed for a thousand at
// a time: a column of numbers for each value, one loop for each operation. The
// loops are compiled twice, for any processor and for one with vectors of 256
// bits, and a run picks what its machine has. The results do not depend on it.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_COLUMNLOOPS_H
#define SWIZZLE_SUPPORT_COLUMNLOOPS_H

#include <cstddef>
#include <cstdint>
#include <utility>

namespace swizzle {

namespace columns {

#if defined(__x86_64__) && defined(__GNUC__)
#define SWIZZLE_WIDE_LOOPS 1
#define SWIZZLE_WIDE_TARGET __attribute__((target("avx2")))
/// Whether this machine has vectors of 256 bits.
inline bool hasWideVectors() {
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
}
#endif

// What is inlined is compiled for the vectors of where it stands.
#if defined(__GNUC__)
#define SWIZZLE_IN_PLACE __attribute__((always_inline)) inline
#else
#define SWIZZLE_IN_PLACE inline
#endif

/// out[i] = fn(a[i], b[i], c[i], fault) for i < count; returns the union of the
/// bits that `fn` sets in `fault`. Columns that are read may be the same one,
/// the one that is written is none of them. `fn` should not branch.
template <typename A, typename B, typename C, typename Out, typename Fn>
SWIZZLE_IN_PLACE uint32_t mapAny(size_t count, const A *a, const B *b,
                                 const C *c, Out *__restrict out, Fn fn) {
  uint32_t faults = 0;
  for (size_t i = 0; i < count; ++i) {
    uint32_t fault = 0;
    out[i] = fn(a[i], b[i], c[i], fault);
    faults |= fault;
  }
  return faults;
}

#ifdef SWIZZLE_WIDE_LOOPS
template <typename A, typename B, typename C, typename Out, typename Fn>
SWIZZLE_WIDE_TARGET uint32_t mapWide(size_t count, const A *a, const B *b,
                                     const C *c, Out *__restrict out, Fn fn) {
  return mapAny(count, a, b, c, out, fn);
}
#endif

/// As `mapAny`, with the vectors that the machine has.
template <typename A, typename B, typename C, typename Out, typename Fn>
inline uint32_t map(size_t count, const A *a, const B *b, const C *c, Out *out,
                    Fn fn) {
#ifdef SWIZZLE_WIDE_LOOPS
  if (hasWideVectors())
    return mapWide(count, a, b, c, out, fn);
#endif
  return mapAny(count, a, b, c, out, fn);
}

/// The least and the largest of the first `count` numbers, at least one.
template <typename T>
SWIZZLE_IN_PLACE std::pair<T, T> rangeAny(size_t count, const T *a) {
  T low = a[0], high = a[0];
  for (size_t i = 1; i < count; ++i) {
    low = a[i] < low ? a[i] : low;
    high = a[i] > high ? a[i] : high;
  }
  return {low, high};
}

#ifdef SWIZZLE_WIDE_LOOPS
template <typename T>
SWIZZLE_WIDE_TARGET std::pair<T, T> rangeWide(size_t count, const T *a) {
  return rangeAny(count, a);
}
#endif

template <typename T> inline std::pair<T, T> range(size_t count, const T *a) {
#ifdef SWIZZLE_WIDE_LOOPS
  if (hasWideVectors())
    return rangeWide(count, a);
#endif
  return rangeAny(count, a);
}

} // namespace columns

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_COLUMNLOOPS_H
