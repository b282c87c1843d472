//===- Signature.h - The pattern of a kernel's accesses ------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that differ only in sizes share their signature: what helped one is
// worth telling about the other.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_KERNEL_SIGNATURE_H
#define SWIZZLE_KERNEL_SIGNATURE_H

#include "swizzle/Kernel/KernelModel.h"

namespace swizzle {

/// One word a buffer that is accessed, in the order of the buffers: how (r, w,
/// a for atomics), bytes of an element, and which variables the addresses
/// depend on, without coefficients: `r2[t+x+l] r2[t+y+l] w2[t+x+y]`. Threads
/// are `t`, loop counters `l`; a share or a remainder of something is `q(...)`.
/// `n/a`: nothing is accessed in a way that is modelled.
std::string accessSignature(const KernelModel &model);

} // namespace swizzle

#endif // SWIZZLE_KERNEL_SIGNATURE_H
