// RUN: swizzle-opt %s -split-input-file --swizzle-print-model -o /dev/null | FileCheck %s

// In each iteration: a product and a sum for the index, two addresses, a load, a
// multiplication, a store, and the counter, its test and the branch. Both ids,
// their product and sum are computed before the loop, although they stand in it.
// CHECK-LABEL: kernel @m::@hoisted
// CHECK: loop i < 64
// CHECK: issue 10 instructions
// CHECK: {{^}}  issue 4 instructions
gpu.module @m {
  gpu.func @hoisted(%a: memref<64x256xf32>, %b: memref<64x256xf32>) kernel attributes {known_grid_size = array<i32: 4, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c64 step %c1 {
      %j0 = arith.muli %x, %c64 : index
      %j = arith.addi %j0, %t : index
      %v = memref.load %a[%i, %j] : memref<64x256xf32>
      %w = arith.mulf %v, %v : f32
      memref.store %w, %b[%i, %j] : memref<64x256xf32>
    }
    gpu.return
  }
}

// -----

// Neighbours are one address and three constants: the thread's id, 4 bytes times
// it (in the address), three loads, two sums, a store to another buffer.
// CHECK-LABEL: kernel @m::@neighbours
// CHECK: issue 9 instructions
gpu.module @m {
  gpu.func @neighbours(%a: memref<66xf32>, %b: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 1, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %t1 = arith.addi %t, %c1 : index
    %t2 = arith.addi %t, %c2 : index
    %u = memref.load %a[%t] : memref<66xf32>
    %v = memref.load %a[%t1] : memref<66xf32>
    %w = memref.load %a[%t2] : memref<66xf32>
    %s = arith.addf %u, %v : f32
    %r = arith.addf %s, %w : f32
    memref.store %r, %b[%t] : memref<64xf32>
    gpu.return
  }
}

// -----

// Eight halves are four registers, and one access moves them all; a sum takes the
// product along only where both allow it.
// CHECK-LABEL: kernel @m::@halves
// CHECK: compute 24 flops
// CHECK: issue 17 instructions
// CHECK-LABEL: kernel @m::@fused
// CHECK: compute 24 flops
// CHECK: issue 13 instructions
gpu.module @m {
  gpu.func @halves(%a: memref<512xf16>) kernel attributes {known_grid_size = array<i32: 1, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(d0) -> (d0 * 8)>(%t)
    %v = vector.load %a[%i] : memref<512xf16>, vector<8xf16>
    %m = arith.mulf %v, %v : vector<8xf16>
    %s = arith.addf %m, %v : vector<8xf16>
    %r = arith.subf %s, %m : vector<8xf16>
    vector.store %r, %a[%i] : memref<512xf16>, vector<8xf16>
    gpu.return
  }
  gpu.func @fused(%a: memref<512xf16>) kernel attributes {known_grid_size = array<i32: 1, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(d0) -> (d0 * 8)>(%t)
    %v = vector.load %a[%i] : memref<512xf16>, vector<8xf16>
    %m = arith.mulf %v, %v fastmath<contract> : vector<8xf16>
    %s = arith.addf %m, %v fastmath<contract> : vector<8xf16>
    %r = arith.subf %s, %v : vector<8xf16>
    vector.store %r, %a[%i] : memref<512xf16>, vector<8xf16>
    gpu.return
  }
}

// -----

// What stands behind a condition is counted there, and what may or may not be
// done as if it were.
// CHECK-LABEL: kernel @m::@conditions
// CHECK: if -tx + 3 >= 0
// CHECK-NEXT: write arg0[4*tx] 4 bytes
// CHECK-NEXT: issue 2 instructions
// CHECK-NEXT: {{^}}  read arg1[0] 8 bytes
// CHECK-NEXT: {{^}}  loop i < 16
// CHECK-NEXT: {{^}}    write arg0[4*tx] 4 bytes, assumed
// CHECK-NEXT: {{^}}    issue
// CHECK-NEXT: {{^}}  issue
gpu.module @m {
  gpu.func @conditions(%a: memref<64xf32>, %n: memref<1xindex>) kernel attributes {known_grid_size = array<i32: 1, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %f = arith.constant 1.0 : f32
    %few = arith.cmpi ult, %t, %c4 : index
    %p = affine.apply affine_map<(d0) -> (d0)>(%t)
    scf.if %few {
      memref.store %f, %a[%p] : memref<64xf32>
    }
    %m = memref.load %n[%c0] : memref<1xindex>
    scf.for %i = %c0 to %m step %c1 {
      %s = math.exp %f : f32
      memref.store %s, %a[%t] : memref<64xf32>
    }
    gpu.return
  }
}

// -----

// Eight iterations are unrolled. Left in each: a load, a product and a store. Both
// ids, their product and sum are computed before them, and so are two addresses,
// from which the others differ by constants.
// CHECK-LABEL: kernel @m::@unrolled
// CHECK: loop i < 8
// CHECK: issue 3 instructions
// CHECK: {{^}}  issue 6 instructions
gpu.module @m {
  gpu.func @unrolled(%a: memref<64x256xf32>, %b: memref<64x256xf32>) kernel attributes {known_grid_size = array<i32: 4, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %j0 = arith.muli %x, %c64 : index
      %j = arith.addi %j0, %t : index
      %v = memref.load %a[%i, %j] : memref<64x256xf32>
      %w = arith.mulf %v, %v : f32
      memref.store %w, %b[%i, %j] : memref<64x256xf32>
    }
    gpu.return
  }
}

// -----

// The inner loop is unrolled into the outer one, and that in turn: 32 stores, the
// thread's id and an address.
// CHECK-LABEL: kernel @m::@nested
// CHECK: loop j < 4
// CHECK: issue 1 instructions
// CHECK-NEXT: {{^}}  issue 2 instructions
// A product of 16 by 16 elements is two instructions, a fragment one.
// CHECK-LABEL: kernel @m::@product
// CHECK: compute 8192 tensor flops per subgroup
// CHECK: issue 6 instructions
gpu.module @m {
  gpu.func @nested(%a: memref<8x4x64xf32>) kernel attributes {known_grid_size = array<i32: 1, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %j = %c0 to %c4 step %c1 {
        memref.store %f, %a[%i, %j, %t] : memref<8x4x64xf32>
      }
    }
    gpu.return
  }
  gpu.func @product(%a: memref<16x16xf16>, %c: memref<16x16xf32>) kernel attributes {known_grid_size = array<i32: 1, 1, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %m = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %n = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %s = gpu.subgroup_mma_load_matrix %c[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf32> -> !gpu.mma_matrix<16x16xf32, "COp">
    %r = gpu.subgroup_mma_compute %m, %n, %s : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.subgroup_mma_store_matrix %r, %c[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x16xf32>
    gpu.return
  }
}
