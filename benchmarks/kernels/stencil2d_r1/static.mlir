// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 5-point 2-D star stencil of radius 1 in fp32, 8192 x 8192. 
// One point a thread, workgroups of 64 x 8 points; the border is left as it is.
//
// passes: lower-affine
// passes: func.func(scf-parallel-loop-tiling{parallel-loop-tile-sizes=8,64 no-min-max-bounds=true})
// passes: func.func(gpu-map-parallel-loops{mapping-policy=innermost-first},convert-parallel-loops-to-gpu)

#interior = affine_set<(y, x)
    : (y - 1 >= 0, 8190 - y >= 0, x - 1 >= 0, 8190 - x >= 0)>

func.func @stencil2d(%in: memref<8192x8192xf32>, %out: memref<8192x8192xf32>) {
  %center = arith.constant -4.0 : f32
  affine.parallel (%y, %x) = (0, 0) to (8192, 8192) {
    affine.if #interior(%y, %x) {
      %c = affine.load %in[%y, %x] : memref<8192x8192xf32>
      %scaled = arith.mulf %c, %center : f32
      %p0 = affine.load %in[%y - 1, %x] : memref<8192x8192xf32>
      %s0 = arith.addf %scaled, %p0 : f32
      %p1 = affine.load %in[%y + 1, %x] : memref<8192x8192xf32>
      %s1 = arith.addf %s0, %p1 : f32
      %p2 = affine.load %in[%y, %x - 1] : memref<8192x8192xf32>
      %s2 = arith.addf %s1, %p2 : f32
      %p3 = affine.load %in[%y, %x + 1] : memref<8192x8192xf32>
      %s3 = arith.addf %s2, %p3 : f32
      affine.store %s3, %out[%y, %x] : memref<8192x8192xf32>
    }
  }
  return
}
