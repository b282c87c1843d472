// Kernels with the same effects pass: remapped ones, and lowered ones against
// each other.
// RUN: swizzle-opt --hw-aware-swizzle='formula="return y, x"' %s -o %t.mlir
// RUN: swizzle-check %s %t.mlir --kernel=transpose | FileCheck %s
// RUN: swizzle-check %s %t.mlir --kernel=sum --json | FileCheck %s --check-prefix=JSON
// RUN: swizzle-check %s %s --kernel=transpose | FileCheck %s --check-prefix=SAME

// CHECK: passed
// CHECK-NEXT: all of 16 workgroups run and compared, block 8x8, seed 1, formula from the variant

// SAME: passed
// SAME-NEXT: formula from identity: the variant names no formula

// JSON: "complete": true,
// JSON: "float_atomics": true,
// JSON: "formula": "return y, x
// JSON: "schema": "swizzle-check/1",
// JSON: "status": "passed",
// JSON: "tolerance":

gpu.module @m {
  gpu.func @transpose(%in: memref<30x32xf32>, %out: memref<32x30xf32>)
      workgroup(%tile: memref<8x9xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 8, 8, 1>, known_grid_size = array<i32: 4, 4, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c8 = arith.constant 8 : index
    %c30 = arith.constant 30 : index
    %x0 = arith.muli %bx, %c8 : index
    %y0 = arith.muli %by, %c8 : index
    %x = arith.addi %x0, %tx : index
    %y = arith.addi %y0, %ty : index
    %inside = arith.cmpi ult, %y, %c30 : index
    scf.if %inside {
      %v = memref.load %in[%y, %x] : memref<30x32xf32>
      memref.store %v, %tile[%ty, %tx] : memref<8x9xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %to_row = arith.addi %x0, %ty : index
    %to_column = arith.addi %y0, %tx : index
    %to_inside = arith.cmpi ult, %to_column, %c30 : index
    scf.if %to_inside {
      %v = memref.load %tile[%tx, %ty] : memref<8x9xf32, #gpu.address_space<workgroup>>
      memref.store %v, %out[%to_row, %to_column] : memref<32x30xf32>
    }
    gpu.return
  }

  gpu.func @sum(%in: memref<4x4x64xf32>, %out: memref<4xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 4, 4, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %v = memref.load %in[%by, %bx, %tx] : memref<4x4x64xf32>
    %a = memref.atomic_rmw addf %v, %out[%by] : (f32, memref<4xf32>) -> f32
    gpu.return
  }
}
