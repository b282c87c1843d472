//===- DescribeLaunch.h - How to start a kernel -----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a profiler that runs the kernel must know of a launch, from what is
// known of the kernel. A kernel that reads `a` and writes `c`, 4 KiB each:
//
//   LaunchDescription launch = describeLaunch(model, &unknown);
//   launch.arguments    a: 4096 bytes, f32, in, random numbers
//                       c: 4096 bytes, f32, out, zeros
//   unknown             "arg2: a tensor map, which the host makes", ...
//
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_KERNEL_DESCRIBELAUNCH_H
#define SWIZZLE_KERNEL_DESCRIBELAUNCH_H

#include "swizzle/Bundle/Launch.h"
#include "swizzle/Kernel/KernelModel.h"

namespace swizzle {

/// The launch that `model` describes. `unknown`, if given, gets one line for
/// each thing that the model leaves open and that a program which runs the
/// kernel has to be told; the simulator needs none of them.
LaunchDescription describeLaunch(const KernelModel &model,
                                 std::vector<std::string> *unknown = nullptr);

} // namespace swizzle

#endif // SWIZZLE_KERNEL_DESCRIBELAUNCH_H
