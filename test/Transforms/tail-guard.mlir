// The ranges of the new ids reach the back end: a tail guard that the grid makes
// redundant is gone from the code, as it is without a remap.
// RUN: swizzle-opt %s --hw-aware-swizzle="formula=@xcd-balanced-super-group chip=mi300x" > %t.mlir
// RUN: FileCheck %s --check-prefix=IR < %t.mlir
// RUN: mlir-opt %t.mlir --allow-unregistered-dialect --rocdl-attach-target="chip=gfx942 O=3" --convert-scf-to-cf \
// RUN:   --convert-gpu-to-rocdl="chipset=gfx942 use-bare-ptr-memref-call-conv=1" \
// RUN:   --reconcile-unrealized-casts --gpu-module-to-binary=format=isa | sed 's/\\0A/\n/g' | FileCheck %s

// IR: swizzle.applied
// IR: gpu.block_id x upper_bound 64

// CHECK-LABEL: static_grid:
// CHECK-NOT: v_cmp
// CHECK-NOT: cbranch
// CHECK: global_store_dword
// CHECK: s_endpgm
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @static_grid(%a: memref<37x4096xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 37, 1>} {
      %x = gpu.block_id x
      %y = gpu.block_id y
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %c37 = arith.constant 37 : index
      %c4096 = arith.constant 4096 : index
      %first = arith.muli %x, %c64 : index
      %column = arith.addi %first, %t : index
      %inX = arith.cmpi ult, %column, %c4096 : index
      %inY = arith.cmpi ult, %y, %c37 : index
      %inside = arith.andi %inX, %inY : i1
      scf.if %inside {
        %v = arith.constant 1.0 : f32
        memref.store %v, %a[%y, %column] : memref<37x4096xf32>
      }
      gpu.return
    }
  }
}
