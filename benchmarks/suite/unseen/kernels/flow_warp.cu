//===- flow_warp.cu - Images warped by displacements they share ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bilinear, between the four pixels around the place that the field points to,
// at most eight pixels away and inside of the image. An image's colours are
// planes. Sizes: PLANES, HEIGHT, WIDTH. Grid: WIDTH / 32, HEIGHT / 8, PLANES.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

__device__ __forceinline__ float between(float value, float low, float high) {
  return value > low ? (value < high ? value : high) : low;
}

extern "C" __global__ __launch_bounds__(256) void
flow_warp(const float *__restrict__ images, const float *__restrict__ flow,
          float *__restrict__ out) {
  constexpr size_t kPixels = (size_t)HEIGHT * WIDTH;
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  size_t at = (size_t)y * WIDTH + x;
  float fx = x + between(flow[at], -8.0f, 8.0f);
  float fy = y + between(flow[kPixels + at], -8.0f, 8.0f);
  fx = between(fx, 0.0f, WIDTH - 1.001f);
  fy = between(fy, 0.0f, HEIGHT - 1.001f);
  int x0 = (int)fx, y0 = (int)fy;
  x0 = x0 < WIDTH - 2 ? x0 : WIDTH - 2;
  y0 = y0 < HEIGHT - 2 ? y0 : HEIGHT - 2;
  fx -= x0;
  fy -= y0;
  const float *from = images + blockIdx.z * kPixels + (size_t)y0 * WIDTH + x0;
  float above = from[0] + fx * (from[1] - from[0]);
  float below = from[WIDTH] + fx * (from[WIDTH + 1] - from[WIDTH]);
  out[blockIdx.z * kPixels + at] = above + fy * (below - above);
}
