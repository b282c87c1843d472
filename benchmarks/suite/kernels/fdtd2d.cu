//===- fdtd2d.cu - Electromagnetic fields in the plane --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One step of PolyBench's FDTD-2D: a launch a field. One point a thread, 64 x 4
// threads; the border keeps its values. Sizes: NX, NY. Grid: NX / 64, NY / 4.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

#define POINT                                                                  \
  int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;     \
  size_t at = (size_t)y * NX + x

extern "C" __global__ __launch_bounds__(256) void
fdtd_ey(const float *__restrict__ hz, float *__restrict__ ey) {
  POINT;
  if (y > 0)
    ey[at] -= 0.5f * (hz[at] - hz[at - NX]);
}

extern "C" __global__ __launch_bounds__(256) void
fdtd_ex(const float *__restrict__ hz, float *__restrict__ ex) {
  POINT;
  if (x > 0)
    ex[at] -= 0.5f * (hz[at] - hz[at - 1]);
}

extern "C" __global__ __launch_bounds__(256) void
fdtd_hz(const float *__restrict__ ex, const float *__restrict__ ey,
        float *__restrict__ hz) {
  POINT;
  if (x < NX - 1 && y < NY - 1)
    hz[at] -= 0.7f * (ex[at + 1] - ex[at] + ey[at + NX] - ey[at]);
}
