// The planner's answer is proved, simulated, and stands in the IR that is
// written; a kernel that is not asked for stays as it is.
// RUN: swizzle-tune %s --chip=mi300x --kernel=rows -o %t.mlir --report=%t.json 2>%t.err | FileCheck %s --check-prefix=TABLE
// RUN: FileCheck %s --check-prefix=IR < %t.mlir
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: FileCheck %s --check-prefix=PROGRESS < %t.err

// TABLE:      kernel k::rows on mi300x, grid 8x64
// TABLE-NEXT:   objective time, figures simulated
// TABLE:          #  round  agent        verdict
// TABLE-NEXT:     0      -  -            as it is
// TABLE-NEXT: *   1      1  planner      best
// TABLE:        ended: planner has nothing more to offer
// TABLE:        best: #1, {{.*}}L2 hit 0.0 -> 43.8 %, simulated
// TABLE-NOT:  kernel

// IR-LABEL: gpu.func @rows
// IR-SAME: swizzle.applied
// IR-LABEL: gpu.func @other
// IR-NOT: swizzle.applied

// REPORT-DAG: "schema": "swizzle-tuning/1"
// REPORT-DAG: "input_hash": "blake3:
// REPORT-DAG: "kind": "enumerated"
// REPORT-DAG: "outcome": "remapped"
// REPORT-DAG: "profiler": "simulator"
// REPORT-DAG: "loop":

// PROGRESS:      kernel k::rows
// PROGRESS-NEXT:   as it is: time
// PROGRESS:        round 1: asking planner; best so far: the kernel as it is
// PROGRESS-NEXT:   #1 planner: the best so far
// PROGRESS:        ended:

// A kernel that cannot be renumbered is reported, not tuned.
// RUN: swizzle-tune %s --chip=mi300x --kernel=k::ticket 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: kernel k::ticket
// REFUSED-NEXT: left alone: {{.*}}[atomic-result

// Bad requests say what would be right.
// RUN: not swizzle-tune %s --chip=mi300x --kernel=nobody 2>&1 | FileCheck %s --check-prefix=NOBODY
// NOBODY: swizzle-tune: no kernel is called nobody; there are k::rows, k::other, k::ticket
// RUN: not swizzle-tune %s --chip=mi300x --kernel=rows --objective=energy 2>&1 | FileCheck %s --check-prefix=ENERGY
// ENERGY: the objective energy cannot be told by this profiler for this kernel; it needs a profiler that measures energy
// RUN: not swizzle-tune %s --kernel=rows 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: kernel k::rows: the tuner needs to know the chip

// What a language model would be sent; nothing is sent or written.
// RUN: swizzle-tune %s --chip=mi300x --kernel=rows --planner-first=false --show-prompt --hint='mind the rows' -o %t.none 2>&1 | FileCheck %s --check-prefix=PROMPT
// RUN: not test -e %t.none
// PROMPT: mind the rows
module {
  gpu.module @k {
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
    gpu.func @other(%a: memref<64x1024xf32>, %out: memref<64x8x1024xf32>) kernel
        attributes {known_grid_size = array<i32: 8, 64, 1>,
                    known_block_size = array<i32: 256, 1, 1>} {
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %tx = gpu.thread_id x
      %v = memref.load %a[%by, %tx] : memref<64x1024xf32>
      memref.store %v, %out[%by, %bx, %tx] : memref<64x8x1024xf32>
      gpu.return
    }
    gpu.func @ticket(%a: memref<1xi32>, %out: memref<64xi32>) kernel
        attributes {known_grid_size = array<i32: 64, 1, 1>,
                    known_block_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : i32
      %bx = gpu.block_id x
      %v = memref.atomic_rmw addi %c1, %a[%c0] : (i32, memref<1xi32>) -> i32
      memref.store %v, %out[%bx] : memref<64xi32>
      gpu.return
    }
  }
}
