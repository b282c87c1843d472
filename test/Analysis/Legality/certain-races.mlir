// A race that no size matters to is one whatever is passed: an argument that has nothing
// to do with it makes no assumption of it, nor does one that is compared with constants:
// whenever something is done, it is a race. One that moves an access does.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="chip=h200 formula='return gx - 1 - x'" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

// Workgroups 0 and 32 write one place.
// CHECK: Missed{{.*}}Function=unused | Code=cross-workgroup-write
// CHECK-SAME: workgroups (0) and (32) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @unused(%a: memref<64xi32>, %n: i32) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_grid_size = array<i32: 64, 1, 1>} {
    %c32 = arith.constant 32 : index
    %v = arith.constant 1 : i32
    %x = gpu.block_id x
    %i = arith.remui %x, %c32 : index
    memref.store %v, %a[%i] : memref<64xi32>
    gpu.return
  }
}

// -----

// Used, but elsewhere.
// CHECK: Missed{{.*}}Function=used_elsewhere | Code=cross-workgroup-write
gpu.module @m {
  gpu.func @used_elsewhere(%a: memref<64xi32>, %b: memref<64xi32>, %n: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_grid_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %x = gpu.block_id x
    %i = arith.remui %x, %c32 : index
    scf.for %k = %c0 to %n step %c1 {
      %v = memref.load %b[%x] : memref<64xi32>
    }
    %w = memref.load %b[%x] : memref<64xi32>
    memref.store %w, %a[%i] : memref<64xi32>
    gpu.return
  }
}

// -----

// With another width, they may not meet.
// CHECK: Passed{{.*}}Function=moves
gpu.module @m {
  gpu.func @moves(%a: memref<?xi32>, %n: i32) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_grid_size = array<i32: 64, 1, 1>} {
    %c32 = arith.constant 32 : index
    %v = arith.constant 1 : i32
    %x = gpu.block_id x
    %i = arith.remui %x, %c32 : index
    %q = arith.divui %x, %c32 : index
    %wide = arith.index_castui %n : i32 to index
    %far = arith.constant 4096 : index
    %d = arith.subi %wide, %far : index
    %s = arith.muli %q, %d : index
    %j = arith.addi %i, %s : index
    memref.store %v, %a[%j] : memref<?xi32>
    gpu.return
  }
}

// -----

// They may not write at all; if they do, two of them write one place.
// CHECK: Missed{{.*}}Function=guards | Code=cross-workgroup-write
gpu.module @m {
  gpu.func @guards(%a: memref<64xi32>, %n: i32) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_grid_size = array<i32: 64, 1, 1>} {
    %c32 = arith.constant 32 : index
    %c5 = arith.constant 5 : i32
    %v = arith.constant 1 : i32
    %x = gpu.block_id x
    %i = arith.remui %x, %c32 : index
    %is = arith.cmpi sgt, %n, %c5 : i32
    scf.if %is {
      memref.store %v, %a[%i] : memref<64xi32>
    }
    gpu.return
  }
}
