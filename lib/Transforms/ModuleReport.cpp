//===- ModuleReport.cpp - Tells what was planned in a module --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A host writes the report when its own output is written; without one it is
// written here.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Transforms/ModuleReport.h"

#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Planning/Report.h"
#include "swizzle/Support/WriteFile.h"
#include "swizzle/Transforms/PlanListener.h"
#include "swizzle/Transforms/PlanModule.h"
#include "swizzle/Tuning/Report.h"

using namespace mlir;

namespace swizzle {

/// Null without a host that listens.
static const PlanListener *findListener(ModuleOp module) {
  auto *dialect = module->getContext()->getLoadedDialect<SwizzleDialect>();
  return dialect ? dialect->getRegisteredInterface<PlanListener>() : nullptr;
}

/// The file that the module was read from, as far as its location tells.
static std::string inputOf(ModuleOp module) {
  auto location = dyn_cast<FileLineColLoc>(module.getLoc());
  return location ? location.getFilename().str() : "";
}

llvm::Error checkFiles(ModuleOp module, std::vector<FileRole> files) {
  if (const PlanListener *host = findListener(module))
    return host->check(std::move(files));
  files.insert(files.begin(), {"the input", inputOf(module), false});
  return checkDistinct(files);
}

ModuleReport::ModuleReport(ModuleOp module, StringRef path)
    : module(module), path(path.str()) {
  if (path.empty())
    return;
  inputHash = hashOf(module);
  before = printKernels(module);
}

LogicalResult ModuleReport::refuse(llvm::Error error) {
  return emitError(module.getLoc()) << "cannot write the report '" << path
                                    << "': " << toString(std::move(error));
}

LogicalResult ModuleReport::publish(std::vector<PlannedKernel> &planned) {
  if (!path.empty()) {
    auto differences = differencesFrom(before, module);
    for (PlannedKernel &one : planned)
      one.irDifference =
          differences[fullName(one.facts.module, one.facts.name)];
    if (llvm::Error error = checkWritable(path))
      return refuse(std::move(error));
  }
  if (const PlanListener *host = findListener(module)) {
    host->planned(planned, path, inputHash);
    return success();
  }
  if (path.empty())
    return success();
  if (llvm::Error error = writeFileWhole(path, printReport(planned, inputHash)))
    return refuse(std::move(error));
  return success();
}

} // namespace swizzle
