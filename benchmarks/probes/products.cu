//===- products.cu - Products of which every thread makes an element ------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As a newcomer writes them: no tile is kept, and all that saves time is what
// caches hold. Their blocks, which of the factors is transposed and their types
// differ. What orders change was measured (measured/h200/products.json):
//
//   clang -x cuda -nocudainc -nocudalib --offload-arch=sm_90 --offload-device-only
//         -O3 -S -emit-llvm -Xclang -target-feature -Xclang +ptx80
//         -I ../kernels/hip-cuda products.cu -o products.ll
//   llvm-extract -S --func=e_half products.ll -o half.ll
//   swizzle-llvm half.ll -o remapped.ll
//         --options='chip=h200;grid=192x256;block=32x16;args=?+?+?+6144+4096'
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ void e_naive16(const float *__restrict__ a,
                                     const float *__restrict__ b,
                                     float *__restrict__ c, int n, int k) {
  int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int q = 0; q < k; ++q)
    sum += a[i * k + q] * b[q * n + j];
  c[i * n + j] = sum;
}

extern "C" __global__ void e_nt(const float *__restrict__ a,
                                const float *__restrict__ b,
                                float *__restrict__ c, int n, int k) {
  int i = blockIdx.y * 32 + threadIdx.y, j = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int q = 0; q < k; ++q)
    sum += a[i * k + q] * b[j * k + q];
  c[i * n + j] = sum;
}

extern "C" __global__ void e_tn(const float *__restrict__ a,
                                const float *__restrict__ b,
                                float *__restrict__ c, int n, int m, int k) {
  int i = blockIdx.y * 32 + threadIdx.y, j = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int q = 0; q < k; ++q)
    sum += a[q * m + i] * b[q * n + j];
  c[i * n + j] = sum;
}

extern "C" __global__ void e_half(const _Float16 *__restrict__ a,
                                  const _Float16 *__restrict__ b,
                                  _Float16 *__restrict__ c, int n, int k) {
  int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int q = 0; q < k; ++q)
    sum += (float)a[i * k + q] * (float)b[q * n + j];
  c[i * n + j] = (_Float16)sum;
}

/// No product, but as many differences: the distances of all pairs of rows.
extern "C" __global__ void e_dist(const float *__restrict__ a,
                                  const float *__restrict__ b,
                                  float *__restrict__ c, int n, int k) {
  int i = blockIdx.y * 8 + threadIdx.y, j = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int q = 0; q < k; ++q) {
    float difference = a[i * k + q] - b[q * n + j];
    sum += difference * difference;
  }
  c[i * n + j] = sum;
}
