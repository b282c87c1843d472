// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transpose.

func.func @transpose(%a: tensor<8192x8192xf32>) -> tensor<8192x8192xf32> {
  %out = tensor.empty() : tensor<8192x8192xf32>
  %result = linalg.transpose ins(%a : tensor<8192x8192xf32>) outs(%out : tensor<8192x8192xf32>)
      permutation = [1, 0]
  return %result : tensor<8192x8192xf32>
}
