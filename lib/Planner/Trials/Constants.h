//===- Constants.h - What trials of orders fix ------------------*- C++ -*-===//
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

#ifndef SWIZZLE_LIB_PLANNER_TRIALS_CONSTANTS_H
#define SWIZZLE_LIB_PLANNER_TRIALS_CONSTANTS_H

#include <cstddef>
#include <cstdint>

namespace swizzle::planner {

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
  /// How far out of step workgroups are in the variant with another skew, over
  /// what was fitted: two kernels with the same accesses, one 2.4 times as
  /// fast, differ as much.
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
  /// Orders that may take part in the last round, any of which may turn out to
  /// be the best in more detail.
  static constexpr size_t mostFinalists = 16;
  /// Orders that are simulated, beside the kernel, with all variants of what
  /// predictions depend on (caches 10 % smaller and larger, another skew),
  /// whatever they cost.
  static constexpr double variedOrders = 3;
  /// Margins by which the times of two orders must differ to count. Ratios of
  /// what is simulated are off by 5 %, but those of orders that are much alike
  /// by less: with 1.5, transposes take an order that was measured 4 % slower
  /// than the one that is simulated 1 % faster.
  static constexpr double tieMargin = 0.5;
  /// The same where one of them loses less to latency, and by how much less, as
  /// a share of the time. In the norm of all terms latency hardly shows, and it
  /// decides between orders of the same traffic: of 55 sweeps on an H100 and an
  /// H200, the order that is simulated fastest is more than 2 % slower than the
  /// best one 11 times, and the one that loses least to latency of those within
  /// 1 % 7 or 8 times, with any share from 0.1 to 0.5 %.
  static constexpr double calmMargin = 1;
  static constexpr double latencyMargin = 0.25;
  /// The same for DRAM bytes. Where they are half of what sets the time, it
  /// changes half as much as they do.
  static constexpr double leannessMargin = 2;
  /// By how many margins an order that costs less may take longer, once both
  /// were looked at more closely, or has to take less where it loses more to
  /// latency: a batched product of a matrix with 32 vectors by tiles of tiles,
  /// simulated 0.5 % faster than by rows, was measured 41 % slower.
  static constexpr double rivalMargin = 1;
  /// How much the ratio of the times of two orders may be off in the search,
  /// where few lines of few workgroups are simulated. Seen: 8 % of a batched
  /// product of a matrix with vectors.
  static constexpr double searchError = 0.1;
  /// The error of a gain that was seen in a window: rms of the ratio of two
  /// times, over windows of an eighth to a half of the benchmark's kernels.
  static constexpr double windowError = 0.04;
  /// By how many times its standard error a gain must differ from zero: with
  /// less, one in twenty would be there by chance. A choice.
  static constexpr double errorsOfGain = 2;
  /// What an order must gain that would gain less than the margin if scattered
  /// memory cost nothing. Of 63 kernels of a library of linear attention that
  /// such orders were simulated to make 1 to 7 % faster on an H200, a third of
  /// that was there, and 7 were slower beyond noise, by up to 4 %; of the 10 that
  /// gained 5 % or more by simulation, two, by 0.9 %. Transposes gain 7 to
  /// 9 %, by simulation as by measurement.
  static constexpr double scatterMargin = 0.05;
  /// Orders that are simulated whatever they cost.
  static constexpr int64_t fewestTrials = 4;
};

/// The last round (Refinement.cpp).
struct RaceConstants {
  /// Orders that are looked at together before others are dropped. Fewer, and
  /// little is known of how far the first look was off. With these, by the
  /// times of all, 1431 of 2554 orders of the suite are looked at twice (85
  /// kernels and sizes, an H100 and an H200); what is taken is what was taken
  /// when all were.
  static constexpr size_t together = 4;
  /// How much the first look is held to be off at least. Two samples of lines
  /// differ by as much.
  static constexpr double leastError = 0.005;
};

} // namespace swizzle::planner

#endif // SWIZZLE_LIB_PLANNER_TRIALS_CONSTANTS_H
