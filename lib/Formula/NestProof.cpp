//===- NestProof.cpp - Proof for grids that are not enumerated ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.TXT for license information. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What cannot be enumerated is refused unless it is recognised as a permutation
// for every extent.
//
//===----------------------------------------------------------------------===//

#include "NestProof.h"

namespace swizzle {

Verdict proveNest(const Formula &formula, const Environment &environment,
                  int64_t maxIds) {
  Verdict verdict;
  const Grid &grid = environment.grid;
  if (!grid.isStatic())
    verdict.refusal =
        Refusal{"not-a-nest",
                "the grid " + toString(grid) +
                    " is not known, and the formula is not recognised as a "
                    "loop nest over the grid",
                ""};
  else
    verdict.refusal =
        Refusal{"too-many-ids",
                "the grid " + toString(grid) + " has more than " +
                    std::to_string(maxIds) +
                    " workgroups, and the formula is not recognised as a loop "
                    "nest over the grid",
                ""};
  return verdict;
}

} // namespace swizzle
