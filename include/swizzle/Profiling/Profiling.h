//===- Profiling.h - One variant in, its metrics out ------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the loop knows of whoever measures: a function from a variant, what was
// compiled of it and how to launch it, to metrics. The simulator is one such
// profiler; one that runs kernels on a GPU is another function of this type.
//
//   auto measure = makeSimulatorProfiler({model, chip, environment});
//   Variant variant;                 // the kernel as it is
//   auto artifact = [] { return std::shared_ptr<const Artifact>(); };
//   llvm::Expected<Metrics> metrics = measure({variant, artifact, launch});
//   metrics->timeUs;                 // 12.5, by Origin::Simulated
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_PROFILING_PROFILING_H
#define SWIZZLE_PROFILING_PROFILING_H

#include "swizzle/Bundle/Artifact.h"
#include "swizzle/Bundle/Launch.h"
#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/Metrics/Metrics.h"
#include "swizzle/Support/Deadline.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <memory>

namespace swizzle {

/// One proved formula with its parameters set.
struct Variant {
  unsigned attempt = 0;           ///< number, 0: the kernel as it is
  std::optional<Formula> formula; ///< nullopt: the kernel as it is
  ParamValues params;
  std::optional<Proof> proof;
  /// Names the order: equal for equal permutations, whatever their text.
  std::string key;
  /// New linear ids on the model's grid; null: the identity, or a grid too
  /// large to be enumerated.
  std::shared_ptr<const std::vector<uint32_t>> permutation;
};

/// What a profiler is asked.
struct MeasureRequest {
  const Variant &variant;
  /// What the build of this variant handed on; null if nothing was compiled.
  /// Builds again where a journal remembers the verdict alone.
  llvm::function_ref<std::shared_ptr<const Artifact>()> artifact;
  /// How to start the kernel, as far as its model tells.
  const LaunchDescription &launch;
  Fidelity fidelity = Fidelity::Decide;
  /// A simulation that is not done by then fails with `Interrupted`; a GPU
  /// finishes what it began.
  Deadline deadline{};
  /// The kernel as it is, compiled like its variants; null if nothing was, or
  /// if nobody has it. Builds it again where a journal remembers the verdict
  /// alone.
  llvm::function_ref<std::shared_ptr<const Artifact>()> original = nullptr;
  /// What this profiler said of the kernel as it is, careful figures; null
  /// before that.
  const Metrics *baseline = nullptr;
  /// What careful figures took so far, with those that a journal remembers.
  double seconds = 0;
};

/// The profiler has spent what it may of its device's time.
class DeviceSpent : public llvm::ErrorInfo<DeviceSpent> {
public:
  static char ID;
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;
};

/// One profiler. Fails with a message if it cannot measure this variant.
using MeasureFunction =
    std::function<llvm::Expected<Metrics>(const MeasureRequest &)>;

} // namespace swizzle

#endif // SWIZZLE_PROFILING_PROFILING_H
