// A name that no agent has is an error, whatever happens to agents that fail.
// RUN: not swizzle-opt %s --hw-aware-swizzle="agent=oracle report=%t.json" -o %t.out 2>&1 | FileCheck %s
// RUN: not swizzle-opt %s --hw-aware-swizzle="agent=planner,oracle on-failure=planner" -o %t.out 2>&1 | FileCheck %s
// RUN: not ls %t.json %t.out
// CHECK: error: option 'agent': there is no agent 'oracle'; available: planner, {{.*}}

// Who asked for no agent does not read of one that failed.
// RUN: swizzle-opt %s --hw-aware-swizzle="chip=mi300x" 2>&1 | FileCheck %s --check-prefix=PLANNER
// PLANNER-NOT: agent
gpu.module @m {
  gpu.func @k(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%x] : memref<16xf32>
    gpu.return
  }
}
