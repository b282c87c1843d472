//===- NestProof.cpp - Proof for grids that are not enumerated ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A grid that is unknown or huge is not walked; the formula must be a loop nest
// over the grid, recognised from its text (NestRecogniser.cpp). What that proof
// assumes of the extents is listed with it.
//
//===----------------------------------------------------------------------===//

#include "NestProof.h"
#include "Eval/Program.h"
#include "NestRecogniser.h"
#include "SymbolicFormula.h"

namespace swizzle::formula {

Verdict proveNest(const Formula &formula, const Environment &environment,
                  int64_t maxIds) {
  const Grid &grid = environment.grid;
  // Of the grid as it was given; the small one is nobody's.
  if (llvm::Error error = checkRank(grid, formula.numResults()))
    return Verdict::refuse(std::move(error));
  Environment small = environment;
  for (int64_t &extent : small.grid.extent)
    if (extent < 0)
      extent = 1;
  if (llvm::Error error =
          BoundFormula::bind(formula, std::move(small)).takeError())
    return Verdict::refuse(std::move(error));
  std::string subject = grid.isStatic()
                            ? "the grid " + toString(grid) + " has more than " +
                                  std::to_string(maxIds) + " workgroups"
                            : "the grid " + toString(grid) + " is not known";
  const char *code = grid.isStatic() ? "too-many-ids" : "not-a-nest";
  for (int64_t extent : grid.extent)
    if (double(extent) >= kMaxExtent)
      return Verdict::refuse(code,
                             subject + ", and an extent is not below 2^31");
  if (grid.isStatic() && double(grid.count()) > kMaxWorkgroups)
    return Verdict::refuse(code, subject + ", and has more than 2^40");
  NestRecognition nest = recognise(formula, environment);
  if (nest.infeasible)
    return Verdict::refuse("infeasible",
                           "a requirement of the formula does not hold");
  if (!nest.isPermutation)
    return Verdict::refuse(code, subject +
                                     ", and the formula is not recognised as "
                                     "a loop nest over the grid: " +
                                     nest.reason);
  Verdict verdict;
  verdict.proof = Proof{ProofKind::Nest, 0, {}};
  if (!grid.isStatic())
    verdict.proof->assumptions.push_back(
        "extents are below 2^31 and the grid has at most 2^40 workgroups");
  return verdict;
}

} // namespace swizzle::formula
