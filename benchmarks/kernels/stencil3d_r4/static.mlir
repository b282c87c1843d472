// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 25-point 3-D star stencil of radius 4 in fp32, 64 x 4096 x 4096. 
// One point a thread, workgroups of 64 x 4 points; the border is left as it is.
//
// passes: func.func(affine-loop-unroll{unroll-factor=4}),lower-affine
// passes: func.func(scf-parallel-loop-tiling{parallel-loop-tile-sizes=1,4,64 no-min-max-bounds=true})
// passes: func.func(gpu-map-parallel-loops{mapping-policy=innermost-first},convert-parallel-loops-to-gpu)

#interior = affine_set<(z, y, x)
    : (z - 4 >= 0, 59 - z >= 0, y - 4 >= 0, 4091 - y >= 0, x - 4 >= 0, 4091 - x >= 0)>

func.func @stencil3d(%in: memref<64x4096x4096xf32>, %out: memref<64x4096x4096xf32>) {
  %center = arith.constant -6.0 : f32
  affine.parallel (%z, %y, %x) = (0, 0, 0) to (64, 4096, 4096) {
    affine.if #interior(%z, %y, %x) {
      %c = affine.load %in[%z, %y, %x] : memref<64x4096x4096xf32>
      %scaled = arith.mulf %c, %center : f32
      %sum = affine.for %d = 1 to 5 iter_args(%acc = %scaled) -> f32 {
        %p0 = affine.load %in[%z - %d, %y, %x] : memref<64x4096x4096xf32>
        %s0 = arith.addf %acc, %p0 : f32
        %p1 = affine.load %in[%z + %d, %y, %x] : memref<64x4096x4096xf32>
        %s1 = arith.addf %s0, %p1 : f32
        %p2 = affine.load %in[%z, %y - %d, %x] : memref<64x4096x4096xf32>
        %s2 = arith.addf %s1, %p2 : f32
        %p3 = affine.load %in[%z, %y + %d, %x] : memref<64x4096x4096xf32>
        %s3 = arith.addf %s2, %p3 : f32
        %p4 = affine.load %in[%z, %y, %x - %d] : memref<64x4096x4096xf32>
        %s4 = arith.addf %s3, %p4 : f32
        %p5 = affine.load %in[%z, %y, %x + %d] : memref<64x4096x4096xf32>
        %s5 = arith.addf %s4, %p5 : f32
        affine.yield %s5 : f32
      }
      affine.store %sum, %out[%z, %y, %x] : memref<64x4096x4096xf32>
    }
  }
  return
}
