// RUN: swizzle-opt %s -split-input-file --swizzle-print-model -o /dev/null | FileCheck %s

// CHECK-LABEL: kernel @m::@product
// CHECK: not modelled: read by memref.load of arg0: product of two variables
gpu.module @m {
  gpu.func @product(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 4, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = arith.muli %b, %t : index
    %v = memref.load %a[%i] : memref<64xf32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: kernel @m::@divisor
// CHECK: not modelled: read by memref.load of arg0: division by a variable
gpu.module @m {
  gpu.func @divisor(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 4, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %d = arith.addi %t, %c1 : index
    %i = arith.divui %b, %d : index
    %v = memref.load %a[%i] : memref<64xf32>
    gpu.return
  }
}

// -----

// An unsigned division of what may be negative is no floor division.
// CHECK-LABEL: kernel @m::@negative
// CHECK: not modelled: read by memref.load of arg0: an unsigned operation on a value that may be negative
gpu.module @m {
  gpu.func @negative(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 4, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = gpu.block_id x
    %c2 = arith.constant 2 : index
    %n = arith.subi %b, %c2 : index
    %i = arith.divui %n, %c2 : index
    %v = memref.load %a[%i] : memref<64xf32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: kernel @m::@narrow
// CHECK: not modelled: read by memref.load of arg0: may wrap around in 8 bits
gpu.module @m {
  gpu.func @narrow(%a: memref<256xf32>) kernel attributes {known_grid_size = array<i32: 100, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = gpu.block_id x
    %c2 = arith.constant 2 : i8
    %n = arith.index_cast %b : index to i8
    %m = arith.muli %n, %c2 : i8
    %i = arith.index_cast %m : i8 to index
    %v = memref.load %a[%i] : memref<256xf32>
    gpu.return
  }
}

// -----

// What a callee without a body does to a buffer is not known.
// CHECK-LABEL: kernel @m::@outside
// CHECK: not modelled: write by func.call of arg0: it is not known what it does
gpu.module @m {
  func.func private @somewhere(memref<64xf32>)
  gpu.func @outside(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 4, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    func.call @somewhere(%a) : (memref<64xf32>) -> ()
    gpu.return
  }
}

// -----

// CHECK-LABEL: kernel @m::@around
// CHECK: not modelled: write by func.call of arg0: a recursive call, or calls nested too deeply
gpu.module @m {
  func.func @again(%a: memref<64xf32>) {
    func.call @again(%a) : (memref<64xf32>) -> ()
    return
  }
  gpu.func @around(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 4, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    func.call @again(%a) : (memref<64xf32>) -> ()
    gpu.return
  }
}
