//===- SymbolicFormula.h - A formula as polynomials -------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a formula on symbols instead of numbers: names are inlined, and every
// expression becomes a polynomial in normal form. Each also gets a bound on its
// absolute value, so that a proof holds for 64-bit arithmetic and not only for
// the integers.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_SYMBOLICFORMULA_H
#define SWIZZLE_LIB_FORMULA_SYMBOLICFORMULA_H

#include "Algebra.h"
#include "swizzle/Formula/Formula.h"

namespace swizzle {

/// What proofs for unknown extents assume of them, checked at run time by what
/// is emitted.
constexpr double kMaxExtent = 2147483648.0;        // 2^31
constexpr double kMaxWorkgroups = 1099511627776.0; // 2^40

struct SymbolicInputs {
  Polynomial id[3], extent[3];
  /// An expression equal to `first` is taken to be `second`.
  std::vector<std::pair<Polynomial, Polynomial>> cuts;
  /// Absolute values that are known to be bounded.
  std::map<Polynomial, double> bounds;
};

struct SymbolicResult {
  Polynomial result[3];
  std::vector<Polynomial> nodes; ///< every expression
  /// Divisors in the text that are not positive by themselves.
  std::vector<Polynomial> openDivisors;
  bool mayOverflow = false; ///< some value is not shown to fit in 64 bits
  bool infeasible = false;  ///< some `require` is false whatever the extents
  std::string failure; ///< why the formula has no such form; empty if it has
};

SymbolicResult runSymbolically(Algebra &algebra, const Formula &formula,
                               const Environment &environment,
                               const SymbolicInputs &inputs);

} // namespace swizzle

#endif // SWIZZLE_LIB_FORMULA_SYMBOLICFORMULA_H
