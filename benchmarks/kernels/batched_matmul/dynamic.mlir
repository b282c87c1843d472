// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C[b] += A[b] * B[b] in fp32, sizes known at run time only. Batches along grid z,
// workgroups of 16 x 16 threads, one element of C each.
//
// passes: lower-affine
// passes: func.func(scf-parallel-loop-tiling{parallel-loop-tile-sizes=1,16,16 no-min-max-bounds=true})
// passes: func.func(gpu-map-parallel-loops{mapping-policy=innermost-first},convert-parallel-loops-to-gpu)

func.func @batched_matmul(%a: memref<?x?x?xf32>, %b: memref<?x?x?xf32>,
                          %c: memref<?x?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %batches = memref.dim %c, %c0 : memref<?x?x?xf32>
  %m = memref.dim %c, %c1 : memref<?x?x?xf32>
  %n = memref.dim %c, %c2 : memref<?x?x?xf32>
  %depth = memref.dim %a, %c2 : memref<?x?x?xf32>
  affine.parallel (%batch, %i, %j) = (0, 0, 0) to (%batches, %m, %n) {
    %old = affine.load %c[%batch, %i, %j] : memref<?x?x?xf32>
    %sum = affine.for %k = 0 to %depth iter_args(%acc = %old) -> f32 {
      %x = affine.load %a[%batch, %i, %k] : memref<?x?x?xf32>
      %y = affine.load %b[%batch, %k, %j] : memref<?x?x?xf32>
      %new = math.fma %x, %y, %acc : f32
      affine.yield %new : f32
    }
    affine.store %sum, %c[%batch, %i, %j] : memref<?x?x?xf32>
  }
  return
}
