// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wide product: the one for which conditional_transpose does something.

func.func @product_wide(%a: tensor<4096x2048xf16>, %b: tensor<2048x16384xf16>) -> tensor<4096x16384xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4096x16384xf32>
  %out = linalg.fill ins(%zero : f32) outs(%empty : tensor<4096x16384xf32>) -> tensor<4096x16384xf32>
  %result = linalg.matmul ins(%a, %b : tensor<4096x2048xf16>, tensor<2048x16384xf16>)
      outs(%out : tensor<4096x16384xf32>) -> tensor<4096x16384xf32>
  return %result : tensor<4096x16384xf32>
}
