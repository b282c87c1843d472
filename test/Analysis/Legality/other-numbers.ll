; What a kernel does for other numbers than those that are assumed is judged under some for
; which it does it: a range that is not empty, a number that has a rest, one that is small,
; large, negative, or not what another one is. What stays apart then may, too.

; RUN: swizzle-llvm %s --options='chip=h200;grid=64;block=32;formula=@reverse;simulate=off' --report=%t.json -o /dev/null
; RUN: python3 -c "import json; [print(k['name'], k['outcome'], k['reason_code'], k['reason']) for k in json.load(open('%t.json'))['kernels']]" | FileCheck %s

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK: a_range refused cross-workgroup-write {{.*}}; judged for sizes that nobody gave: arg1 = 4096 (nominal), arg2 = 8192 (nominal)
define ptx_kernel void @a_range(ptr addrspace(1) noalias %last, i64 %begin, i64 %end) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %wide = zext i32 %x to i64
  %at = add nsw i64 %begin, %wide
  %inside = icmp slt i64 %at, %end
  br i1 %inside, label %yes, label %done
yes:
  store i64 %at, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; CHECK: a_range_apart remapped
define ptx_kernel void @a_range_apart(ptr addrspace(1) noalias %out, i64 %begin, i64 %end) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %wide = zext i32 %x to i64
  %at = add nsw i64 %begin, %wide
  %inside = icmp slt i64 %at, %end
  br i1 %inside, label %yes, label %done
yes:
  %to = getelementptr i64, ptr addrspace(1) %out, i64 %at
  store i64 %at, ptr addrspace(1) %to
  br label %done
done:
  ret void
}

; CHECK: a_rest refused cross-workgroup-write {{.*}}arg1 = 4099 (nominal)
define ptx_kernel void @a_rest(ptr addrspace(1) noalias %last, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %rest = and i32 %n, 31
  %any = icmp ne i32 %rest, 0
  br i1 %any, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; CHECK: few refused cross-workgroup-write {{.*}}arg1 = 99 (nominal)
define ptx_kernel void @few(ptr addrspace(1) noalias %last, i32 %n, ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %few = icmp ult i32 %n, 100
  br i1 %few, label %yes, label %no
yes:
  store i32 %x, ptr addrspace(1) %last
  ret void
no:
  %i = add i32 %x, %n
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %x, ptr addrspace(1) %to
  ret void
}

; CHECK: negative refused cross-workgroup-write {{.*}}arg1 = -1 (nominal)
define ptx_kernel void @negative(ptr addrspace(1) noalias %last, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %is = icmp slt i32 %n, 0
  br i1 %is, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; CHECK: off refused cross-workgroup-write
define ptx_kernel void @off(ptr addrspace(1) noalias %last, i1 %on) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br i1 %on, label %done, label %yes
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; The rows that are written in any case would overlap where the larger number is their
; distance: that is not asked.
; CHECK: padded remapped
define ptx_kernel void @padded(ptr addrspace(1) noalias %out, i32 %pitch, i32 %width) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul i32 %x, %pitch
  %i = add i32 %row, %t
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %x, ptr addrspace(1) %to
  %more = icmp slt i32 %width, %pitch
  br i1 %more, label %yes, label %done
yes:
  %j = add i32 %row, %width
  %pad = getelementptr i32, ptr addrspace(1) %out, i32 %j
  store i32 0, ptr addrspace(1) %pad
  br label %done
done:
  ret void
}

; Ways of one argument: those of a switch, and none of them.
; CHECK: a_way refused cross-workgroup-write {{.*}}arg2 = 3 (nominal)
define ptx_kernel void @a_way(ptr addrspace(1) noalias %last, ptr addrspace(1) noalias %out, i32 %way) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  switch i32 %way, label %other [ i32 0, label %done
                                  i32 3, label %yes ]
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
other:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %x, ptr addrspace(1) %to
  br label %done
done:
  ret void
}

; CHECK: no_way refused cross-workgroup-write
define ptx_kernel void @no_way(ptr addrspace(1) noalias %last, ptr addrspace(1) noalias %out, i32 %way) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %is = icmp eq i32 %way, 0
  br i1 %is, label %yes, label %no
yes:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %x, ptr addrspace(1) %to
  ret void
no:
  store i32 %x, ptr addrspace(1) %last
  ret void
}

; A bit of flags that no size has.
; CHECK: a_flag refused cross-workgroup-write {{.*}}arg1 = 4104 (nominal)
define ptx_kernel void @a_flag(ptr addrspace(1) noalias %last, i32 %flags) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %bit = and i32 %flags, 8
  %is = icmp eq i32 %bit, 0
  br i1 %is, label %done, label %yes
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; CHECK: both_few refused cross-workgroup-write {{.*}}arg1 = 99 (nominal), arg2 = 49 (nominal)
define ptx_kernel void @both_few(ptr addrspace(1) noalias %last, i32 %n, i32 %m) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n.few = icmp slt i32 %n, 100
  %m.few = icmp slt i32 %m, 50
  %few = and i1 %n.few, %m.few
  br i1 %few, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; CHECK: both_off refused cross-workgroup-write
define ptx_kernel void @both_off(ptr addrspace(1) noalias %last, i1 %f, i1 %g) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %on = or i1 %f, %g
  br i1 %on, label %done, label %yes
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; CHECK: a_member refused cross-workgroup-write {{.*}}arg1.1 = 99 (nominal)
define ptx_kernel void @a_member(ptr addrspace(1) noalias %last, ptr byval({ i64, i32 }) align 8 %sizes) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %place = getelementptr i8, ptr %sizes, i64 8
  %n = load i32, ptr %place
  %few = icmp slt i32 %n, 100
  br i1 %few, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; By how many bits something is shifted is no size: where all sizes are odd, it
; stays what it is.
; CHECK: shifted refused cross-workgroup-write {{.*}}arg1 = 4099 (nominal), arg2 = 12 (nominal)
define ptx_kernel void @shifted(ptr addrspace(1) noalias %out, i32 %n, i32 %bits) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %rest = and i32 %n, 31
  %any = icmp ne i32 %rest, 0
  br i1 %any, label %yes, label %done
yes:
  %i = lshr i32 %x, %bits
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %x, ptr addrspace(1) %to
  br label %done
done:
  ret void
}
