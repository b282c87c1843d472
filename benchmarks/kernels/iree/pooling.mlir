// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of 3 by 3 neighbours: a stencil.

func.func @pooling(%a: tensor<8x1026x1026x4xf32>) -> tensor<8x1024x1024x4xf32> {
  %window = tensor.empty() : tensor<3x3xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x1024x1024x4xf32>
  %out = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x1024x1024x4xf32>) -> tensor<8x1024x1024x4xf32>
  %result = linalg.pooling_nhwc_sum
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%a, %window : tensor<8x1026x1026x4xf32>, tensor<3x3xf32>)
      outs(%out : tensor<8x1024x1024x4xf32>) -> tensor<8x1024x1024x4xf32>
  return %result : tensor<8x1024x1024x4xf32>
}
