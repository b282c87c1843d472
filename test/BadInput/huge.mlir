// A grid that is too large to enumerate takes a loop nest, and nothing else.
// RUN: swizzle-opt %s --swizzle-plan="formula='i = y * gx + x; return i // gy, i % gy'" | FileCheck %s
// RUN: not swizzle-opt %s --swizzle-plan="formula='return x ^ 1, y'" 2>&1 | FileCheck %s --check-prefix=NO
// CHECK: swizzle.remap
// NO: error: kernel 'k':
gpu.module @m {
  gpu.func @k(%a: memref<?x?xf32>) kernel attributes {known_grid_size = array<i32: 100000, 60000, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %v = memref.load %a[%y, %x] : memref<?x?xf32>
    gpu.return
  }
}

// A grid beyond what dispatchers number is refused for the formula, not crashed on.
// RUN: not swizzle-opt %S/Inputs/largest.mlir --swizzle-plan="formula='i = y * gx + x; return i // gy, i % gy'" 2>&1 | FileCheck %s --check-prefix=LARGEST
// LARGEST: error: kernel 'k': the grid 2147483647x2147483647 has more than
