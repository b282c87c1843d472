// Threads that read down the columns of a tile of 32 by 32 floats all ask one
// bank; with rows of 33 floats each asks its own. Where a chip does not tell how
// fast the banks are, they limit nothing.

// RUN: swizzle-sim %s --chip=h200 --kernel=columns | FileCheck %s --check-prefix=COLUMNS
// RUN: swizzle-sim %s --chip=h200 --kernel=padded | FileCheck %s --check-prefix=PADDED
// RUN: swizzle-sim %s --chip=h200 --kernel=columns --json | FileCheck %s --check-prefix=JSON
// RUN: swizzle-sim %s --chip=mi300x --kernel=columns --json | FileCheck %s --check-prefix=OPEN --implicit-check-not=lds --implicit-check-not='"issue"'

// COLUMNS: set by workgroup memory
// PADDED: set by launch

// 1024 workgroups of one wave: a store and 64 loads of 32 passes each, 132 times
// 1.98 of which are made in a nanosecond.
// JSON: "bound": "lds"
// JSON-NEXT: "rate": 261360000000,
// JSON-NEXT: "time_us"
// JSON-NEXT: "work": 2129920
// JSON: "bound": "issue"
// OPEN: "bound": "launch"

gpu.module @m {
  gpu.func @columns(%a: memref<32768xf32>) workgroup(%s: memref<32x32xf32, 3>) kernel attributes {known_grid_size = array<i32: 1024, 1, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %row = arith.muli %x, %c32 : index
    %i = arith.addi %row, %t : index
    %v = memref.load %a[%i] : memref<32768xf32>
    memref.store %v, %s[%t, %c0] : memref<32x32xf32, 3>
    gpu.barrier
    %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%r = %zero) -> f32 {
      %j = arith.remui %k, %c32 : index
      %w = memref.load %s[%t, %j] : memref<32x32xf32, 3>
      %n = arith.addf %r, %w : f32
      scf.yield %n : f32
    }
    memref.store %sum, %a[%i] : memref<32768xf32>
    gpu.return
  }
  gpu.func @padded(%a: memref<32768xf32>) workgroup(%s: memref<32x33xf32, 3>) kernel attributes {known_grid_size = array<i32: 1024, 1, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %row = arith.muli %x, %c32 : index
    %i = arith.addi %row, %t : index
    %v = memref.load %a[%i] : memref<32768xf32>
    memref.store %v, %s[%t, %c0] : memref<32x33xf32, 3>
    gpu.barrier
    %sum = scf.for %k = %c0 to %c64 step %c1 iter_args(%r = %zero) -> f32 {
      %j = arith.remui %k, %c32 : index
      %w = memref.load %s[%t, %j] : memref<32x33xf32, 3>
      %n = arith.addf %r, %w : f32
      scf.yield %n : f32
    }
    memref.store %sum, %a[%i] : memref<32768xf32>
    gpu.return
  }
}
