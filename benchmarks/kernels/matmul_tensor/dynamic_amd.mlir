// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B^T, fp16 in, fp32 out, N = K = 8192 and M known at run time only (a
// multiple of 128), on AMD's matrix cores.
// Workgroups of 256 threads compute tiles of 128 x 128 in steps of 64 along k (whole
// lines), staged through workgroup memory with 16-byte accesses; each of the 4 waves
// keeps a 64 x 64 part of C in four 32 x 32 accumulators. In workgroup memory the 8
// chunks of a row change places with the row, so that no two lanes meet at a bank. Upstream lowers no contraction
// to `amdgpu.mfma`: the body is written by hand after the instruction's layout.
//
// passes: inline{default-pipeline=cse},func.func(convert-parallel-loops-to-gpu)
// targets: gfx942

!tile = memref<128x64xf16, #gpu.address_space<workgroup>>

memref.global "private" @a_tile : !tile
memref.global "private" @b_tile : !tile

/// One thread's share of copying a 128 x 64 tile: chunk t mod 8 of rows t / 8, 32 +
/// t / 8, ...
func.func private @stage(%from: memref<?x8192xf16>, %to: !tile, %row: index, %k: index, %t: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %chunk = arith.remui %t, %c8 : index
  %first_row = arith.divui %t, %c8 : index
  %from_chunk = arith.muli %chunk, %c8 : index
  %from_column = arith.addi %k, %from_chunk : index
  %row_in_8 = arith.remui %first_row, %c8 : index
  %to_chunk = arith.xori %chunk, %row_in_8 : index
  %to_column = arith.muli %to_chunk, %c8 : index
  scf.for %quarter = %c0 to %c128 step %c32 {
    %to_row = arith.addi %first_row, %quarter : index
    %from_row = arith.addi %row, %to_row : index
    %v = vector.load %from[%from_row, %from_column] : memref<?x8192xf16>, vector<8xf16>
    vector.store %v, %to[%to_row, %to_column] : !tile, vector<8xf16>
  }
  return
}

/// Stores a 32 x 32 accumulator: element 4 q + r of a lane is row 8 q + 4 (lane /
/// 32) + r, column lane mod 32.
func.func private @store(%acc: vector<16xf32>, %c: memref<?x8192xf32>, %row: index, %column: index,
                         %lane: index) {
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
      memref.store %v, %c[%to_row, %to_column] : memref<?x8192xf32>
    }
  }
  return
}

func.func @matmul(%a: memref<?x8192xf16>, %b: memref<8192x8192xf16>,
                  %c: memref<?x8192xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c256 = arith.constant 256 : index
  %c64 = arith.constant 64 : index
  %c8192 = arith.constant 8192 : index
  %b_rows = memref.cast %b : memref<8192x8192xf16> to memref<?x8192xf16>
  %tiles_n = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %m = memref.dim %c, %c0 : memref<?x8192xf32>
  %tiles_m = affine.apply affine_map<(d) -> (d ceildiv 128)>(%m)
  scf.parallel (%tile_m, %tile_n) = (%c0, %c0) to (%tiles_m, %tiles_n) step (%c1, %c1) {
    scf.parallel (%t) = (%c0) to (%c256) step (%c1) {
      %a_tile = memref.get_global @a_tile : !tile
      %b_tile = memref.get_global @b_tile : !tile
      %m0 = affine.apply affine_map<(d) -> (d * 128)>(%tile_m)
      %n0 = affine.apply affine_map<(d) -> (d * 128)>(%tile_n)
      // This wave's part of the tile, and this lane's row in a fragment.
      %wave_m = affine.apply affine_map<(t) -> ((t floordiv 128) * 64)>(%t)
      %wave_n = affine.apply affine_map<(t) -> ((t floordiv 64) mod 2 * 64)>(%t)
      %lane = affine.apply affine_map<(t) -> (t mod 64)>(%t)
      %row_a0 = affine.apply affine_map<(w, t) -> (w + t mod 32)>(%wave_m, %t)
      %row_a1 = affine.apply affine_map<(w, t) -> (w + t mod 32 + 32)>(%wave_m, %t)
      %row_b0 = affine.apply affine_map<(w, t) -> (w + t mod 32)>(%wave_n, %t)
      %row_b1 = affine.apply affine_map<(w, t) -> (w + t mod 32 + 32)>(%wave_n, %t)

      %row_in_8 = affine.apply affine_map<(t) -> (t mod 8)>(%t)
      %half = affine.apply affine_map<(l) -> (l floordiv 32 * 4)>(%lane)

      %sums:4 = scf.for %k = %c0 to %c8192 step %c64
          iter_args(%s00 = %zero, %s01 = %zero, %s10 = %zero, %s11 = %zero)
          -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
        func.call @stage(%a, %a_tile, %m0, %k, %t)
          : (memref<?x8192xf16>, !tile, index, index, index) -> ()
        func.call @stage(%b_rows, %b_tile, %n0, %k, %t)
          : (memref<?x8192xf16>, !tile, index, index, index) -> ()
        gpu.barrier
        %next:4 = scf.for %kk = %c0 to %c8 step %c1
            iter_args(%t00 = %s00, %t01 = %s01, %t10 = %s10, %t11 = %s11)
            -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
          %chunk = arith.xori %kk, %row_in_8 : index
          %kl = affine.apply affine_map<(c, h) -> (c * 8 + h)>(%chunk, %half)
          %a0 = vector.load %a_tile[%row_a0, %kl] : !tile, vector<4xf16>
          %a1 = vector.load %a_tile[%row_a1, %kl] : !tile, vector<4xf16>
          %b0 = vector.load %b_tile[%row_b0, %kl] : !tile, vector<4xf16>
          %b1 = vector.load %b_tile[%row_b1, %kl] : !tile, vector<4xf16>
          %u00 = amdgpu.mfma 32x32x8 %a0 * %b0 + %t00 blgp = none
            : vector<4xf16>, vector<4xf16>, vector<16xf32>
          %u01 = amdgpu.mfma 32x32x8 %a0 * %b1 + %t01 blgp = none
            : vector<4xf16>, vector<4xf16>, vector<16xf32>
          %u10 = amdgpu.mfma 32x32x8 %a1 * %b0 + %t10 blgp = none
            : vector<4xf16>, vector<4xf16>, vector<16xf32>
          %u11 = amdgpu.mfma 32x32x8 %a1 * %b1 + %t11 blgp = none
            : vector<4xf16>, vector<4xf16>, vector<16xf32>
          scf.yield %u00, %u01, %u10, %u11
            : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
        }
        gpu.barrier
        scf.yield %next#0, %next#1, %next#2, %next#3
          : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
      }

      %to_m0 = arith.addi %m0, %wave_m : index
      %to_n0 = arith.addi %n0, %wave_n : index
      %to_m1 = arith.addi %to_m0, %c32 : index
      %to_n1 = arith.addi %to_n0, %c32 : index
      func.call @store(%sums#0, %c, %to_m0, %to_n0, %lane)
        : (vector<16xf32>, memref<?x8192xf32>, index, index, index) -> ()
      func.call @store(%sums#1, %c, %to_m0, %to_n1, %lane)
        : (vector<16xf32>, memref<?x8192xf32>, index, index, index) -> ()
      func.call @store(%sums#2, %c, %to_m1, %to_n0, %lane)
        : (vector<16xf32>, memref<?x8192xf32>, index, index, index) -> ()
      func.call @store(%sums#3, %c, %to_m1, %to_n1, %lane)
        : (vector<16xf32>, memref<?x8192xf32>, index, index, index) -> ()
      scf.reduce
    } {mapping = [#gpu.loop_dim_map<processor = thread_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
    scf.reduce
  } {mapping = [#gpu.loop_dim_map<processor = block_y, map = (d0) -> (d0), bound = (d0) -> (d0)>,
                #gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
  return
}
