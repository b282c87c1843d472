//===- EmitFuzzer.cpp - A formula against the IR made of it ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes choose a grid and a formula; the formula is lowered and emitted,
// and the emitted operations are interpreted for every workgroup and compared
// with the formula's evaluator. A disagreement, a defined formula that is not
// lowered, and invalid IR are crashes.
//
//===----------------------------------------------------------------------===//

#include "Formula/Syntax/RandomFormula.h"
#include "Transforms/CompareEmitted.h"

#include <cstdio>
#include <cstdlib>

using namespace swizzle;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 8 || size > 4096)
    return 0;
  naive::RandomFormula source(data + 1, size - 1);
  Environment environment = source.environment();
  llvm::Expected<Formula> formula = Formula::parse(source.text(), "fuzz");
  if (!formula) {
    llvm::consumeError(formula.takeError());
    return 0;
  }
  environment.params =
      formula->combination(data[0] % formula->numCombinations());
  // A context of its own: attributes of one are never freed.
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  loadEmittedDialects(context);
  unsigned legal = 0;
  std::string difference =
      compareEmitted(context, *formula, environment, legal);
  if (!difference.empty()) {
    std::fprintf(stderr, "%s\n%s", difference.c_str(),
                 formula->print().c_str());
    std::abort();
  }
  return 0;
}
