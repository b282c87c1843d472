// A function that nothing marks as a kernel is one if it is named, or by its use
// where nothing is marked; that it is launched is an assumption.
// RUN: swizzle-opt %s -split-input-file --swizzle-plan="formula='return gx - 1 - x' grid=16 block=1" --remarks-filter=swizzle --remark-format=emitRemark 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: swizzle-opt %s -split-input-file --swizzle-plan="formula='return gx - 1 - x' grid=16 block=1 strict=true" 2>&1 | FileCheck %s --check-prefix=STRICT

// CHECK-LABEL: func.func @launched
// CHECK: swizzle.remap
// CHECK: memref.store
// REMARK: Function=launched{{.*}}Assuming="the function is launched as a kernel, and nothing outside of the module calls it"
// STRICT: warning: kernel 'launched' keeps its order: `strict` is given, and it is only assumed that the function is launched as a kernel
func.func @launched(%a: memref<16xf32>) {
  %x = gpu.block_id x
  %f = arith.constant 1.0 : f32
  memref.store %f, %a[%x] : memref<16xf32>
  return
}

// -----

// What is called, is private, or returns something is no kernel.
// CHECK-LABEL: func.func @helper
// CHECK-NOT: swizzle.remap
// CHECK-LABEL: func.func @caller
// CHECK: swizzle.remap
func.func @helper(%a: memref<16xf32>) {
  %x = gpu.block_id x
  %f = arith.constant 1.0 : f32
  memref.store %f, %a[%x] : memref<16xf32>
  return
}
func.func @caller(%a: memref<16xf32>) {
  func.call @helper(%a) : (memref<16xf32>) -> ()
  return
}

// -----

// Beside a marked kernel, nothing else is taken for one.
// CHECK-LABEL: func.func @beside
// CHECK-NOT: swizzle.remap
// CHECK-LABEL: gpu.func @marked
// CHECK: swizzle.remap
func.func @beside(%a: memref<16xf32>) {
  %x = gpu.block_id x
  %f = arith.constant 1.0 : f32
  memref.store %f, %a[%x] : memref<16xf32>
  return
}
gpu.module @m {
  gpu.func @marked(%a: memref<16xf32>) kernel {
    %x = gpu.block_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%x] : memref<16xf32>
    gpu.return
  }
}
