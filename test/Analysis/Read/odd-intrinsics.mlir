// Calls of intrinsics with other operands than they take, which MLIR does not verify:
// nothing is known of them, and no kernel is remapped that has one of an access.

// RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s

// CHECK: kernel @fragment
// CHECK: not modelled: read by nvvm.wmma.m16n16k16.load.a.row.f16: an intrinsic that is not known
llvm.func @fragment(%out: !llvm.ptr {llvm.noalias}) attributes {nvvm.kernel} {
  %x = nvvm.read.ptx.sreg.ctaid.x : i32
  %v = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.load.a.row.f16.p0"() : () -> f32
  %to = llvm.getelementptr %out[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  llvm.store %v, %to : f32, !llvm.ptr
  llvm.return
}

// CHECK: kernel @zeros
// CHECK: write arg0[4*x] 4 bytes
llvm.func @zeros(%out: !llvm.ptr {llvm.noalias}) attributes {nvvm.kernel} {
  %x = nvvm.read.ptx.sreg.ctaid.x : i32
  %v = llvm.call_intrinsic "llvm.ctlz.i32"(%x) : (i32) -> f32
  %to = llvm.getelementptr %out[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  llvm.store %v, %to : f32, !llvm.ptr
  llvm.return
}

// CHECK: kernel @classes
// CHECK: write arg1[4*x] 4 bytes
llvm.func @classes(%f: f32, %out: !llvm.ptr {llvm.noalias}) attributes {nvvm.kernel} {
  %x = nvvm.read.ptx.sreg.ctaid.x : i32
  %v = llvm.call_intrinsic "llvm.is.fpclass.f32"(%f) : (f32) -> i32
  %to = llvm.getelementptr %out[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %v, %to : i32, !llvm.ptr
  llvm.return
}
