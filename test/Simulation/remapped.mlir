// What the pass made cheap it does not read again; the host can run it.

// RUN: swizzle-opt %s --hw-aware-swizzle="chip=mi300x formula=@xcd-balanced-super-group" -o %t.mlir
// RUN: not swizzle-sim %t.mlir --chip=mi300x 2>&1 | FileCheck %s --check-prefix=READ
// RUN: swizzle-sim %t.mlir --chip=mi300x --record | FileCheck %s
// READ: swizzle-sim: kernel k: the kernel has a new order already (swizzle.applied), and its accesses cannot be read any more: simulate the original
// CHECK: L2, bytes 61.4 KB

gpu.module @m {
  gpu.func @k(%a: memref<12x10x64xf32>) kernel attributes {known_grid_size = array<i32: 12, 10, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %t = gpu.thread_id x
    %0 = memref.load %a[%x, %y, %t] : memref<12x10x64xf32>
    memref.store %0, %a[%x, %y, %t] : memref<12x10x64xf32>
    gpu.return
  }
}
