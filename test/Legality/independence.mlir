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
// CHECK-SAME: Counterexample="workgroups (7) and (15) both
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
