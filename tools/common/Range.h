//===- Range.h - Numbers that options may have ------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's parser of the command line takes any number of the type: -1, nan, inf.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_COMMON_RANGE_H
#define SWIZZLE_TOOLS_COMMON_RANGE_H

#include "llvm/Support/Error.h"
#include <limits>

namespace swizzle {

/// No option takes more seconds: thirty years.
constexpr double kMostSeconds = 1e9;
/// Registers that a thread may have.
constexpr double kMostRegisters = 1024;

/// What `option` was given, and what it may be.
struct OptionRange {
  llvm::StringRef option;
  double value = 0, least = 0;
  double most = double(std::numeric_limits<int64_t>::max());
};

/// Fails if one of them is outside of its range, or is no number.
llvm::Error checkRanges(llvm::ArrayRef<OptionRange> ranges);

} // namespace swizzle

#endif // SWIZZLE_TOOLS_COMMON_RANGE_H
