// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C[b] += A[b] * B[b] in fp32 for 16 batches of 2048 x 2048 x 2048. Batches along
// grid z; workgroups of 64 x 64, threads of 4 x 4 kept in registers.
//
// schedule: schedule.mlir
// passes:

func.func @batched_matmul(%a: memref<16x2048x2048xf32>, %b: memref<16x2048x2048xf32>,
                          %c: memref<16x2048x2048xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<16x2048x2048xf32>, memref<16x2048x2048xf32>)
                      outs(%c : memref<16x2048x2048xf32>)
  return
}
