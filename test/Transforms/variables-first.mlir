// A curve is a loop, which ends the entry block: variables on the stack stay in front of
// it, with the constants that say how large they are. Behind it they would be dynamic,
// which AMD's back end does not compile.

// RUN: swizzle-opt %s --hw-aware-swizzle="formula=@hilbert grid=16x16 block=1 report=%t.json" > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mlir-translate --mlir-to-llvmir %t.mlir | llc -mcpu=gfx942 -o /dev/null
// RUN: FileCheck %s --check-prefix=LINES < %t.json

// CHECK-LABEL: llvm.func amdgpu_kernelcc @k(
// CHECK-NEXT:    %[[N:.*]] = llvm.mlir.constant(4 : i32) : i32
// CHECK-NEXT:    llvm.alloca %[[N]] x f32
// CHECK-NEXT:    rocdl.workgroup.id.x
// CHECK:         llvm.cond_br
// CHECK-NOT:     llvm.alloca

// The lines of a report are those of the output.
// LINES: "ir_difference": [
// LINES-NOT: arith.
// LINES: "+ {{.*}}llvm.cond_br
// LINES-NOT: arith.
module attributes {llvm.target_triple = "amdgcn-amd-amdhsa"} {
  llvm.func amdgpu_kernelcc @k(%a: !llvm.ptr<1>) attributes {passthrough = [["uniform-work-group-size", "true"]]} {
    %x = rocdl.workgroup.id.x : i32
    %y = rocdl.workgroup.id.y : i32
    %four = llvm.mlir.constant(4 : i32) : i32
    %room = llvm.alloca %four x f32 : (i32) -> !llvm.ptr<5>
    %f = llvm.mlir.constant(1.0 : f32) : f32
    llvm.store volatile %f, %room : f32, !llvm.ptr<5>
    %v = llvm.load volatile %room : !llvm.ptr<5> -> f32
    %w = llvm.mlir.constant(16 : i32) : i32
    %row = llvm.mul %y, %w : i32
    %i = llvm.add %row, %x : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %v, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}
