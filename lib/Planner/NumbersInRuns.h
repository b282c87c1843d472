//===- NumbersInRuns.h - Numbers from memory that are sorted ---*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What memory holds nobody knows: a kernel that goes by it is looked at with
// numbers that are spread evenly, and once more with sorted ones.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_PLANNER_NUMBERSINRUNS_H
#define SWIZZLE_LIB_PLANNER_NUMBERSINRUNS_H

#include "swizzle/Kernel/KernelModel.h"
#include <optional>

namespace swizzle::planner {

/// The same kernel where numbers from memory come in order, each several times
/// in a row, as sorted ones do; nothing if it reads none that it goes by.
std::optional<KernelModel> withNumbersInRuns(KernelModel model);

} // namespace swizzle::planner

#endif // SWIZZLE_LIB_PLANNER_NUMBERSINRUNS_H
