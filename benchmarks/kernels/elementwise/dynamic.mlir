// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// out[b, i, j] = max(in[b, i, j] * scale[j] + bias[i, j], 0) in fp32, sizes known at
// run time only. Workgroups of 256 elements of a row, one a thread.
//
// passes: convert-linalg-to-parallel-loops
// passes: func.func(scf-parallel-loop-tiling{parallel-loop-tile-sizes=1,1,256 no-min-max-bounds=true})
// passes: func.func(gpu-map-parallel-loops{mapping-policy=innermost-first},convert-parallel-loops-to-gpu)

#element = affine_map<(b, i, j) -> (b, i, j)>
#matrix = affine_map<(b, i, j) -> (i, j)>
#row = affine_map<(b, i, j) -> (j)>

func.func @scale_bias_relu(%in: memref<?x?x?xf32>, %scale: memref<?xf32>,
                           %bias: memref<?x?xf32>, %out: memref<?x?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {
      indexing_maps = [#element, #row, #matrix, #element],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%in, %scale, %bias : memref<?x?x?xf32>, memref<?xf32>, memref<?x?xf32>)
      outs(%out : memref<?x?x?xf32>) {
    ^bb0(%x: f32, %s: f32, %b: f32, %old: f32):
      %scaled = arith.mulf %x, %s : f32
      %biased = arith.addf %scaled, %b : f32
      %result = arith.maximumf %biased, %zero : f32
      linalg.yield %result : f32
  }
  return
}
