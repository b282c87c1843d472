//===- transpose.cu - Transpose through workgroup memory ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles of 32 x 32, 32 x 8 threads. Sizes: NX, NY; elements of 4 bytes, or of 2 with
// HALF. Grid: NX / 32, NY / 32.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

#ifdef HALF
using Element = short;
#else
using Element = float;
#endif

extern "C" __global__ __launch_bounds__(256) void
transpose(const Element *__restrict__ in, Element *__restrict__ out) {
  __shared__ Element tile[32][33];
  int x = blockIdx.x * 32, y = blockIdx.y * 32;
  for (int i = 0; i < 32; i += 8)
    tile[threadIdx.y + i][threadIdx.x] =
        in[(size_t)(y + threadIdx.y + i) * NX + x + threadIdx.x];
  __syncthreads();
  for (int i = 0; i < 32; i += 8)
    out[(size_t)(x + threadIdx.y + i) * NY + y + threadIdx.x] =
        tile[threadIdx.x][threadIdx.y + i];
}
