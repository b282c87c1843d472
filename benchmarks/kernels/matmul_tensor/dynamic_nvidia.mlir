// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C += A * B, fp16 in, fp32 out, N = K = 8192 and M known at run time only (a
// multiple of 128), on NVIDIA's tensor cores. Launched by hand, because upstream
// maps only foralls of constant size to workgroups; otherwise the static variant.
// Workgroups of 256 threads compute tiles of 128 x 128 in steps of 32 along k,
// staged through workgroup memory with 16-byte accesses; each of the 8 subgroups
// keeps a 64 x 32 part of C in matrix fragments.
//
// schedule: schedule_nvidia.mlir
// passes:
// targets: sm_90

!a_tile = memref<128x32xf16, strided<[40, 1]>, #gpu.address_space<workgroup>>
!b_tile = memref<32x128xf16, strided<[136, 1]>, #gpu.address_space<workgroup>>

func.func @matmul(%a: memref<?x8192xf16>, %b: memref<8192x8192xf16>,
                  %c: memref<?x8192xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c8192 = arith.constant 8192 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %rows = memref.dim %c, %c0 : memref<?x8192xf32>
  %tiles_m = affine.apply affine_map<()[s0] -> (s0 ceildiv 128)>()[%rows]
  gpu.launch blocks(%tile_n, %tile_m, %bz) in (%nx = %c64, %ny = %tiles_m, %nz = %c1)
             threads(%x, %y, %z) in (%tx = %c256, %ty = %c1, %tz = %c1) {
    %m = affine.apply affine_map<(d) -> (d * 128)>(%tile_m)
    %n = affine.apply affine_map<(d) -> (d * 128)>(%tile_n)
    %a_padded = memref.alloca() : memref<128x40xf16, #gpu.address_space<workgroup>>
    %b_padded = memref.alloca() : memref<32x136xf16, #gpu.address_space<workgroup>>
    %a_tile = memref.subview %a_padded[0, 0] [128, 32] [1, 1]
      : memref<128x40xf16, #gpu.address_space<workgroup>> to !a_tile
    %b_tile = memref.subview %b_padded[0, 0] [32, 128] [1, 1]
      : memref<32x136xf16, #gpu.address_space<workgroup>> to !b_tile
    %c_tile = memref.subview %c[%m, %n] [128, 128] [1, 1]
      : memref<?x8192xf32> to memref<128x128xf32, strided<[8192, 1], offset: ?>>
    scf.for %k = %c0 to %c8192 step %c32 {
      %a_part = memref.subview %a[%m, %k] [128, 32] [1, 1]
        : memref<?x8192xf16> to memref<128x32xf16, strided<[8192, 1], offset: ?>>
      %b_part = memref.subview %b[%k, %n] [32, 128] [1, 1]
        : memref<8192x8192xf16> to memref<32x128xf16, strided<[8192, 1], offset: ?>>
      linalg.copy ins(%a_part : memref<128x32xf16, strided<[8192, 1], offset: ?>>)
                  outs(%a_tile : !a_tile)
      linalg.copy ins(%b_part : memref<32x128xf16, strided<[8192, 1], offset: ?>>)
                  outs(%b_tile : !b_tile)
      gpu.barrier
      linalg.matmul ins(%a_tile, %b_tile : !a_tile, !b_tile)
                    outs(%c_tile : memref<128x128xf32, strided<[8192, 1], offset: ?>>)
      gpu.barrier
    }
    gpu.terminator
  }
  return
}
