//===- MeasuredSearch.h - A search that a GPU decides -----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After the rounds of the loop: rounds in which orders are proposed by what was
// measured, proved, built, and measured together, a few samples each; then the
// best few measured as finalists are.
//
//   MeasuredSearchOptions options;
//   options.finalists.place = {Place::Program, "folder", {"swizzle-run"}};
//   options.rounds = options.finalists.place;
//   options.deviceSeconds = 60;
//   auto measured = searchMeasured(result, {context, build, simulate}, options);
//   // result.best is now the fastest one, or the kernel as it is
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_DRIVER_MEASUREDSEARCH_H
#define SWIZZLE_DRIVER_MEASUREDSEARCH_H

#include "swizzle/Driver/Finalists.h"
#include "swizzle/Support/Deadline.h"

namespace swizzle {

struct MeasuredSearchOptions {
  FinalistsOptions finalists;
  /// Where rounds are measured, in folders below it: without what only
  /// finalists are asked for, as hardware counters.
  Place rounds;
  /// How long the program that measures may run in all; 0: no limit. A quarter
  /// is kept for the finalists.
  double deviceSeconds = 0;
  /// Rounds without a gain after which the search ends; 0: none does.
  unsigned patience = 2;
  /// No round begins later.
  Deadline deadline = {};
};

/// What a search is about, and what it asks. All of it outlives the search.
struct SearchedKernel {
  const AgentContext &context;
  const BuildFunction &build;
  const MeasureFunction &simulate; ///< for figures beside the measured ones
};

/// Measures the attempts of `result`, and orders near the fastest of them, in
/// bundles below the folder of `options.rounds`, until the seconds are
/// spent, nothing near is left, or rounds bring no gain. The fastest become
/// attempts of `result`, and are measured as `measureFinalists` does it. Fails
/// as that does.
///
/// Decides by rows and by the seconds that are noted beside them alone: a run
/// that was killed goes on with the bundles it finds.
llvm::Expected<MeasuredFinalists>
searchMeasured(TuningResult &result, const SearchedKernel &kernel,
               const MeasuredSearchOptions &options);

} // namespace swizzle

#endif // SWIZZLE_DRIVER_MEASUREDSEARCH_H
