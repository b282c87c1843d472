// Kernels that came in the llvm dialect alone leave in it alone, so that stock
// tools translate them; the tag becomes an attribute of the LLVM function.
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x' grid=16 block=1" > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | FileCheck %s --check-prefix=LLVM
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='i = y * gx + x; return i // gy, i % gy'" | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=NEST
// RUN: swizzle-opt %t.mlir --hw-aware-swizzle="formula='return gx - 1 - x' grid=16 block=1" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: swizzle-opt %t.mlir --swizzle-strip-tags | FileCheck %s --check-prefix=STRIPPED

// CHECK-NOT: arith.
// CHECK-NOT: index
// CHECK-NOT: #swizzle.formula<"return gx - 1 - x", params = {}, hardware = {}>}
// CHECK: passthrough = {{.*}}["swizzle.applied", "#swizzle.formula<
// CHECK-NOT: arith.
// CHECK-NOT: unrealized
// LLVM: define amdgpu_kernel void @k(ptr %0) #[[A:[0-9]+]]
// LLVM: attributes #[[A]] = {{.*}}"swizzle.applied"="#swizzle.formula<
// NEST: define amdgpu_kernel void @k
// TWICE: warning: kernel 'k' keeps its order: the kernel carries a remap already
// STRIPPED-NOT: swizzle
module {
  llvm.func amdgpu_kernelcc @k(%a: !llvm.ptr) attributes {passthrough = [["uniform-work-group-size", "true"]]} {
    %x = rocdl.workgroup.id.x : i32
    %y = llvm.call @inner() : () -> i32
    %w = llvm.zext %y : i32 to i64
    %i = llvm.zext %x : i32 to i64
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %f = llvm.mlir.constant(1.0 : f32) : f32
    llvm.store %f, %p : f32, !llvm.ptr
    llvm.return
  }
  llvm.func internal @inner() -> i32 {
    %x = rocdl.workgroup.id.x : i32
    llvm.return %x : i32
  }
}
