//===- WriteReport.cpp - The report of one module -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files of one folder are named by the source and by a hash of its path and of
// the target triple: src/a.cl and test/a.cl, each for amdgcn and for nvptx64,
// give four reports.
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

/// The name of this module's report in the folder `folder`.
static std::string nameIn(StringRef folder, const Module &module) {
  SmallString<128> path(folder);
  std::string name =
      sys::path::stem(module.getSourceFileName()).str() + "-" +
      hashText(module.getSourceFileName() + module.getTargetTriple().str())
          .substr(7, 8);
  sys::path::append(path, name + ".json");
  return std::string(path);
}

static Error refuse(StringRef path, const Twine &why) {
  return createStringError("cannot write the report '" + path + "': " + why);
}

Expected<std::string> prepareReport(const Module &module,
                                    const PassSettings &settings) {
  std::string path = settings.report;
  bool isFolder = StringRef(path).ends_with("/");
  if (isFolder)
    if (std::error_code error = sys::fs::create_directories(path))
      return refuse(path, "the folder cannot be made: " + error.message());
  if (isFolder || sys::fs::is_directory(path))
    path = nameIn(path, module);
  // opt names a module after its file, and clang one after its source.
  std::vector<FileRole> files = {
      {"the source", module.getSourceFileName(), false},
      {"the input", module.getModuleIdentifier(), false},
      {"the report", path, true}};
  for (const FileRole &file : settings.files)
    if (file.path != settings.report)
      files.push_back(file);
  if (Error error = checkDistinct(files))
    return std::move(error);
  if (Error error = checkWritable(path))
    return refuse(path, toString(std::move(error)));
  return path;
}

void writeReport(Module &module, const ModuleOutcome &outcome, StringRef path) {
  if (Error error =
          writeFileWhole(path, printReport(outcome.kernels, outcome.inputHash)))
    diagnose(module, DS_Error,
             "swizzle: " + toString(refuse(path, toString(std::move(error)))));
}

} // namespace swizzle::llvmpass
