//===- Sampling.h - How much is simulated for one order ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Orders of one kernel are comparable only if the same part of it is simulated
// for each: all of it in full detail if that is cheap enough; else one line in
// sixteen; and of very large launches a window from within, of at least one
// residency, if need be of one line in 64. A window from within, because the
// edges of the problem weigh more at the start than in all of it.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_PLANNER_SAMPLING_H
#define SWIZZLE_LIB_PLANNER_SAMPLING_H

#include "swizzle/Kernel/Reuse.h"
#include "swizzle/Simulation/Simulator.h"

namespace swizzle {

class Sampling {
public:
  Sampling(const KernelModel &model, const HardwareSpec &hardware);

  /// Settles what is simulated, so that one order costs at most about
  /// `accesses` line accesses in full detail, and simulates the kernel as it
  /// is. The kernel decides, not the order: equal arguments, equal part.
  llvm::Error settle(const ReuseTable &reuse, double accesses, bool full);

  /// Simulates a longer part from now on. The kernel as it is, `Job()`, is the
  /// caller's to measure again and to hand to `setBefore`.
  void lengthen(double prefix);
  void setBefore(Metrics metrics) { base = std::move(metrics); }

  /// Workgroups that are simulated, in the order of dispatch; the first of them
  /// is dispatched to the first die.
  int64_t first() const { return firstId; }
  int64_t count() const { return windowCount; }

  /// One order to simulate: the tiles of the window (none: the kernel as it
  /// is), what the remap costs, and with what. Variant 0 is the prediction; the
  /// others are what it hangs on: caches 10 % smaller and larger, another skew.
  struct Job {
    std::vector<uint32_t> tiles;
    double remapInstructions = 0;
    int variant = 0;
  };
  static constexpr int numVariants = 4;

  /// Simulates each, several at a time.
  llvm::Expected<std::vector<Metrics>> measure(llvm::ArrayRef<Job> jobs);

  /// The kernel as it is.
  const Metrics &before() const { return base; }
  const SimulationOptions &options() const { return detail; }
  /// What was simulated so far, in line accesses of full detail.
  double spent() const { return total; }
  /// What one more order would cost.
  double costOfOne() const;

private:
  void choose(double all, double accesses);
  llvm::Expected<Metrics> measureOne(const Job &job,
                                     Simulator &simulator) const;
  void place();
  std::vector<uint32_t> baseTiles() const;
  llvm::Error measureBase();

  const KernelModel &model;
  const HardwareSpec &hardware;
  SimulationOptions detail;
  unsigned fineSample = 0, coarseSample = 0;
  int64_t firstId = 0, windowCount = 0;
  double total = 0;
  Metrics base;
  std::vector<std::unique_ptr<Simulator>> simulators; ///< one a thread
};

} // namespace swizzle

#endif // SWIZZLE_LIB_PLANNER_SAMPLING_H
