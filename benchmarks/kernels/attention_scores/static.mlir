// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scores of grouped-query attention, scale * Q[h] * K[h / 4]^T: 32 query heads read
// 8 key heads of 128 features, 512 queries, 65536 keys.
// fp16 with sums in fp32. Workgroups of 256 threads compute 64 x 64 scores of one
// head from operands staged whole in workgroup memory, 4 x 4 a thread.
//
// schedule: schedule.mlir
// passes:

!staged = memref<64x136xf16, #gpu.address_space<workgroup>>
!tile = memref<64x128xf16, strided<[136, 1]>, #gpu.address_space<workgroup>>

#query = affine_map<(i, j, d) -> (i, d)>
#key = affine_map<(i, j, d) -> (j, d)>
#score = affine_map<(i, j, d) -> (i, j)>

func.func @scores(%q: memref<32x512x128xf16>, %k: memref<8x65536x128xf16>,
                  %s: memref<32x512x65536xf16>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %pad = arith.constant 0.0 : f16
  %zeros = arith.constant dense<0.0> : vector<4x4xf32>
  %scale = arith.constant dense<0.0883883476> : vector<4x4xf32> // 1 / sqrt 128
  scf.forall (%head, %tile_q, %tile_k) in (32, 8, 1024) {
    %q0 = affine.apply affine_map<(d) -> (d * 64)>(%tile_q)
    %k0 = affine.apply affine_map<(d) -> (d * 64)>(%tile_k)
    %key_head = affine.apply affine_map<(d) -> (d floordiv 4)>(%head)
    %q_staged = memref.alloca() : !staged
    %k_staged = memref.alloca() : !staged
    %q_tile = memref.subview %q_staged[0, 0] [64, 128] [1, 1] : !staged to !tile
    %k_tile = memref.subview %k_staged[0, 0] [64, 128] [1, 1] : !staged to !tile
    %q_part = memref.subview %q[%head, %q0, 0] [1, 64, 128] [1, 1, 1]
      : memref<32x512x128xf16> to memref<64x128xf16, strided<[128, 1], offset: ?>>
    %k_part = memref.subview %k[%key_head, %k0, 0] [1, 64, 128] [1, 1, 1]
      : memref<8x65536x128xf16> to memref<64x128xf16, strided<[128, 1], offset: ?>>
    linalg.copy ins(%q_part : memref<64x128xf16, strided<[128, 1], offset: ?>>)
                outs(%q_tile : !tile)
    linalg.copy ins(%k_part : memref<64x128xf16, strided<[128, 1], offset: ?>>)
                outs(%k_tile : !tile)
    gpu.barrier
    scf.forall (%i, %j) in (16, 16) {
      %row = affine.apply affine_map<(d) -> (d * 4)>(%i)
      %column = affine.apply affine_map<(d) -> (d * 4)>(%j)
      %sum = scf.for %d = %c0 to %c128 step %c4 iter_args(%acc = %zeros) -> (vector<4x4xf32>) {
        %qs = vector.transfer_read %q_tile[%row, %d], %pad {in_bounds = [true, true]}
          : !tile, vector<4x4xf16>
        %ks = vector.transfer_read %k_tile[%column, %d], %pad {in_bounds = [true, true]}
          : !tile, vector<4x4xf16>
        %qf = arith.extf %qs : vector<4x4xf16> to vector<4x4xf32>
        %kf = arith.extf %ks : vector<4x4xf16> to vector<4x4xf32>
        %new = vector.contract {indexing_maps = [#query, #key, #score],
                                 iterator_types = ["parallel", "parallel", "reduction"]}
          %qf, %kf, %acc : vector<4x4xf32>, vector<4x4xf32> into vector<4x4xf32>
        scf.yield %new : vector<4x4xf32>
      }
      %scaled = arith.mulf %sum, %scale : vector<4x4xf32>
      %half = arith.truncf %scaled : vector<4x4xf32> to vector<4x4xf16>
      %to_row = arith.addi %q0, %row : index
      %to_column = arith.addi %k0, %column : index
      vector.transfer_write %half, %s[%head, %to_row, %to_column] {in_bounds = [true, true]}
        : vector<4x4xf16>, memref<32x512x65536xf16>
    } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
  } {mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>]}
  return
}
