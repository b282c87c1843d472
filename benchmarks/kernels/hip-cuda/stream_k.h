//===- stream_k.h - Who makes what of a product in stream-K -----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stream-K (arXiv 2301.03598) with data-parallel tiles first: WORKGROUPS
// workgroups each make one whole tile after the other, while there are as many
// left; the steps of all tiles that remain are dealt out evenly. Tiles come in
// groups of GROUP rows, as in Triton's tutorial. For kernels with the sizes M,
// N, K, WORKGROUPS, GROUP, whose tiles are square.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_BENCHMARKS_STREAM_K_H
#define SWIZZLE_BENCHMARKS_STREAM_K_H

#include "gpu.h"

template <int kEdge, int kStep> struct StreamK {
  static constexpr int kSteps = K / kStep;
  static constexpr int kAcross = N / kEdge, kTiles = M / kEdge * kAcross;
  static constexpr int kRest = kTiles % WORKGROUPS, kWhole = kTiles - kRest;

  /// Of workgroup `id`: its first step of those of the tiles that remain.
  static __device__ __forceinline__ int firstStep(int id) {
    return id * (kRest * kSteps) / WORKGROUPS;
  }
  static __device__ __forceinline__ int rowOf(int tile) {
    return tile / (GROUP * kAcross) * GROUP + tile % GROUP;
  }
  static __device__ __forceinline__ int columnOf(int tile) {
    return tile % (GROUP * kAcross) / GROUP;
  }
};

#endif // SWIZZLE_BENCHMARKS_STREAM_K_H
