//===- Counters.h - What hardware counters say ------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what a vendor's profiler prints, and makes metrics of it.
//
//   std::vector<CountedLaunch> launches;
//   std::string wrong = readNcu(csv, launches);     // ncu --csv --page raw
//   addNcuCounters(launches, metrics);
//   metrics.hitRate("l2");                          // 0.3346
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_MEASURE_COUNTERS_COUNTERS_H
#define SWIZZLE_MEASURE_COUNTERS_COUNTERS_H

#include "swizzle/Metrics/Metrics.h"

#include <map>

namespace swizzle {

/// One launch, as a profiler saw it: counters by the profiler's own names, in
/// bytes, seconds and plain counts, whatever unit was printed.
struct CountedLaunch {
  std::string kernel;
  std::map<std::string, double> counters;
};

/// The metrics that ncu is asked for, as its option takes them: all, or only
/// those that every GPU has.
std::string ncuMetrics(bool all);

/// What ncu says went wrong, each with "; " before it; "" if it does not say.
std::string ncuErrors(std::string_view output);

/// Reads `ncu --csv --page raw`, with whatever else ncu prints around it.
/// Returns what is wrong, "" if nothing is.
std::string readNcu(std::string_view text,
                    std::vector<CountedLaunch> &launches);

/// Adds up the launches of a sequence: L2 hit rate and bytes, bytes from and to
/// memory, and where they were counted instructions, bank conflicts and time.
/// Returns what is wrong: a counter that is missing.
std::string addNcuCounters(const std::vector<CountedLaunch> &launches,
                           Metrics &metrics);

/// The counters that rocprofv3 is asked for: a list for each run, since not all
/// can be counted at once.
std::vector<std::vector<std::string>> rocprofPasses();

/// Reads the file `*_counter_collection.csv` of rocprofv3. Launches come in the
/// order of their numbers.
std::string readRocprof(std::string_view text,
                        std::vector<CountedLaunch> &launches);

/// Reads the database that rocprofv3 of ROCm 7 writes by default (rocpd).
std::string readRocpd(const std::string &path,
                      std::vector<CountedLaunch> &launches);

/// As `addNcuCounters`. `behind`: the cache that serves what the L2 misses;
/// empty: memory does. Of that cache AMD's counters tell the bytes alone.
std::string addRocprofCounters(const std::vector<CountedLaunch> &launches,
                               const std::string &behind, Metrics &metrics);

} // namespace swizzle

#endif // SWIZZLE_MEASURE_COUNTERS_COUNTERS_H
