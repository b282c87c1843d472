// Of a claimed block, a kernel in the llvm dialect compares what does not follow from
// the threads that it allows: nothing but x here, and all of it where it allows more,
// or where what it says is for another vendor.
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x' grid=16 block=64" | FileCheck %s

// CHECK-LABEL: llvm.func ptx_kernelcc @as_many
// CHECK:         nvvm.read.ptx.sreg.ntid.x
// CHECK-NOT:     nvvm.read.ptx.sreg.ntid
// CHECK:         llvm.return
// CHECK-LABEL: llvm.func ptx_kernelcc @more
// CHECK:         nvvm.read.ptx.sreg.ntid.x
// CHECK:         nvvm.read.ptx.sreg.ntid.y
// CHECK:         nvvm.read.ptx.sreg.ntid.z
// CHECK:         llvm.return
// CHECK-LABEL: llvm.func ptx_kernelcc @other_vendor
// CHECK:         nvvm.read.ptx.sreg.ntid.z
// CHECK:         llvm.return
module {
  llvm.func ptx_kernelcc @as_many(%a: !llvm.ptr) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %i = llvm.zext %x : i32 to i64
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %f = llvm.mlir.constant(1.0 : f32) : f32
    llvm.store %f, %p : f32, !llvm.ptr
    llvm.return
  }
  llvm.func ptx_kernelcc @more(%a: !llvm.ptr) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 64, 2>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %i = llvm.zext %x : i32 to i64
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %f = llvm.mlir.constant(1.0 : f32) : f32
    llvm.store %f, %p : f32, !llvm.ptr
    llvm.return
  }
  llvm.func ptx_kernelcc @other_vendor(%a: !llvm.ptr) attributes {nvvm.kernel, rocdl.flat_work_group_size = "1,64"} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %i = llvm.zext %x : i32 to i64
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %f = llvm.mlir.constant(1.0 : f32) : f32
    llvm.store %f, %p : f32, !llvm.ptr
    llvm.return
  }
}
