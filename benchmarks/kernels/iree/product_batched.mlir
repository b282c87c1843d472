// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of many pairs of matrices.

func.func @product_batched(%a: tensor<64x1024x2048xf16>, %b: tensor<64x2048x1024xf16>) -> tensor<64x1024x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x1024x1024xf32>
  %out = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x1024x1024xf32>) -> tensor<64x1024x1024xf32>
  %result = linalg.batch_matmul ins(%a, %b : tensor<64x1024x2048xf16>, tensor<64x2048x1024xf16>)
      outs(%out : tensor<64x1024x1024xf32>) -> tensor<64x1024x1024xf32>
  return %result : tensor<64x1024x1024xf32>
}
