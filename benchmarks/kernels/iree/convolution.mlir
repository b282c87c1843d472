// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A convolution of 3 by 3.

func.func @convolution(%a: tensor<16x130x130x256xf16>, %b: tensor<3x3x256x256xf16>) -> tensor<16x128x128x256xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x128x128x256xf32>
  %out = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x128x128x256xf32>) -> tensor<16x128x128x256xf32>
  %result = linalg.conv_2d_nhwc_hwcf
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%a, %b : tensor<16x130x130x256xf16>, tensor<3x3x256x256xf16>)
      outs(%out : tensor<16x128x128x256xf32>) -> tensor<16x128x128x256xf32>
  return %result : tensor<16x128x128x256xf32>
}
