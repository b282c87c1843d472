//===- ModuleReport.h - Tells what was planned in a module ------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The report of `swizzle-plan`, and the host (PlanListener.h) that is told
// before anybody else.
//
//   ModuleReport report(module, "report.json");   // notes how kernels look now
//   planModule(module, settings, planned);
//   report.publish(planned);   // writes the file, or hands all to the host
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TRANSFORMS_MODULEREPORT_H
#define SWIZZLE_TRANSFORMS_MODULEREPORT_H

#include "swizzle/Planning/Decision.h"
#include "swizzle/Support/FileRoles.h"
#include "swizzle/Transforms/IRDifference.h"

namespace swizzle {

/// Refuses files that are read and written, or written twice, those of the host
/// and the file that `module` was read from included.
llvm::Error checkFiles(mlir::ModuleOp module, std::vector<FileRole> files);

class ModuleReport {
public:
  /// With an empty `path` there is no report, and only the host is told.
  ModuleReport(mlir::ModuleOp module, llvm::StringRef path);

  /// Tells what was decided, with what it changed in the IR since this report
  /// was made. Errors are emitted.
  mlir::LogicalResult publish(std::vector<PlannedKernel> &planned);

private:
  mlir::LogicalResult refuse(llvm::Error error);

  mlir::ModuleOp module;
  std::string path, inputHash;
  KernelTexts before;
};

} // namespace swizzle

#endif // SWIZZLE_TRANSFORMS_MODULEREPORT_H
