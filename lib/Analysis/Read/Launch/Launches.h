//===- Launches.h - What the host side says about a kernel ------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The launches of a kernel, and the values of their operands. An operand that
// is constant is evaluated; one that hangs on a size that nobody knows is
// evaluated with nominal sizes, and marked as such.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_LAUNCH_LAUNCHES_H
#define SWIZZLE_LIB_ANALYSIS_READ_LAUNCH_LAUNCHES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "swizzle/Analysis/Read/ModuleFacts.h"
#include "swizzle/Kernel/LaunchSizes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace swizzle::analysis {

/// Stands in for an extent of data that nobody knows.
inline constexpr int64_t kNominalExtent = 4096;
/// Stands in for extent `dim` of `rank`: 4096 for the two innermost ones, less
/// for outer ones, so that the whole stays of a size that a GPU can hold.
int64_t nominalExtent(int64_t rank, int64_t dim);
/// Launches that are read at most; the rest is assumed to be like them.
inline constexpr size_t kMostLaunches = 8;
/// Stands in for the extent of a grid axis that nobody knows.
inline constexpr int64_t kNominalGridExtent = 64;

/// An integer of the host program.
struct HostValue {
  int64_t value = 0;
  bool nominal = false; ///< hangs on a size that is not known
};

/// Evaluates integers of the host program by folding.
class HostValues {
public:
  /// Value of `value`; nullopt if it hangs on something that is no size (a
  /// loaded number, the result of a call).
  std::optional<HostValue> evaluate(mlir::Value value);
  /// Extent `dim` of `memref`, nominal if unknown.
  HostValue dimension(mlir::Value memref, int64_t dim);

private:
  std::optional<HostValue> fold(mlir::OpResult result);

  llvm::DenseMap<mlir::Value, std::optional<HostValue>> cache;
};

/// `known`, with each grid and block that a launch in the module states where
/// `known` leaves them open; of the first few launches those that are complete
/// then.
llvm::SmallVector<LaunchSizes> sizesOfLaunches(mlir::FunctionOpInterface kernel,
                                               const LaunchSizes &known,
                                               const ModuleFacts &module);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_READ_LAUNCH_LAUNCHES_H
