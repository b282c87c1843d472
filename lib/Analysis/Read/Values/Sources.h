//===- Sources.h - What a value is computed from ----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes back from a value to what it is made of: through operations, and if that
// is asked for, through joins of branches, what loops carry, and what threads of
// a workgroup leave for each other in its memory:
//
//   for (k = tid; k < n; k += 256) most = max(most, a[row * n + k]);
//   s[tid] = most;                               <- what the test is made of:
//   if (s[tid ^ 1] > 448)                           numbers from a
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_VALUES_SOURCES_H
#define SWIZZLE_LIB_ANALYSIS_READ_VALUES_SOURCES_H

#include "../KernelReader.h"

namespace mlir {
class CFGLoopInfo;
} // namespace mlir

namespace swizzle::analysis {

/// What becomes of the operands of an operation.
enum class Operands : uint8_t { NotAsked, Asked, Unclear };

/// Goes through what `value` is computed from; false if `visit` finds something
/// unclear, or it is too much. With `loops`, of the region in which it is used,
/// joins, loops and workgroup memory are gone through, too; but not where ids
/// may pick the workgroups that get there.
bool forEachSource(KernelReader &reader, mlir::Value value,
                   const mlir::CFGLoopInfo *loops,
                   llvm::function_ref<Operands(mlir::Operation *op)> visit);

/// The axis along which `op` reads a workgroup id; nullopt if it does not.
std::optional<unsigned> axisOfId(mlir::Operation *op);

/// The axes of the grid, as bits, along which several workgroups get here and
/// `value` is the same for all of them, numbers from memory included; 0 where
/// that is not clear.
unsigned axesNotIn(KernelReader &reader, mlir::Value value);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_READ_VALUES_SOURCES_H
