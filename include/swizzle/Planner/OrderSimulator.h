//===- OrderSimulator.h - Orders of one kernel, simulated alike -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whoever compares orders must leave out the same of each. What that is gets
// settled once a kernel, which takes simulations of its own.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_PLANNER_ORDERSIMULATOR_H
#define SWIZZLE_PLANNER_ORDERSIMULATOR_H

#include "swizzle/Formula/Formula.h"
#include "swizzle/Kernel/Reuse.h"
#include "swizzle/Simulation/Simulator.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace swizzle {

namespace planner {
class Sampling;
}

/// Line accesses of full detail that one figure may cost, by what it is for.
struct SimulatorEffort {
  double search = 8e6;
  double decide = 16e6;
  double confirm = 128e6; ///< of the few of which one is written out
};

/// How much of a launch was simulated: "full", "sampled 1/16", "sampled 1/16,
/// prefix", "sampled 1/64, prefix, part of the steps".
std::string describeDetail(const SimulationOptions &options);

/// Simulates each order in as much detail as `accesses` line accesses of full
/// detail pay for: all of the launch, or a sample of its lines, or of those a
/// window of the launch. What is left out depends on the model and `accesses`
/// alone, never on the order. The model and the hardware must outlive it.
class OrderSimulator {
public:
  OrderSimulator(const KernelModel &model, const HardwareSpec &hardware,
                 double accesses);

  /// Simulations that are not done by then fail with `Interrupted`.
  void setDeadline(const Deadline &deadline);
  /// The reuse of the model's lines, where it is known already.
  void setReuse(ReuseTable known) { reuse = std::move(known); }
  /// Simulations of the same kernel for the same chip are at hand: what is the
  /// same in every order is not counted again.
  void startLike(planner::Sampling &other);
  ~OrderSimulator();

  /// `permutation` as for `swizzle::simulate`; empty: the kernel as it is. An
  /// order costs each workgroup `remapInstructions` scalar instructions.
  llvm::Expected<Metrics> simulate(llvm::ArrayRef<uint32_t> permutation,
                                   double remapInstructions = 0);

  /// The same for an order that is known by pieces: `tilesOf(first, count)` are
  /// the tiles of workgroups first .. first + count - 1.
  llvm::Expected<Metrics>
  simulate(llvm::function_ref<std::vector<uint32_t>(int64_t, int64_t)> tilesOf,
           double remapInstructions);

  /// The same for a formula that is legal on the grid of the model.
  llvm::Expected<Metrics> simulate(const BoundFormula &order,
                                   double remapInstructions);

  /// The same for several orders at a time, and for the kernel as it is if that
  /// was not asked for yet.
  struct Request {
    std::function<std::vector<uint32_t>(int64_t, int64_t)> tilesOf;
    double remapInstructions = 0;
  };
  llvm::Expected<std::vector<Metrics>>
  simulateAll(llvm::ArrayRef<Request> requests);

  /// Work units that all simulations took so far.
  double work() const;

  /// How it is done. Known after the first simulation.
  const SimulationOptions &options() const;

private:
  llvm::Error settle();

  const KernelModel &model;
  const HardwareSpec &hardware;
  double accesses;
  std::optional<ReuseTable> reuse;
  std::unique_ptr<planner::Sampling> sampling;
  bool settled = false;
};

} // namespace swizzle

#endif // SWIZZLE_PLANNER_ORDERSIMULATOR_H
