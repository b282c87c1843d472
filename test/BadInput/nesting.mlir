// The pipeline runs on a module; anything else is an error, not a crash.
// RUN: not swizzle-opt %s --pass-pipeline="builtin.module(gpu.module(hw-aware-swizzle))" 2>&1 | FileCheck %s
// RUN: not swizzle-opt %s --pass-pipeline="builtin.module(func.func(hw-aware-swizzle))" 2>&1 | FileCheck %s --check-prefix=FUNC
// RUN: not swizzle-opt %s --pass-pipeline="builtin.module(gpu.module(swizzle-plan))" 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: not swizzle-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(swizzle-materialize)))" 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: swizzle-opt %s --pass-pipeline="any(hw-aware-swizzle{formula='return gx - 1 - x'})" | FileCheck %s --check-prefix=ANY
// CHECK: error: hw-aware-swizzle runs on a builtin.module, which has kernels and their launches, not on 'gpu.module': builtin.module(hw-aware-swizzle)
// FUNC: error: hw-aware-swizzle runs on a builtin.module, {{.*}} not on 'func.func'
// PASS: {{[Cc]}}an't add pass {{.*}} restricted to 'builtin.module'
// ANY: swizzle.applied
gpu.module @m {
  gpu.func @k(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%x] : memref<16xf32>
    gpu.return
  }
}
