// An order of more workgroups than are enumerated is simulated in a part of the launch;
// it is not taken for the order as it is.

// Rows fit the cache as it is; by columns, memory is used in pieces.
// RUN: swizzle-opt %s --hw-aware-swizzle="chip=h200 formula='n = y * gx + x; return n // gy, n % gy' simulate=fast" -o /dev/null 2>&1 | FileCheck %s
// CHECK: k: remapped for h200, simulated {{[1-9][0-9.]*}} % slower: column by column

// RUN: swizzle-sim %s --chip=h200 --formula='n = y * gx + x; return n // gy, n % gy' --simulate=fast --compare --json | FileCheck %s --check-prefix=SIM
// SIM:     "after":
// SIM:     "time_us": [[TIME:[0-9.]+]]
// SIM:     "before":
// SIM-NOT: "time_us": [[TIME]]
// SIM:     "time_us":

// More than swizzle-sim holds as a list.
// RUN: sed 's/32768, 256/16384, 8192/' %s > %t.mlir
// RUN: not swizzle-sim %t.mlir --chip=h200 --formula='return gx - 1 - x, y' 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not swizzle-sim %t.mlir --chip=h200 --formula='return gx - 1 - x, y' --simulate=fast --draw=%t.svg 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not ls %t.svg
// RUN: swizzle-sim %t.mlir --chip=h200 --formula='return gx - 1 - x, y' --simulate=fast | FileCheck %s --check-prefix=SIM-LARGE
// LARGE: an order of more than 67108864 workgroups is not simulated in full, or drawn: --simulate=fast simulates a part, --grid takes a smaller grid
// SIM-LARGE: | return gx - 1 - x, y
// SIM-LARGE: DRAM, bytes read
gpu.module @m {
  gpu.func @k(%a: memref<?x2097152xf32>, %c: memref<?x2097152xf32>) kernel
      attributes {known_grid_size = array<i32: 32768, 256, 1>,
                  known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %s = arith.constant 64 : index
    %i0 = arith.muli %x, %s : index
    %i = arith.addi %i0, %t : index
    %y1 = arith.addi %y, %c1 : index
    %v = memref.load %a[%y, %i] : memref<?x2097152xf32>
    %w = memref.load %a[%y1, %i] : memref<?x2097152xf32>
    %r = arith.addf %v, %w : f32
    memref.store %r, %c[%y, %i] : memref<?x2097152xf32>
    gpu.return
  }
}
