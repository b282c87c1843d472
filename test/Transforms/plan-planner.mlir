// The planner is asked where no formula is given; the same input gives the same
// bytes. A kernel without reuse is left alone, and the report says why.
// RUN: swizzle-opt %s > %t.before
// RUN: swizzle-opt %s --hw-aware-swizzle="chip=mi300x report=%t.1.json" --remarks-filter=swizzle --remark-format=emitRemark > %t.after 2> %t.remarks
// RUN: swizzle-opt %s --hw-aware-swizzle="chip=mi300x report=%t.2.json" > /dev/null
// RUN: diff %t.before %t.after
// RUN: diff %t.1.json %t.2.json
// RUN: FileCheck %s < %t.remarks
// RUN: FileCheck %s --check-prefix=REPORT < %t.1.json
// CHECK: Missed{{.*}}Function=k{{.*}}Code=no-reuse
// REPORT: "outcome": "kept"
// REPORT: "reason_code": "no-reuse"
gpu.module @m {
  gpu.func @k(%a: memref<1048576xf32>, %b: memref<1048576xf32>) kernel attributes {known_grid_size = array<i32: 4096, 1, 1>, known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.global_id x
    %v = memref.load %a[%i] : memref<1048576xf32>
    memref.store %v, %b[%i] : memref<1048576xf32>
    gpu.return
  }
}
