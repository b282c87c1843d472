// What is written whole is put beside its place and renamed, but a device or a
// pipe is written to: as root, a rename would put a file in a device's place.

// RUN: swizzle-opt %s --hw-aware-swizzle="chip=h200 report=/dev/stdout" -o %t.mlir | FileCheck %s
// RUN: swizzle-tune %s --chip=h200 -o /dev/stdout 2> %t.err | FileCheck %s --check-prefix=IR
// RUN: swizzle-formula --draw=/dev/stdout --grid=4x4 --formula=@column-major | FileCheck %s --check-prefix=SVG
// RUN: swizzle-sim %s --chip=h200 --formula='return gx - 1 - x' --draw=/dev/stdout | FileCheck %s --check-prefix=SVG
// `-` is standard output, and the text goes to standard error.
// RUN: swizzle-formula --draw=- --grid=4x4 --formula=@column-major 2> %t.err | FileCheck %s --check-prefix=SVG --implicit-check-not=legal
// RUN: grep legal %t.err
// RUN: swizzle-sim %s --chip=h200 --formula='return gx - 1 - x' --draw=- 2> %t.err | FileCheck %s --check-prefix=SVG --implicit-check-not=DRAM
// RUN: grep DRAM %t.err

// It has room for one thing, whatever it is called.
// RUN: not swizzle-formula --json --draw=/dev/stdout --grid=4x4 --formula=@column-major 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not swizzle-sim %s --chip=h200 --formula='return gx - 1 - x' --json --draw=/dev/fd/1 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not swizzle-compile %s --chip=h200 --json=/dev/stdout -o - 2>&1 | FileCheck %s --check-prefix=ONE

// A launch's buffers go to a folder that is made.
// RUN: rm -rf %t.run && head -c 256 /dev/zero > %t.in
// RUN: swizzle-check %s --argument=0=@%t.in --run=%t.run/new
// RUN: cmp %t.in %t.run/new/arg0

// SVG: <svg
// ONE: only one of --json and {{.*}} can have standard output
// CHECK: "schema": "swizzle-report/1"
// IR: gpu.func @k

gpu.module @m {
  gpu.func @k(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 8, 1, 1>} {
    %x = gpu.block_id x
    %v = memref.load %a[%x] : memref<64xf32>
    memref.store %v, %a[%x] : memref<64xf32>
    gpu.return
  }
}
