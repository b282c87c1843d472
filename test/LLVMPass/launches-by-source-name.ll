; In the file of launches a kernel is called as in its source, or as in the object.

; REQUIRES: no-sanitizers
; DEFINE: %{kernel} =
; DEFINE: %{run} = echo '{"schema": "swizzle-launches/1", "kernels": {%{kernel}}}' > %t.json && swizzle-llvm %s --options='chip=h100;formula=@reverse;launches=%t.json' -o %t.ll
; REDEFINE: %{kernel} = "mm": {"grids": ["12"]}
; RUN: %{run} && FileCheck %s --check-prefix=SOURCE < %t.ll
; REDEFINE: %{kernel} = "_Z2mmPf": {"grids": ["12"]}
; RUN: %{run} && FileCheck %s --check-prefix=SOURCE < %t.ll
; The name in the object is the better one.
; REDEFINE: %{kernel} = "_Z2mmPf": {"grids": ["12"]}, "mm": {"grids": ["13"]}
; RUN: %{run} && FileCheck %s --check-prefix=SOURCE < %t.ll
; SOURCE: attributes {{.*}}"swizzle.applied"="12: return

; Two of a name are none.
; REDEFINE: %{kernel} = "axpy": {"grids": ["14"]}
; RUN: %{run} 2>&1 | FileCheck %s --check-prefix=TWO
; RUN: not grep '"14: ' %t.ll
; TWO: option 'launches': 'axpy' may be each of _ZN1a4axpyEPf, _ZN1b4axpyEPf and is taken for none; give their own names
; REDEFINE: %{kernel} = "_ZN1b4axpyEPf": {"grids": ["14"]}
; RUN: %{run} 2>&1 | not grep option
; RUN: grep -c '"14: ' %t.ll

; A static kernel that is launched from other objects has a tail that its source has not.
; REDEFINE: %{kernel} = "hidden": {"grids": ["15"]}
; RUN: %{run} 2>&1 | not grep option
; RUN: grep -c '"15: ' %t.ll
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @_Z2mmPf(ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr float, ptr addrspace(1) %out, i32 %x
  store float 0.0, ptr addrspace(1) %to
  ret void
}

define ptx_kernel void @_ZN1a4axpyEPf(ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr float, ptr addrspace(1) %out, i32 %x
  store float 1.0, ptr addrspace(1) %to
  ret void
}

define ptx_kernel void @_ZN1b4axpyEPf(ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr float, ptr addrspace(1) %out, i32 %x
  store float 2.0, ptr addrspace(1) %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

define ptx_kernel void @_ZL6hiddenPf__intern__0123456789abcdef(ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr float, ptr addrspace(1) %out, i32 %x
  store float 1.0, ptr addrspace(1) %to
  ret void
}
