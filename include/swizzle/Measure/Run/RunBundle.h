//===- RunBundle.h - Measures what a bundle asks for ------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads job.json, measures on a GPU of this machine, writes results.jsonl.
//
//   RunOptions options;
//   options.folder = "bundle";
//   int status = runBundle(options);   // 0: all measured
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_MEASURE_RUN_RUNBUNDLE_H
#define SWIZZLE_MEASURE_RUN_RUNBUNDLE_H

#include "swizzle/Measure/Device/GpuDriver.h"

namespace swizzle {

struct RunOptions {
  std::string folder;
  /// By the first variant's format, if nothing is said.
  std::optional<GpuApi> api;
  int device = 0;
  /// Measures everything again, whatever results.jsonl holds.
  bool fresh = false;
  /// Only this variant, beside the original; empty: all.
  std::string only;
  /// Runs each variant once without timing, for a profiler that watches.
  bool once = false;
  /// The vendor's profiler, which counts what is measured; empty: the usual one
  /// of the variants' vendor, found in $PATH.
  std::optional<std::string> profiler;
  /// Variants that one process measures in turns.
  size_t groupSize = 16;
};

/// Exit statuses of `swizzle-run`.
enum RunStatus {
  kAllMeasured = 0,
  kSomeFailed = 1, ///< rows with a `failure` say why
  kWrongInput = 2,
  kNoDevice = 3,
};

/// Progress and what is wrong go to standard error.
int runBundle(const RunOptions &options);

} // namespace swizzle

#endif // SWIZZLE_MEASURE_RUN_RUNBUNDLE_H
