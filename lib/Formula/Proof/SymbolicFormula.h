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

#ifndef SWIZZLE_LIB_FORMULA_PROOF_SYMBOLICFORMULA_H
#define SWIZZLE_LIB_FORMULA_PROOF_SYMBOLICFORMULA_H

#include "Algebra.h"
#include "swizzle/Formula/Formula.h"

namespace swizzle::formula {

/// What proofs for unknown extents assume of them, checked at run time by what
/// is emitted.
constexpr double kMaxExtent = 2147483648.0;        // 2^31
constexpr double kMaxWorkgroups = 1099511627776.0; // 2^40

struct SymbolicInputs {
  Polynomial id[3], extent[3];
  /// Conditionals of the text that are decided: which side is taken.
  std::map<ExprId, bool> taken;
  /// An expression equal to `first` is taken to be `second`.
  std::vector<std::pair<Polynomial, Polynomial>> cuts;
  /// Absolute values that are known to be bounded.
  std::map<Polynomial, double> bounds;
};

/// The symbol behind an extent, which is a multiple of it; nullopt for 1.
inline std::optional<AtomId> extentAtom(const SymbolicInputs &inputs,
                                        unsigned axis) {
  const auto &terms = inputs.extent[axis].terms();
  if (terms.size() != 1 || terms.begin()->first.size() != 1)
    return std::nullopt;
  return terms.begin()->first.front();
}

/// A condition that reads no id, so that it is the same for all workgroups.
struct UniformCondition {
  Polynomial value;
  std::vector<ExprId> conditionals;  ///< that it decides
  std::vector<Polynomial> zeros;     ///< are 0 where it holds
  std::vector<Polynomial> zerosElse; ///< are 0 where it does not
};

struct SymbolicResult {
  Polynomial result[3];
  std::vector<Polynomial> nodes; ///< every expression
  /// Divisors in the text that are not positive by themselves.
  std::vector<Polynomial> openDivisors;
  std::vector<UniformCondition> conditions; ///< that are not decided yet
  bool leavesCurve = false; ///< some curve may be asked for a point it lacks
  bool mayOverflow = false; ///< some value is not shown to fit in 64 bits
  bool infeasible = false;  ///< some `require` is false whatever the extents
  std::string failure; ///< why the formula has no such form; empty if it has
};

SymbolicResult runSymbolically(Algebra &algebra, const Formula &formula,
                               const Environment &environment,
                               const SymbolicInputs &inputs);

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_PROOF_SYMBOLICFORMULA_H
