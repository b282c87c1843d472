; Loops whose step is so large that 1024, or 2^20, of it do not fit into 32 bits: how
; often they run follows from how much room there is. Where the counter does wrap
; around behind the end, they are not modelled.

; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; for (i = 256 * x + t; i < 2^24; i += 2^21), tested before the body.
; CHECK-LABEL: kernel @tested_before
; CHECK-NOT: not modelled
; CHECK: loop i < 8
; CHECK: write arg0[1024*x + 4*tx + 8388608*i] 4 bytes
; CHECK-NOT: not modelled
define ptx_kernel void @tested_before(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = shl i32 %x, 8
  %start = add i32 %row, %t
  br label %head
head:
  %i = phi i32 [ %start, %0 ], [ %next, %body ]
  %more = icmp slt i32 %i, 16777216
  br i1 %more, label %body, label %done
body:
  %index = zext i32 %i to i64
  %to = getelementptr float, ptr addrspace(1) %out, i64 %index
  store float 0.0, ptr addrspace(1) %to
  %next = add i32 %i, 2097152
  br label %head
done:
  ret void
}

; The same, tested behind the body, up to 2^30 + 2^29 in steps of 2^18.
; CHECK-LABEL: kernel @tested_behind
; CHECK-NOT: not modelled
; CHECK: loop i < 6143
; CHECK: write arg0[1024*x + 4*tx + 1048576*i] 4 bytes
; CHECK: write arg0[1024*x + 4*tx + 6441402368] 4 bytes
; CHECK-NOT: not modelled
define ptx_kernel void @tested_behind(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = shl i32 %x, 8
  %start = add i32 %row, %t
  br label %body
body:
  %i = phi i32 [ %start, %0 ], [ %next, %body ]
  %index = zext i32 %i to i64
  %to = getelementptr float, ptr addrspace(1) %out, i64 %index
  store float 0.0, ptr addrspace(1) %to
  %next = add i32 %i, 262144
  %more = icmp slt i32 %next, 1610612736
  br i1 %more, label %body, label %done
done:
  ret void
}

; Down from 2^30 in steps of 2^28.
; CHECK-LABEL: kernel @downwards
; CHECK-NOT: not modelled
; CHECK: loop i < 4
; CHECK: write arg0[4*x - 1073741824*i + 4294967296] 4 bytes
; CHECK-NOT: not modelled
define ptx_kernel void @downwards(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %start = add i32 %x, 1073741824
  br label %head
head:
  %i = phi i32 [ %start, %0 ], [ %next, %body ]
  %more = icmp sge i32 %i, 268435456
  br i1 %more, label %body, label %done
body:
  %index = zext i32 %i to i64
  %to = getelementptr float, ptr addrspace(1) %out, i64 %index
  store float 0.0, ptr addrspace(1) %to
  %next = sub i32 %i, 268435456
  br label %head
done:
  ret void
}

; The step leaves no room for more than where the loop starts.
; CHECK-LABEL: kernel @one_step
; CHECK-NOT: not modelled
; CHECK: write arg0[4*x] 4 bytes
; CHECK-NOT: not modelled
define ptx_kernel void @one_step(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br label %body
body:
  %i = phi i32 [ %x, %0 ], [ %next, %body ]
  %index = zext i32 %i to i64
  %to = getelementptr float, ptr addrspace(1) %out, i64 %index
  store float 0.0, ptr addrspace(1) %to
  %next = add i32 %i, 2147482624
  %more = icmp slt i32 %next, 100000
  br i1 %more, label %body, label %done
done:
  ret void
}

; Behind 2^31 - 1 the counter is negative again, and the loop goes on: nothing is
; certain.
; CHECK-LABEL: kernel @wraps_around
; CHECK-NOT: write arg0
; CHECK: loop i < 16
; CHECK-NEXT: write arg0[1024*x + 4*tx + 1048576*i] 4 bytes, assumed
; CHECK: assumed: what may or may not be done is done: llvm.store of arg0 (a loop whose trip count is not affine)
define ptx_kernel void @wraps_around(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = shl i32 %x, 8
  %start = add i32 %row, %t
  br label %head
head:
  %i = phi i32 [ %start, %0 ], [ %next, %body ]
  %more = icmp slt i32 %i, 2147483647
  br i1 %more, label %body, label %done
body:
  %index = zext i32 %i to i64
  %to = getelementptr float, ptr addrspace(1) %out, i64 %index
  store float 0.0, ptr addrspace(1) %to
  %next = add i32 %i, 262144
  br label %head
done:
  ret void
}

; Threads 8000 and up reach the end before the counter wraps around, others do not.
; CHECK-LABEL: kernel @wraps_for_some
; CHECK-NOT: write arg0
; CHECK: loop i < 16
; CHECK-NEXT: write arg0[1024*x + 4*tx + 1048576*i] 4 bytes, assumed
; CHECK: assumed: what may or may not be done is done: llvm.store of arg0
define ptx_kernel void @wraps_for_some(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = shl i32 %x, 8
  %start = add i32 %row, %t
  br label %head
head:
  %i = phi i32 [ %start, %0 ], [ %next, %body ]
  %more = icmp slt i32 %i, 2147229504
  br i1 %more, label %body, label %done
body:
  %index = zext i32 %i to i64
  %to = getelementptr float, ptr addrspace(1) %out, i64 %index
  store float 0.0, ptr addrspace(1) %to
  %next = add i32 %i, 262144
  br label %head
done:
  ret void
}

attributes #0 = { "nvvm.reqntid"="256" }
