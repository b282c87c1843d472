// A grid or block that an option claims is compared with the launch's at run time,
// and any other takes the identity. That counts as proof, under `strict` too.
//
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x, y' grid=64 block=64" --canonicalize \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x, y' grid=64 block=64 strict=true" --canonicalize \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 | FileCheck %s
// A block for which workgroups meet is refused all the same.
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x, y' grid=64 block=65" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=WIDE
// Where nobody knows the grid, `strict` takes what is apart on every grid: see
// every-grid.mlir for what is not.
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x, y' block=64 strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=STRICT

// CHECK: Passed{{.*}}Function=tiles | Assuming="the grid is 64; any other grid takes the identity at run time", Assuming="the block is 64; any other block takes the identity at run time"
// CHECK: gpu.func @tiles(%arg0
// CHECK-DAG: gpu.grid_dim x
// CHECK-DAG: %[[DIM:.*]] = gpu.block_dim x
// CHECK-DAG: arith.cmpi eq, %[[DIM]], %c64 : index
// CHECK: arith.select
// WIDE: Missed{{.*}}Function=tiles | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 256 of arg0
// STRICT: Passed{{.*}}Function=tiles{{.*}}Assuming="the block is 64; any other block takes the identity at run time"
gpu.module @m {
  gpu.func @tiles(%a: memref<65536xi32>) kernel {
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %c64 = arith.constant 64 : index
    %v = arith.index_cast %x : index to i32
    %first = arith.muli %x, %c64 : index
    %i = arith.addi %first, %t : index
    memref.store %v, %a[%i] : memref<65536xi32>
    gpu.return
  }
}
