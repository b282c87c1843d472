// --simulate=fast takes as much of a kernel as the planner does: all of one that
// is small, a part of the steps of one that is deep, with the errors stated.
// RUN: swizzle-sim %s --chip=mi300x --kernel=small --simulate=fast | FileCheck %s --check-prefix=SMALL
// RUN: swizzle-sim %s --chip=mi300x --kernel=deep --simulate=fast | FileCheck %s --check-prefix=DEEP
// RUN: swizzle-sim %s --chip=mi300x --kernel=deep --simulate=fast --json | FileCheck %s --check-prefix=JSON

// A limit that is not reached changes nothing.
// RUN: swizzle-sim %s --chip=mi300x --kernel=small --max-seconds=1000 | FileCheck %s --check-prefix=SMALL

// SMALL: full detail
// SMALL-NOT: error
// DEEP: one line in 64, a part of the steps
// DEEP: DRAM bytes, error
// DEEP: time, error
// DEEP: no error tells how much more or less than a part the whole launch finds in its first-level caches
// JSON: "noise": 0
// JSON: "depth": 0.0
gpu.module @m {
  gpu.func @small(%a: memref<64xf32>) kernel
      attributes {known_grid_size = array<i32: 64, 1, 1>,
                  known_block_size = array<i32: 1, 1, 1>} {
    %bx = gpu.block_id x
    %v = memref.load %a[%bx] : memref<64xf32>
    memref.store %v, %a[%bx] : memref<64xf32>
    gpu.return
  }
  gpu.func @deep(%a: memref<16x100000000xf32>, %b: memref<100000000xf32>) kernel
      attributes {known_grid_size = array<i32: 16, 1, 1>,
                  known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 100000000 : index
    %bx = gpu.block_id x
    scf.for %k = %c0 to %n step %c1 {
      %v = memref.load %b[%k] : memref<100000000xf32>
      memref.store %v, %a[%bx, %k] : memref<16x100000000xf32>
    }
    gpu.return
  }
}
