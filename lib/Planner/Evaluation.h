//===- Evaluation.h - Simulated trials under a budget -----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simulates orders, counts what that costs, and ranks them by the time that the
// simulator predicts; equal times by DRAM bytes, last-level bytes, bytes of the
// L2s, and then by the cost of the remap's arithmetic.
//
// A prediction is no better than what it hangs on: the capacity of caches that
// were never taken apart, and how far workgroups are out of step. So the last
// few orders, and the kernel as it is, are simulated again with caches 10 %
// smaller and larger and with another skew. One order is faster than another if
// it is so in all of these; if not, the one with the cheaper arithmetic is
// taken, and leaving the kernel alone is the cheapest of all.
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
  std::vector<double> variants; ///< times, of the last round
  bool final = false;           ///< took part in the last round
};

/// Relative gain of a kernel that does `metrics` if it had no traffic behind
/// the first-level caches.
double possibleGain(const Metrics &metrics);

/// True if two predictions differ, and in the same direction in all variants of
/// what they hang on. The vectors have the same variants in the same order.
bool isDistinct(double time, llvm::ArrayRef<double> variants, double otherTime,
                llvm::ArrayRef<double> otherVariants);

class Evaluation {
public:
  Evaluation(const KernelModel &model, const HardwareSpec &hardware,
             const PlannerOptions &options, const SearchSpace &space);

  /// Chooses sampling and prefix, and simulates the kernel as it is.
  llvm::Error baseline(const ReuseTable &reuse);
  /// Simulates some orders, except those that were, until the search's part of
  /// the budget is used up.
  llvm::Error simulate(llvm::ArrayRef<Order> orders);
  /// Simulates the kernel and the best orders, of `count` kinds, again: for
  /// longer if the budget allows, and with what predictions hang on.
  llvm::Error finish(size_t count);

  /// All trials, best first.
  const std::vector<Trial> &ranked() const { return trials; }
  /// The cheapest in arithmetic of those in the last round that cannot be told
  /// from the best. Null if there is none.
  const Trial *chosen() const;
  /// True if the kernel as it is cannot be told from `trial`.
  bool isNoBetter(const Trial &trial) const;
  bool exhausted() const;
  const Metrics &before() const { return sampling.before(); }
  const SimulationOptions &simulation() const { return sampling.options(); }
  /// Relative gain in predicted time of an order.
  double gain(const Trial &trial) const;

private:
  std::vector<uint32_t> tilesOf(const Order &order) const;
  int64_t costOf(const Order &order) const;
  /// Windows hold a little more or less of the work: all do the same in the
  /// end.
  double timeOf(const Metrics &metrics) const;
  void rank();

  const KernelModel &model;
  const HardwareSpec &hardware;
  const PlannerOptions &options;
  const SearchSpace &space;
  Sampling sampling;
  std::vector<double> baseVariants;
  std::set<uint64_t> seen;
  std::vector<Trial> trials;
};

} // namespace swizzle

#endif // SWIZZLE_LIB_PLANNER_EVALUATION_H
