// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scores of grouped-query attention, Q[h] * K[h / 4] with Q scaled and K transposed
// already: 32 query heads read 8 key heads of 128 features, 131072 keys and a number of
// queries (a multiple of 64) that is known at run time only, on NVIDIA's tensor
// cores. Launched by hand, because upstream maps only foralls of constant size to
// workgroups; otherwise the static variant.
//
// schedule: schedule_nvidia.mlir
// passes: canonicalize,cse,gpu-launch-sink-index-computations,gpu-kernel-outlining
// passes: gpu.module(gpu.func(convert-vector-to-gpu))
// targets: sm_90

!q_tile = memref<64x32xf16, strided<[40, 1]>, #gpu.address_space<workgroup>>
!k_tile = memref<32x128xf16, strided<[136, 1]>, #gpu.address_space<workgroup>>
!s_tile = memref<64x128xf32, strided<[131072, 1], offset: ?>>

func.func @scores(%q: memref<32x?x128xf16>, %k: memref<8x128x131072xf16>,
                  %s: memref<32x?x131072xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %c1024 = arith.constant 1024 : index
  %queries = memref.dim %q, %c1 : memref<32x?x128xf16>
  %tiles = affine.apply affine_map<()[s0] -> (s0 ceildiv 64)>()[%queries]
  gpu.launch blocks(%tile_k, %tile_q, %head) in (%nx = %c1024, %ny = %tiles, %nz = %c32)
             threads(%x, %y, %z) in (%bx = %c256, %by = %c1, %bz = %c1) {
    %q0 = affine.apply affine_map<(d) -> (d * 64)>(%tile_q)
    %k0 = affine.apply affine_map<(d) -> (d * 128)>(%tile_k)
    %key_head = affine.apply affine_map<(d) -> (d floordiv 4)>(%head)
    %q_padded = memref.alloca() : memref<64x40xf16, #gpu.address_space<workgroup>>
    %k_padded = memref.alloca() : memref<32x136xf16, #gpu.address_space<workgroup>>
    %q_tile = memref.subview %q_padded[0, 0] [64, 32] [1, 1]
      : memref<64x40xf16, #gpu.address_space<workgroup>> to !q_tile
    %k_tile = memref.subview %k_padded[0, 0] [32, 128] [1, 1]
      : memref<32x136xf16, #gpu.address_space<workgroup>> to !k_tile
    %s_tile = memref.subview %s[%head, %q0, %k0] [1, 64, 128] [1, 1, 1]
      : memref<32x?x131072xf32> to !s_tile
    linalg.fill ins(%zero : f32) outs(%s_tile : !s_tile)
    scf.for %d = %c0 to %c128 step %c32 {
      %q_part = memref.subview %q[%head, %q0, %d] [1, 64, 32] [1, 1, 1]
        : memref<32x?x128xf16> to memref<64x32xf16, strided<[128, 1], offset: ?>>
      %k_part = memref.subview %k[%key_head, %d, %k0] [1, 32, 128] [1, 1, 1]
        : memref<8x128x131072xf16> to memref<32x128xf16, strided<[131072, 1], offset: ?>>
      linalg.copy ins(%q_part : memref<64x32xf16, strided<[128, 1], offset: ?>>)
                  outs(%q_tile : !q_tile)
      linalg.copy ins(%k_part : memref<32x128xf16, strided<[131072, 1], offset: ?>>)
                  outs(%k_tile : !k_tile)
      gpu.barrier
      linalg.matmul ins(%q_tile, %k_tile : !q_tile, !k_tile) outs(%s_tile : !s_tile)
      gpu.barrier
    }
    gpu.terminator
  }
  return
}
