//===- edge_sums.cu - What the neighbours in a graph say, added up --------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 256 features of one edge a workgroup. Grid: features / 256 x edges.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
edge_sums(const int *__restrict__ from, const int *__restrict__ to,
          const float *__restrict__ features, float *__restrict__ sums,
          int width) {
  int edge = blockIdx.y, feature = blockIdx.x * 256 + threadIdx.x;
  float one = features[(size_t)from[edge] * width + feature];
  atomicAdd(&sums[(size_t)to[edge] * width + feature], one);
}
