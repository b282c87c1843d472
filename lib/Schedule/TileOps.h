//===- TileOps.h - Tiles, fuses and vectorises ------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From linalg on tensors to loops over workgroups that hold loops over threads
// that hold vectors.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SCHEDULE_TILEOPS_H
#define SWIZZLE_LIB_SCHEDULE_TILEOPS_H

#include "swizzle/Schedule/Schedule.h"

namespace mlir {
class FunctionOpInterface;
} // namespace mlir

namespace swizzle::schedule {

/// Splits long reductions with few results, which would leave most of a GPU
/// idle, into one over parts and one over the parts' results.
void splitReductions(mlir::FunctionOpInterface function);

/// Turns every linalg operation of `function` into `scf.forall` over tiles of
/// workgroups, holding an `scf.forall` over tiles of threads.
mlir::LogicalResult tileToThreads(mlir::FunctionOpInterface function,
                                  const ScheduleOptions &options);

/// Vectorises what a thread computes, where its shape is known.
void vectorizeTiles(mlir::FunctionOpInterface function);

} // namespace swizzle::schedule

#endif // SWIZZLE_LIB_SCHEDULE_TILEOPS_H
