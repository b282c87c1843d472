// A variant for any grid is the identity where its 32-bit arithmetic does not
// hold: the remark says from where on, and the check compares with that.
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='n = gx * gy; i = y * gx + x; q, r = n // num_xcds, n % num_xcds; d, j = i % num_xcds, i // num_xcds; i = d * q + min(d, r) + j; w = 16 * gx; g = i // w; h = min(gy - g * 16, 16); k = i % w; return k // h, g * 16 + k % h' chip=mi300x" --remarks-filter=swizzle --remark-format=emitRemark -o %t.mlir 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: swizzle-check %s %t.mlir --grid=4096x4096 --argument=0=4096x4096 | FileCheck %s --check-prefix=LARGE
// RUN: swizzle-check %s %t.mlir --grid=4096x4096 --argument=0=4096x4096 --json | FileCheck %s --check-prefix=JSON
// RUN: swizzle-check %s %t.mlir --grid=64x64 --argument=0=4096x4096 | FileCheck %s --check-prefix=SMALL

// REMARK: KeepsOrder="of more than 4194303 workgroups, which the arithmetic of 32 bits does not hold
// LARGE: passed
// LARGE-NEXT: workgroups run and compared, block 1, seed 1, formula from identity: the grid has more than 4194303 workgroups
// LARGE-NEXT: on grids of more than 4194303 workgroups, which its arithmetic of 32 bits does not hold, the variant keeps the original's order
// JSON: "notes": [
// JSON-NEXT: on grids of more than
// SMALL: passed
// SMALL-NEXT: workgroups run and compared, block 1, seed 1, formula from the variant
// SMALL-NOT: keeps

gpu.module @m {
  gpu.func @k(%o: memref<?x?xf32> {llvm.noalias}) kernel
      attributes {known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %f = arith.constant 1.0 : f32
    memref.store %f, %o[%y, %x] : memref<?x?xf32>
    gpu.return
  }
}
