//===- gqa_values.cu - Weighted sums of values of int8, one step of decoding ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GROUP query heads share a head of values of 128 numbers, which have a scale
// a key. 512 keys a workgroup, whose sum another kernel would add to the
// others; four numbers a lane, a key a warp. Sizes: BATCH, HEADS, GROUP, KEYS.
// Grid: KEYS / 512, HEADS, BATCH.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

typedef signed char Byte4 __attribute__((ext_vector_type(4)));

extern "C" __global__ __launch_bounds__(256) void
gqa_values(const float *__restrict__ weights, const Byte4 *__restrict__ values,
           const float *__restrict__ scales, float *__restrict__ sums) {
  __shared__ float parts[8][128];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  size_t head = (size_t)blockIdx.z * HEADS + blockIdx.y;
  size_t valueHead = (size_t)blockIdx.z * (HEADS / GROUP) + blockIdx.y / GROUP;
  const float *weight = weights + head * KEYS + blockIdx.x * 512;
  const float *scale = scales + valueHead * KEYS + blockIdx.x * 512;
  const Byte4 *value = values + (valueHead * KEYS + blockIdx.x * 512) * 32 + lane;
  float mine[4] = {};
#pragma unroll 8
  for (int k = warp; k < 512; k += 8) {
    float factor = weight[k] * scale[k];
    Byte4 four = value[(size_t)k * 32];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      mine[i] += factor * (float)four[i];
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    parts[warp][lane * 4 + i] = mine[i];
  __syncthreads();
  if (threadIdx.x >= 128)
    return;
  float sum = 0;
  for (int i = 0; i < 8; ++i)
    sum += parts[i][threadIdx.x];
  sums[(head * (KEYS / 512) + blockIdx.x) * 128 + threadIdx.x] = sum;
}
