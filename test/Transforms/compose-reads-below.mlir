// A remap is not taken out again where a function reads ids that the kernel calls: it
// has those of the hardware, and would get the new ones.
// RUN: swizzle-opt %s --swizzle-plan="formula='return x ^ 1' compose=true" | FileCheck %s

// CHECK: %[[X:.*]] = gpu.block_id x
// CHECK: %[[NEW:[A-Za-z0-9]+]], %{{.*}}, %{{.*}} = swizzle.remap
// CHECK: arith.subi %{{.*}}, %[[NEW]]
// CHECK: call @where_for_k(%[[NEW]]
gpu.module @m {
  func.func private @where() -> index {
    %x = gpu.block_id x
    return %x : index
  }
  gpu.func @k(%a: memref<16xindex>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>, swizzle.applied = #swizzle.formula<"return gx - 1 - x", params = {}, hardware = {}>} {
    %x = gpu.block_id x
    %c15 = arith.constant 15 : index
    %new = arith.subi %c15, %x : index
    %where = func.call @where() : () -> index
    memref.store %where, %a[%new] : memref<16xindex>
    gpu.return
  }
}
