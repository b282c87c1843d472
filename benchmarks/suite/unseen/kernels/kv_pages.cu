//===- kv_pages.cu - Pages of a cache of keys moved to new places --------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Page p of each layer comes from page (p * FACTOR + 11) % PAGES; FACTOR and
// PAGES have no common divisor. A page has 16 tokens of eight heads of 128
// numbers in fp16, 32 KiB, of which a workgroup moves a quarter. Sizes:
// LAYERS, PAGES, FACTOR. Grid: 4 * PAGES * LAYERS.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

typedef float Float4 __attribute__((ext_vector_type(4)));

extern "C" __global__ __launch_bounds__(256) void
kv_pages(const Float4 *__restrict__ in, Float4 *__restrict__ out) {
  int part = blockIdx.x % 4, page = blockIdx.x / 4 % PAGES;
  int layer = blockIdx.x / (4 * PAGES);
  int source = (page * FACTOR + 11) % PAGES;
  const Float4 *from = in + ((size_t)layer * PAGES + source) * 2048 + part * 512;
  Float4 *to = out + ((size_t)layer * PAGES + page) * 2048 + part * 512;
#pragma unroll
  for (int i = 0; i < 2; ++i)
    to[threadIdx.x + 256 * i] = from[threadIdx.x + 256 * i];
}
