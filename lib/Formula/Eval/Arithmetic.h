//===- Arithmetic.h - Floor division and its relatives ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The language's integer operations on plain values, as Python defines them.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_EVAL_ARITHMETIC_H
#define SWIZZLE_LIB_FORMULA_EVAL_ARITHMETIC_H

#include <cstdint>

namespace swizzle {

/// a / b rounded down; b is not 0, and the quotient fits.
template <typename T> T floorDiv(T a, T b) {
  T q = a / b;
  return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}

/// a - b * floor(a / b), which has the sign of b; b is not 0.
template <typename T> T floorMod(T a, T b) {
  if (b == -1)
    return 0;
  T r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

} // namespace swizzle

#endif // SWIZZLE_LIB_FORMULA_EVAL_ARITHMETIC_H
