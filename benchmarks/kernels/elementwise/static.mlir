// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// out[b, i, j] = max(in[b, i, j] * scale[j] + bias[i, j], 0) in fp32: `scale` and
// `bias` are broadcast over the 16 batches (grid z). Workgroups of 4 x 256
// elements, 64 x 4 threads with one 16-byte access each.
//
// schedule: schedule.mlir
// passes:

#element = affine_map<(b, i, j) -> (b, i, j)>
#matrix = affine_map<(b, i, j) -> (i, j)>
#row = affine_map<(b, i, j) -> (j)>

func.func @scale_bias_relu(%in: memref<16x2048x4096xf32>, %scale: memref<4096xf32>,
                           %bias: memref<2048x4096xf32>, %out: memref<16x2048x4096xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {
      indexing_maps = [#element, #row, #matrix, #element],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%in, %scale, %bias : memref<16x2048x4096xf32>, memref<4096xf32>, memref<2048x4096xf32>)
      outs(%out : memref<16x2048x4096xf32>) {
    ^bb0(%x: f32, %s: f32, %b: f32, %old: f32):
      %scaled = arith.mulf %x, %s : f32
      %biased = arith.addf %scaled, %b : f32
      %result = arith.maximumf %biased, %zero : f32
      linalg.yield %result : f32
  }
  return
}
