//===- WriteReport.cpp - The report of one module -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files of one folder are named by the source and by a hash of its path and of
// the target triple: src/a.cl and test/a.cl, each for amdgcn and for nvptx64, give
// four reports.
//
//===----------------------------------------------------------------------===//

#include "WriteReport.h"

#include "Remarks.h"
#include "swizzle/Planning/Report.h"
#include "swizzle/Support/Hash.h"
#include "swizzle/Support/WriteFile.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace swizzle::llvmpass {

/// Where the report of this module goes: to the file, or into the folder.
static std::string reportPath(const Module &module, StringRef report) {
  if (!sys::fs::is_directory(report))
    return report.str();
  SmallString<128> path(report);
  std::string name =
      sys::path::stem(module.getSourceFileName()).str() + "-" +
      hashText(module.getSourceFileName() + module.getTargetTriple().str())
          .substr(7, 8);
  sys::path::append(path, name + ".json");
  return std::string(path);
}

void writeReport(Module &module, const ModuleOutcome &outcome,
                 StringRef report) {
  std::string path = reportPath(module, report);
  if (Error error = writeFileWhole(
          path, printReport(outcome.kernels, outcome.inputHash)))
    diagnose(module, DS_Error,
             "swizzle: cannot write the report '" + path +
                 "': " + toString(std::move(error)));
}

} // namespace swizzle::llvmpass
