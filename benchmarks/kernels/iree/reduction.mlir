// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum over each row: no two workgroups touch the same line.

func.func @reduction(%a: tensor<64x1024x1024xf32>) -> tensor<64x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x1024xf32>
  %out = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %result = linalg.reduce {arith.addf} ins(%a : tensor<64x1024x1024xf32>)
      outs(%out : tensor<64x1024xf32>) dimensions = [2]
  return %result : tensor<64x1024xf32>
}
