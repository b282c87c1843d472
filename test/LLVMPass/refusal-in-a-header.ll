; A refusal stands where the code is that was refused, be that in a header.

; REQUIRES: no-sanitizers
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h100;grid=8>' -S -o %t.ll -pass-remarks-missed=swizzle < %s 2>&1 | FileCheck %s
; CHECK: kernels/counter.h:7:3: kernel 'take': may not be remapped (atomic-result-used)
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @take(ptr addrspace(1) noalias %counter, ptr addrspace(1) noalias %out) !dbg !4 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !9
  %old = atomicrmw add ptr addrspace(1) %counter, i32 1 monotonic, !dbg !8
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %old, !dbg !9
  store i32 %x, ptr addrspace(1) %to, !dbg !9
  ret void, !dbg !9
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "take.cu", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "kernels/counter.h", directory: "/src")
!4 = distinct !DISubprogram(name: "take", scope: !1, file: !1, line: 20, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = distinct !DISubprogram(name: "next", scope: !3, file: !3, line: 5, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 7, column: 3, scope: !7, inlinedAt: !9)
!9 = !DILocation(line: 21, column: 5, scope: !4)
