// What a remap costs is part of the time, and the same as the pass tells.
// RUN: swizzle-sim %s --chip=mi300x --formula=@hilbert --compare --simulate=fast | FileCheck %s
// RUN: swizzle-sim %s --chip=mi300x --formula=@hilbert --simulate=fast --json > %t.sim.json
// RUN: swizzle-opt %s --hw-aware-swizzle="chip=mi300x formula=@hilbert simulate=fast report=%t.pass.json" -o /dev/null
// RUN: python3 -c "import json, sys; sim, told = (json.load(open(name))['kernels'][0] for name in sys.argv[1:]); assert sim['remap_instructions'] == told['remap_cost']['scalar'] > 9; assert abs(sim['after']['time_us'] / told['simulated']['after']['time_us'] - 1) < 1e-6" %t.sim.json %t.pass.json

// The kernel as it is has none.
// RUN: swizzle-sim %s --chip=mi300x --json | FileCheck %s --check-prefix=NONE

// CHECK: | return hilbert_x
// CHECK-NEXT: which costs a wave {{[0-9]+}} scalar instructions
// NONE: "remap_instructions": null
gpu.module @m {
  gpu.func @add(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>) kernel
      attributes {known_grid_size = array<i32: 4, 1024, 1>,
                  known_block_size = array<i32: 256, 1, 1>} {
    %c256 = arith.constant 256 : index
    %x = gpu.block_id x
    %y = gpu.block_id y
    %t = gpu.thread_id x
    %first = arith.muli %x, %c256 : index
    %j = arith.addi %first, %t : index
    %v = memref.load %a[%y, %j] : memref<1024x1024xf32>
    memref.store %v, %b[%y, %j] : memref<1024x1024xf32>
    gpu.return
  }
}
