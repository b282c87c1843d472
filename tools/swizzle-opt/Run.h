//===- Run.h - What one run of swizzle-opt tells and writes -----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes hand over what they decided. It is told, and reports are written,
// when the output has been: a report without its output would tell of a module
// that nobody has. Chunks of a split input share their reports.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_SWIZZLE_OPT_RUN_H
#define SWIZZLE_TOOLS_SWIZZLE_OPT_RUN_H

#include "mlir/IR/DialectRegistry.h"
#include "swizzle/Planning/Decision.h"
#include "swizzle/Support/FileRoles.h"
#include "swizzle/Support/WriteFile.h"
#include <mutex>

namespace swizzle {

class Run {
public:
  /// `files` are those of the tool's own options.
  explicit Run(std::vector<FileRole> files) : files(std::move(files)) {}

  /// Lets the passes of every context made from `registry` find this run.
  void listenIn(mlir::DialectRegistry &registry);

  /// Fails if the tool's files, and `more`, are not all different.
  llvm::Error check(std::vector<FileRole> more) const;
  void planned(const std::vector<PlannedKernel> &kernels,
               llvm::StringRef report, llvm::StringRef inputHash);

  /// Writes `output` and the reports, or none of them, and one line about each
  /// kernel to standard error.
  llvm::Error finish(WholeFile output);

private:
  struct Report {
    std::string path;
    std::vector<PlannedKernel> kernels;
    std::vector<std::string> hashes; ///< one for each module
  };

  std::mutex mutex; ///< modules beside each other are planned at once
  std::vector<FileRole> files;
  std::vector<Report> reports;
  std::vector<std::string> lines;
};

} // namespace swizzle

#endif // SWIZZLE_TOOLS_SWIZZLE_OPT_RUN_H
