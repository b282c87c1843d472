//===- Finalists.h - The best few, measured ---------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the simulator ranked is decided by the clock: the original and the best
// few orders are compiled, measured in turns, and the fastest is kept.
//
//   FinalistsOptions options;
//   options.place = {Place::Program, folder, {"swizzle-run"}};
//   auto measured = measureFinalists(result, build, model, options);
//   // result.best is now the fastest one, or the kernel as it is
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_DRIVER_FINALISTS_H
#define SWIZZLE_DRIVER_FINALISTS_H

#include "swizzle/Kernel/KernelModel.h"
#include "swizzle/Profiling/MeasureBundle.h"
#include "swizzle/Tuning/Report.h"

namespace swizzle {

struct FinalistsOptions {
  Place place;
  unsigned count = 6;   ///< beside the original
  double margin = 0.01; ///< a smaller gain leaves the kernel as it is
  /// How to measure; variants are added, and the launch that the model tells if
  /// there is none.
  Job job;
  /// Numbers of the attempts that are measured, first those that matter most;
  /// empty: those that are simulated to be fastest.
  std::vector<unsigned> attempts = {};
};

/// How the kernel is started: as `job` says, else as the model tells. Fails if
/// that is not known, or if outputs shall be compared and there are none.
llvm::Expected<std::vector<LaunchDescription>>
launchesOf(const Job &job, const KernelModel &model);

/// The attempts that have simulated times, the fastest first.
std::vector<const Attempt *> rankBySimulation(const TuningResult &result);

/// The kernel as it is, compiled like its variants. Fails if it is not.
llvm::Expected<std::shared_ptr<const Artifact>>
buildUnchanged(const BuildFunction &build);

/// Measures up to `count` attempts of `result`, each order once, and makes the
/// fastest the result's best among those that are faster by more than margin
/// and noise (`isFaster`): the kernel as it is where none is. Fails, and
/// changes nothing, if the kernel cannot be started from what is known of it,
/// or if the original is not measured; `ResultsMissing` if nobody has measured
/// yet.
llvm::Expected<MeasuredFinalists>
measureFinalists(TuningResult &result, const BuildFunction &build,
                 const KernelModel &model, const FinalistsOptions &options);

} // namespace swizzle

#endif // SWIZZLE_DRIVER_FINALISTS_H
