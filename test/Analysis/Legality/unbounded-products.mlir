// What a path says of a number bounds no product that nothing bounds: x * (2^34 + 1) may
// leave 64 bits under `x > 0` as it may without.

// RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @m {
    // CHECK-LABEL: kernel @m::@guarded
    // CHECK: not modelled: write by memref.store of arg0: may wrap around in 64 bits
    gpu.func @guarded(%a: memref<4096xi32>) kernel attributes {known_grid_size = array<i32: 2147483647, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
      %x = gpu.block_id x
      %c0 = arith.constant 0 : index
      %c7 = arith.constant 7 : i32
      %factor = arith.constant 17179869185 : index
      %positive = arith.cmpi sgt, %x, %c0 : index
      scf.if %positive {
        %product = arith.muli %x, %factor : index
        memref.store %c7, %a[%product] : memref<4096xi32>
      }
      gpu.return
    }

    // CHECK-LABEL: kernel @m::@fits
    // CHECK: write arg0[4294967300*x] 4 bytes
    // CHECK-NOT: not modelled
    gpu.func @fits(%a: memref<4096xi32>) kernel attributes {known_grid_size = array<i32: 2147483, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
      %x = gpu.block_id x
      %c0 = arith.constant 0 : index
      %c7 = arith.constant 7 : i32
      %factor = arith.constant 1073741825 : index
      %positive = arith.cmpi sgt, %x, %c0 : index
      scf.if %positive {
        %product = arith.muli %x, %factor : index
        memref.store %c7, %a[%product] : memref<4096xi32>
      }
      gpu.return
    }
  }
}
