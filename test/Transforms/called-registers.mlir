// Registers that are read by calls of intrinsics say whose a kernel is that is marked for
// no vendor: the remap reads the same ones.

// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x' grid=16 block=1" | FileCheck %s
// CHECK:     rocdl.workgroup.id.x
// CHECK-NOT: gpu.block_id
module {
  llvm.func @k(%a: !llvm.ptr) attributes {gpu.kernel} {
    %x = llvm.call @llvm.amdgcn.workgroup.id.x() : () -> i32
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %f = llvm.mlir.constant(1.0 : f32) : f32
    llvm.store %f, %p : f32, !llvm.ptr
    llvm.return
  }
  llvm.func @llvm.amdgcn.workgroup.id.x() -> i32
}
