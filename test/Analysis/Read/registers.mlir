// Data that lives at the same time fills registers: what a loop carries is
// counted once, not again as what it starts from and what it gives.

// RUN: swizzle-opt %s -split-input-file --swizzle-print-model -o /dev/null | FileCheck %s

// 64 carried, which are replaced in place, 4 loaded; indices are not counted.
// CHECK-LABEL: kernel @m::@carried
// CHECK-SAME: data registers 68{{$}}
gpu.module @m {
  gpu.func @carried(%a: memref<4096x4xf32>, %b: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 4, 1, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %x = gpu.block_id x
    %start = arith.constant dense<0.0> : vector<64xf32>
    %base = arith.muli %x, %c64 : index
    %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%carried = %start) -> vector<64xf32> {
      %row = arith.addi %base, %i : index
      %v = vector.load %a[%row, %c0] : memref<4096x4xf32>, vector<4xf32>
      %next = vector.insert_strided_slice %v, %carried {offsets = [0], strides = [1]} : vector<4xf32> into vector<64xf32>
      scf.yield %next : vector<64xf32>
    }
    vector.store %sum, %b[%c0] : memref<64xf32>, vector<64xf32>
    gpu.return
  }
}

// -----

// A fragment is shared out over the lanes of a subgroup: 16 x 16 / 32.
// CHECK-LABEL: kernel @m::@fragment
// CHECK-SAME: data registers 8{{$}}
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  gpu.func @fragment(%a: memref<16x16xf32>, %b: memref<16x16xf32>) kernel attributes {known_grid_size = array<i32: 4, 1, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %m = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf32> -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.subgroup_mma_store_matrix %m, %b[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x16xf32>
    gpu.return
  }
}
