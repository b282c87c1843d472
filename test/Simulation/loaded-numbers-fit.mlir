// RUN: swizzle-sim %s --chip=h200 | FileCheck %s

// A table of 4096 places leads to 16 rows of 128 bytes: numbers are below 16, and
// the rows and the table, 18.4 KB, are all that is read.
// CHECK: DRAM, bytes read {{ *}}18.4 KB
gpu.module @m {
  gpu.func @fits(%a: memref<16x32xf32>, %table: memref<4096xi32>) kernel attributes {known_grid_size = array<i32: 4096, 1, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %p = memref.load %table[%b] : memref<4096xi32>
    %i = arith.index_cast %p : i32 to index
    %v = memref.load %a[%i, %t] : memref<16x32xf32>
    gpu.return
  }
}
