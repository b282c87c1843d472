//===- LineDifference.h - What differs between two texts --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shortest list of lines to take out and to put in, as `diff -u` shows it.
// Of IR, numbers of values do not count: an operation that is put in renumbers
// all that follow.
//
//   differenceOfLines("%0 = a\n%1 = b %0\n", "%0 = n\n%1 = a\n%2 = b %1\n")
//     "+%0 = n"
//     " %1 = a"
//     " %2 = b %1"
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_LINEDIFFERENCE_H
#define SWIZZLE_SUPPORT_LINEDIFFERENCE_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace swizzle {

/// Lines that begin with '-' (only in `before`), '+' (only in `after`) or ' '
/// (in both, as `after` has them, at most `context` next to a change); "..."
/// stands for those that are left out. Empty if nothing differs. Lines are the
/// same if they differ in the numbers of values (`%12`) alone.
std::vector<std::string> differenceOfLines(llvm::StringRef before,
                                           llvm::StringRef after,
                                           size_t context = 3);

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_LINEDIFFERENCE_H
