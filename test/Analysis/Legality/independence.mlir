// Plain loads and stores of different workgroups must not meet.
//
// Refused kernels leave as they came, to the byte.
// RUN: swizzle-opt %s -split-input-file -allow-unregistered-dialect > %t.before
// RUN: swizzle-opt %s -split-input-file -allow-unregistered-dialect --hw-aware-swizzle="formula='return gx - 1 - x'" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark > %t.after 2> %t.remarks
// RUN: diff %t.before %t.after
// RUN: FileCheck %s < %t.remarks

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=halo{{.*}}Code=cross-workgroup-write
// CHECK-SAME: Counterexample="workgroups (0) and (1) both touch byte 252 of arg0: the first writes it at {{.*}}, the second reads it
gpu.module @m {
  gpu.func @halo(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %c64 = arith.constant 64 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %0 = arith.muli %x, %c64 : index
    %i = arith.addi %0, %t : index
    %in = arith.cmpi uge, %i, %c1 : index
    scf.if %in {
      %j = arith.subi %i, %c1 : index
      %u = memref.load %a[%j] : memref<1024xf32>
      %v = memref.load %a[%i] : memref<1024xf32>
      %w = arith.addf %u, %v : f32
      memref.store %w, %a[%i] : memref<1024xf32>
    }
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=tail{{.*}}Code=cross-workgroup-write
// CHECK-SAME: that another one writes
gpu.module @m {
  gpu.func @tail(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %c60 = arith.constant 60 : index
    %t = gpu.thread_id x
    %0 = arith.muli %x, %c60 : index
    %i = arith.addi %0, %t : index
    %f = arith.index_cast %x : index to i32
    %v = arith.sitofp %f : i32 to f32
    memref.store %v, %a[%i] : memref<1024xf32>
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=scratch{{.*}}Code=cross-workgroup-write
// CHECK-SAME: Counterexample="workgroups (0) and (8) both
gpu.module @m {
  gpu.func @scratch(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    %slot = arith.remui %x, %c8 : index
    %0 = arith.muli %slot, %c64 : index
    %i = arith.addi %0, %t : index
    %v = arith.constant 1.0 : f32
    memref.store %v, %a[%i] : memref<1024xf32>
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=everybody{{.*}}Code=cross-workgroup-write
gpu.module @m {
  gpu.func @everybody(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %f = arith.index_cast %x : index to i32
    %v = arith.sitofp %f : i32 to f32
    memref.store %v, %a[%t] : memref<1024xf32>
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=atomic_and_plain{{.*}}Code=cross-workgroup-write
gpu.module @m {
  gpu.func @atomic_and_plain(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %a[%c0] : memref<1024xf32>
    %old = memref.atomic_rmw addf %v, %a[%c0] : (f32, memref<1024xf32>) -> f32
    gpu.return
  }
}

// -----

// One and the same memory, as the launch that is seen here passes it.

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=same_twice{{.*}}Code=cross-workgroup-write
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @same_twice(%in: memref<?xf32>, %out: memref<2048xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %first = arith.muli %x, %c64 : index
      %i = arith.addi %first, %t : index
      %c1 = arith.constant 1 : index
      %j = arith.addi %i, %c1 : index
      %v = memref.load %in[%i] : memref<?xf32>
      memref.store %v, %out[%j] : memref<2048xf32>
      gpu.return
    }
  }
  func.func @host_same_twice() {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %a = memref.alloc() : memref<2048xf32>
    %in = memref.cast %a : memref<2048xf32> to memref<?xf32>
    %out = memref.cast %in : memref<?xf32> to memref<2048xf32>
    gpu.launch_func @m::@same_twice blocks in (%c16, %c1, %c1) threads in (%c64, %c1, %c1) args(%in : memref<?xf32>, %out : memref<2048xf32>)
    return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=two_views{{.*}}Code=cross-workgroup-write
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @two_views(%in: memref<1024xf32, strided<[1]>>, %out: memref<1024xf32, strided<[1], offset: 8>>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %first = arith.muli %x, %c64 : index
      %i = arith.addi %first, %t : index
      %v = memref.load %in[%i] : memref<1024xf32, strided<[1]>>
      memref.store %v, %out[%i] : memref<1024xf32, strided<[1], offset: 8>>
      gpu.return
    }
  }
  func.func @host_two_views() {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %a = memref.alloc() : memref<2048xf32>
    %in = memref.subview %a[0] [1024] [1] : memref<2048xf32> to memref<1024xf32, strided<[1]>>
    %out = memref.subview %a[8] [1024] [1] : memref<2048xf32> to memref<1024xf32, strided<[1], offset: 8>>
    gpu.launch_func @m::@two_views blocks in (%c16, %c1, %c1) threads in (%c64, %c1, %c1) args(%in : memref<1024xf32, strided<[1]>>, %out : memref<1024xf32, strided<[1], offset: 8>>)
    return
  }
}
