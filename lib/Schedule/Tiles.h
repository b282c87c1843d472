//===- Tiles.h - Tile sizes of one linalg operation -------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which part of an operation a workgroup, a thread, and one step of a thread
// compute. A 1024x768 product over 512, 256 threads:
//
//   workgroup {64, 64, 0}, thread {4, 4, 0}, step {0, 0, 4}
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SCHEDULE_TILES_H
#define SWIZZLE_LIB_SCHEDULE_TILES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "swizzle/Schedule/Schedule.h"

namespace swizzle::schedule {

/// One number per loop of the operation; 0: not tiled there.
struct Tiles {
  llvm::SmallVector<int64_t> workgroup, thread, step;
};

/// Tile sizes of `op`, whose parallel loops run in the order of the result's
/// dimensions. A thread computes several points only along loops whose
/// extent is known and divisible; elsewhere it computes one, and a workgroup's
/// last tile may be smaller.
/// `reuse`: workgroups that are square share the most operands, see below.
Tiles chooseTiles(mlir::linalg::LinalgOp op, bool reuse,
                  const ScheduleOptions &options);

/// Whether an operand is read again along a loop that the result runs over:
/// products and convolutions.
bool reusesOperands(mlir::linalg::LinalgOp op);

} // namespace swizzle::schedule

#endif // SWIZZLE_LIB_SCHEDULE_TILES_H
