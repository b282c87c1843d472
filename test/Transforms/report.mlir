// A report holds what a page about it needs: the chip's numbers, the terms of the
// roofline, the grid that stands in, and the lines that a remap changes.
// RUN: swizzle-opt %s --hw-aware-swizzle="chip=mi300x simulate=fast formula='return gx - 1 - x, y' report=%t.json" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.json

// The lines are those of the output, whether the remap is materialised or not.
// RUN: swizzle-opt %s --swizzle-plan="chip=mi300x simulate=fast formula='return gx - 1 - x, y' report=%t.plan.json" -o %t.plan.mlir
// RUN: diff %t.json %t.plan.json
// RUN: FileCheck %s --check-prefix=OUT --input-file=%t.mlir
// OUT: %block_id_x = gpu.block_id  x upper_bound 64
// OUT: arith.xori

// CHECK: "name": "copy"
// CHECK: "model_grid": [
// CHECK-NEXT: 64,
// CHECK-NEXT: 16,
// CHECK-NEXT: 1
// CHECK: "constants": {
// CHECK: "num_xcds": 8
// CHECK: "simulated": {
// CHECK: "before": {
// CHECK: "levels": [
// CHECK-NEXT: "l1",
// CHECK-NEXT: "l2",
// CHECK-NEXT: "llc"
// CHECK: "roofline": [
// CHECK: "bound": "{{l1|l2|llc|dram}}"
// CHECK-NEXT: "time_us": {{[0-9.]+}}
// CHECK-NEXT: "work": {{[1-9][0-9.e+]*}}
// CHECK-NEXT: "rate": {{[1-9][0-9.e+]*}}
// CHECK: "ir_difference": [
// CHECK: "+ {{.*}} = arith.xori
// CHECK: "  {{.*}} = arith.addi
// CHECK-NEXT: "- {{.*}} = memref.load %arg0[%block_id_x, %{{.*}}]
// CHECK: "+ {{.*}} = memref.load %arg0[%{{[0-9]+}}, %{{.*}}]

// A kernel that stays has none.
// CHECK: "name": "kept"
// CHECK: "ir_difference": []
gpu.module @m {
  gpu.func @copy(%a: memref<64x4096xf32>, %b: memref<64x4096xf32>) kernel
      attributes {known_grid_size = array<i32: 64, 16, 1>,
                  known_block_size = array<i32: 256, 1, 1>} {
    %c256 = arith.constant 256 : index
    %x = gpu.block_id x
    %y = gpu.block_id y
    %t = gpu.thread_id x
    %base = arith.muli %y, %c256 : index
    %i = arith.addi %base, %t : index
    %v = memref.load %a[%x, %i] : memref<64x4096xf32>
    memref.store %v, %b[%x, %i] : memref<64x4096xf32>
    gpu.return
  }
  gpu.func @kept(%a: memref<4096xf32>) kernel
      attributes {known_grid_size = array<i32: 16, 16, 1>,
                  known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = gpu.block_id x
    %v = memref.load %a[%c0] : memref<4096xf32>
    memref.store %v, %a[%x] : memref<4096xf32>
    gpu.return
  }
}
