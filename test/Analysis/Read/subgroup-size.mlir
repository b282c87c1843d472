// The chip tells how many lanes a subgroup has; nobody asked, the operations do.

// RUN: swizzle-opt %s -split-input-file --swizzle-print-model -o /dev/null | FileCheck %s

// CHECK-LABEL: kernel @wide::@lanes
// CHECK: read arg0[{{.*}}(tx) // 64
// CHECK: subgroup size = 64 (the module names no target)
gpu.module @wide {
  gpu.func @lanes(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 4, 1, 1>, known_block_size = array<i32: 128, 1, 1>} {
    %s = gpu.subgroup_id : index
    %l = rocdl.workitem.id.x : i32
    %v = memref.load %a[%s] : memref<64xf32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: kernel @told::@lanes
// CHECK: read arg0[{{.*}}(tx) // 32
// CHECK-NOT: subgroup size
gpu.module @told [#rocdl.target<chip = "gfx1100">] {
  gpu.func @lanes(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 4, 1, 1>, known_block_size = array<i32: 128, 1, 1>} {
    %s = gpu.subgroup_id : index
    %v = memref.load %a[%s] : memref<64xf32>
    gpu.return
  }
}
