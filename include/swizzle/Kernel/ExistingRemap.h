//===- ExistingRemap.h - Remaps that a kernel contains ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A remap by hand is part of a kernel, and what a new order has to beat. It
// shows in the addresses that workgroups start from.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_KERNEL_EXISTINGREMAP_H
#define SWIZZLE_KERNEL_EXISTINGREMAP_H

#include "swizzle/Kernel/KernelModel.h"

namespace swizzle {

/// Describes the order in which the kernel itself walks its tiles, if that is
/// neither row- nor column-major in the linear workgroup id; else empty.
std::string findExistingRemap(const KernelModel &model);

} // namespace swizzle

#endif // SWIZZLE_KERNEL_EXISTINGREMAP_H
