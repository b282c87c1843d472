//===- CountLaunches.h - Has a profiler count -------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vendor's profiler watches this program run a variant once more.
//
//   LaunchCounter counter(options, job, GpuApi::Cuda);
//   std::string wrong = counter.count("attempt 1", row.metrics);
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_MEASURE_RUN_COUNTLAUNCHES_H
#define SWIZZLE_LIB_MEASURE_RUN_COUNTLAUNCHES_H

#include "swizzle/Bundle/Job.h"
#include "swizzle/Measure/Counters/Counters.h"
#include "swizzle/Measure/Run/RunBundle.h"

namespace swizzle::measuring {

class LaunchCounter {
public:
  LaunchCounter(const RunOptions &options, const Job &job, GpuApi api);

  /// The profiler: ncu, rocprofv3, or the path that was given.
  const std::string &profiler() const { return program; }
  /// Adds hit rates and bytes of the job's launches. Returns what is wrong.
  std::string count(const std::string &variant, Metrics &metrics) const;

private:
  std::string countWithNcu(const std::string &variant, Metrics &metrics) const;
  std::string countWithRocprof(const std::string &variant,
                               Metrics &metrics) const;
  /// One run of rocprofv3 with a set of counters that fit together.
  std::string runRocprof(const std::string &variant,
                         const std::vector<std::string> &counters,
                         const std::string &folder,
                         std::vector<CountedLaunch> &launches) const;
  /// What the profiler is to watch.
  std::vector<std::string> watched(const std::string &variant) const;
  /// Keeps the job's launches: the last ones, after the original's.
  std::string keepOwn(std::vector<CountedLaunch> &launches) const;

  const RunOptions &options;
  const Job &job;
  GpuApi api;
  std::string program;
};

} // namespace swizzle::measuring

#endif // SWIZZLE_LIB_MEASURE_RUN_COUNTLAUNCHES_H
