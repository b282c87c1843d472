//===- RemapModule.cpp - Remaps the kernels of a module -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All kernels are decided about before the first of them changes: an error in
// deciding about one leaves the module as it is.
//
//===----------------------------------------------------------------------===//

#include "swizzle/LLVMPass/RemapModule.h"

#include "Launches.h"
#include "Patch.h"
#include "Remarks.h"
#include "swizzle/Support/Hash.h"
#include "swizzle/Support/LineDifference.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace swizzle::llvmpass {

template <typename IR> static std::string textOf(const IR &ir) {
  std::string text;
  raw_string_ostream os(text);
  ir.print(os, nullptr);
  return text;
}

/// Rewrites the kernel of `planned`, which has a remap. False after an error.
static bool remapKernel(PlannedFunction &planned, const PassSettings &settings,
                        bool isReported) {
  Function &kernel = *planned.function;
  std::string original = isReported ? textOf(kernel) : "";
  if (Error error = applyRemaps(planned, settings.tag)) {
    diagnose(*kernel.getParent(), DS_Error,
             "swizzle: " + toString(std::move(error)));
    return false;
  }
  if (isReported)
    for (PlannedKernel &plan : planned.plans)
      plan.irDifference = differenceOfLines(original, textOf(kernel));
  return true;
}

ModuleOutcome remapModule(Module &module, StringRef early,
                          const PassSettings &settings, bool isReported) {
  ModuleOutcome outcome;
  if (isReported)
    outcome.inputHash = hashText(textOf(module));
  if (findKernels(module).empty())
    return outcome;
  for (const std::string &warning : settings.warnings)
    diagnose(module, DS_Warning, "swizzle: " + warning);
  for (const std::string &warning :
       findAmbiguous(KernelNames(module), settings))
    diagnose(module, DS_Warning, "swizzle: " + warning);
  Expected<std::vector<PlannedFunction>> planned =
      planFunctions(module, early, settings);
  if (!planned) {
    diagnose(module, DS_Error, "swizzle: " + toString(planned.takeError()));
    return outcome;
  }
  bool good = true;
  for (const PlannedFunction &one : *planned)
    good &= emitDiagnostics(one);
  for (PlannedFunction &one : *planned) {
    // Told before the kernel changes: remarks name its entry.
    if (good)
      emitRemarks(one);
    if (good && one.isRemapped())
      outcome.changed |= remapKernel(one, settings, isReported);
    for (PlannedKernel &plan : one.plans)
      outcome.kernels.push_back(std::move(plan));
  }
  return outcome;
}

} // namespace swizzle::llvmpass
