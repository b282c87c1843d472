//===- gpu.h - As much of CUDA and HIP as these kernels need ----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands in for the headers of an SDK, which kernels of a user's own include
// instead, so that clang alone compiles one source for both vendors:
//
//   clang -x hip --offload-arch=gfx942 --offload-device-only -nogpuinc -nogpulib
//   clang -x cuda --offload-arch=sm_90 --offload-device-only -nocudainc
//         -nocudalib -Xclang -target-feature -Xclang +ptx80
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_BENCHMARKS_GPU_H
#define SWIZZLE_BENCHMARKS_GPU_H

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))

using size_t = decltype(sizeof(0));

#ifdef __AMDGCN__
#define __launch_bounds__(THREADS)                                             \
  __attribute__((amdgpu_flat_work_group_size(1, THREADS)))
#define SWIZZLE_NUMBER(NAME, AXIS, NVIDIA, AMD)                                \
  __declspec(property(get = get_##AXIS)) unsigned AXIS;                        \
  __device__ __forceinline__ unsigned get_##AXIS() const { return AMD; }
#else
#define __launch_bounds__(THREADS) __attribute__((launch_bounds(THREADS)))
#define SWIZZLE_NUMBER(NAME, AXIS, NVIDIA, AMD)                                \
  __declspec(property(get = get_##AXIS)) unsigned AXIS;                        \
  __device__ __forceinline__ unsigned get_##AXIS() const { return NVIDIA; }
#endif

#define SWIZZLE_NUMBERS(NAME, NVIDIA, AMD)                                     \
  struct NAME##_t {                                                            \
    SWIZZLE_NUMBER(NAME, x, __nvvm_read_ptx_sreg_##NVIDIA##_x(),               \
                   __builtin_amdgcn_##AMD##_x())                               \
    SWIZZLE_NUMBER(NAME, y, __nvvm_read_ptx_sreg_##NVIDIA##_y(),               \
                   __builtin_amdgcn_##AMD##_y())                               \
    SWIZZLE_NUMBER(NAME, z, __nvvm_read_ptx_sreg_##NVIDIA##_z(),               \
                   __builtin_amdgcn_##AMD##_z())                               \
  };                                                                           \
  extern const __device__ __attribute__((weak)) NAME##_t NAME;

SWIZZLE_NUMBERS(threadIdx, tid, workitem_id)
SWIZZLE_NUMBERS(blockIdx, ctaid, workgroup_id)
SWIZZLE_NUMBERS(blockDim, ntid, workgroup_size)

#ifdef __AMDGCN__
constexpr int warpSize = 64;
__device__ __forceinline__ void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#else
constexpr int warpSize = 32;
#endif

__device__ __forceinline__ float atomicAdd(float *address, float value) {
  return __scoped_atomic_fetch_add(address, value, __ATOMIC_RELAXED,
                                   __MEMORY_SCOPE_DEVICE);
}
__device__ __forceinline__ unsigned atomicAdd(unsigned *address,
                                              unsigned value) {
  return __scoped_atomic_fetch_add(address, value, __ATOMIC_RELAXED,
                                   __MEMORY_SCOPE_DEVICE);
}

__device__ __forceinline__ float fmaxf(float a, float b) {
  return __builtin_fmaxf(a, b);
}
__device__ __forceinline__ float rsqrtf(float a) {
  return 1.0f / __builtin_sqrtf(a);
}

/// The sum over the threads of a workgroup of `kThreads`, in all of them.
template <int kThreads> __device__ float sumOverBlock(float value) {
  __shared__ float partial[kThreads];
  partial[threadIdx.x] = value;
  __syncthreads();
  for (int step = kThreads / 2; step > 0; step /= 2) {
    if (threadIdx.x < step)
      partial[threadIdx.x] += partial[threadIdx.x + step];
    __syncthreads();
  }
  float sum = partial[0];
  __syncthreads();
  return sum;
}

#endif // SWIZZLE_BENCHMARKS_GPU_H
