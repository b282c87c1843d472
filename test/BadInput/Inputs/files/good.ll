target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @copy(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr float, ptr addrspace(1) %in, i32 %x
  %to = getelementptr float, ptr addrspace(1) %out, i32 %x
  %value = load float, ptr addrspace(1) %from
  store float %value, ptr addrspace(1) %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
