; From tuning to production: swizzle-tune keeps what it found in a database, from
; which swizzle-llvm and the plugin apply it without a search; and writes the module
; itself, the same.

; REQUIRES: no-sanitizers
; RUN: rm -f %t.db
; RUN: swizzle-tune %s --agent=planner --chip=mi300x --grid=512x64 --block=256 --database=%t.db --report=%t.json -o %t.tuned.ll
; RUN: FileCheck %s < %t.tuned.ll
; RUN: swizzle-llvm %s --options='agent=database;database=%t.db;chip=mi300x;grid=512x64;block=256' --report=%t.llvm.json -o %t.llvm.ll
; RUN: FileCheck %s --check-prefix=REPORT < %t.llvm.json
; RUN: grep -v '^; ModuleID\|^source_filename' %t.tuned.ll > %t.1
; RUN: grep -v '^; ModuleID\|^source_filename' %t.llvm.ll | diff %t.1 -
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<agent=database;database=%t.db;chip=mi300x;grid=512x64;block=256>,verify' -S %s -o - | FileCheck %s
; RUN: python3 -c "import json; print(json.load(open('%t.llvm.json'))['kernels'][0]['formula'])" > %t.swz
; RUN: swizzle-check %s %t.tuned.ll --grid=512x64 --block=256 --chip=mi300x --formula-file=%t.swz | FileCheck %s --check-prefix=SAME
; Names of files may hold what separates options.
; RUN: rm -rf "%t;dir" && mkdir "%t;dir"
; RUN: env TMPDIR="%t;dir" swizzle-tune %s --agent=planner --chip=mi300x --grid=512x64 --block=256 -o "%t;dir/tuned;.ll"
; RUN: FileCheck %s < "%t;dir/tuned;.ll"
; Another grid is not in the database.
; RUN: swizzle-llvm %s --options='agent=database;database=%t.db;chip=mi300x;grid=512x65;block=256' --report=%t.miss.json | diff %s -
; RUN: FileCheck %s --check-prefix=MISS < %t.miss.json
; Where nothing is better, the module leaves as it came, but for its printing.
; RUN: swizzle-tune %s --agent=planner --chip=mi300x --grid=4 --block=256 -o - | FileCheck %s --check-prefix=KEPT
; What was found and cannot be applied is an error: sizes that are not readable.
; RUN: sed 's/i32 500/i32 400/' %s > %t.old.ll
; RUN: not swizzle-tune %t.old.ll --agent=planner --chip=mi300x --grid=512x64 --block=256 -o %t.none.ll 2>&1 | FileCheck %s --check-prefix=OLD
; RUN: not ls %t.none.ll

; Sizes that the kernel itself allows are taken by both.
; RUN: rm -f %t.guessed.db
; RUN: sed 's/"uniform-work-group-size"="true"/"amdgpu-flat-work-group-size"="1,256" &/' %s > %t.bounded.ll
; RUN: swizzle-tune %t.bounded.ll --agent=planner --chip=mi300x --grid=512x64 --database=%t.guessed.db -o %t.bounded.tuned.ll
; RUN: swizzle-llvm %t.bounded.ll --options='agent=database;database=%t.guessed.db;chip=mi300x;grid=512x64' --report=%t.bounded.json -o /dev/null
; RUN: FileCheck %s --check-prefix=REPORT < %t.bounded.json
; Kernels with inline PTX are simulated, and cannot be compiled from what was read.
; RUN: swizzle-tune %S/inline-ptx.ll --kernel=masked --agent=planner --chip=h200 --grid=8 -o /dev/null | FileCheck %s --check-prefix=PTX
; RUN: not swizzle-tune %S/inline-ptx.ll --kernel=masked --agent=planner --chip=h200 --grid=8 --compile=sm_90 2>&1 | FileCheck %s --check-prefix=REQUIRED

; CHECK: call i32 @llvm.amdgcn.workgroup.id.y()
; CHECK: "swizzle.applied"="512x64: {{.*}}num_xcds
; REPORT: "outcome": "remapped"
; REPORT: "reason_code": "database"
; PTX: kernel masked on h200, grid 8
; REQUIRED: kernels with inline PTX are read, not compiled
; SAME: passed
; MISS: "reason_code": "database-miss"
; KEPT-NOT: swizzle.applied
; KEPT: declare {{.*}}i32 @llvm.amdgcn.workgroup.id.x()
; KEPT-NOT: swizzle.applied
; OLD: the order that was found for kernel 'spread' is not applied: {{.*}}version=5
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

; out[y][x] = in[x]: all rows read one.
define amdgpu_kernel void @spread(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %y = call i32 @llvm.amdgcn.workgroup.id.y()
  %thread = call i32 @llvm.amdgcn.workitem.id.x()
  %first = mul i32 %x, 256
  %column = add i32 %first, %thread
  %row = mul i32 %y, 131072
  %index = add i32 %row, %column
  %wide.column = zext i32 %column to i64
  %wide = zext i32 %index to i64
  %from = getelementptr <4 x float>, ptr addrspace(1) %in, i64 %wide.column
  %to = getelementptr float, ptr addrspace(1) %out, i64 %wide
  %value = load <4 x float>, ptr addrspace(1) %from
  %one = extractelement <4 x float> %value, i32 1
  store float %one, ptr addrspace(1) %to
  ret void
}

declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "target-cpu"="gfx942" "uniform-work-group-size"="true" }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
