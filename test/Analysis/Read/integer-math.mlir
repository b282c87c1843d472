// RUN: swizzle-opt %s -split-input-file --swizzle-print-model -o /dev/null | FileCheck %s

// Counts of bits, absolute values, truncations, powers of integers, exchanges of
// 16 bits, what the first lane does alone: all are lowered, and so modelled.
// CHECK-LABEL: kernel @m::@bits
// CHECK: read arg0[4*x] 4 bytes
// CHECK-NEXT: write arg0[4*x] 4 bytes
// CHECK-LABEL: kernel @m::@magnitudes
// CHECK: read arg0[2*x] 2 bytes
// CHECK: write arg0[2*x] 2 bytes
// CHECK: write arg1[8*x] 8 bytes
// CHECK-LABEL: kernel @m::@power
// CHECK: read arg0[8*x] 8 bytes
// CHECK-NEXT: loop i < 16
// CHECK-NEXT: issue
// CHECK-NEXT: write arg0[8*x] 8 bytes
// CHECK-LABEL: kernel @m::@exchange
// CHECK: read arg0[2*tx] 2 bytes
// CHECK-NEXT: write arg0[2*tx] 2 bytes
// CHECK-LABEL: kernel @m::@first_lane
// CHECK: if -tx == 0
// CHECK-NEXT: write arg0[4*x] 4 bytes
// CHECK-NOT: not modelled
gpu.module @m {
  gpu.func @bits(%a: memref<64xi32>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = memref.load %a[%x] : memref<64xi32>
    %l = math.ctlz %v : i32
    %t = math.cttz %l : i32
    %p = math.ctpop %t : i32
    memref.store %p, %a[%x] : memref<64xi32>
    gpu.return
  }
  gpu.func @magnitudes(%a: memref<64xi16>, %b: memref<64xf64>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = memref.load %a[%x] : memref<64xi16>
    %m = math.absi %v : i16
    memref.store %m, %a[%x] : memref<64xi16>
    %w = memref.load %b[%x] : memref<64xf64>
    %t = math.trunc %w : f64
    memref.store %t, %b[%x] : memref<64xf64>
    gpu.return
  }
  gpu.func @power(%a: memref<64xi64>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = memref.load %a[%x] : memref<64xi64>
    %p = math.ipowi %v, %v : i64
    memref.store %p, %a[%x] : memref<64xi64>
    gpu.return
  }
  gpu.func @exchange(%a: memref<64xf16>) kernel attributes {known_grid_size = array<i32: 1, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %v = memref.load %a[%t] : memref<64xf16>
    %c, %valid = gpu.shuffle xor %v, %one, %width : f16
    memref.store %c, %a[%t] : memref<64xf16>
    gpu.return
  }
  gpu.func @first_lane(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    gpu.warp_execute_on_lane_0(%t)[32] {
      memref.store %f, %a[%x] : memref<64xf32>
    }
    gpu.return
  }
}

// -----

// What a first lane hands to the others is not.
// CHECK-LABEL: kernel @m::@handed
// CHECK: not modelled: write by gpu.func: the kernel was not read
gpu.module @m {
  gpu.func @handed(%a: memref<32xf32>) kernel attributes {known_grid_size = array<i32: 1, 1, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %r = gpu.warp_execute_on_lane_0(%t)[32] -> (vector<1xf32>) {
      %v = arith.constant dense<1.0> : vector<32xf32>
      gpu.yield %v : vector<32xf32>
    }
    vector.store %r, %a[%t] : memref<32xf32>, vector<1xf32>
    gpu.return
  }
}

// -----

// A rotation of lanes is an exchange; what it moves is no address. Nor is it
// known which lane's value comes.
// CHECK-LABEL: kernel @m::@rotated
// CHECK-NOT: not modelled
// CHECK: write
// CHECK-NOT: not modelled
gpu.module @m {
  gpu.func @rotated(%a: memref<32xf16>) kernel attributes {known_grid_size = array<i32: 1, 1, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %v = memref.load %a[%t] : memref<32xf16>
    %r, %valid = gpu.rotate %v, 3, 16 : f16
    memref.store %r, %a[%t] : memref<32xf16>
    gpu.return
  }
}
