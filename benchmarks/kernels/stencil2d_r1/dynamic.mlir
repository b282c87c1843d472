// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 5-point 2-D star stencil of radius 1 in fp32, sizes known at run time only. 
// One point a thread, workgroups of 64 x 8 points; the border is left as it is.
//
// passes: lower-affine
// passes: func.func(scf-parallel-loop-tiling{parallel-loop-tile-sizes=8,64 no-min-max-bounds=true})
// passes: func.func(gpu-map-parallel-loops{mapping-policy=innermost-first},convert-parallel-loops-to-gpu)

#interior = affine_set<(y, x)[ny, nx]
    : (y - 1 >= 0, ny - y - 2 >= 0, x - 1 >= 0, nx - x - 2 >= 0)>

func.func @stencil2d(%in: memref<?x?xf32>, %out: memref<?x?xf32>) {
  %center = arith.constant -4.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ny = memref.dim %in, %c0 : memref<?x?xf32>
  %nx = memref.dim %in, %c1 : memref<?x?xf32>
  affine.parallel (%y, %x) = (0, 0) to (%ny, %nx) {
    affine.if #interior(%y, %x)[%ny, %nx] {
      %c = affine.load %in[%y, %x] : memref<?x?xf32>
      %scaled = arith.mulf %c, %center : f32
      %p0 = affine.load %in[%y - 1, %x] : memref<?x?xf32>
      %s0 = arith.addf %scaled, %p0 : f32
      %p1 = affine.load %in[%y + 1, %x] : memref<?x?xf32>
      %s1 = arith.addf %s0, %p1 : f32
      %p2 = affine.load %in[%y, %x - 1] : memref<?x?xf32>
      %s2 = arith.addf %s1, %p2 : f32
      %p3 = affine.load %in[%y, %x + 1] : memref<?x?xf32>
      %s3 = arith.addf %s2, %p3 : f32
      affine.store %s3, %out[%y, %x] : memref<?x?xf32>
    }
  }
  return
}
