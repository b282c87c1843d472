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

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <limits>

namespace swizzle {

/// No option takes more seconds: thirty years.
constexpr double kLongestSeconds = 1e9;

/// What `option` was given, and what it may be.
struct OptionRange {
  llvm::StringRef option;
  double value = 0, least = 0;
  double most = double(std::numeric_limits<int64_t>::max());
};

/// Fails if an option of the command line has an empty value, `--grid=`, as a
/// variable of a script that is not set leaves behind. Those in `mayBeEmpty`
/// say with it that there is none.
llvm::Error checkEmpty(int argc, char **argv,
                       llvm::ArrayRef<llvm::StringRef> mayBeEmpty = {});

/// Fails if one of them is outside of its range, or is no number.
llvm::Error checkRanges(llvm::ArrayRef<OptionRange> ranges);

} // namespace swizzle

#endif // SWIZZLE_TOOLS_COMMON_RANGE_H
