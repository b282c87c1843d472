//===- CounterBounds.h - How far does a loop count? -------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The buffers of a pipeline are counted in a loop whose turns nobody knows:
//
//   ^loop(%stage):
//     %next = %stage + 1
//     %wrapped = select (%next == 4), 0, %next      ; 0 to 3
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_OPERATIONS_COUNTERBOUNDS_H
#define SWIZZLE_LIB_ANALYSIS_READ_OPERATIONS_COUNTERBOUNDS_H

#include "mlir/IR/Value.h"

#include <cstdint>
#include <optional>

namespace swizzle::analysis {

/// What `counter`, an argument of a block, is at most, if that follows from
/// constants that it begins at and is compared with before each step up; it is
/// not negative then. Nullopt: not known.
std::optional<uint64_t> mostOfCounter(mlir::BlockArgument counter);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_READ_OPERATIONS_COUNTERBOUNDS_H
