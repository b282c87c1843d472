//===- NestRecogniser.h - Finds the loop nest in a text ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides whether a formula, whoever wrote it, is a loop nest for every extent.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_PROOF_NESTRECOGNISER_H
#define SWIZZLE_LIB_FORMULA_PROOF_NESTRECOGNISER_H

#include "swizzle/Formula/Orders/Nest.h"

namespace swizzle::formula {

struct NestRecognition {
  /// True if the formula is a permutation for every value of the extents that
  /// the environment leaves unknown (and for those that it states).
  bool isPermutation = false;
  /// The nest, where it can be said as a `LoopNest`.
  std::optional<LoopNest> nest;
  std::string description; ///< of what was found
  std::string reason;      ///< why nothing was found
  bool infeasible = false; ///< some `require` is false whatever the extents
};

NestRecognition recognise(const Formula &formula,
                          const Environment &environment);

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_PROOF_NESTRECOGNISER_H
