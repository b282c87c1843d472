// An agent that does not exist leaves kernels alone by default, and says so.
// RUN: swizzle-opt %s > %t.before
// RUN: swizzle-opt %s --hw-aware-swizzle="agent=oracle report=%t.json" > %t.after 2> %t.warning
// RUN: diff %t.before %t.after
// RUN: FileCheck %s --check-prefix=WARNING < %t.warning
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// WARNING: warning: agent 'oracle' cannot be asked: there is no agent 'oracle'; available: planner, {{.*}}; all kernels stay as they are
// REPORT: "outcome": "kept"
// REPORT: "reason_code": "configuration"
gpu.module @m {
  gpu.func @k(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%x] : memref<16xf32>
    gpu.return
  }
}
