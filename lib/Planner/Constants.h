//===- Constants.h - What the search fixes ----------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One struct for each file. Each constant says what it trades off and what
// supports it; "a choice" means that no measurement does. None depends on a
// kernel or a chip.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_PLANNER_CONSTANTS_H
#define SWIZZLE_LIB_PLANNER_CONSTANTS_H

#include <cstddef>
#include <cstdint>

namespace swizzle::planner {

/// The multi-fidelity search over orders (Planner.cpp): how many of them pass
/// from the footprint model to simulation.
struct SearchConstants {
  /// Uses of lines that the footprint model evaluates in one search, and those
  /// that one more order costs in addition. Time of the first stage against
  /// orders that are seen at all. A choice: a fraction of a second.
  static constexpr int64_t usesBudget = 6000000;
  static constexpr int64_t usesOfOrder = 400;
  /// Orders that are simulated first. Fewer, and an error of the footprint
  /// model loses the best shape; more, and little of the budget is left for
  /// neighbours. A choice.
  static constexpr size_t simulatedOrders = 12;
  /// Of two orders with the same walk the plainer one is simulated first if the
  /// footprint model, which is off by some percent, takes it for about as good;
  /// and a walk is if its best is not this much worse than the best of all. A
  /// choice.
  static constexpr double aboutAsGood = 0.02;
  static constexpr double farFromBest = 0.25;
  /// Orders that are simulated beside these for what workgroups of one compute
  /// unit may find in its cache, and how much faster than the best of the
  /// others they have to be if they do. A choice: the footprint model is off by
  /// some percent.
  static constexpr size_t sharingOrders = 3;
  static constexpr double worthSharing = 0.15;
  /// Orders whose use of memory is looked at, of a shape and in all, before the
  /// first are simulated. A choice: some milliseconds each.
  static constexpr size_t scatteredOfShape = 6;
  static constexpr size_t scatteredOrders = 96;
  /// Orders whose neighbours are simulated. Depth against breadth. A choice.
  static constexpr size_t expandedOrders = 6;
  /// Neighbours of one order that are simulated. As above.
  static constexpr size_t neighboursOfOne = 12;
  /// If a smaller share of the compute units is busy and workgroups differ,
  /// orders are simulated from the other end, too. A choice: twice the least
  /// gain.
  static constexpr double busyEnough = 0.98;
  /// How much more the last look may cost at an order that is accepted by a
  /// window of the launch. Of three products whose orders windows call 11, 19
  /// and 45 % faster, the whole launches 0, 3 and 3 %, these are 0, 4 and 24 %
  /// then; the first two are 4 and 1 % faster on an H200
  /// (benchmarks/measured/h200/windows.jsonl).
  static constexpr double ofWindows = 4;
  /// How often a number from memory comes in a row where it is taken to be
  /// sorted, and how much slower an order may be then, over the kernel's time
  /// and over what it gains else. Choices: enough for neighbours to share, and a
  /// small risk against a larger gain.
  static constexpr int64_t lengthOfRuns = 8;
  static constexpr double lostInRuns = 0.1, lostOfGain = 1.0 / 3;
};

/// Successive halving over a template's parameters (Template.cpp).
struct TemplateConstants {
  /// Ids that are evaluated over all combinations, and combinations that are
  /// looked at in any case. Time against combinations that are left out.
  static constexpr int64_t evaluatedIds = int64_t(1) << 24;
  /// Two points that move so many workgroups alike are taken for one.
  static constexpr int64_t comparedIds = int64_t(1) << 22;
  static constexpr int64_t fewestCombinations = 8;
  /// Of each round, one in this many goes on and is simulated that many times
  /// as closely, so that each round costs about the same.
  static constexpr size_t keptPart = 4;
  /// The last round has this many or fewer.
  static constexpr size_t finalists = 4;
  /// Share of the budget: 80 million accesses of the default. Figures of
  /// templates are kept in histories and databases, and compare only with their
  /// like, so it stays.
  static constexpr double shareOfBudget = 8.0 / 15;
};

} // namespace swizzle::planner

#endif // SWIZZLE_LIB_PLANNER_CONSTANTS_H
