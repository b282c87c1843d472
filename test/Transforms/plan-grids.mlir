// Grids that are facts, that somebody claims, and that nobody knows.
// RUN: swizzle-opt %s --swizzle-plan="formula='return gy - 1 - y, x' grid=8x8" --remarks-filter=swizzle --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: swizzle-opt %s --swizzle-plan="formula='i = y * gx + x; return i // gy, i % gy'" --remarks-filter=swizzle --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=NEST
// RUN: not swizzle-opt %s --swizzle-plan="formula='return gy - 1 - y, x'" 2>&1 | FileCheck %s --check-prefix=NONE

// OPTION: Assumed="8x8, as the option says"
// OPTION: Proof=guarded
// OPTION: extents({{.*}}) grid [8, 8, 1] guarded
// NEST: Proof=nest
// NEST: extents({{.*}}) grid [-1, -1, -1]
// NONE: error: kernel 'open':
gpu.module @m {
  gpu.func @open(%a: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%y, %x] : memref<64x64xf32>
    gpu.return
  }
}
