// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transpose of an fp32 matrix whose sizes are known at run time only, tiled as
// the static variant; tiles at the edges are guarded. Launched by hand, because
// upstream maps only foralls of constant size to workgroups.
//
// schedule: schedule.mlir
// passes:

#ceil32 = affine_map<()[n] -> (n ceildiv 32)>
#row = affine_map<(b, t, i) -> (b * 32 + t + i)>
#column = affine_map<(b, t) -> (b * 32 + t)>

func.func @transpose(%in: memref<?x?xf32>, %out: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %rows = memref.dim %in, %c0 : memref<?x?xf32>
  %columns = memref.dim %in, %c1 : memref<?x?xf32>
  %gx = affine.apply #ceil32()[%columns]
  %gy = affine.apply #ceil32()[%rows]
  gpu.launch blocks(%bx, %by, %bz) in (%nbx = %gx, %nby = %gy, %nbz = %c1)
             threads(%x, %y, %z) in (%nx = %c32, %ny = %c8, %nz = %c1) {
    %tile = memref.alloca() : memref<32x33xf32, #gpu.address_space<workgroup>>
    scf.forall (%ty, %tx) in (8, 32) {
      scf.for %i = %c0 to %c32 step %c8 {
        %row = affine.apply #row(%by, %ty, %i)
        %column = affine.apply #column(%bx, %tx)
        %row_inside = arith.cmpi ult, %row, %rows : index
        %column_inside = arith.cmpi ult, %column, %columns : index
        %inside = arith.andi %row_inside, %column_inside : i1
        scf.if %inside {
          %tile_row = arith.addi %ty, %i : index
          %value = memref.load %in[%row, %column] : memref<?x?xf32>
          memref.store %value, %tile[%tile_row, %tx]
            : memref<32x33xf32, #gpu.address_space<workgroup>>
        }
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    scf.forall (%ty, %tx) in (8, 32) {
      scf.for %i = %c0 to %c32 step %c8 {
        %row = affine.apply #row(%bx, %ty, %i)
        %column = affine.apply #column(%by, %tx)
        %row_inside = arith.cmpi ult, %row, %columns : index
        %column_inside = arith.cmpi ult, %column, %rows : index
        %inside = arith.andi %row_inside, %column_inside : i1
        scf.if %inside {
          %tile_column = arith.addi %ty, %i : index
          %value = memref.load %tile[%tx, %tile_column]
            : memref<32x33xf32, #gpu.address_space<workgroup>>
          memref.store %value, %out[%row, %column] : memref<?x?xf32>
        }
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    gpu.terminator
  }
  return
}
