//===- Limits.h - What ends a check without a verdict -----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels run in this process. If it runs out of memory or of time, or if a
// kernel's code crashes, nothing was found out: the program says "unchecked"
// and ends with status 3, never with that of a verdict.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_SWIZZLE_CHECK_LIMITS_H
#define SWIZZLE_TOOLS_SWIZZLE_CHECK_LIMITS_H

#include <string>

namespace swizzle {

/// How the program says so: what is printed before and after the reason.
struct LimitText {
  std::string before, after;
};

/// From now on. `seconds` 0: no limit of time.
void installLimits(LimitText text, double seconds);

} // namespace swizzle

#endif // SWIZZLE_TOOLS_SWIZZLE_CHECK_LIMITS_H
