//===- IRDifference.cpp - What a remap changes in the IR ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Works on copies, so that a report never changes what is compiled.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Transforms/IRDifference.h"

#include "swizzle/Analysis/Describe/Kernels.h"
#include "swizzle/Analysis/Read/ModuleFacts.h"
#include "swizzle/IR/OwnDiagnostics.h"
#include "swizzle/Lowering/WorkgroupIds.h"
#include "swizzle/Support/LineDifference.h"
#include "swizzle/Transforms/Materialize.h"
#include "swizzle/Transforms/PlanModule.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace swizzle {

static KernelTexts printFunctions(ModuleOp module) {
  constexpr int64_t mostElements = 16;
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(mostElements).useLocalScope();
  KernelTexts texts;
  for (FunctionOpInterface kernel : findKernels(module)) {
    llvm::raw_string_ostream os(texts[kernelPath(kernel)]);
    kernel->print(os, flags);
  }
  return texts;
}

KernelTexts printKernels(ModuleOp module) {
  OwningOpRef<ModuleOp> outlined = cloneOutlined(module);
  return outlined ? printFunctions(*outlined) : KernelTexts();
}

std::map<std::string, std::vector<std::string>>
differencesFrom(const KernelTexts &before, ModuleOp after) {
  OwningOpRef<ModuleOp> copy = cast<ModuleOp>(after->clone());
  // What cannot be materialised is told by the pass that does it for real.
  OwnDiagnostics silence(after.getContext(),
                         [](Diagnostic &) { return success(); });
  SmallVector<RemapOp> remaps;
  copy->walk([&](RemapOp remap) { remaps.push_back(remap); });
  std::map<std::string, std::vector<std::string>> differences;
  ModuleFacts facts(*copy);
  llvm::SetVector<Operation *> changed;
  for (RemapOp remap : remaps) {
    if (auto kernel = remap->getParentOfType<FunctionOpInterface>())
      for (FunctionOpInterface function : reachableFunctions(kernel))
        changed.insert(function);
    if (failed(materialize(remap, /*lowered=*/nullptr, facts)))
      return differences;
  }
  for (Operation *function : changed)
    if (failed(lowerEmitted(function)))
      return differences;
  for (const auto &[path, text] : printFunctions(*copy)) {
    auto old = before.find(path);
    if (old != before.end() && old->second != text)
      differences[path] = differenceOfLines(old->second, text);
  }
  return differences;
}

} // namespace swizzle
