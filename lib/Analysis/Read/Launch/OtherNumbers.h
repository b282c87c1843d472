//===- OtherNumbers.h - Numbers for which a kernel does more ----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For numbers that nobody gave a kernel may leave out what it does for others:
//
//   if (begin + i < end) ...      nothing, where both are 4096
//   if (n % 4) ...                no rest of 4096
//   if (n < 100) ...
//
// What a launch may ask for is judged under numbers for which it is done.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_LAUNCH_OTHERNUMBERS_H
#define SWIZZLE_LIB_ANALYSIS_READ_LAUNCH_OTHERNUMBERS_H

#include "NominalNumbers.h"

#include "swizzle/Lowering/LowerKernel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace swizzle::analysis {

/// Numbers by the name of their argument, in place of nominal ones.
using OtherNumbers = llvm::StringMap<int64_t>;

/// What to try of the arguments of `lowered`, of which `nominal` have nominal
/// sizes, and of the `members` of structures, by the loads of them: a size that
/// nothing divides, for all; a larger one for each; conditions the other way,
/// each and all; and what each is compared with or asked for bits of.
std::vector<OtherNumbers> otherNumbers(const LoweredKernel &lowered,
                                       llvm::ArrayRef<std::string> nominal,
                                       llvm::ArrayRef<NamedNumber> members);

/// For numbers of these names, sizes that are no less than the threads of a
/// launch, of which a workgroup has so many: some that are all alike, and some of
/// which the first are the least, or the last. What is true under all of them
/// hardly rests on any.
std::vector<OtherNumbers> farNumbers(llvm::ArrayRef<std::string> names,
                                     const Grid &grid, int64_t threads);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_READ_LAUNCH_OTHERNUMBERS_H
