//===- Kernels.h - Kernels to plan, as people launch them, and small ------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models that stand for the kernels of benchmarks/kernels, in two sizes: as
// launched, and small enough to simulate hundreds of orders in full detail, on
// chips that are as much smaller.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_PLANNER_KERNELS_H
#define SWIZZLE_UNITTESTS_PLANNER_KERNELS_H

#include "../Simulation/Models.h"
#include "swizzle/Hardware/HardwareSpec.h"

namespace swizzle::models {

struct NamedModel {
  const char *name;
  KernelModel model;
  int64_t shrink = 1;     ///< of the chip
  double smallBudget = 0; ///< accesses that a planner may simulate
};

/// Rows split over workgroups (x: parts of a row, y: rows): each reads the
/// whole row, then writes its own part.
KernelModel splitRows(int64_t parts, int64_t rows, int64_t columns);

/// x: blocks of queries, y: query heads, of which `group` read one key head.
KernelModel groupedHeads(int64_t blocks, int64_t heads, int64_t group,
                         int64_t keyBytes);

/// A sparse matrix of `rows` rows of 16 numbers times a dense one; x: 256 of its
/// columns, y: rows.
KernelModel sparseProduct(int64_t rows, int64_t columns);

/// Sums over the edges of a graph, of which eight lead to each vertex; x: 256
/// features, y: edges.
KernelModel edgeSums(int64_t edges, int64_t features);

/// Products of n x n fp32 matrices, one for each z, in tiles of 64 x 64.
KernelModel batchedGemm(int64_t n, int64_t batches);

/// x and y: rows of 256 elements and their four; z: batches that share two
/// operands.
KernelModel broadcast(int64_t rows, int64_t columns, int64_t batches);

/// Products of a matrix with vectors, one for each y: 32 rows a workgroup, four
/// a warp, each row read by all y.
KernelModel batchedVectors(int64_t rows, int64_t columns, int64_t batch);

/// The same chip with a part of its compute units, caches and bandwidths.
HardwareSpec shrink(HardwareSpec chip, int64_t by);

std::vector<NamedModel> launchedKernels();
std::vector<NamedModel> smallKernels();

} // namespace swizzle::models

#endif // SWIZZLE_UNITTESTS_PLANNER_KERNELS_H
