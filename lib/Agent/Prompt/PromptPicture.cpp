//===- PromptPicture.cpp - The mapping as a picture -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The picture that goes with a prompt: the grid as the hardware deals it out,
// beside the grid under the best formula so far.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Agent/Prompt/Prompt.h"

#include "swizzle/Formula/Draw/Picture.h"
#include "swizzle/Formula/Proof/Proof.h"
#include <numeric>

using namespace llvm;

namespace swizzle {

Expected<std::string> renderPicture(const AgentContext &context) {
  const Grid &grid = context.environment.grid;
  if (!grid.isStatic() || grid.count() > ProofOptions().maxIds ||
      grid.count() == 0)
    return createStringError(
        "there is no picture of the grid " + toString(grid) +
        ": its extents must be known, and at most " +
        std::to_string(ProofOptions().maxIds) + " workgroups in all");
  std::vector<uint32_t> permutation;
  for (const Attempt &attempt : context.history) {
    if (!context.best || attempt.number != context.best)
      continue;
    Expected<Formula> formula = Formula::parse(attempt.formula);
    if (!formula)
      return formula.takeError();
    Environment environment = context.environment;
    // Values that belong to no `param` of the formula would be refused.
    for (const ParamDecl &param : formula->params())
      if (auto set = attempt.params.find(param.name);
          set != attempt.params.end())
        environment.params.insert(*set);
    Verdict verdict = prove(*formula, environment, {}, permutation);
    if (!verdict.legal())
      return createStringError(verdict.refusal->message);
  }
  if (permutation.empty()) {
    permutation.resize(size_t(grid.count()));
    std::iota(permutation.begin(), permutation.end(), 0);
  }
  Drawing drawing;
  drawing.grid = grid;
  drawing.permutation = permutation;
  drawing.numDies = context.hardware.numDies;
  drawing.dispatchChunk = context.hardware.dispatchChunk;
  return drawPNG(drawing);
}

} // namespace swizzle
