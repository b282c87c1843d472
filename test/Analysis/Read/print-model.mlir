// RUN: swizzle-opt %s -split-input-file --swizzle-print-model -o /dev/null | FileCheck %s

// Ids, strides from the type, and a guard.
// CHECK-LABEL: kernel @m::@tile grid 4x8x1 block 32x8x1
// CHECK-NEXT: buffer arg0 32768 bytes of 4
// CHECK: if -32*x - tx + 100 >= 0
// CHECK-NEXT: read arg0[128*x + 4096*y + 4*tx + 512*ty] 4 bytes
gpu.module @m {
  gpu.func @tile(%a: memref<64x128xf32>) kernel attributes {known_grid_size = array<i32: 4, 8, 1>, known_block_size = array<i32: 32, 8, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c101 = arith.constant 101 : index
    %c32 = arith.constant 32 : index
    %x0 = arith.muli %bx, %c32 : index
    %x = arith.addi %x0, %tx : index
    %y = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%by, %ty)
    %in = arith.cmpi ult, %x, %c101 : index
    scf.if %in {
      %v = memref.load %a[%y, %x] : memref<64x128xf32>
    }
    gpu.return
  }
}

// -----

// A dynamic extent is nominal, and the same wherever it is read.
// CHECK-LABEL: kernel @m::@dynamic
// CHECK: buffer arg0 67108864 bytes of 4
// CHECK: loop i < 4096
// CHECK-NEXT: write arg0[64*x + 16384*i] 4 bytes
// CHECK: assumed: dim 0 of arg0 = 4096 (nominal)
gpu.module @m {
  gpu.func @dynamic(%a: memref<?x?xf32>) kernel attributes {known_grid_size = array<i32: 4, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %bx = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %n = memref.dim %a, %c0 : memref<?x?xf32>
    %j = arith.muli %bx, %c16 : index
    %f = arith.constant 1.0 : f32
    scf.for %i = %c0 to %n step %c1 {
      memref.store %f, %a[%i, %j] : memref<?x?xf32>
    }
    gpu.return
  }
}

// -----

// Where a loaded index leads is an assumption.
// CHECK-LABEL: kernel @m::@indirect
// CHECK: read arg0[8*x] 8 bytes
// CHECK-NEXT: write arg1[4*arg0[8*x]] 4 bytes, assumed
// CHECK-NEXT: issue
// CHECK-NEXT: assumed: what arg0 holds, which says where to go: numbers spread evenly
gpu.module @m {
  gpu.func @indirect(%a: memref<16xindex>, %b: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %bx = gpu.block_id x
    %f = arith.constant 1.0 : f32
    %j = memref.load %a[%bx] : memref<16xindex>
    memref.store %f, %b[%j] : memref<16xf32>
    gpu.return
  }
}
