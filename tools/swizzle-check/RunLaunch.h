//===- RunLaunch.h - Runs a whole launch on the host ------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No variant and no verdict: every workgroup of a kernel runs, one after the
// other on one memory, and what its buffers hold then is written to files, to
// be compared with whatever else computes the same.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_SWIZZLE_CHECK_RUNLAUNCH_H
#define SWIZZLE_TOOLS_SWIZZLE_CHECK_RUNLAUNCH_H

#include "swizzle/Codegen/Host/HostKernel.h"

namespace swizzle {

struct LaunchRun {
  Grid grid, block;
  int64_t accesses = 0; ///< to global memory, by all workgroups
};

/// Runs `kernel` on a grid and a block that `options` or the module must give,
/// and on arguments that `options` must give: what a pointer leads to is as
/// large as its contents. Argument 2, a buffer, is then written to
/// `folder`/arg2. The error is an `UncheckedError` if the host cannot run it, a
/// `HostFault` if the kernel did something wrong, and else says what is wrong
/// with the options.
llvm::Expected<LaunchRun> runLaunch(mlir::FunctionOpInterface kernel,
                                    HostOptions options,
                                    llvm::StringRef folder);

} // namespace swizzle

#endif // SWIZZLE_TOOLS_SWIZZLE_CHECK_RUNLAUNCH_H
