//===- Latency.h - What workgroups wait for caches and memory --*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A workgroup goes on where it waits when the slowest line is there. So its
// residency takes at least the sum of that, one wait after the other, however
// little there is to do meanwhile:
//
//   place        a wave waits for                     clocks, loaded
//   iteration    4 lines that the L2 has              l
//   iteration    4 lines, all of them from memory     m
//   barrier      0.1 lines, the L2 has them           0.1 l
//
// Lines that come together have mostly the same fate: of those of one place, the
// same share is late in each wait, or all of them are in that share of waits. A
// wave that waits for a line at all waits for one of these. A back end unrolls
// loops whose iterations read little, so that several iterations wait once.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_LATENCY_H
#define SWIZZLE_LIB_SIMULATION_LATENCY_H

#include "Machine/Roofline.h"
#include "Memory/MemorySystem.h"
#include "Program/Program.h"

#include "llvm/ADT/ArrayRef.h"

namespace swizzle::simulation {

/// Clocks that all workgroups of `counters` wait together, at these places.
/// `linesOfWave`: lines of a wave that an asked one stands for. Nothing where
/// the latencies of the chip are not known.
Latency latencyOf(const Counters &counters, llvm::ArrayRef<WaitPlace> places,
                  double linesOfWave, const Machine &machine);

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_LATENCY_H
