//===- Steps.h - The steps before and after tiling --------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What brings linalg into one form before it is tiled, and loops into kernels
// after it.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SCHEDULE_STEPS_H
#define SWIZZLE_LIB_SCHEDULE_STEPS_H

#include "swizzle/Schedule/Schedule.h"

namespace mlir {
class FunctionOpInterface;
} // namespace mlir

namespace swizzle::schedule {

/// Operations on memrefs become operations on tensors that are written back.
void useTensors(mlir::FunctionOpInterface function);

/// Named operations become generic ones, whose parallel loops run in the order
/// of the result's dimensions, and whose reductions come last.
void normalizeLoops(mlir::FunctionOpInterface function);

/// After bufferisation: what was not tiled becomes a kernel of one thread, and
/// what was not vectorised becomes loops.
mlir::LogicalResult lowerRemainders(mlir::FunctionOpInterface function);

/// Says which loop is which dimension of grid and block: the innermost is x;
/// what is beyond three shares z.
void mapLoops(mlir::FunctionOpInterface function);

/// Vectors of several dimensions become rows, products become fused
/// multiply-adds.
void lowerVectors(mlir::FunctionOpInterface function);

} // namespace swizzle::schedule

#endif // SWIZZLE_LIB_SCHEDULE_STEPS_H
