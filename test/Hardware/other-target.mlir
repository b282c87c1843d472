// What a module is compiled for decides how many lanes its waves have, whether
// or not there is a chip for it; a chip of another kind does not go unsaid.
// RUN: swizzle-opt %s --swizzle-print-model | FileCheck %s --check-prefix=MODEL
// RUN: swizzle-sim %s --chip=h100 --kernel=volta | FileCheck %s --check-prefix=SAME
// RUN: swizzle-sim %s --chip=h100 --kernel=vega | FileCheck %s --check-prefix=OTHER
// RUN: swizzle-sim %s --chip=rx7900xtx --kernel=vega | FileCheck %s --check-prefix=WAVES
// RUN: swizzle-sim %s --chip=mi300x --kernel=vega | FileCheck %s --check-prefix=SAME
// RUN: swizzle-opt %s --hw-aware-swizzle="chip=h100 report=%t.json" -o /dev/null
// RUN: FileCheck %s --check-prefix=REPORT < %t.json

// MODEL: kernel @volta::@volta
// MODEL-NOT: subgroup size
// MODEL: kernel @vega::@vega
// MODEL-NOT: subgroup size
// MODEL: kernel @navi::@navi
// MODEL: assumed: subgroup size
// SAME-NOT: does not run
// OTHER: assumed: the module is compiled for 'gfx906', which h100 does not run: figures are of its accesses there
// WAVES: assumed: the module is compiled for 'gfx906', which rx7900xtx does not run
// REPORT: "name": "volta"
// REPORT: "notes": []
// REPORT: "name": "vega"
// REPORT: the module is compiled for 'gfx906', which h100 does not run
gpu.module @volta [#nvvm.target<chip = "sm_70">] {
  gpu.func @volta(%a: memref<65536xf32>) kernel
      attributes {known_grid_size = array<i32: 64, 1, 1>,
                  known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %c1024 = arith.constant 1024 : index
    %first = arith.muli %x, %c1024 : index
    %lane = gpu.lane_id
    %i = arith.addi %first, %lane : index
    %v = memref.load %a[%i] : memref<65536xf32>
    memref.store %v, %a[%i] : memref<65536xf32>
    gpu.return
  }
}
gpu.module @vega [#rocdl.target<chip = "gfx906">] {
  gpu.func @vega(%a: memref<65536xf32>) kernel
      attributes {known_grid_size = array<i32: 64, 1, 1>,
                  known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %c1024 = arith.constant 1024 : index
    %first = arith.muli %x, %c1024 : index
    %lane = gpu.lane_id
    %i = arith.addi %first, %lane : index
    %v = memref.load %a[%i] : memref<65536xf32>
    memref.store %v, %a[%i] : memref<65536xf32>
    gpu.return
  }
}
// Some chips of gfx10 and later run waves of either size.
gpu.module @navi [#rocdl.target<chip = "gfx1012">] {
  gpu.func @navi(%a: memref<65536xf32>) kernel
      attributes {known_grid_size = array<i32: 64, 1, 1>,
                  known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %c1024 = arith.constant 1024 : index
    %first = arith.muli %x, %c1024 : index
    %lane = gpu.lane_id
    %i = arith.addi %first, %lane : index
    %v = memref.load %a[%i] : memref<65536xf32>
    memref.store %v, %a[%i] : memref<65536xf32>
    gpu.return
  }
}
