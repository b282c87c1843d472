//===- Simulator.h - Cache simulation of a workgroup order ------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simulates a kernel under an order of its workgroups: dispatch to dies and
// compute units, interleaving of the resident workgroups, first-level cache, L2
// per die, last-level cache, DRAM. Deterministic. What it models, what it
// leaves out and how far it can be trusted: docs/simulator.md.
//
//   std::vector<uint32_t> columns;            // 4 x 4: 0, 4, 8, 12, 1, 5, ...
//   Metrics before = cantFail(simulate(model, mi300x, {}));
//   Metrics after = cantFail(simulate(model, mi300x, columns));
//   after.hitRate("l2"), after.dramBytes()    // of the same work, by columns
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SIMULATION_SIMULATOR_H
#define SWIZZLE_SIMULATION_SIMULATOR_H

#include "swizzle/Hardware/HardwareSpec.h"
#include "swizzle/Kernel/Trace.h"
#include "swizzle/Metrics/Metrics.h"
#include "swizzle/Support/Deadline.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cmath>
#include <memory>

namespace swizzle {

/// A deadline passed before there was a result.
class Interrupted : public llvm::ErrorInfo<Interrupted> {
public:
  static char ID;
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;
};

struct SimulationOptions {
  /// Simulate one line address in 2^sampleShift, the same at every level. 0:
  /// full detail.
  unsigned sampleShift = 0;
  /// Simulate only this share of the grid, from the first workgroup dispatched.
  double prefix = 1.0;
  /// Of a prefix below 1, this part fills the caches and is not counted.
  double warmUp = 0;
  /// Of a prefix below 1: what happens once in a launch, as caches fill, or
  /// late, as workgroups end, is told from what happens all along. Else all of
  /// the launch is like what is counted: wrong, but of all orders alike, and
  /// without the noise of what is not counted.
  bool tellsOnce = false;
  /// Carry out only this share of each workgroup's steps: some iterations of
  /// its deepest loops, which stand for all. A recording has no loops: 1.
  double depth = 1.0;
  /// The launch is carried out this many times, and the last time counts: what
  /// the others leave in caches that all compute units share is there. Above 1
  /// for whole launches alone.
  unsigned launches = 1;
  /// Work units (WorkUnits.h) after which a run is cut short; what was seen
  /// stands for the rest. None for a recording.
  double mostWork = HUGE_VAL;
  /// Ends a run that is not done by then with `Interrupted`.
  Deadline deadline;
  /// Scales the capacity of L2 and last-level cache, for sensitivity.
  double capacityScale = 1.0;
  /// Which of the equally plausible interleavings is taken.
  uint32_t skew = 0;
  /// Scales by how many rounds workgroups start out of step.
  double drift = 1.0;
  /// Younger workgroups of a compute unit fall behind the older ones whatever
  /// bounds the launch, by so many times what they do where the unit's own work
  /// does. 0: only there. For sensitivity.
  double fallBehind = 0;
  /// Also run `kSensitivityCapacities`, another skew with `kSensitivityDrift`,
  /// and `fallBehind` by that, and fill in `sensitivity`.
  bool sensitivity = false;
  /// Instructions that the remap adds to each workgroup, for the time.
  double remapInstructions = 0;
};

/// At most one line in 1024 can be left of a sample.
inline constexpr unsigned kMostSampleShift = 10;

/// How often a launch can be repeated.
inline constexpr unsigned kMostLaunches = 1000;

/// How far out of step workgroups are at worst, over what was fitted: products
/// of many vectors read as much more as if it were so far.
inline constexpr double kSensitivityDrift = 30;

/// Capacities of L2 and last-level cache over those that probes with a single
/// stream of data found: kernels with several streams miss as if the L2 of an
/// H200 were up to a third smaller.
inline constexpr double kSensitivityCapacities[] = {0.65, 1.1};

/// Simulates `model` on `hardware` with workgroups in the order of
/// `permutation`: the workgroup dispatched as linear id i works on tile
/// permutation[i]. An empty permutation is the identity; one that is shorter
/// than the grid must hold what `options.prefix` simulates. Fails if the model
/// has no modelled access, or does not fit the chip (workgroup memory,
/// threads).
llvm::Expected<Metrics> simulate(const KernelModel &model,
                                 const HardwareSpec &hardware,
                                 llvm::ArrayRef<uint32_t> permutation,
                                 const SimulationOptions &options = {});

/// The same for a kernel whose accesses were recorded. Arithmetic is not in a
/// trace: the simulated time is that of memory alone.
llvm::Expected<Metrics> simulate(const Trace &trace,
                                 const HardwareSpec &hardware,
                                 llvm::ArrayRef<uint32_t> permutation,
                                 const SimulationOptions &options = {});

/// Simulates one kernel on one chip again and again. What the runs have in
/// common, such as the lines that each access touches, is worked out once; the
/// metrics are those of `simulate`. Not for two threads at a time.
class Simulator {
public:
  /// The arguments outlive the simulator.
  Simulator(const KernelModel &model, const HardwareSpec &hardware);
  Simulator(const Trace &trace, const HardwareSpec &hardware);
  ~Simulator();

  /// Another one of the same, to run beside this one. What is the same in every
  /// order is counted once for both. `check` must hold.
  std::unique_ptr<Simulator> another();

  /// Fails if every `run` would: see `simulate`.
  llvm::Error check() const;

  llvm::Expected<Metrics> run(llvm::ArrayRef<uint32_t> permutation,
                              const SimulationOptions &options = {});

  /// Steps of a workgroup, on average over the grid. `check` must hold.
  double stepsOfWorkgroup();

  /// Work units that all runs took so far.
  double work() const;

private:
  struct State;
  explicit Simulator(std::unique_ptr<State> state);

  std::unique_ptr<State> state;
};

/// Workgroups resident on one compute unit at a time.
int64_t occupancy(const KernelModel &model, const HardwareSpec &hardware);

/// What becomes of a read of a line that is on its way to another compute unit.
struct ReadsOnTheWay {
  /// Units whose reads are one, on average, and how many of them; 0: none.
  double unitsPerCluster = 0;
  int64_t readsPerLookup = 1;
  /// How long a wave is held up, besides, by reads of lines that are on their
  /// way from memory for others.
  double waitingUs = 0;
  /// How long a line is on its way from memory; 0: not known.
  double memoryUs = 0;
  /// How many times as long as from the cache that units share.
  double memoryOverCache = 1;
};
ReadsOnTheWay readsOnTheWay(const HardwareSpec &hardware);

/// Bytes in a second: that the cache which units share looks up, that all units
/// take from it, and that cross between its partitions; 0: no limit is known.
struct SharedRates {
  double lookups = 0, delivery = 0, fabric = 0;
  /// The share of a remap's instructions that competes for issue with others.
  double remapIssue = 1;
};
SharedRates sharedRates(const HardwareSpec &hardware);

} // namespace swizzle

#endif // SWIZZLE_SIMULATION_SIMULATOR_H
