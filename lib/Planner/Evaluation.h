//===- Evaluation.h - Simulated trials under a budget -----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simulates orders, counts what that costs, and ranks them. An order's effort
// is the time of its slowest resource plus a part of what the others take, as
// they do not overlap perfectly: half of DRAM's, which is also what others wait
// for, a tenth of the requests' to L1 and L2, and a quarter of the rest. (On
// the H200, matrix products whose tensor time hides all traffic gained 0.22 and
// 0.30 of the DRAM time that an order of groups saved.) Only half of a change
// in requests to the L2 counts: it hangs on which workgroups meet on one
// compute unit.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_PLANNER_EVALUATION_H
#define SWIZZLE_LIB_PLANNER_EVALUATION_H

#include "Sampling.h"
#include "SearchSpace.h"
#include "swizzle/Planner/Planner.h"

#include <set>

namespace swizzle {

struct Trial {
  Order order;
  std::string name;
  int64_t cost = 0; ///< scalar instructions of the remap
  Metrics metrics;
  double effort = 0;
  bool final = false; ///< took part in the last round
};

/// Relative gain of a kernel that does `metrics` if it had no traffic.
double possibleGain(const Metrics &metrics);

class Evaluation {
public:
  Evaluation(const KernelModel &model, const HardwareSpec &hardware,
             const PlannerOptions &options, const SearchSpace &space);

  /// Chooses sampling and prefix, and simulates the kernel as it is.
  llvm::Error baseline(const ReuseTable &reuse);
  /// Simulates one order, unless it was.
  llvm::Error simulate(const Order &order);
  /// Simulates the kernel and the best orders of `count` kinds again, for
  /// longer, if the budget allows.
  llvm::Error finish(size_t count);

  /// All trials, best first.
  const std::vector<Trial> &ranked() const { return trials; }
  /// The best of the last round that is predicted no slower than the kernel as
  /// it is; of those that differ by less than simulation can tell, the one with
  /// the cheapest arithmetic. Null if there is none.
  const Trial *chosen() const;
  bool exhausted() const;
  const Metrics &before() const { return sampling.before(); }
  const SimulationOptions &simulation() const { return sampling.options(); }
  /// Relative gain of an order.
  double gain(const Trial &trial) const;

private:
  std::vector<uint32_t> tilesOf(const Order &order) const;
  int64_t costOf(const Order &order) const;
  void rank();

  const KernelModel &model;
  const HardwareSpec &hardware;
  const PlannerOptions &options;
  const SearchSpace &space;
  Sampling sampling;
  double baseEffort = 0;
  std::set<uint64_t> seen;
  std::vector<Trial> trials;
};

} // namespace swizzle

#endif // SWIZZLE_LIB_PLANNER_EVALUATION_H
