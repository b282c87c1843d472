//===- Models.h - Kernels with known measurements, as models -- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the simulator is fitted on and checked against, built in
// code as the analysis would build them from IR, and the orders of workgroups
// in which they were measured.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_SIMULATION_MODELS_H
#define SWIZZLE_UNITTESTS_SIMULATION_MODELS_H

#include "swizzle/Kernel/KernelModel.h"

#include <vector>

namespace swizzle::models {

/// \name Building blocks
/// @{
AffineForm x(int64_t coefficient = 1);
AffineForm y(int64_t coefficient = 1);
AffineForm z(int64_t coefficient = 1);
AffineForm tx(int64_t coefficient = 1);
AffineForm ty(int64_t coefficient = 1);
AffineForm tz(int64_t coefficient = 1);
uint32_t addBuffer(KernelModel &model, const char *name, int64_t bytes,
                   int64_t elementBytes);
Access makeAccess(uint32_t buffer, AccessKind kind, AffineForm address,
                  int64_t bytes);
Condition atLeastZero(AffineForm form);
/// @}

/// C (fp32) = A (fp16, M x K) * B (fp16, K x N), row-major; a workgroup of 256
/// threads computes 128 x 128, staging 128 x 32 of A and 32 x 128 of B at a
/// time with 16 bytes a load; grid x = N/128, y = M/128.
KernelModel gemmFp16(int64_t m, int64_t n, int64_t k,
                     int64_t registersPerThread = 128);

/// C = A * B in fp32, one element a thread, blocks of bx x by threads.
KernelModel gemmNaive(int64_t n, int64_t bx, int64_t by);

/// Star stencil of `radius` on an fp32 volume, interior points only, one point
/// a thread, blocks of bx x by x 1 threads. Radius 1: 7 points.
KernelModel star3d(int64_t nx, int64_t ny, int64_t nz, int64_t radius,
                   int64_t bx = 64, int64_t by = 4);

/// Star stencil on an fp32 plane, one point a thread, interior only.
KernelModel star2d(int64_t nx, int64_t ny, int64_t radius, int64_t bx,
                   int64_t by);

/// out[x][y] = in[y][x] by one element a thread (no staging), or through
/// workgroup memory in tiles of `tile` x `tile` by `tile` x `rows` threads.
KernelModel transposeNaive(int64_t n, int64_t bx, int64_t by);
KernelModel transposeTiled(int64_t n, int64_t tile, int64_t rows,
                           int64_t elementBytes = 4);

/// out = f(a, b), `width` elements a thread.
KernelModel elementwise(int64_t elements, int64_t inputs, int64_t elementBytes,
                        int64_t width, int64_t threads = 256);

/// One row a workgroup; reads the row `passes` times, writes it once.
KernelModel rowwise(int64_t rows, int64_t columns, int64_t passes,
                    int64_t elementBytes, int64_t width, int64_t threads = 256);

/// \name Orders: the workgroup dispatched as i works on tile [i].
/// @{
using Order = std::vector<uint32_t>;
Order rowMajor(const Grid &grid);
/// Column by column.
Order columnMajor(const Grid &grid);
/// Groups of `g` rows, walked through column by column.
Order groupedRows(const Grid &grid, int64_t g);
/// Bands of `h` rows (y) walked through all z; x fastest, then y in the band.
Order bandsThroughZ(const Grid &grid, int64_t h);
/// Each of `dies` dies gets one contiguous share of `order`.
Order chunked(const Order &order, int64_t dies);
/// @}

} // namespace swizzle::models

#endif // SWIZZLE_UNITTESTS_SIMULATION_MODELS_H
