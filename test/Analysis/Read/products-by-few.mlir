// RUN: swizzle-opt %s -split-input-file --swizzle-print-model -o /dev/null | FileCheck %s

// A product of two variables is a case for each number that one of them may be, if these
// are few: tiles that are walked back and forth.
// CHECK-LABEL: kernel @m::@back_and_forth
// CHECK-NOT: not modelled
// CHECK: read arg0
gpu.module @m {
  gpu.func @back_and_forth(%a: memref<64x32xf32>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %row = arith.divui %x, %c8 : index
    %in = arith.remui %x, %c8 : index
    %odd = arith.remui %row, %c2 : index
    %twice = arith.muli %odd, %c2 : index
    %direction = arith.subi %c1, %twice : index
    %begin = arith.muli %odd, %c7 : index
    %walked = arith.muli %direction, %in : index
    %column = arith.addi %begin, %walked : index
    %above = arith.muli %row, %c8 : index
    %tile = arith.addi %above, %column : index
    %v = memref.load %a[%tile, %t] : memref<64x32xf32>
    gpu.return
  }
}

// -----

// Either factor, and numbers below zero.
// CHECK-LABEL: kernel @m::@few_threads
// CHECK-NOT: not modelled
// CHECK: read arg0
gpu.module @m {
  gpu.func @few_threads(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 100, 1, 1>, known_block_size = array<i32: 8, 1, 1>} {
    %c3 = arith.constant 3 : index
    %c400 = arith.constant 400 : index
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %below = arith.subi %t, %c3 : index
    %product = arith.muli %x, %below : index
    %at = arith.addi %product, %c400 : index
    %v = memref.load %a[%at] : memref<4096xf32>
    gpu.return
  }
}

// -----

// Nine are too many.
// CHECK-LABEL: kernel @m::@nine_threads
// CHECK: not modelled: read by memref.load of arg0: product of two variables
gpu.module @m {
  gpu.func @nine_threads(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 100, 1, 1>, known_block_size = array<i32: 9, 1, 1>} {
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %at = arith.muli %x, %t : index
    %v = memref.load %a[%at] : memref<4096xf32>
    gpu.return
  }
}
