// Every reading of a workgroup id goes through the remap.
// RUN: swizzle-opt %s -split-input-file --swizzle-plan="formula='return gx - 1 - x, y, z'" | FileCheck %s

// CHECK-LABEL: gpu.func @gpu_ids
// CHECK-DAG: %[[X:.*]] = gpu.block_id x
// CHECK-DAG: %[[Y:.*]] = gpu.block_id y
// CHECK-DAG: %[[Z:.*]] = gpu.block_id z
// CHECK: %[[NX:[A-Za-z0-9]+]], %[[NY:[A-Za-z0-9]+]], %[[NZ:[A-Za-z0-9]+]] = swizzle.remap(%[[X]], %[[Y]], %[[Z]]) grid [16, 4, 2]
// CHECK-NOT: gpu.block_id
// CHECK-NOT: gpu.global_id
// CHECK: %[[DIM:.*]] = gpu.block_dim x
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK: %[[FIRST:.*]] = arith.muli %[[NX]], %[[DIM]]
// CHECK: %[[I:.*]] = arith.addi %[[FIRST]], %[[THREAD]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[NZ]], %[[NY]], %[[I]]]
gpu.module @m {
  gpu.func @gpu_ids(%a: memref<2x4x1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 4, 2>, known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.global_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%z, %y, %i] : memref<2x4x1024xf32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @vendor_ids
// CHECK: %[[NX:[A-Za-z0-9]+]], %{{.*}}, %{{.*}} = swizzle.remap
// CHECK-NOT: rocdl.workgroup.id
// CHECK: arith.index_castui %[[NX]] : index to i32
gpu.module @m {
  gpu.func @vendor_ids(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %i = arith.index_cast %x : i32 to index
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%i] : memref<16xf32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: llvm.func @lowered
// CHECK: nvvm.read.ptx.sreg.ctaid.x : i32
// CHECK: nvvm.read.ptx.sreg.ctaid.y : i32
// CHECK: nvvm.read.ptx.sreg.ctaid.z : i32
// CHECK: swizzle.remap
// CHECK-NOT: nvvm.read.ptx.sreg.ctaid
// CHECK-NOT: llvm.call_intrinsic
gpu.module @m {
  llvm.func @lowered(%p: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 16, 1, 1>, nvvm.reqntid = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %again = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.ctaid.x"() : () -> i32
    %i = llvm.sext %x : i32 to i64
    %q = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %f = llvm.mlir.constant(1.0 : f32) : f32
    llvm.store %f, %q : f32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// A helper that two kernels share is copied for the one that is remapped. The
// kernel that is refused keeps calling the original.
// CHECK-LABEL: func.func private @first() -> index
// CHECK: gpu.block_id x
// CHECK-LABEL: func.func private @first_for_good(
// CHECK-SAME: %[[X:.*]]: index, %{{.*}}: index, %{{.*}}: index) -> index
// CHECK-NOT: gpu.block_id
// CHECK: arith.muli %[[X]]
// CHECK-LABEL: gpu.func @good
// CHECK: %[[NX:[A-Za-z0-9]+]], %[[NY:[A-Za-z0-9]+]], %[[NZ:[A-Za-z0-9]+]] = swizzle.remap
// CHECK: call @first_for_good(%[[NX]], %[[NY]], %[[NZ]])
// CHECK-LABEL: gpu.func @bad
// CHECK: call @first()
gpu.module @m {
  func.func private @first() -> index {
    %c64 = arith.constant 64 : index
    %x = gpu.block_id x
    %i = arith.muli %x, %c64 : index
    return %i : index
  }
  gpu.func @good(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %f = arith.constant 1.0 : f32
    %i = func.call @first() : () -> index
    memref.store %f, %a[%i] : memref<1024xf32>
    gpu.return
  }
  gpu.func @bad(%a: memref<1024xi32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %i = func.call @first() : () -> index
    %s = nvvm.read.ptx.sreg.smid : i32
    memref.store %s, %a[%i] : memref<1024xi32>
    gpu.return
  }
}

// -----

// A helper that nobody else calls moves over, and what it calls with it.
// CHECK-NOT: @inner()
// CHECK-NOT: @outer()
// CHECK-LABEL: func.func private @inner_for_nested
// CHECK: func.func private @outer_for_nested(%[[X:.*]]: index, %[[Y:.*]]: index, %[[Z:.*]]: index)
// CHECK: call @inner_for_nested(%[[X]], %[[Y]], %[[Z]])
gpu.module @m {
  func.func private @inner() -> index {
    %x = gpu.block_id x
    return %x : index
  }
  func.func private @outer() -> index {
    %i = func.call @inner() : () -> index
    return %i : index
  }
  gpu.func @nested(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %f = arith.constant 1.0 : f32
    %i = func.call @outer() : () -> index
    memref.store %f, %a[%i] : memref<1024xf32>
    gpu.return
  }
}

// -----

// An id that is handed to a helper is the new one already.
// CHECK-LABEL: gpu.func @handed
// CHECK: %[[NX:[A-Za-z0-9]+]], %{{.*}}, %{{.*}} = swizzle.remap
// CHECK: call @use(%[[NX]], %{{.*}})
gpu.module @m {
  func.func private @use(%x: index, %a: memref<1024xf32>) {
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%x] : memref<1024xf32>
    return
  }
  gpu.func @handed(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    func.call @use(%x, %a) : (index, memref<1024xf32>) -> ()
    gpu.return
  }
}
