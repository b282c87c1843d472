; The lowest bits of an address, by which kernels move more at once or begin where a
; buffer is aligned: those of its offset, if the buffer is aligned, which is assumed where
; the argument does not promise it.

; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)

; Numbers before the first aligned one, as trunc, lshr and and ask for them.
; CHECK-LABEL: kernel @misplaced
; CHECK:       write arg1[404*x + 4*tx - 16*((x) // 4)] 4 bytes
; CHECK-NOT:   not modelled
; CHECK:       assumed: arg0 is aligned to 16 bytes (nominal)
define ptx_kernel void @misplaced(ptr noalias %in, ptr noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %begin = mul i32 %x, 100
  %row = getelementptr float, ptr %in, i32 %x
  %address = ptrtoint ptr %row to i64
  %word = trunc i64 %address to i32
  %numbers = lshr i32 %word, 2
  %shift = and i32 %numbers, 3
  %a = add i32 %begin, %t
  %b = add i32 %a, %shift
  %q = getelementptr float, ptr %out, i32 %b
  store float 1.0, ptr %q
  ret void
}

; What the argument promises is not assumed; half of it is.
; CHECK-LABEL: kernel @promised
; CHECK:       write arg0[64*x + 4*tx] 4 bytes
; CHECK-NOT:   write
; CHECK-NOT:   assumed: arg0
; CHECK:       assumed: arg1 is aligned to 16 bytes (nominal)
define ptx_kernel void @promised(ptr noalias align 16 %out, ptr noalias align 8 %other) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %begin = mul i32 %x, 16
  %i = add i32 %begin, %t
  %p = getelementptr float, ptr %out, i32 %i
  %row = getelementptr float, ptr %out, i32 %begin
  %q = getelementptr float, ptr %other, i32 %begin
  %one = ptrtoint ptr %row to i64
  %low = urem i64 %one, 16
  %ok = icmp eq i64 %low, 0
  br i1 %ok, label %fast, label %slow
fast:
  store float 1.0, ptr %p
  %two = ptrtoint ptr %q to i64
  %both = or i64 %one, %two
  %bits = and i64 %both, 15
  %apart = icmp ne i64 %bits, 0
  br i1 %apart, label %slow, label %end
slow:
  store float 2.0, ptr %q
  br label %end
end:
  ret void
}

; Down to where 32 bytes begin, as an address and as a number.
; CHECK-LABEL: kernel @down
; CHECK:       read arg1[32*((x) // 8)] 4 bytes
; CHECK:       write arg0[32*((x) // 8)] 4 bytes
; CHECK-NOT:   not modelled
; CHECK:       assumed: arg0 is aligned to 32 bytes (nominal)
; CHECK:       assumed: arg1 is aligned to 32 bytes (nominal)
define ptx_kernel void @down(ptr noalias %out, ptr noalias %in) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %p = getelementptr float, ptr %out, i32 %x
  %q = getelementptr float, ptr %in, i32 %x
  %begin = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -32)
  %number = ptrtoint ptr %q to i64
  %masked = and i64 %number, -32
  %from = inttoptr i64 %masked to ptr
  %value = load float, ptr %from
  store float %value, ptr %begin
  ret void
}

; Nobody aligns to 512 bytes, and of what memory holds nothing is known.
; CHECK-LABEL: kernel @unknown
; CHECK:       not modelled: write by llvm.store of arg0: not an integer
; CHECK:       not modelled: write by llvm.store of arg0: loaded from memory
; CHECK-NOT:   assumed: arg
define ptx_kernel void @unknown(ptr noalias %out, ptr noalias %in) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %p = getelementptr float, ptr %out, i32 %x
  %number = ptrtoint ptr %p to i64
  %page = and i64 %number, 511
  %q = getelementptr float, ptr %p, i64 %page
  store float 1.0, ptr %q
  %loaded = load ptr, ptr %in
  %of = ptrtoint ptr %loaded to i64
  %low = and i64 %of, 15
  %r = getelementptr float, ptr %p, i64 %low
  store float 2.0, ptr %r
  ret void
}
attributes #0 = { "nvvm.reqntid"="32" }
