// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C += A * B in fp32, 4096 x 4096 x 4096. The schedule gives each workgroup a
// 64 x 64 tile and each thread a 4 x 4 tile kept in registers; no workgroup memory.
//
// schedule: schedule.mlir
// passes:

func.func @matmul(%a: memref<4096x4096xf32>, %b: memref<4096x4096xf32>,
                  %c: memref<4096x4096xf32>) {
  linalg.matmul ins(%a, %b : memref<4096x4096xf32>, memref<4096x4096xf32>)
                outs(%c : memref<4096x4096xf32>)
  return
}
