//===- RegisterTargets.h - LLVM's back ends, once ---------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's registry of back ends is one for the process and knows no lock: a host
// may run the pass in several threads.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_REGISTERTARGETS_H
#define SWIZZLE_SUPPORT_REGISTERTARGETS_H

namespace swizzle {

/// Registers the back ends that LLVM was built with, as far as names, features
/// and costs go; the first call does, whichever thread makes it.
void registerTargets();

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_REGISTERTARGETS_H
