# Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE.TXT for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a kernel that writes its own number into its row once for each of so many floats that it
is passed, if that is below zero."""
import sys

COUNT = int(sys.argv[1])
FLOATS = ", ".join(f"float %f{n}" for n in range(COUNT))
print(f"""target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @ways_{COUNT}(ptr addrspace(1) noalias %out, i64 %pitch, {FLOATS}) {{
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %wide = zext i32 %x to i64
  %row = mul nuw nsw i64 %wide, %pitch
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %row
  br label %ask0""")
for n in range(COUNT):
    print(f"""ask{n}:
  %c{n} = fcmp olt float %f{n}, 0.0
  br i1 %c{n}, label %yes{n}, label %ask{n + 1}
yes{n}:
  %p{n} = getelementptr i32, ptr addrspace(1) %to, i64 {n}
  store i32 %x, ptr addrspace(1) %p{n}
  br label %ask{n + 1}""")
print(f"""ask{COUNT}:
  ret void
}}""")
