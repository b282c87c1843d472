// Sizes that no launch can have are errors of the IR.
// RUN: not swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return x'" 2>&1 | FileCheck %s

// CHECK: error: kernel 'zero': known_grid_size is 0x1x1; each extent must be at least 1
gpu.module @m {
  gpu.func @zero(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 0, 1, 1>} {
    %x = gpu.block_id x
    %v = memref.load %a[%x] : memref<16xf32>
    gpu.return
  }
}

// -----

// CHECK: error: kernel 'negative': known_grid_size is 4x-2x1; each extent must be at least 1
gpu.module @m {
  gpu.func @negative(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 4, -2, 1>} {
    %x = gpu.block_id x
    %v = memref.load %a[%x] : memref<16xf32>
    gpu.return
  }
}

// -----

// CHECK: error: kernel 'block': known_block_size is 0x1x1; each extent must be at least 1
gpu.module @m {
  gpu.func @block(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 4, 2, 1>, known_block_size = array<i32: 0, 1, 1>} {
    %x = gpu.block_id x
    %v = memref.load %a[%x] : memref<16xf32>
    gpu.return
  }
}
