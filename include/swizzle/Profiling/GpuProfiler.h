//===- GpuProfiler.h - A GPU as a profiler ----------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Measures each order that the loop decides on, beside the kernel as it is and
// in turns with it. What a search looks at cheaply is still simulated, and only
// compared with what is simulated.
//
//   GpuProfilerOptions options;
//   options.place = {Place::Program, folder, {"swizzle-run"}};
//   MeasureFunction measure = makeGpuProfiler(simulator, {launch}, options);
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_PROFILING_GPUPROFILER_H
#define SWIZZLE_PROFILING_GPUPROFILER_H

#include "swizzle/Profiling/MeasureBundle.h"
#include "swizzle/Profiling/Profiling.h"

namespace swizzle {

struct GpuProfilerOptions {
  Place place;              ///< each order gets a folder below `place.folder`
  Job job;                  ///< how to measure; launches and variants are added
  double deviceSeconds = 0; ///< of all measuring; 0: no limit
};

/// `cheap` answers requests of fidelity `Search`. `launches` start the kernel,
/// one after the other; there is at least one. A request for a variant has
/// the original, too, and what was said of it before.
MeasureFunction makeGpuProfiler(MeasureFunction cheap,
                                std::vector<LaunchDescription> launches,
                                const GpuProfilerOptions &options);

} // namespace swizzle

#endif // SWIZZLE_PROFILING_GPUPROFILER_H
