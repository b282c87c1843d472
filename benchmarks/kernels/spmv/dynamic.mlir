// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y = A * x in fp32, A sparse in rows (CSR) of any length, sizes known at run time
// only. One row a thread, 256 rows a workgroup. Which elements of x a workgroup
// reads is decided by the matrix: no affine map says it.
//
// passes: func.func(convert-parallel-loops-to-gpu)

#tiles = affine_map<(d) -> (d ceildiv 256)>
#row = affine_map<(b, t) -> (b * 256 + t)>

func.func @spmv(%starts: memref<?xi32>, %columns: memref<?xi32>, %values: memref<?xf32>,
                %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %rows = memref.dim %y, %c0 : memref<?xf32>
  %tiles = affine.apply #tiles(%rows)
  scf.parallel (%b) = (%c0) to (%tiles) step (%c1) {
    scf.parallel (%t) = (%c0) to (%c256) step (%c1) {
      %row = affine.apply #row(%b, %t)
      %inside = arith.cmpi ult, %row, %rows : index
      scf.if %inside {
        %next = arith.addi %row, %c1 : index
        %n0 = memref.load %starts[%row] : memref<?xi32>
        %n1 = memref.load %starts[%next] : memref<?xi32>
        %first = arith.index_cast %n0 : i32 to index
        %last = arith.index_cast %n1 : i32 to index
        %sum = scf.for %i = %first to %last step %c1 iter_args(%s = %zero) -> f32 {
          %c = memref.load %columns[%i] : memref<?xi32>
          %column = arith.index_cast %c : i32 to index
          %a = memref.load %values[%i] : memref<?xf32>
          %v = memref.load %x[%column] : memref<?xf32>
          %p = arith.mulf %a, %v : f32
          %s1 = arith.addf %s, %p : f32
          scf.yield %s1 : f32
        }
        memref.store %sum, %y[%row] : memref<?xf32>
      }
      scf.reduce
    } {mapping = [#gpu.loop_dim_map<processor = thread_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
    scf.reduce
  } {mapping = [#gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
  return
}
