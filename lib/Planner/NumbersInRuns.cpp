//===- NumbersInRuns.cpp - Numbers from memory that are sorted ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See NumbersInRuns.h.
//
//===----------------------------------------------------------------------===//

#include "NumbersInRuns.h"

#include "Constants.h"

namespace swizzle::planner {

std::optional<KernelModel> withNumbersInRuns(KernelModel model) {
  bool any = false;
  for (Variable &variable : model.variables)
    if (variable.kind == VariableKind::Loaded) {
      variable.kind = VariableKind::Quotient;
      variable.divisor *= SearchConstants::lengthOfRuns;
      any = true;
    }
  return any ? std::optional(std::move(model)) : std::nullopt;
}

} // namespace swizzle::planner
