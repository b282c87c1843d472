// A launch is outlined if its kernel is remapped, and left alone if not.
// RUN: swizzle-opt %s --swizzle-plan="formula='return gx - 1 - x' report=%t.json" | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json

// CHECK: gpu.launch_func @main_kernel::@main_kernel
// CHECK: gpu.launch blocks
// CHECK-NOT: gpu.launch_func
// CHECK: gpu.func @main_kernel
// CHECK: swizzle.remap
// CHECK-NOT: gpu.func

// REPORT: "schema": "swizzle-report/1"
// REPORT: "input_hash": "blake3:{{[0-9a-f]+}}"
// REPORT: "name": "main_kernel"
// REPORT: "outcome": "remapped"
// REPORT: "kind": "enumerated"
// REPORT: "outcome": "refused"
// REPORT: "reason_code": "cross-workgroup-write"
// REPORT: "counterexample": "workgroups (0) and (1) both touch byte
func.func @main(%a: memref<4096xf32>, %b: memref<4096xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c16, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %i0 = arith.muli %bx, %c256 : index
    %i = arith.addi %i0, %tx : index
    %v = memref.load %a[%i] : memref<4096xf32>
    memref.store %v, %b[%i] : memref<4096xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c16, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %i0 = arith.muli %bx, %c256 : index
    %i = arith.addi %i0, %tx : index
    %v = memref.load %a[%tx] : memref<4096xf32>
    memref.store %v, %a[%i] : memref<4096xf32>
    gpu.terminator
  }
  return
}
