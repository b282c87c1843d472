; What memory decides is modelled as done: it is assumed in the body, and
; not modelled for the proof. What comes behind it is modelled as ever.

; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; if (flags[i]) out[i] = in[i]; else out[i] = 0;   done[i] = 1;
; CHECK-LABEL: kernel @masked
; CHECK:      {{^}}  read arg0[64*x + tx] 1 bytes{{$}}
; CHECK-NEXT: {{^}}  read arg1[256*x + 4*tx] 4 bytes, assumed{{$}}
; CHECK-NEXT: {{^}}  write arg2[256*x + 4*tx] 4 bytes{{$}}
; CHECK-NEXT: {{^}}  write arg3[256*x + 4*tx] 4 bytes{{$}}
; CHECK-NOT:  not modelled
; CHECK:      assumed: what may or may not be done is done: llvm.load of arg1 (a condition is not affine: loaded from memory){{$}}
define ptx_kernel void @masked(ptr addrspace(1) noalias %flags, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, ptr addrspace(1) noalias %done) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nuw nsw i32 %x, 64
  %i = add nuw nsw i32 %first, %t
  %flag.at = getelementptr i8, ptr addrspace(1) %flags, i32 %i
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %end.at = getelementptr i32, ptr addrspace(1) %done, i32 %i
  %flag = load i8, ptr addrspace(1) %flag.at
  %c = icmp eq i8 %flag, 0
  br i1 %c, label %no, label %yes
yes:
  %v = load i32, ptr addrspace(1) %from
  store i32 %v, ptr addrspace(1) %to
  br label %meet
no:
  store i32 0, ptr addrspace(1) %to
  br label %meet
meet:
  store i32 1, ptr addrspace(1) %end.at
  ret void
}

; for (k = 0; k < 16; ++k) if (in[16 * i + k] == 3) break;   out[i] = k;
; CHECK-LABEL: kernel @search
; CHECK:      {{^}}  loop i < 16
; CHECK-NEXT: {{^}}    read arg0[4096*x + 64*tx + 4*i] 4 bytes, assumed{{$}}
; CHECK:      {{^}}  write arg1[256*x + 4*tx] 4 bytes{{$}}
; CHECK-NOT:  not modelled
; CHECK:      assumed: what may or may not be done is done: llvm.load of arg0 (a loop of blocks with several exits){{$}}
define ptx_kernel void @search(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nuw nsw i32 %x, 64
  %i = add nuw nsw i32 %first, %t
  %row = mul nuw nsw i32 %i, 16
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %more = icmp ult i32 %k, 16
  br i1 %more, label %look, label %done
look:
  %at = add nuw nsw i32 %row, %k
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %at
  %v = load i32, ptr addrspace(1) %from
  %three = icmp eq i32 %v, 3
  br i1 %three, label %done, label %next
next:
  %k1 = add nuw nsw i32 %k, 1
  br label %loop
done:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %k, ptr addrspace(1) %to
  ret void
}

; The same with `return` in place of `break`: the store may not be done.
; CHECK-LABEL: kernel @returns
; CHECK:      {{^}}  loop i < 16
; CHECK-NEXT: {{^}}    read arg0[4096*x + 64*tx + 4*i] 4 bytes, assumed{{$}}
; CHECK:      {{^}}  write arg1[256*x + 4*tx] 4 bytes, assumed{{$}}
; CHECK:      assumed: what may or may not be done is done: llvm.load of arg0 (a loop of blocks with several exits) and 1 more
define ptx_kernel void @returns(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nuw nsw i32 %x, 64
  %i = add nuw nsw i32 %first, %t
  %row = mul nuw nsw i32 %i, 16
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %more = icmp ult i32 %k, 16
  br i1 %more, label %look, label %done
look:
  %at = add nuw nsw i32 %row, %k
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %at
  %v = load i32, ptr addrspace(1) %from
  %three = icmp eq i32 %v, 3
  br i1 %three, label %end, label %next
next:
  %k1 = add nuw nsw i32 %k, 1
  br label %loop
done:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %k, ptr addrspace(1) %to
  br label %end
end:
  ret void
}

; do sum += in[16 * i + k]; while (in[16 * i + k] != 3 && ++k != 16);   out[i] = sum;
; CHECK-LABEL: kernel @until
; CHECK:      {{^}}  loop i < 15
; CHECK-NEXT: {{^}}    read arg0[4096*x + 64*tx + 4*i] 4 bytes, assumed{{$}}
; CHECK:      {{^}}  read arg0[4096*x + 64*tx + 60] 4 bytes, assumed{{$}}
; CHECK:      {{^}}  write arg1[256*x + 4*tx] 4 bytes{{$}}
; CHECK-NOT:  not modelled
define ptx_kernel void @until(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nuw nsw i32 %x, 64
  %i = add nuw nsw i32 %first, %t
  %row = mul nuw nsw i32 %i, 16
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %at = add nuw nsw i32 %row, %k
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %at
  %v = load i32, ptr addrspace(1) %from
  %more = add i32 %sum, %v
  %three = icmp eq i32 %v, 3
  %k1 = add nuw nsw i32 %k, 1
  %last = icmp eq i32 %k1, 16
  %leaves = select i1 %three, i1 true, i1 %last
  br i1 %leaves, label %done, label %loop
done:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %more, ptr addrspace(1) %to
  ret void
}

; for (k = rows[i]; k < rows[i + 1]; ++k) sum += values[k], once[i];
; CHECK-LABEL: kernel @rows
; CHECK:      {{^}}  loop i < 16{{$}}
; CHECK-NEXT: {{^}}    read arg1[4096*x + 64*tx + 4*i] 4 bytes, assumed{{$}}
; CHECK-NEXT: {{^}}    read arg2[256*x + 4*tx] 4 bytes, assumed{{$}}
; CHECK:      {{^}}  write arg3[256*x + 4*tx] 4 bytes{{$}}
; CHECK-NOT:  not modelled
; CHECK:      assumed: what arg0 holds, which says where rows begin: one after the other
define ptx_kernel void @rows(ptr addrspace(1) noalias %rows, ptr addrspace(1) noalias %values, ptr addrspace(1) noalias %once, ptr addrspace(1) noalias %out) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nuw nsw i32 %x, 64
  %i = add nuw nsw i32 %first, %t
  %begin.at = getelementptr i32, ptr addrspace(1) %rows, i32 %i
  %end.at = getelementptr i32, ptr addrspace(1) %begin.at, i32 1
  %one.at = getelementptr i32, ptr addrspace(1) %once, i32 %i
  %begin = load i32, ptr addrspace(1) %begin.at
  %end = load i32, ptr addrspace(1) %end.at
  br label %loop
loop:
  %k = phi i32 [ %begin, %entry ], [ %k1, %body ]
  %sum = phi i32 [ 0, %entry ], [ %more, %body ]
  %c = icmp slt i32 %k, %end
  br i1 %c, label %body, label %done
body:
  %from = getelementptr i32, ptr addrspace(1) %values, i32 %k
  %v = load i32, ptr addrspace(1) %from
  %w = load i32, ptr addrspace(1) %one.at
  %p = mul i32 %v, %w
  %more = add i32 %sum, %p
  %k1 = add nsw i32 %k, 1
  br label %loop
done:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %sum, ptr addrspace(1) %to
  ret void
}
attributes #1 = { "nvvm.reqntid"="16,8" }
