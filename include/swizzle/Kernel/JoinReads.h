//===- JoinReads.h - Reads that a back end issues as one --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread that reads eight halves side by side, one by one, reads 16 bytes in
// one instruction once the kernel is assembled: LLVM's back ends for GPUs join
// loads of one basic block that lie side by side where the first one is
// promised to be aligned well enough.
//
//   read a[16*t] 2 bytes (aligned to 16), read a[16*t + 2] 2 bytes, ...
//     ->  read a[16*t] 16 bytes
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_KERNEL_JOINREADS_H
#define SWIZZLE_KERNEL_JOINREADS_H

#include "swizzle/Kernel/KernelModel.h"

namespace swizzle {

/// Joins the reads of `model` that a back end would, and takes the instructions
/// that are saved off those of their bodies. The same bytes are read as before.
void joinReads(KernelModel &model);

} // namespace swizzle

#endif // SWIZZLE_KERNEL_JOINREADS_H
