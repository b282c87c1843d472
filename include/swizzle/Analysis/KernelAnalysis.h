//===- KernelAnalysis.h - GPU-dialect IR to KernelModel ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a kernel in GPU-dialect IR into a `KernelModel`. What is not affine is
// kept as "not modelled" with its reason, never guessed.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_ANALYSIS_KERNELANALYSIS_H
#define SWIZZLE_ANALYSIS_KERNELANALYSIS_H

#include "swizzle/Analysis/Kernels.h"
#include "swizzle/Kernel/KernelModel.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace swizzle {

/// Where a grid or block came from.
enum class SizeSource : uint8_t {
  Unknown,
  KernelAttribute, ///< known_grid_size, known_block_size: a fact of the IR
  PrivateLaunches, ///< all launches agree and nobody else can launch: a fact
  VisibleLaunches, ///< all launches agree, others may exist: an assumption
  Option,          ///< the user said so: an assumption
};

struct LaunchSizes {
  Grid grid{kUnknownExtent, kUnknownExtent, kUnknownExtent};
  Grid block{kUnknownExtent, kUnknownExtent, kUnknownExtent};
  SizeSource gridSource = SizeSource::Unknown;
  SizeSource blockSource = SizeSource::Unknown;
  /// Lanes of a subgroup on the chip that somebody named, 0 if nobody did. Used
  /// where the IR names no target, and then listed under `assumed`.
  int64_t subgroup = 0;
  /// "launches disagree: 64x64 at ..., 32x32 at ..."; empty if nothing is odd.
  std::string note;

  /// True if the grid must be guarded at run time.
  bool gridIsAssumption() const {
    return gridSource == SizeSource::VisibleLaunches ||
           gridSource == SizeSource::Option;
  }
};

/// Reads grid and block of `kernel` from its attributes and launches; options,
/// where given, fill in what the IR leaves open (they never override a fact: a
/// contradiction is noted).
LaunchSizes findLaunchSizes(mlir::FunctionOpInterface kernel,
                            std::optional<Grid> gridOption,
                            std::optional<Grid> blockOption);

/// Builds the model. Unknown extents and sizes get nominal values, listed under
/// `assumed`. Never fails: what it cannot read is listed under `notModelled`.
KernelModel buildKernelModel(mlir::FunctionOpInterface kernel,
                             const LaunchSizes &sizes);

/// The same, and the affine form, in the model's variables, of each integer of
/// the kernel that has exactly one: index expressions, remapped ids, bounds.
/// Values inside loops are in terms of the loop's counter; a value of a callee
/// has the form of the last call.
KernelModel buildKernelModel(mlir::FunctionOpInterface kernel,
                             const LaunchSizes &sizes,
                             llvm::DenseMap<mlir::Value, AffineForm> &forms);

} // namespace swizzle

#endif // SWIZZLE_ANALYSIS_KERNELANALYSIS_H
