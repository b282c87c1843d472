//===- Lowering.cpp - Lowering a formula to operations --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry point: a known grid of moderate size is enumerated, any other grid
// is lowered from the loop nest that the formula was recognised as.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Lowering/Lowering.h"

#include "GridLowering.h"
#include "NestLowering.h"
#include "Proof/NestRecogniser.h"
#include "TextLowering.h"
#include "swizzle/Formula/Proof/Proof.h"

namespace swizzle {

using namespace formula;

llvm::Expected<LoweredFormula> lower(const Formula &formula,
                                     const Environment &environment,
                                     const LoweringOptions &options) {
  const Grid &grid = environment.grid;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (grid[axis] != kUnknownExtent &&
        (grid[axis] < 1 || grid[axis] > INT32_MAX))
      return llvm::createStringError(
          "cannot lower the formula: extent %lld of the grid is not in 1 to "
          "2^31 - 1",
          static_cast<long long>(grid[axis]));
  if (!grid.isStatic() || grid.count() > kMostEnumerated) {
    NestRecognition found = recognise(formula, environment);
    const std::optional<LoopNest> &nest = found.nest;
    auto dies = environment.hardware.find("num_xcds");
    bool diesKnown = dies != environment.hardware.end() && dies->second;
    if (nest && (nest->deal == Deal::None || diesKnown))
      return formula::lowerNest(*nest, grid, diesKnown ? *dies->second : 1);
    if (!found.isPermutation)
      return llvm::createStringError(
          "cannot lower the formula: the grid is not known, or has more than "
          "2^22 workgroups, and the formula is not a loop nest over it");
    // A permutation by construction all the same, with positive divisors.
    llvm::Expected<BoundFormula::Program> graph =
        compileGraph(formula, environment);
    if (!graph)
      return graph.takeError();
    return formula::lowerText(*graph);
  }

  if (llvm::Error error = BoundFormula::bind(formula, environment).takeError())
    return error;
  llvm::Expected<BoundFormula::Program> graph =
      compileGraph(formula, environment);
  if (!graph)
    return graph.takeError();
  std::vector<formula::NodeFacts> facts = formula::enumerate(*graph);
  for (unsigned axis = 0; axis < 3; ++axis) {
    const formula::NodeFacts &fact = facts[graph->results[axis]];
    if (fact.everUndefined)
      return llvm::createStringError(
          "cannot lower the formula: the new id of axis %u is undefined for "
          "some workgroup",
          axis);
    if (fact.low < 0 || fact.high >= grid[axis])
      return llvm::createStringError(
          "cannot lower the formula: the new id of axis %u leaves the grid",
          axis);
  }
  return formula::lowerOnGrid(*graph, facts, options);
}

} // namespace swizzle
