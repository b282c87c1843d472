// Grids of more than 4 million workgroups, which nobody enumerates: templates are
// searched, and differences of an extent are lowered.
// REQUIRES: no-sanitizers
// RUN: swizzle-opt %s --hw-aware-swizzle="chip=h100 formula=@super-group kernel=many" -o /dev/null 2>&1 | FileCheck %s --check-prefix=TEMPLATE
// RUN: swizzle-opt %s --hw-aware-swizzle="chip=h100 formula='return gx - 1 - x' kernel=most" | FileCheck %s

// TEMPLATE: many: remapped for h100
// CHECK-LABEL: gpu.func @most
// CHECK: %[[X:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK: %[[LAST:.*]] = arith.constant 2147483646 : i32
// CHECK: arith.subi %[[LAST]], %[[X]] : i32
gpu.module @m {
  gpu.func @most(%a: memref<2147483647xi8> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 2147483647, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %one = arith.constant 1 : i8
    %x = gpu.block_id x
    memref.store %one, %a[%x] : memref<2147483647xi8>
    gpu.return
  }
  gpu.func @many(%a: memref<128x65536xi8> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 65536, 128, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %one = arith.constant 1 : i8
    %x = gpu.block_id x
    %y = gpu.block_id y
    memref.store %one, %a[%y, %x] : memref<128x65536xi8>
    gpu.return
  }
}
