//===- fields.h - Coordinates of a tile as bits of an id --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A probe in which workgroups come in any order, with the same instructions in
// each: a coordinate of a tile is two fields of bits of the workgroup's id.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_BENCHMARKS_PROBES_FIELDS_H
#define SWIZZLE_BENCHMARKS_PROBES_FIELDS_H

#include "gpu.h"

/// `bits` bits of the id from `low` on, and above them those from `high` on, of
/// a coordinate of `all` bits.
__device__ static inline unsigned coordinate(unsigned low, unsigned bits,
                                             unsigned high, unsigned all) {
  return (blockIdx.x >> low & ((1u << bits) - 1)) |
         (blockIdx.x >> high & ((1u << (all - bits)) - 1)) << bits;
}

#endif // SWIZZLE_BENCHMARKS_PROBES_FIELDS_H
