//===- Latency.cpp - What workgroups wait for caches and memory ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Latency.h.
//
//===----------------------------------------------------------------------===//

#include "Latency.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace swizzle::simulation {

Latency latencyOf(const Counters &counters, llvm::ArrayRef<WaitPlace> places,
                  double linesOfWave, const Machine &machine) {
  Latency sum;
  const double near = machine.lookupClocks, far = machine.memoryClocks;
  if (near <= 0 || far <= 0)
    return sum;
  for (auto [count, place] : llvm::zip(counters.waits, places)) {
    if (!count.times || !count.asked)
      continue;
    auto times = double(count.times), reads = double(count.reads) / times;
    double iterations =
        place.endsIteration
            ? std::max(1.0, double(machine.readsInFlight) / reads)
            : 1;
    // A loop that ends sooner waits once in each workgroup.
    double waits =
        std::max(times / iterations, std::min(times, double(counters.ended)));
    double lines = double(count.asked) * linesOfWave / waits;
    double clocks = machine.loadedLatency * waits * std::min(1.0, lines);
    sum.leastClocks += clocks * near;
    sum.moreClocks += clocks * std::max(0.0, far - near) * double(count.late) /
                      double(count.asked);
  }
  return sum;
}

} // namespace swizzle::simulation
