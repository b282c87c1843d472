// A variant that was made for a claimed block is the original on any other.
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x' grid=8 block=32" > %t.mlir
// RUN: swizzle-check %s %t.mlir --grid=8 --block=32 | FileCheck %s --check-prefix=SAME
// RUN: not swizzle-check %s %t.mlir --grid=8 --block=16 | FileCheck %s --check-prefix=HINT
// RUN: swizzle-check %s %t.mlir --grid=8 --block=16 --assumed-block=32 | FileCheck %s --check-prefix=OTHER
// RUN: not swizzle-check %s %t.mlir --grid=8 --block=16 --assumed-block=0 2>&1 | FileCheck %s --check-prefix=BAD

// SAME: passed
// HINT: failed: workgroup {{.*}}give that grid with --assumed-grid, and a block with --assumed-block
// OTHER: passed
// OTHER: formula from identity: the variant was made for another block
// BAD: --assumed-block: `0`: an extent is at least 1; sizes are written as
gpu.module @m {
  gpu.func @k(%out: memref<?xi32>) kernel {
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %n = gpu.block_dim x
    %first = arith.muli %x, %n : index
    %i = arith.addi %first, %t : index
    %v = arith.index_cast %x : index to i32
    memref.store %v, %out[%i] : memref<?xi32>
    gpu.return
  }
}
