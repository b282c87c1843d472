// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scores of grouped-query attention, Q[h] * K[h / 4]^T with Q scaled already: 32
// query heads read 8 key heads of 128 features, a number of queries (a multiple of 64) that is known at
// run time only, 131072 keys, on AMD's matrix cores. fp16 in, fp32 out.
// Workgroups of 256 threads compute 64 x 128 scores of one head in steps of 64
// features, staged through workgroup memory as in matmul_tensor; each of the 4 waves
// keeps 64 x 32 scores in two 32 x 32 accumulators. Upstream lowers no contraction to
// `amdgpu.mfma`: the body is written by hand after the instruction's layout.
//
// passes: inline{default-pipeline=cse},func.func(convert-parallel-loops-to-gpu)
// targets: gfx942

!q_tile = memref<64x64xf16, #gpu.address_space<workgroup>>
!k_tile = memref<128x64xf16, #gpu.address_space<workgroup>>

memref.global "private" @q_tile : !q_tile
memref.global "private" @k_tile : !k_tile

/// Stores a 32 x 32 accumulator: element 4 q + r of a lane is row 8 q + 4 (lane /
/// 32) + r, column lane mod 32.
func.func private @store(%acc: vector<16xf32>, %s: memref<32x?x131072xf32>, %head: index,
                         %row: index, %column: index, %lane: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %lane_column = arith.remui %lane, %c32 : index
  %to_column = arith.addi %column, %lane_column : index
  %lane_half = arith.divui %lane, %c32 : index
  %lane_row = arith.muli %lane_half, %c4 : index
  %first_row = arith.addi %row, %lane_row : index
  scf.for %q = %c0 to %c4 step %c1 {
    %q_element = arith.muli %q, %c4 : index
    %q_offset = arith.muli %q, %c8 : index
    %q_row = arith.addi %first_row, %q_offset : index
    scf.for %r = %c0 to %c4 step %c1 {
      %element = arith.addi %q_element, %r : index
      %to_row = arith.addi %q_row, %r : index
      %v = vector.extract %acc[%element] : f32 from vector<16xf32>
      memref.store %v, %s[%head, %to_row, %to_column] : memref<32x?x131072xf32>
    }
  }
  return
}

func.func @scores(%q: memref<32x?x128xf16>, %k: memref<8x131072x128xf16>,
                  %s: memref<32x?x131072xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %tiles_k = arith.constant 1024 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %queries = memref.dim %q, %c1 : memref<32x?x128xf16>
  %tiles_q = affine.apply affine_map<()[s0] -> (s0 ceildiv 64)>()[%queries]
  scf.parallel (%head, %tile_q, %tile_k) = (%c0, %c0, %c0) to (%c32, %tiles_q, %tiles_k)
      step (%c1, %c1, %c1) {
    scf.parallel (%t) = (%c0) to (%c256) step (%c1) {
      %q_tile = memref.get_global @q_tile : !q_tile
      %k_tile = memref.get_global @k_tile : !k_tile
      %key_head = affine.apply affine_map<(d) -> (d floordiv 4)>(%head)
      // What this thread stages: chunk t mod 8 of rows t / 8, 32 + t / 8, ...
      %row = affine.apply affine_map<(t) -> (t floordiv 8)>(%t)
      %chunk = affine.apply affine_map<(t) -> (t mod 8)>(%t)
      %row_in_8 = affine.apply affine_map<(t) -> (t floordiv 8 mod 8)>(%t)
      %to_chunk = arith.xori %chunk, %row_in_8 : index
      %column = arith.muli %chunk, %c8 : index
      %to_column = arith.muli %to_chunk, %c8 : index
      // This lane's row in each fragment.
      %lane = affine.apply affine_map<(t) -> (t mod 64)>(%t)
      %wave_k = affine.apply affine_map<(t) -> (t floordiv 64 * 32)>(%t)
      %lane_q0 = affine.apply affine_map<(t) -> (t mod 32)>(%t)
      %lane_q1 = affine.apply affine_map<(t) -> (t mod 32 + 32)>(%t)
      %lane_k = affine.apply affine_map<(w, t) -> (w + t mod 32)>(%wave_k, %t)
      %lane_in_8 = affine.apply affine_map<(t) -> (t mod 8)>(%t)
      %half = affine.apply affine_map<(l) -> (l floordiv 32 * 4)>(%lane)

      %sums:2 = scf.for %d = %c0 to %c128 step %c64
          iter_args(%s0 = %zero, %s1 = %zero) -> (vector<16xf32>, vector<16xf32>) {
        %from = arith.addi %d, %column : index
        scf.for %part = %c0 to %c64 step %c32 {
          %to_row = arith.addi %row, %part : index
          %q_row = affine.apply affine_map<(d, r) -> (d * 64 + r)>(%tile_q, %to_row)
          %v = vector.load %q[%head, %q_row, %from] : memref<32x?x128xf16>, vector<8xf16>
          vector.store %v, %q_tile[%to_row, %to_column] : !q_tile, vector<8xf16>
        }
        scf.for %part = %c0 to %c128 step %c32 {
          %to_row = arith.addi %row, %part : index
          %k_row = affine.apply affine_map<(d, r) -> (d * 128 + r)>(%tile_k, %to_row)
          %v = vector.load %k[%key_head, %k_row, %from] : memref<8x131072x128xf16>,
            vector<8xf16>
          vector.store %v, %k_tile[%to_row, %to_column] : !k_tile, vector<8xf16>
        }
        gpu.barrier
        %next:2 = scf.for %dd = %c0 to %c8 step %c1
            iter_args(%t0 = %s0, %t1 = %s1) -> (vector<16xf32>, vector<16xf32>) {
          %d_chunk = arith.xori %dd, %lane_in_8 : index
          %dl = affine.apply affine_map<(c, h) -> (c * 8 + h)>(%d_chunk, %half)
          %q0 = vector.load %q_tile[%lane_q0, %dl] : !q_tile, vector<4xf16>
          %q1 = vector.load %q_tile[%lane_q1, %dl] : !q_tile, vector<4xf16>
          %k0 = vector.load %k_tile[%lane_k, %dl] : !k_tile, vector<4xf16>
          %u0 = amdgpu.mfma 32x32x8 %q0 * %k0 + %t0 blgp = none
            : vector<4xf16>, vector<4xf16>, vector<16xf32>
          %u1 = amdgpu.mfma 32x32x8 %q1 * %k0 + %t1 blgp = none
            : vector<4xf16>, vector<4xf16>, vector<16xf32>
          scf.yield %u0, %u1 : vector<16xf32>, vector<16xf32>
        }
        gpu.barrier
        scf.yield %next#0, %next#1 : vector<16xf32>, vector<16xf32>
      }

      %to_row0 = affine.apply affine_map<(d) -> (d * 64)>(%tile_q)
      %to_row1 = affine.apply affine_map<(d) -> (d * 64 + 32)>(%tile_q)
      %score_column = affine.apply affine_map<(d, w) -> (d * 128 + w)>(%tile_k, %wave_k)
      func.call @store(%sums#0, %s, %head, %to_row0, %score_column, %lane)
        : (vector<16xf32>, memref<32x?x131072xf32>, index, index, index, index) -> ()
      func.call @store(%sums#1, %s, %head, %to_row1, %score_column, %lane)
        : (vector<16xf32>, memref<32x?x131072xf32>, index, index, index, index) -> ()
      scf.reduce
    } {mapping = [#gpu.loop_dim_map<processor = thread_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
    scf.reduce
  } {mapping = [#gpu.loop_dim_map<processor = block_z, map = (d0) -> (d0), bound = (d0) -> (d0)>,
                #gpu.loop_dim_map<processor = block_y, map = (d0) -> (d0), bound = (d0) -> (d0)>,
                #gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
  return
}
