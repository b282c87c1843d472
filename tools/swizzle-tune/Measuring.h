//===- Measuring.h - What --profiler means ----------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options about measuring on a GPU, and what they make of the driver's
// options.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_SWIZZLE_TUNE_MEASURING_H
#define SWIZZLE_TOOLS_SWIZZLE_TUNE_MEASURING_H

#include "swizzle/Driver/Driver.h"
#include "swizzle/Driver/MeasuredSearch.h"

namespace swizzle {

struct MeasuringOptions {
  bool simulatorAlone = true;
  bool throughout = false; ///< every order that the loop decides on
  bool search = false;     ///< and others, found by what is measured
  Place::How how = Place::Program;
  std::string api;     ///< "cuda", "hip"
  std::string command; ///< of the user
  std::string folder;  ///< for bundles; empty: a temporary one
  std::string launch;  ///< a job.json whose launches are taken; or empty
  FinalistsOptions finalists;
  double deviceSeconds = 0;
  unsigned patience = 2; ///< rounds of a search without a gain
  bool counters = false; ///< swizzle-run counts, too
};

/// Reads simulator, cuda, hip, bundle:DIR, command:PROGRAM.
llvm::Error readProfiler(llvm::StringRef text, MeasuringOptions &options);

/// Measures the best few of each kernel, or all that the loop decides on, or
/// searches on.
class Measuring {
public:
  /// `keepIn`, if not empty, is where bundles outlive the run.
  Measuring(const MeasuringOptions &options, std::string keepIn,
            const std::atomic<bool> *cancel)
      : options(options), keepIn(std::move(keepIn)), cancel(cancel) {}
  ~Measuring();
  Measuring(const Measuring &) = delete;
  Measuring &operator=(const Measuring &) = delete;

  /// Reads how kernels are started, and makes the folder for bundles.
  llvm::Error prepare();
  /// Fails if the program that measures, its GPU, or the folder that somebody
  /// else measures, cannot be used.
  llvm::Error checkPlace() const;
  /// Fails if --launch starts this kernel with another grid or block than the
  /// one that orders are proved for, unless they compare it at run time.
  llvm::Error checkLaunches(const KernelFacts &facts) const;
  /// Forgets what an earlier run measured. Only of bundles that lie beside a
  /// journal: in a folder that the user names, results are waited for.
  llvm::Error startAnew();
  /// The profiler of a kernel's loop, made from the simulator's.
  llvm::Expected<MeasureFunction> profilerOf(size_t kernel,
                                             const AgentContext &context,
                                             MeasureFunction simulator) const;
  /// Measures the best few, or searches on until `deadline`, unless the loop
  /// has measured all that it decided.
  llvm::Expected<std::optional<MeasuredFinalists>>
  measureBest(size_t kernel, const SearchedKernel &searched,
              TuningResult &result, const Deadline &deadline) const;

private:
  llvm::Error readLaunch();
  Place placeOf(size_t kernel, bool counted) const;
  Job jobFor(const HardwareSpec &hardware) const;

  MeasuringOptions options;
  std::string keepIn, folder, program;
  const std::atomic<bool> *cancel;
  bool temporary = false;
};

} // namespace swizzle

#endif // SWIZZLE_TOOLS_SWIZZLE_TUNE_MEASURING_H
