// Where the last workgroup along an axis of an AMD launch may be smaller, it has to stay
// the last: it alone computes with another size.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x' chip=mi300x grid=16 block=64 strict" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

// CHECK: Missed{{.*}}Function=says_so | Code=uneven-workgroups
gpu.module @m {
  llvm.func @says_so(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, rocdl.uniform_work_group_size = false} {
    %x = rocdl.workgroup.id.x : i32
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=passes_it_on | Code=uneven-workgroups
gpu.module @m {
  llvm.func @passes_it_on(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, passthrough = [["uniform-work-group-size", "false"]]} {
    %x = rocdl.workgroup.id.x : i32
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// LLVM's own default.
// CHECK: Missed{{.*}}Function=says_nothing | Code=uneven-workgroups
module {
  llvm.func amdgpu_kernelcc @says_nothing(%a: !llvm.ptr<1> {llvm.noalias}) {
    %x = rocdl.workgroup.id.x : i32
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=uniform
module {
  llvm.func amdgpu_kernelcc @uniform(%a: !llvm.ptr<1> {llvm.noalias}) attributes {passthrough = [["uniform-work-group-size", "true"]]} {
    %x = rocdl.workgroup.id.x : i32
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// MLIR's own kernels are uniform.
// CHECK: Passed{{.*}}Function=of_mlir
gpu.module @m {
  llvm.func @of_mlir(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel} {
    %x = rocdl.workgroup.id.x : i32
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
