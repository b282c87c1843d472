// A grid of one row that somebody claims: a formula of one value fits it, and
// every other grid, of several rows too, takes the identity.
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x' grid=64 block=64 strict" | FileCheck %s

// CHECK-LABEL: gpu.func @reversed
// CHECK-DAG: %[[ID:.*]] = gpu.block_id x
// CHECK-DAG: gpu.grid_dim y
// CHECK-DAG: gpu.block_dim z
// CHECK: arith.select {{.*}}, %[[ID]] : index
// CHECK: memref.store
gpu.module @m {
  gpu.func @reversed(%a: memref<65536xf32>) kernel {
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %c64 = arith.constant 64 : index
    %b = arith.muli %x, %c64 : index
    %i = arith.addi %b, %t : index
    memref.store %f, %a[%i] : memref<65536xf32>
    gpu.return
  }
}
