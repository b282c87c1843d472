//===- PlanListener.h - Who runs the passes hears of it ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes know neither which files their host reads and writes nor when a
// run ends. A host that attaches a listener to the dialect is asked about files
// before anything is done, hears of each kernel, and gets the report to write
// it when its output is written. Without one, the pass writes the report
// itself.
//
//   struct Host : PlanListener { ... };
//   registry.addExtensions<AttachHost>();   // dialect->addInterface<Host>()
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TRANSFORMS_PLANLISTENER_H
#define SWIZZLE_TRANSFORMS_PLANLISTENER_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectInterface.h"
#include "swizzle/Planning/Decision.h"
#include "swizzle/Support/FileRoles.h"

namespace swizzle {

class PlanListener : public mlir::DialectInterface::Base<PlanListener> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlanListener)

  explicit PlanListener(mlir::Dialect *dialect) : Base(dialect) {}

  /// Fails if the files that a pass was given must not be used together with
  /// those of the host.
  virtual llvm::Error check(std::vector<FileRole> files) const = 0;
  /// One module was planned. With a `report`, a path, that is where the host
  /// tells of it; `inputHash` names the module.
  virtual void planned(const std::vector<PlannedKernel> &kernels,
                       llvm::StringRef report,
                       llvm::StringRef inputHash) const = 0;
};

} // namespace swizzle

#endif // SWIZZLE_TRANSFORMS_PLANLISTENER_H
