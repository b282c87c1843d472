// What does not let workgroups communicate is allowed, with a note where the
// result may look different.
// RUN: swizzle-opt %s -split-input-file --swizzle-plan="formula='return gx - 1 - x'" --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

// CHECK: Passed{{.*}}Function=histogram | Formula
gpu.module @m {
  gpu.func @histogram(%a: memref<1024xi32> {llvm.noalias}, %h: memref<256xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.global_id x
    %v = memref.load %a[%i] : memref<1024xi32>
    %j = arith.index_cast %v : i32 to index
    %c1 = arith.constant 1 : i32
    %0 = memref.atomic_rmw addi %c1, %h[%j] : (i32, memref<256xi32>) -> i32
    gpu.return
  }
}

// -----

// CHECK: Function=sum | Note="not bit-stable: floating-point atomics
// CHECK: Passed{{.*}}Function=sum
gpu.module @m {
  gpu.func @sum(%a: memref<1024xf32>, %s: memref<1xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.global_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %a[%i] : memref<1024xf32>
    %0 = memref.atomic_rmw addf %v, %s[%c0] : (f32, memref<1xf32>) -> f32
    gpu.return
  }
}

// -----

// CHECK: Function=talks | Note="prints or asserts
// CHECK: Passed{{.*}}Function=talks
gpu.module @m {
  gpu.func @talks(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.global_id x
    %v = memref.load %a[%i] : memref<1024xf32>
    gpu.printf "%f\n", %v : f32
    gpu.return
  }
}

// -----

// Atomics, volatile accesses and tickets in the workgroup's own memory, barriers,
// lane ids, lane exchange and library functions.
// CHECK: Passed{{.*}}Function=inside
gpu.module @m {
  llvm.func @__ocml_exp_f32(f32) -> f32
  gpu.func @inside(%a: memref<1024xf32>) workgroup(%w: memref<64xi32, #gpu.address_space<workgroup>>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.global_id x
    %lane = gpu.lane_id
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %ticket = memref.atomic_rmw addi %c1, %w[%c0] : (i32, memref<64xi32, #gpu.address_space<workgroup>>) -> i32
    %t = arith.index_cast %ticket : i32 to index
    memref.store %c1, %w[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %v = memref.load %a[%i] : memref<1024xf32>
    %s, %ok = gpu.shuffle xor %v, %c1, %c32 : f32
    %e = llvm.call @__ocml_exp_f32(%s) : (f32) -> f32
    memref.store %e, %a[%i] : memref<1024xf32>
    gpu.return
  }
}

// -----

// What the maps cannot tell is assumed, and `strict` refuses it (strict.mlir).
// CHECK: Passed{{.*}}Function=scatter | Assuming="{{.*}}writes of arg1 by memref.store{{.*}}do not race between workgroups"
gpu.module @m {
  gpu.func @scatter(%p: memref<16xindex>, %a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = arith.constant 1.0 : f32
    %j = memref.load %p[%x] : memref<16xindex>
    memref.store %f, %a[%j] : memref<16xf32>
    gpu.return
  }
}

// -----

// Views of one allocation that do not overlap.

// CHECK: remark: {{.*}}Passed{{.*}} WorkgroupRemap{{.*}}Function=two_halves
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @two_halves(%in: memref<1024xf32, strided<[1]>>, %out: memref<1024xf32, strided<[1], offset: 1024>>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %first = arith.muli %x, %c64 : index
      %i = arith.addi %first, %t : index
      %v = memref.load %in[%i] : memref<1024xf32, strided<[1]>>
      memref.store %v, %out[%i] : memref<1024xf32, strided<[1], offset: 1024>>
      gpu.return
    }
  }
  func.func @host_two_halves() {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %a = memref.alloc() : memref<2048xf32>
    %in = memref.subview %a[0] [1024] [1] : memref<2048xf32> to memref<1024xf32, strided<[1]>>
    %out = memref.subview %a[1024] [1024] [1] : memref<2048xf32> to memref<1024xf32, strided<[1], offset: 1024>>
    gpu.launch_func @m::@two_halves blocks in (%c16, %c1, %c1) threads in (%c64, %c1, %c1) args(%in : memref<1024xf32, strided<[1]>>, %out : memref<1024xf32, strided<[1], offset: 1024>>)
    return
  }
}

// -----

// In place, each element by itself.

// CHECK: remark: {{.*}}Passed{{.*}} WorkgroupRemap{{.*}}Function=in_place
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @in_place(%in: memref<2048xf32>, %out: memref<2048xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %first = arith.muli %x, %c64 : index
      %i = arith.addi %first, %t : index
      %v = memref.load %in[%i] : memref<2048xf32>
      memref.store %v, %out[%i] : memref<2048xf32>
      gpu.return
    }
  }
  func.func @host_in_place() {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %a = memref.alloc() : memref<2048xf32>
    gpu.launch_func @m::@in_place blocks in (%c16, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<2048xf32>, %a : memref<2048xf32>)
    return
  }
}
