// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two executables in one module.

func.func @two(%a: tensor<64x256x512xf16>, %b: tensor<64x512x256xf16>,
               %c: tensor<64x256x256xf32>) -> (tensor<64x256x256xf32>, tensor<64x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x256x256xf32>
  %out = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x256x256xf32>)
      -> tensor<64x256x256xf32>
  %products = linalg.batch_matmul
      ins(%a, %b : tensor<64x256x512xf16>, tensor<64x512x256xf16>)
      outs(%out : tensor<64x256x256xf32>) -> tensor<64x256x256xf32>
  %empty_sums = tensor.empty() : tensor<64x256xf32>
  %zero_sums = linalg.fill ins(%zero : f32) outs(%empty_sums : tensor<64x256xf32>)
      -> tensor<64x256xf32>
  %sums = linalg.reduce {arith.addf} ins(%c : tensor<64x256x256xf32>)
      outs(%zero_sums : tensor<64x256xf32>) dimensions = [2]
  return %products, %sums : tensor<64x256x256xf32>, tensor<64x256xf32>
}
