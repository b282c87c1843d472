//===- GridFacts.h - What a case of a proof knows of the grid ---*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A condition such as `gx % 8 == 0` reads no id, and splits a proof in two
// cases. What it says, that an extent or a product of extents is a multiple of
// a number, is used where it holds: the extent is that number times a new one,
// and divisions that the number decides have no remainder.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_PROOF_GRIDFACTS_H
#define SWIZZLE_LIB_FORMULA_PROOF_GRIDFACTS_H

#include "SymbolicFormula.h"

namespace swizzle::formula {

class GridFacts {
public:
  /// These facts, and what follows from each of `zeros` being 0. `inputs` are
  /// those that were made with these facts.
  GridFacts with(const std::vector<Polynomial> &zeros,
                 const SymbolicInputs &inputs) const;

  /// The largest number, up to a bound, of which the extent of `axis` is known
  /// to be a multiple.
  int64_t multipleOf(unsigned axis) const;

  /// True if the product of the extents of `axes` is known to be a multiple of
  /// `x`; extents that `grid` leaves open count by what is known of them.
  bool divide(int64_t x, const std::vector<unsigned> &axes,
              const Grid &grid) const;

private:
  /// The product of the extents of `axes`, a mask, is a multiple of `modulus`.
  struct Fact {
    unsigned axes = 0;
    int64_t modulus = 1;
  };
  void learn(const Polynomial &zero, const SymbolicInputs &inputs,
             std::vector<Fact> &to) const;

  std::vector<Fact> facts;
};

/// True if `known` is `divisor` times extents and positive constants.
bool isMultipleOf(const Algebra &algebra, const Polynomial &known,
                  const Polynomial &divisor);

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_PROOF_GRIDFACTS_H
