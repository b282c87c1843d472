// A target that nobody described is no error: the kernel keeps its order, and a
// warning names the target. One that is described needs nothing.
// RUN: swizzle-opt %s -split-input-file > %t.before
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle 2>%t.err | diff %t.before -
// RUN: FileCheck %s < %t.err
// RUN: swizzle-opt %s -split-input-file --swizzle-plan="formula='n = gx // num_xcds; return x % num_xcds * n + x // num_xcds'" 2>&1 | FileCheck %s --check-prefix=FORMULA
// RUN: swizzle-opt %s -split-input-file --swizzle-plan="formula='return gx - 1 - x'" | FileCheck %s --check-prefix=PLAIN

// CHECK: warning: kernel 'k' keeps its order: no chip is described for its target 'sm_75'; chip=NAME takes the nearest one of a100,
// FORMULA: warning: kernel 'k' keeps its order: no chip is described for its target 'sm_75'
// PLAIN: swizzle.remap
gpu.module @m [#nvvm.target<chip = "sm_75">] {
  gpu.func @k(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%x] : memref<16xf32>
    gpu.return
  }
}

// -----

// CHECK: warning: kernel 'amd' keeps its order: no chip is described for its target 'gfx1030'
// PLAIN: swizzle.remap
gpu.module @m [#rocdl.target<chip = "gfx1030">] {
  gpu.func @amd(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%x] : memref<16xf32>
    gpu.return
  }
}

// -----

// CHECK-NOT: warning
// PLAIN: swizzle.remap
gpu.module @m [#nvvm.target<chip = "sm_86">] {
  gpu.func @known(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%x] : memref<16xf32>
    gpu.return
  }
}
