//===- tensor_cores.h - NVIDIA's products of small matrices -----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mma.sync and ldmatrix (PTX ISA, 9.7.14.5), whose fragments have a layout that
// is public, which clang has no builtins for, and which users write as
// assembly. Assembly is read by no analysis, so LLVM's intrinsics are called by
// their names. Those return structs without a name, which C++ cannot: whoever
// reads the IR that clang writes (-emit-llvm) puts that right, as for old IR;
// clang itself, asked for PTX, ends with "Cannot select".
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_BENCHMARKS_TENSOR_CORES_H
#define SWIZZLE_BENCHMARKS_TENSOR_CORES_H

#include "gpu.h"

typedef _Float16 Half2 __attribute__((ext_vector_type(2)));
typedef _Float16 Half8 __attribute__((ext_vector_type(8)));
typedef float Float2 __attribute__((ext_vector_type(2)));

struct FourFloats {
  float a, b, c, d;
};
struct FourWords {
  int a, b, c, d;
};
using WorkgroupPointer = const __attribute__((address_space(3))) void *;

__device__ __attribute__((const)) FourFloats
mmaHalves(Half2, Half2, Half2, Half2, Half2, Half2, float, float, float,
          float) __asm("llvm.nvvm.mma.m16n8k16.row.col.f32.f32");
__device__ FourWords ldmatrix(WorkgroupPointer) __asm(
    "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3");
__device__ FourWords ldmatrixTransposed(WorkgroupPointer) __asm(
    "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3");

/// Adds A * B to 16 x 8 sums of a warp: A of 16 x 16, B of 16 x 8 elements.
__device__ __forceinline__ void multiply(float (&sums)[4], const Half2 (&a)[4],
                                         Half2 b0, Half2 b1) {
  FourFloats made = mmaHalves(a[0], a[1], a[2], a[3], b0, b1, sums[0], sums[1],
                              sums[2], sums[3]);
  sums[0] = made.a, sums[1] = made.b, sums[2] = made.c, sums[3] = made.d;
}

/// Four matrices of 8 x 8 halves in workgroup memory: lane i of a warp says
/// where row i % 8 of matrix i / 8 begins.
template <bool kTransposed = false>
__device__ __forceinline__ void loadMatrices(Half2 (&to)[4], const Half8 *row) {
  auto pointer = (WorkgroupPointer)row;
  FourWords words =
      kTransposed ? ldmatrixTransposed(pointer) : ldmatrix(pointer);
  to[0] = __builtin_bit_cast(Half2, words.a);
  to[1] = __builtin_bit_cast(Half2, words.b);
  to[2] = __builtin_bit_cast(Half2, words.c);
  to[3] = __builtin_bit_cast(Half2, words.d);
}

/// Two neighbours, rounded.
__device__ __forceinline__ Half2 halves(float a, float b) {
  return __builtin_convertvector((Float2{a, b}), Half2);
}

#endif // SWIZZLE_BENCHMARKS_TENSOR_CORES_H
