// A fault in one workgroup is its own counterexample: it is said once.
// RUN: not swizzle-opt %s --hw-aware-swizzle="formula='return x + 1'" 2>&1 | FileCheck %s --implicit-check-not=note:
// RUN: not swizzle-sim %s --chip=mi300x --formula='return x + 1' 2>&1 | FileCheck %s --check-prefix=ONCE --implicit-check-not=outside
// RUN: swizzle-tune %s --chip=mi300x --agent=command --command='printf "{\"formula\": \"return x + 1\"}"' --rounds=1 2>/dev/null | FileCheck %s --check-prefix=ONCE --implicit-check-not=outside

// CHECK: error: kernel 'k': workgroup (7) is sent outside the grid 8
// ONCE: workgroup (7) is sent outside the grid 8
gpu.module @m {
  gpu.func @k(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 8, 1, 1>} {
    %x = gpu.block_id x
    %v = memref.load %a[%x] : memref<64xf32>
    memref.store %v, %a[%x] : memref<64xf32>
    gpu.return
  }
}
