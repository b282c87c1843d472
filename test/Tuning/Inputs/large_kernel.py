#!/usr/bin/env python3
# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a kernel with as many loads as its argument says, each with arithmetic on
what was loaded: a long text of accesses, and a longer one of arithmetic."""
import sys

loads = int(sys.argv[1])
array = f"memref<64x{256 + loads}xf32>"
print(f"""module {{
  gpu.module @k {{
    gpu.func @large(%a: {array}, %out: memref<64x8x256xf32>) kernel
        attributes {{known_grid_size = array<i32: 8, 64, 1>,
                    known_block_size = array<i32: 256, 1, 1>}} {{
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %tx = gpu.thread_id x
      %s0 = arith.constant 0.0 : f32""")
for i in range(loads):
    print(f"""      %c{i} = arith.constant {i} : index
      %i{i} = arith.addi %tx, %c{i} : index
      %v{i} = memref.load %a[%by, %i{i}] : {array}
      %w{i} = arith.mulf %v{i}, %v{i} : f32
      %s{i + 1} = arith.addf %s{i}, %w{i} : f32""")
print(f"""      memref.store %s{loads}, %out[%by, %bx, %tx] : memref<64x8x256xf32>
      gpu.return
    }}
  }}
}}""")
