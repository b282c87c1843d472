//===- star3d_wide.cu - A star stencil, four points a thread --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As star3d.cu, with points along x read and written four at a time, 16 bytes a
// thread, and 16 rows a workgroup: fewer instructions, and fewer reads of rows
// that neighbours share. R is 4 at most: a thread reads the four points left and
// right of its own. Sizes: R, NX, NY, NZ; a border of R planes and rows, and of
// 32 points in x. Grid: NX / 64, NY / 16, NZ.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

typedef float Float4 __attribute__((ext_vector_type(4)));

constexpr size_t kX = (NX + 64) / 4, kY = NY + 2 * R;

extern "C" __global__ __launch_bounds__(256) void
star3d_wide(const Float4 *__restrict__ in, Float4 *__restrict__ out) {
  size_t at = ((blockIdx.z + R) * kY + blockIdx.y * 16 + threadIdx.y + R) * kX +
              blockIdx.x * 16 + threadIdx.x + 8;
  Float4 left = in[at - 1], here = in[at], right = in[at + 1], sum = here;
  float line[12];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    line[i] = left[i];
    line[4 + i] = here[i];
    line[8 + i] = right[i];
  }
#pragma unroll
  for (int i = 1; i <= R; ++i) {
    Float4 around = in[at - i * kX] + in[at + i * kX] + in[at - i * kX * kY] +
                    in[at + i * kX * kY];
#pragma unroll
    for (int j = 0; j < 4; ++j)
      around[j] += line[4 + j - i] + line[4 + j + i];
    sum += around * (0.125f / i);
  }
  out[at] = sum;
}
