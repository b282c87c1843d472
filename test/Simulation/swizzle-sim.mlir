// RUN: swizzle-sim %s --chip=mi300x --kernel=rows --formula='n = gx * gy; i = y * gx + x; q = n // num_xcds; i = i % num_xcds * q + i // num_xcds; return i % gx, i // gx' --compare | FileCheck %s --check-prefix=ROWS
// RUN: swizzle-sim %s --chip=h200 --kernel=k::rows --json --sample=4 --sensitivity | FileCheck %s --check-prefix=JSON
// RUN: swizzle-sim %s --chip=mi300x --kernel=open --grid=64 --block=256 | FileCheck %s --check-prefix=OPEN
// RUN: swizzle-sim %s --chip=mi300x --kernel=rows --launches=2 | FileCheck %s --check-prefix=AGAIN
// RUN: swizzle-sim %s --chip=mi300x --kernel=rows --launches=2 --formula=@xcd-balanced --compare | FileCheck %s --check-prefix=SIDES
// RUN: swizzle-sim %s --chip=h200 --kernel=rows --launches=3 --sample=2 --json | FileCheck %s --check-prefix=THIRD
// RUN: not swizzle-sim %s --chip=h200 --kernel=rows --launches=0 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not swizzle-sim %s --chip=h200 --kernel=rows --launches=2 --prefix=0.5 2>&1 | FileCheck %s --check-prefix=PART
// RUN: not swizzle-sim %s --chip=h200 --kernel=rows --launches=2 --simulate=fast 2>&1 | FileCheck %s --check-prefix=FAST
// RUN: swizzle-sim %s --kernel=rows | FileCheck %s --check-prefix=TARGET

// Several workgroups read the same rows of %a: a die that gets neighbours keeps
// them in its L2.
// ROWS-LABEL: kernel @k::@rows, grid 8x64, block 256, on mi300x (AMD Instinct MI300X, SPX): full detail, 8 workgroups a compute unit
// ROWS-NEXT: | n = gx * gy
// ROWS:      simulated {{ *}}before {{ *}}after
// ROWS:      L2, hits {{ *}}0.0 % {{ *}}43.8 %
// ROWS-NEXT: L2, bytes {{ *}}1.049 MB {{ *}}1.049 MB
// ROWS-NEXT: last level, hits {{ *}}43.8 % {{ *}}0.0 %
// ROWS-NEXT: last level, bytes {{ *}}1.049 MB {{ *}}589.8 KB
// ROWS:      DRAM, bytes read {{ *}}65.5 KB {{ *}}65.5 KB
// ROWS:      time, at least
// ROWS:      default: miss_delay_rounds of mi300x unknown: 1 assumed

// What the first launch left in the last level is there, in the L2s of dies it
// is not.
// AGAIN-LABEL: full detail, launch 2 in a row, 8 workgroups a compute unit
// AGAIN:      L2, hits {{ *}}0.0 %
// AGAIN:      last level, hits {{ *}}100.0 %
// AGAIN:      DRAM, bytes read {{ *}}0 B

// Columns do not run together.
// SIDES: set by {{ *}}last-level cache last-level cache

// THIRD: "dram_read_bytes": 0,
// THIRD: "mode": "one line in 2, launch 3 in a row"

// NONE: swizzle-sim: --launches must be 1 to 1000
// PART: swizzle-sim: --launches repeats whole launches: it excludes --prefix
// FAST: --simulate=fast settles what is left out: it excludes --sample, --prefix, --launches,

// JSON: "after": null
// JSON: "before": {
// JSON: "llc_bytes": null
// JSON: "llc_hit_rate": null
// JSON: "origin": "simulated"
// JSON: "sensitivity": {
// JSON: "uncertain": false
// JSON: "chip": "h200"
// JSON: "mode": "one line in 4"
// JSON: "name": "rows"
// JSON: "schema": "swizzle-sim/1"

// OPEN: kernel @k::@open, grid 64, block 256
// OPEN: DRAM, bytes read {{ *}}65.5 KB

// TARGET: on mi300x
// TARGET: assumed: the chip is mi300x, the usual one of the kernel's target
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
