//===- Footprint.h - The bytes that one workgroup touches -------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Footprints as sorted, disjoint intervals of bytes. An address is affine, so
// the counters and thread ids that enter it only linearly are sides of a box:
// its intervals are grown side by side, smallest stride first, and a dense side
// costs nothing. Only variables under a quotient, or under a condition that
// holds for some of their values, are enumerated.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_KERNEL_FOOTPRINT_H
#define SWIZZLE_LIB_KERNEL_FOOTPRINT_H

#include "swizzle/Kernel/KernelModel.h"
#include "swizzle/Support/Interval.h"

namespace swizzle::kernel {

struct BufferFootprint {
  bool read = false, written = false;
  std::vector<Interval> bytes; ///< sorted, disjoint
};

/// What the workgroup `id` touches of each buffer of `model`. Enumeration is
/// cut off after 2^17 values of the variables, and a footprint after 2^19
/// intervals, for one access, sooner after 2^22 values for all of them; what
/// lies beyond is left out. The values that were gone through, and the
/// intervals that came of them, over all accesses, are added to `steps`.
std::vector<BufferFootprint> footprint(const KernelModel &model, WorkgroupId id,
                                       int64_t *steps = nullptr);

/// Sorts, and joins what overlaps or touches.
void normalise(std::vector<Interval> &intervals);

} // namespace swizzle::kernel

#endif // SWIZZLE_LIB_KERNEL_FOOTPRINT_H
