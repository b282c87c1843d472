// Who gives a formula hears that a kernel cannot take it; who lets the planner
// decide finds that in the remarks and the report.

// RUN: swizzle-opt %s --hw-aware-swizzle="chip=h200 formula=@super-group" 2> %t.said > %t.mlir
// RUN: FileCheck %s < %t.said
// RUN: swizzle-opt %s | diff - %t.mlir
// RUN: swizzle-opt %s --hw-aware-swizzle=chip=h200 2>&1 >/dev/null | FileCheck %s --check-prefix=LINE
// LINE-NOT: warning
// LINE: slot: may not be remapped (hardware-slot): 'nvvm.read.ptx.sreg.nsmid' tells
// LINE-NOT: warning

// CHECK: :[[#@LINE+6]]:{{[0-9]+}}: warning: kernel 'slot' keeps its order: 'nvvm.read.ptx.sreg.nsmid' tells where on the chip

gpu.module @m {
  gpu.func @slot(%a: memref<1024xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 16, 1, 1>} {
    %b = gpu.block_id x
    %0 = arith.constant 0.0 : f32
    %slots = nvvm.read.ptx.sreg.nsmid : i32
    memref.store %0, %a[%b] : memref<1024xf32>
    gpu.return
  }
}
