// A kernel that was remapped twice names its last formula alone, so that it
// differs from the very first kernel under it. The failure says so, and the right
// comparisons pass.
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x, y' grid=4x6" -o %t.once.mlir
// RUN: swizzle-opt %t.once.mlir --hw-aware-swizzle="formula='return x ^ 1, y' compose=true grid=4x6" -o %t.twice.mlir
// RUN: FileCheck %s --check-prefix=IR < %t.twice.mlir
// IR: swizzle.applied = #swizzle.formula<"return x ^ 1, y"{{.*}}swizzle.composed = 2 : i64
// RUN: not swizzle-check %s %t.twice.mlir --grid=4x6 --assumed-grid=4x6 | FileCheck %s
// CHECK: failed: workgroup {{.*}}; the variant was remapped 2 times (compose), and the formula that it names is the last one alone: compare it with the kernel that was remapped last, or give the whole map with --formula
// RUN: swizzle-check %t.once.mlir %t.twice.mlir --grid=4x6 --assumed-grid=4x6
// RUN: swizzle-check %s %t.twice.mlir --grid=4x6 --assumed-grid=4x6 --formula='return gx - 1 - (x ^ 1), y'

// Of three remaps the last is looked at: the one before does not help.
// RUN: swizzle-opt %t.twice.mlir --hw-aware-swizzle="formula='return x, gy - 1 - y' compose=true grid=4x6" -o %t.thrice.mlir
// RUN: not swizzle-check %t.once.mlir %t.thrice.mlir --grid=4x6 --assumed-grid=4x6 --json | FileCheck %s --check-prefix=THRICE
// THRICE: "message": "{{.*}}remapped 3 times
// RUN: swizzle-check %t.twice.mlir %t.thrice.mlir --grid=4x6 --assumed-grid=4x6

// What was made for an assumed grid is the original on any other.
// RUN: not swizzle-check %s %t.once.mlir --grid=3x5 | FileCheck %s --check-prefix=ASSUMED
// ASSUMED: failed: workgroup {{.*}}; if the variant was made for an assumed grid, and is the original on any other, give that grid with --assumed-grid, and a block with --assumed-block
// RUN: swizzle-check %s %t.once.mlir --grid=3x5 --assumed-grid=4x6
gpu.module @m {
  gpu.func @k(%out: memref<6x4xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %c4 = arith.constant 4 : index
    %row = arith.muli %y, %c4 : index
    %i = arith.addi %row, %x : index
    %n = arith.index_cast %i : index to i32
    %f = arith.uitofp %n : i32 to f32
    memref.store %f, %out[%y, %x] : memref<6x4xf32>
    gpu.return
  }
}
