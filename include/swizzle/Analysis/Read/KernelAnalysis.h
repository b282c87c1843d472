//===- KernelAnalysis.h - What a kernel does ---------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a kernel into a `KernelModel`. What is not affine is kept as "not
// modelled" with its reason, never guessed.
//
//   LaunchSizes sizes = findLaunchSizes(kernel, std::nullopt, std::nullopt);
//   KernelReading reading = readKernel(kernel, sizes);
//   reading.model      read arg0[4*tx + 1024*x] 4 bytes, ...
//   reading.refusal    {"volatile", "the load is volatile: ..."}, if any
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_ANALYSIS_READ_KERNELANALYSIS_H
#define SWIZZLE_ANALYSIS_READ_KERNELANALYSIS_H

#include "swizzle/Analysis/Describe/Kernels.h"
#include "swizzle/Analysis/Read/ModuleFacts.h"
#include "swizzle/Kernel/KernelModel.h"
#include "swizzle/Kernel/LaunchSizes.h"
#include "swizzle/Lowering/LowerKernel.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace swizzle {

/// Reads grid and block of `kernel` from its attributes and launches; options,
/// where given, fill in what the IR leaves open (they never override a fact: a
/// contradiction is noted). Whoever asks about several kernels of a module
/// hands the facts of that down, here and below; without them, they are found
/// each time.
LaunchSizes findLaunchSizes(mlir::FunctionOpInterface kernel,
                            std::optional<Grid> gridOption,
                            std::optional<Grid> blockOption,
                            const ModuleFacts &module);
LaunchSizes findLaunchSizes(mlir::FunctionOpInterface kernel,
                            std::optional<Grid> gridOption,
                            std::optional<Grid> blockOption);

/// Why a kernel must be left alone. `code` is stable; docs/legality.md lists
/// all.
struct KernelRefusal {
  std::string code;
  std::string message;
  std::string counterexample; ///< two workgroups and a byte, where there is one
  mlir::Location location;
};

/// A way through a kernel that nominal numbers do not take.
struct OtherWay {
  KernelModel model;
  std::string where; ///< "the test of arg1 fails"; empty if the numbers say it
  /// Numbers were not changed with it: that something else is touched may be due
  /// to that, and that others do it is not.
  bool atKnownPlaces = false;
  /// Numbers are others: what was done before is not compared once more.
  bool hasOtherNumbers = false;
};

/// What is known of a kernel after it was read. Model and effects come from one
/// walk over one lowering of it.
struct KernelReading {
  /// Under the first launch in the module. Unknown extents and sizes have
  /// nominal values, listed under `assumed`.
  KernelModel model;
  /// Under the other launches in the module, as far as they pass other sizes or
  /// other buffers.
  std::vector<KernelModel> others;
  /// Under other numbers than the nominal ones, or with tests of what nobody gave
  /// the other way: what it does then, and does not, or not there, or by others,
  /// under those.
  std::vector<OtherWay> elsewhere;
  /// On a grid that somebody gave, under numbers that differ widely from the
  /// nominal ones and from each other: what workgroups do to each other under all
  /// of them hardly rests on any.
  std::vector<KernelModel> otherSizes;
  /// There are more ways than were read.
  bool waysLeft = false;
  /// The first operation that rules a remap out, whatever the addresses are.
  std::optional<KernelRefusal> refusal;
  std::vector<std::string> notes; ///< "not bit-stable: ..."
  /// Some nominal numbers are smaller than others, so that addresses fit.
  bool hasFittedNumbers = false;
};

/// Reads `kernel`. Never fails: what it cannot model is listed, what it cannot
/// read is a refusal.
KernelReading readKernel(mlir::FunctionOpInterface kernel,
                         const LaunchSizes &sizes, const ModuleFacts &module);
KernelReading readKernel(mlir::FunctionOpInterface kernel,
                         const LaunchSizes &sizes);

/// Vendor, architectures and subgroups to lower `kernel` for, to be read.
KernelLoweringOptions howToLower(mlir::FunctionOpInterface kernel,
                                 const LaunchSizes &sizes);

/// The model alone.
KernelModel buildKernelModel(mlir::FunctionOpInterface kernel,
                             const LaunchSizes &sizes);

} // namespace swizzle

#endif // SWIZZLE_ANALYSIS_READ_KERNELANALYSIS_H
