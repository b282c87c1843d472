// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C += A * B on tensors, fp16 in, fp32 out, 8192 x 8192 x 8192: one linalg.matmul and
// nothing else. All the rest, tiles of 128 x 128, staging through workgroup memory
// in steps of 32, and NVIDIA's tensor cores, is the schedule's.
//
// schedule: schedule.mlir
// passes:
// targets: sm_90

func.func @matmul(%a: tensor<8192x8192xf16>, %b: tensor<8192x8192xf16>,
                  %c: tensor<8192x8192xf32>) -> tensor<8192x8192xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8192x8192xf16>, tensor<8192x8192xf16>)
                     outs(%c : tensor<8192x8192xf32>) -> tensor<8192x8192xf32>
  return %r : tensor<8192x8192xf32>
}
