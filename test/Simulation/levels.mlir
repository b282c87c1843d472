// Caches are rows of a file: one between L1 and L2 has its figures beside the
// others, and a chip may have a single one.

// RUN: swizzle-sim %s --hardware-file=%swizzle_src_root/unittests/Hardware/Inputs/four-levels.json --kernel=rows | FileCheck %s --check-prefix=FOUR
// RUN: swizzle-sim %s --hardware-file=%swizzle_src_root/unittests/Hardware/Inputs/four-levels.json --kernel=rows --json | FileCheck %s --check-prefix=JSON
// RUN: swizzle-sim %s --hardware-file=%swizzle_src_root/unittests/Hardware/Inputs/one-level.json --kernel=rows | FileCheck %s --check-prefix=ONE
// RUN: swizzle-sim %s --hardware-file=%swizzle_src_root/unittests/Hardware/Inputs/chip-1/mi300x.json --kernel=rows > %t.old
// RUN: swizzle-sim %s --chip=mi300x --kernel=rows > %t.new
// RUN: diff %t.old %t.new

// Sixteen neighbours read the same rows: what their own caches lack, the cache of
// their cluster has.
// FOUR-LABEL: kernel @k::@rows
// FOUR:      first-level cache, hits {{ *}}0.0 %
// FOUR-NEXT: gl1 cache, hits {{ *}}[[HITS:[0-9.]+]] %
// FOUR-NEXT: gl1 cache, bytes {{ *}}524.3 KB
// FOUR-NEXT: L2, hits
// FOUR-NEXT: L2, bytes
// FOUR-NEXT: last level, hits
// FOUR-NEXT: last level, bytes
// FOUR:      gl1 cache {{[0-9.]+}} us

// JSON: "gl1_bytes": 524288
// JSON: "gl1_hit_rate": 0.{{[1-9]}}
// JSON: "levels": [
// JSON-NEXT: "l1",
// JSON-NEXT: "gl1",
// JSON-NEXT: "l2",
// JSON-NEXT: "llc"

// ONE-LABEL: kernel @k::@rows
// ONE-NOT: first-level cache, hits
// ONE:      L2, hits
// ONE-NEXT: L2, bytes {{ *}}1.049 MB
// ONE-NEXT: DRAM, bytes read {{ *}}65.5 KB

module {
  gpu.module @k [#rocdl.target<chip = "gfx942">] {
    gpu.func @rows(%a: memref<64x1024xf32>, %out: memref<64x8x1024xf32>) kernel
        attributes {known_grid_size = array<i32: 8, 64, 1>,
                    known_block_size = array<i32: 256, 1, 1>} {
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %tx = gpu.thread_id x
      %v = memref.load %a[%by, %tx] : memref<64x1024xf32>
      memref.store %v, %out[%by, %bx, %tx] : memref<64x8x1024xf32>
      gpu.return
    }
    gpu.func @open(%a: memref<1048576xf32>) kernel {
      %c256 = arith.constant 256 : index
      %bx = gpu.block_id x
      %tx = gpu.thread_id x
      %base = arith.muli %bx, %c256 : index
      %i = arith.addi %base, %tx : index
      %v = memref.load %a[%i] : memref<1048576xf32>
      memref.store %v, %a[%i] : memref<1048576xf32>
      gpu.return
    }
  }
}
