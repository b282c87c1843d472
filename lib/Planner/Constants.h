//===- Constants.h - What the search and its sampling fix ----- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One struct for each part of the planner. Each constant says what it trades
// off and what supports it; "a choice" means that no measurement does. None
// depends on a kernel or a chip.
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
  /// footprint model, which is off by some percent, takes it for about as good; and
  /// a walk is if its best is not this much worse than the best of all. A choice.
  static constexpr double aboutAsGood = 0.02;
  static constexpr double farFromBest = 0.25;
  /// Orders that are simulated beside these for what workgroups of one compute unit may
  /// find in its cache, and how much faster than the best of the others they have to be
  /// if they do. A choice: the footprint model is off by some percent.
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
  /// If a smaller share of the compute units is busy and workgroups differ, orders
  /// are simulated from the other end, too. A choice: twice the least gain.
  static constexpr double busyEnough = 0.98;
};

/// The footprint model (CoarseModel.cpp): a sample of lines instead of all.
struct FootprintConstants {
  /// Stand-ins where a chip's file leaves a number open. Only ratios matter.
  static constexpr double defaultL2Bytes = 4.0 * (1 << 20);
  static constexpr double defaultBandwidth = 1e12;
  /// Of an L2, the share that is taken to hold data for certain: the average
  /// footprint is exceeded half of the time, by workgroups that run ahead and
  /// in sets that are used more than others. With 1, the best pieces would be
  /// those that only just do not fit.
  static constexpr double heldShare = 0.75;
  /// Of the workgroups that run together, the share that starts while a line
  /// that the first of them asked memory for is on its way. A choice: a third by
  /// the simulator's rounds where a workgroup has few accesses, all of them where
  /// they go through loops in step.
  static constexpr double startedInFlight = 0.5;
  /// Of the first reads of workgroups that start one after the other, the share that
  /// is merged where all of them could be. Counted on an H100 and an H200: 0.05 to
  /// 0.1 of 7- and 13-point stencils, 0.3 of decoding over pages.
  static constexpr double startedInStep = 0.25;
  /// Workgroups whose lines are looked at, and lines of each. Time against the
  /// error of the sample. A choice.
  static constexpr int64_t centres = 96;
  static constexpr int64_t linesOfOne = 8;
  /// Bounds on that: line accesses walked, uses in all, uses of one line. They
  /// bound the time on kernels with many accesses or lines that all share.
  static constexpr int64_t walkBudget = 24 << 20;
  /// Work units that walking takes at most, of which the above is most but for
  /// kernels whose patterns of lines differ from step to step.
  static constexpr double walkWork = 96e6;
  static constexpr size_t usesBudget = 48 << 10;
  static constexpr size_t usesOfOne = 2048;
  /// Lines that one workgroup's sample should have. As `linesOfOne`.
  static constexpr int64_t sampledLines = 48;
  /// Intervals along an axis up to this length are followed workgroup by
  /// workgroup; of longer ones a few stand for all. Exactness against time.
  static constexpr int64_t shortInterval = 16;
  /// Places along an axis that are all looked at where numbers that are loaded
  /// depend on it. Exactness against time.
  static constexpr int64_t scatteredPlaces = 128;
};

/// How a launch is sampled for simulation (Sampling.cpp).
struct SamplingConstants {
  /// A sample has at least one line in 2^n ...
  static constexpr unsigned coarsestSample = 6;
  /// ... and as many lines of an L2 as tell what fits: four sets of the usual
  /// 16 ways. From 64 lines of each L2, the ratio of two times is found within
  /// 0.5 % (rms, over some 30 orders of each of the benchmark's kernels).
  static constexpr int64_t fewestLines = 64;
  /// The sample of a window, and of a launch whose figures are told, if that is
  /// affordable: recorded figures depend on it, so it stays.
  static constexpr unsigned sampleOfWindow = 4;
  /// The part of a window that fills the caches before anything is counted.
  /// Cold misses that are counted against workgroups that are not. A choice.
  static constexpr double warmUp = 0.4;
  /// How much more a simulation may cost rather than look at a window, whose
  /// error is 1 to 9 % (an eighth to a half of a launch, benchmark's kernels).
  static constexpr double stretch = 2;
  /// The error of a count of line accesses by the usual sample: below 0.5 % on
  /// the benchmark's kernels, with a factor for others.
  static constexpr double errorOfCount = 0.03;
  /// How far out of step workgroups are in the variant with another skew, over what
  /// was fitted: two kernels with the same accesses, one 2.4 times as fast, differ
  /// as much.
  static constexpr double drift = 10;
  /// Detail is raised for the last round only if there is this much more of it.
  /// Below, another simulation would tell little new. A choice.
  static constexpr double worthwhile = 1.25;
  /// Work units that one simulation may take whatever was planned: more, and a
  /// part of each workgroup's steps stands for all. A choice: 0.4 s.
  static constexpr double mostOfOne = 40e6;
  /// A run is cut short after this many times what it may take: the estimate
  /// was wrong.
  static constexpr double mostOverEstimate = 1.5;
};

/// How orders are compared and the budget is divided (Evaluation.cpp).
struct EvaluationConstants {
  /// Shares of the budget: of one simulation of the search, of all of them, and
  /// of the last round. Breadth of the search against detail of the decision. A
  /// choice.
  static constexpr double shareOfOne = 1.0 / 90;
  static constexpr double shareOfSearch = 0.18;
  static constexpr double shareOfLastRound = 2.0 / 3;
  /// Share of the budget, in work units, that one simulation may take of a
  /// kernel whose workgroups are deep: 20 million of the default. Some twenty
  /// simulations are made whatever they cost. A choice.
  static constexpr double shareOfDeepest = 2.0 / 15;
  /// Orders in the last round, any of which may turn out to be the best in
  /// more detail.
  static constexpr size_t mostFinalists = 16;
  /// Orders that are simulated, beside the kernel, with all variants of what
  /// predictions depend on (caches 10 % smaller and larger, another skew),
  /// whatever they cost.
  static constexpr double variedOrders = 3;
  /// Margins by which the times of two orders must differ to count. Ratios of
  /// what is simulated are off by 5 %, but those of orders that are much alike by
  /// less: with 1.5, transposes take an order that was measured 4 % slower than
  /// the one that is simulated 1 % faster.
  static constexpr double tieMargin = 0.5;
  /// The same where one of them loses less to latency, and by how much less, as a share
  /// of the time. In the norm of all terms latency hardly shows, and it decides between
  /// orders of the same traffic: of 55 sweeps on an H100 and an H200, the order that is
  /// simulated fastest is more than 2 % slower than the best one 11 times, and the one
  /// that loses least to latency of those within 1 % 7 or 8 times, with any share from
  /// 0.1 to 0.5 %.
  static constexpr double calmMargin = 1;
  static constexpr double latencyMargin = 0.25;
  /// The same for DRAM bytes. Where they are half of what sets the time, it
  /// changes half as much as they do.
  static constexpr double leannessMargin = 2;
  /// By how many margins an order that costs less may take longer, once both were
  /// looked at more closely, or has to take less where it loses more to latency: a
  /// batched product of a matrix with 32 vectors by tiles of tiles, simulated 0.5 %
  /// faster than by rows, was measured 41 % slower.
  static constexpr double rivalMargin = 1;
  /// How much the ratio of the times of two orders may be off in the search, where
  /// few lines of few workgroups are simulated. Seen: 8 % of a batched product of a
  /// matrix with vectors.
  static constexpr double searchError = 0.1;
  /// The error of a gain that was seen in a window: rms of the ratio of two
  /// times, over windows of an eighth to a half of the benchmark's kernels.
  static constexpr double windowError = 0.04;
  /// Orders that are simulated whatever they cost.
  static constexpr int64_t fewestTrials = 4;
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
