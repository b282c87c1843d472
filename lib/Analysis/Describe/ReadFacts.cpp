//===- ReadFacts.cpp - From IR to the facts of planning -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes, then one walk for model and effects, then the verdict; and at last
// what agents and the tuning database know the kernel by.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Analysis/ReadFacts.h"

#include "../Read/KernelReader.h"
#include "swizzle/Analysis/KernelHash.h"
#include "swizzle/Analysis/KernelText.h"
#include "swizzle/Analysis/Legality.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace swizzle {

/// The verdict on a kernel, without the IR; where it is a refusal, `location`
/// becomes that of what is refused.
static KernelVerdict toVerdict(KernelLegality legality, Location &location) {
  KernelVerdict verdict;
  verdict.assumptions = std::move(legality.assumptions);
  verdict.notes = std::move(legality.notes);
  if (!legality.existingRemap.empty())
    verdict.notes.push_back("a remap by hand is part of the kernel: " +
                            legality.existingRemap);
  if (legality.refusal) {
    verdict.code = legality.refusal->code;
    verdict.message = legality.refusal->message;
    verdict.counterexample = legality.refusal->counterexample;
    location = legality.refusal->location;
  }
  return verdict;
}

/// A function with a name that only importing gives, or null.
static Operation *findReserved(FunctionOpInterface kernel) {
  Operation *found = nullptr;
  kernel->getParentOp()->walk([&](FunctionOpInterface function) {
    if (function.getName().starts_with("swizzle.ptx."))
      found = function;
  });
  return found;
}

LocatedFacts readFacts(FunctionOpInterface kernel,
                       const FactsOptions &options) {
  LocatedFacts result{{}, kernel.getLoc()};
  KernelFacts &facts = result.facts;
  facts.name = kernel.getName().str();
  if (auto module = kernel->getParentOfType<gpu::GPUModuleOp>())
    facts.module = module.getName().str();
  facts.sizes = findLaunchSizes(kernel, options.grid, options.block);
  facts.sizes.subgroup = options.subgroup;
  KernelReading reading = readKernel(kernel, facts.sizes);
  // A grid without workgroups has nothing to judge.
  if (!facts.gridIsEmpty()) {
    LegalityOptions legality;
    legality.strict = options.strict;
    legality.compose = options.compose;
    facts.verdict =
        toVerdict(judgeKernel(kernel, reading, facts.sizes, legality),
                  result.location);
  }
  if (Operation *reserved =
          options.imported ? nullptr : findReserved(kernel)) {
    facts.verdict = {"unknown-callee",
                     "names that begin with 'swizzle.ptx.' stand for what "
                     "importing made; rename the function",
                     "",
                     {},
                     {}};
    result.location = reserved->getLoc();
  }
  facts.location = describeLocation(result.location);
  facts.model = std::move(reading.model);
  if (facts.gridIsGuarded())
    facts.model.gridKnown = {true, true, true};
  facts.text = kernelText(kernel);
  facts.hash = hashKernel(kernel, facts.sizes.block);
  return result;
}

} // namespace swizzle
