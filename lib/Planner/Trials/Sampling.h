//===- Sampling.h - How much is simulated for one order ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Orders of one kernel are comparable only if the same part of it is simulated
// for each: all of it in full detail if that is cheap enough; else a sample of
// the lines, and of very large launches a window of the workgroups.
//
// Fewer lines before fewer workgroups. Which lines are taken does not depend on
// the order: all orders are simulated with common random numbers. So from 64
// lines of each L2, the ratio of two times is found within 0.5 % (rms, over
// some 30 orders of each of the benchmark's kernels). But a window is another
// part of the problem under each order: one of them reads again what another
// one reads for the first time. The ratio of two times in a window of an eighth
// to a half of a launch is wrong by 1 to 9 %, however many lines are looked at.
// Only where the coarsest sample of a launch costs too much still, workgroups
// are left out first after all, and more lines of what is left are sampled, as
// small first-level caches need; what is chosen by that has to be confirmed.
//
// Where workgroups are so deep that one residency in the coarsest sample costs
// too much, a part of their steps stands for all (lib/Simulation/Run/Depth.h):
// the same part under each order.
//
// A window lies within, because the edges of the problem weigh more at the
// start than in all of it, and holds at least one residency.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_PLANNER_TRIALS_SAMPLING_H
#define SWIZZLE_LIB_PLANNER_TRIALS_SAMPLING_H

#include "swizzle/Kernel/Reuse.h"
#include "swizzle/Simulation/Simulator.h"

namespace swizzle::planner {

class Sampling {
public:
  /// What is left out first where not all can be simulated. Lines: to search
  /// among orders. Workgroups: in every figure that is told, by the planner and
  /// by the tuner, in the usual sample if that is affordable, so that new ones
  /// compare with those recorded in histories, questions and databases.
  enum class LeaveOut { Lines, Workgroups };

  Sampling(const KernelModel &model, const HardwareSpec &hardware,
           LeaveOut first);

  /// Settles what is simulated, so that one order costs at most about
  /// `accesses` line accesses in full detail, and simulates the kernel as it
  /// is. The kernel decides, not the order: equal arguments, equal part.
  llvm::Error settle(const ReuseTable &reuse, double accesses);
  /// The same, but where nothing hangs on the kernel's own figures, they are
  /// left to whoever asks for `measureWithBefore`.
  llvm::Error settleDetail(const ReuseTable &reuse, double accesses);

  /// Simulates more from now on, so that one order costs at most about
  /// `accesses`; what was simulated before does not compare any more, and
  /// `setBefore` is next. Does nothing and returns false if that buys nothing.
  bool refine(double accesses);
  void setBefore(Metrics metrics) {
    base = std::move(metrics);
    isBaseKnown = true;
  }

  /// Workgroups that are simulated, in the order of dispatch; the first of them
  /// is dispatched to the first die.
  int64_t first() const { return firstId; }
  int64_t count() const { return windowCount; }

  /// One order to simulate: the tiles of the window (none: the kernel as it
  /// is), what the remap costs, and with what. Variant 0 is the prediction; the
  /// others vary its inputs: caches 10 % smaller and larger, another skew.
  struct Job {
    std::vector<uint32_t> tiles;
    double remapInstructions = 0;
    int variant = 0;
  };
  static constexpr int numVariants = 4;

  /// Simulates each, several at a time.
  llvm::Expected<std::vector<Metrics>> measure(llvm::ArrayRef<Job> jobs);
  /// The same; what was done before an error is in `metrics`.
  llvm::Error measure(llvm::ArrayRef<Job> jobs,
                      std::vector<std::optional<Metrics>> &metrics);

  /// The same, and the kernel as it is with them if it was not yet.
  llvm::Expected<std::vector<Metrics>> measureWithBefore(std::vector<Job> jobs);

  /// Simulates as `other` does, of which the kernel and the chip are the same:
  /// what is the same in every order is not counted again. Before `settle`.
  void startLike(Sampling &other);

  /// Work units that one simulation may take whatever `settle` is told.
  void setCeiling(double work) { ceiling = work; }
  /// Simulations that are not done by then fail with `Interrupted`.
  void setDeadline(const Deadline &when) { deadline = when; }

  /// The kernel as it is.
  const Metrics &before() const { return base; }
  const SimulationOptions &options() const { return detail; }
  /// What one more order would cost, in line accesses of full detail.
  double costOfOne() const;
  /// Work units that all simulations took so far.
  double work() const;

private:
  void choose(double accesses);
  void limitDepth(double accesses);
  double workOfOne() const;
  void chooseLines(double accesses);
  void chooseWorkgroups(double accesses);
  double resident() const; ///< share of the grid that runs at a time
  void setWindow(double share);
  llvm::Expected<Metrics> measureOne(const Job &job,
                                     Simulator &simulator) const;
  void place();
  std::vector<uint32_t> baseTiles() const;
  llvm::Error measureBase();
  llvm::Error count(double lines);
  bool isSampled(double accesses, double error);
  llvm::Expected<bool> settleForSample(double lines, double accesses);

  const KernelModel &model;
  const HardwareSpec &hardware;
  SimulationOptions detail;
  Deadline deadline;
  LeaveOut leaveOut;
  unsigned coarsest = 0; ///< sample
  int64_t firstId = 0, windowCount = 0;
  Metrics launch;        ///< what there is to simulate, as far as it is known
  double inHits = 0;     ///< its cost in full detail, if workgroups come first
  double stepsOfOne = 0; ///< of a workgroup
  double ceiling;
  Metrics base;
  bool isBaseKnown = false; ///< in the detail that is settled
  std::vector<std::unique_ptr<Simulator>> simulators; ///< one a thread
};

} // namespace swizzle::planner

#endif // SWIZZLE_LIB_PLANNER_TRIALS_SAMPLING_H
