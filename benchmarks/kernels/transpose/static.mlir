// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transpose of a 16384 x 16384 fp32 matrix through workgroup memory: tiles of
// 32 x 32, 32 x 8 threads, rows of 128 bytes on both sides. The tile's pitch of
// 33 keeps the threads of a column on different banks.
//
// schedule: schedule.mlir
// passes:

func.func @transpose(%in: memref<16384x16384xf32>, %out: memref<16384x16384xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  scf.forall (%by, %bx) in (512, 512) {
    %tile = memref.alloca() : memref<32x33xf32, #gpu.address_space<workgroup>>
    scf.forall (%ty, %tx) in (8, 32) {
      scf.for %i = %c0 to %c32 step %c8 {
        %row = affine.apply affine_map<(b, t, i) -> (b * 32 + t + i)>(%by, %ty, %i)
        %column = affine.apply affine_map<(b, t) -> (b * 32 + t)>(%bx, %tx)
        %tile_row = arith.addi %ty, %i : index
        %value = memref.load %in[%row, %column] : memref<16384x16384xf32>
        memref.store %value, %tile[%tile_row, %tx]
          : memref<32x33xf32, #gpu.address_space<workgroup>>
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    scf.forall (%ty, %tx) in (8, 32) {
      scf.for %i = %c0 to %c32 step %c8 {
        %row = affine.apply affine_map<(b, t, i) -> (b * 32 + t + i)>(%bx, %ty, %i)
        %column = affine.apply affine_map<(b, t) -> (b * 32 + t)>(%by, %tx)
        %tile_column = arith.addi %ty, %i : index
        %value = memref.load %tile[%tx, %tile_column]
          : memref<32x33xf32, #gpu.address_space<workgroup>>
        memref.store %value, %out[%row, %column] : memref<16384x16384xf32>
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}
