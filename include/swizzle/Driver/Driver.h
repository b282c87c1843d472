//===- Driver.h - Tune a module from end to end -----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `swizzle-tune` does between reading its options and its exit status.
//
//   auto session = TuningSession::create(module, settings, "");
//   auto tunings = tuneKernels(**session, makeAgents, options);
//   (*session)->rewrite();          // the best of each kernel, proved again
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_DRIVER_DRIVER_H
#define SWIZZLE_DRIVER_DRIVER_H

#include "swizzle/Driver/Session.h"
#include "swizzle/Records/Journal.h"
#include "swizzle/Tuning/Tuner.h"

namespace swizzle {

/// How one kernel's variants are built and measured.
struct Workbench {
  BuildFunction build; ///< may be empty: nothing is built
  MeasureFunction measure;
};

struct DriverOptions {
  TuningOptions tuning;
  Briefing briefing; ///< of agents about all kernels
  /// Called once for each kernel; `context` outlives the workbench.
  std::function<Workbench(size_t kernel, const AgentContext &context)> bench;
  /// Called with what the loop found for a kernel; may measure the best few,
  /// and make another one the best. May be empty.
  std::function<llvm::Expected<std::optional<MeasuredFinalists>>(
      size_t kernel, const AgentContext &, const Workbench &, TuningResult &)>
      measure;
  /// Adds what is known from elsewhere: what was tried before, near records.
  std::function<void(AgentContext &context)> remember;
  /// Called with what came out, and with what a GPU said of the best few if it
  /// was asked.
  std::function<void(const AgentContext &, const TuningResult &,
                     const std::optional<MeasuredFinalists> &)>
      done;
  Journal *journal = nullptr;
  std::function<void(const Usage &)> replayed;
  std::function<void(const TuningEvent &, llvm::StringRef kernel)> event;
  std::function<void(llvm::StringRef kernel)> begin;
  /// True once the run shall end with what it has. May be null.
  const std::atomic<bool> *cancel = nullptr;
};

/// Tunes each kernel of `session` that may be remapped and notes the best of
/// each; the module is not rewritten yet. Budgets are for all kernels together:
/// each gets an equal share of what is left. `agents` makes fresh ones for each
/// kernel.
llvm::Expected<std::vector<KernelTuning>> tuneKernels(
    TuningSession &session,
    llvm::function_ref<llvm::Expected<std::vector<std::unique_ptr<Agent>>>()>
        agents,
    const DriverOptions &options);

} // namespace swizzle

#endif // SWIZZLE_DRIVER_DRIVER_H
