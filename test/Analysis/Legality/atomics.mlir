// Atomics are fine if they commute and nobody looks at the old value.
//
// Refused kernels leave as they came, to the byte.
// RUN: swizzle-opt %s -split-input-file -allow-unregistered-dialect > %t.before
// RUN: swizzle-opt %s -split-input-file -allow-unregistered-dialect --hw-aware-swizzle="formula='return gx - 1 - x'" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark > %t.after 2> %t.remarks
// RUN: diff %t.before %t.after
// RUN: FileCheck %s < %t.remarks

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=append{{.*}}Code=atomic-result-used
gpu.module @m {
  gpu.func @append(%a: memref<1024xi32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i32
    %old = memref.atomic_rmw addi %c1, %a[%c0] : (i32, memref<1024xi32>) -> i32
    %i = arith.index_cast %old : i32 to index
    memref.store %c1, %a[%i] : memref<1024xi32>
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=exchange{{.*}}Code=atomic-not-commutative
gpu.module @m {
  gpu.func @exchange(%a: memref<1024xi32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %c1 = arith.constant 1 : i32
    %old = memref.atomic_rmw assign %c1, %a[%x] : (i32, memref<1024xi32>) -> i32
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=generic{{.*}}Code=atomic-not-commutative
gpu.module @m {
  gpu.func @generic(%a: memref<1024xi32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %c1 = arith.constant 1 : i32
    %old = memref.generic_atomic_rmw %a[%x] : memref<1024xi32> {
    ^bb0(%current: i32):
      %new = arith.subi %c1, %current : i32
      memref.atomic_yield %new : i32
    }
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=two_kinds{{.*}}Code=atomic-not-commutative
// CHECK-SAME: does not commute with
gpu.module @m {
  gpu.func @two_kinds(%a: memref<1024xi32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i32
    %0 = memref.atomic_rmw addi %c1, %a[%c0] : (i32, memref<1024xi32>) -> i32
    %1 = memref.atomic_rmw maxs %c1, %a[%c0] : (i32, memref<1024xi32>) -> i32
    gpu.return
  }
}

// -----

// CHECK: remark:{{.*}}Missed{{.*}}Function=cas{{.*}}Code=atomic-result-used
gpu.module @m {
  llvm.func @cas(%p: !llvm.ptr<1>) attributes {rocdl.kernel, known_grid_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %old = llvm.cmpxchg %p, %x, %c1 acq_rel monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
}

// -----

// CHECK: remark:{{.*}}Missed{{.*}}Function=ticket{{.*}}Code=atomic-result-used
gpu.module @m {
  llvm.func @ticket(%p: !llvm.ptr<1>) attributes {rocdl.kernel, known_grid_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %old = llvm.atomicrmw add %p, %c1 monotonic : !llvm.ptr<1>, i32
    llvm.store %old, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: remark:{{.*}}Missed{{.*}}Function=swap{{.*}}Code=atomic-not-commutative
gpu.module @m {
  llvm.func @swap(%p: !llvm.ptr<1>) attributes {rocdl.kernel, known_grid_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %old = llvm.atomicrmw xchg %p, %x monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
}

// -----

// CHECK: remark:{{.*}}Missed{{.*}}Function=flag{{.*}}Code=volatile
gpu.module @m {
  llvm.func @flag(%p: !llvm.ptr<1>) attributes {rocdl.kernel, known_grid_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %v = llvm.load volatile %p : !llvm.ptr<1> -> i32
    llvm.return
  }
}

// -----

// CHECK: remark:{{.*}}Missed{{.*}}Function=spin{{.*}}Code=atomic-load
gpu.module @m {
  llvm.func @spin(%p: !llvm.ptr<1>) attributes {rocdl.kernel, known_grid_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %v = llvm.load %p atomic acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    llvm.return
  }
}

// -----

// CHECK: remark:{{.*}}Missed{{.*}}Function=relaxed{{.*}}Code=atomic-load
gpu.module @m {
  llvm.func @relaxed(%p: !llvm.ptr<1>) attributes {rocdl.kernel, known_grid_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %v = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    llvm.return
  }
}

// -----

// CHECK: remark:{{.*}}Missed{{.*}}Function=publish{{.*}}Code=atomic-store
gpu.module @m {
  llvm.func @publish(%p: !llvm.ptr<1>) attributes {rocdl.kernel, known_grid_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    llvm.store %x, %p atomic release {alignment = 4 : i64} : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: remark:{{.*}}Missed{{.*}}Function=volatile_store{{.*}}Code=volatile
gpu.module @m {
  llvm.func @volatile_store(%p: !llvm.ptr<1>) attributes {rocdl.kernel, known_grid_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    llvm.store volatile %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: remark:{{.*}}Missed{{.*}}Function=buffer_cas{{.*}}Code=atomic-result-used
gpu.module @m {
  llvm.func @buffer_cas(%p: !llvm.ptr<1>) attributes {rocdl.kernel, known_grid_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %rsrc = llvm.mlir.undef : !llvm.ptr<8>
    %old = rocdl.raw.ptr.buffer.atomic.cmpswap %x, %x, %rsrc, %x, %x, %x : i32
    llvm.return
  }
}

// -----

// Two arguments of a helper, or two values that a loop carries, may be one and
// the same memory.

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=same_in_helper{{.*}}Code=atomic-not-commutative
gpu.module @m {
  func.func private @update(%p: memref<1024xi32>, %q: memref<1024xi32>, %v: i32) {
    %c0 = arith.constant 0 : index
    %0 = memref.atomic_rmw addi %v, %p[%c0] : (i32, memref<1024xi32>) -> i32
    %1 = memref.atomic_rmw muli %v, %q[%c0] : (i32, memref<1024xi32>) -> i32
    return
  }
  gpu.func @same_in_helper(%a: memref<1024xi32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    func.call @update(%a, %a, %v) : (memref<1024xi32>, memref<1024xi32>, i32) -> ()
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=same_in_loop{{.*}}Code=atomic-not-commutative
gpu.module @m {
  gpu.func @same_in_loop(%a: memref<1024xi32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %a, %q = %a) -> (memref<1024xi32>, memref<1024xi32>) {
      %0 = memref.atomic_rmw addi %v, %p[%c0] : (i32, memref<1024xi32>) -> i32
      %1 = memref.atomic_rmw muli %v, %q[%c0] : (i32, memref<1024xi32>) -> i32
      scf.yield %p, %q : memref<1024xi32>, memref<1024xi32>
    }
    gpu.return
  }
}

// -----

// Intrinsics return the old value where the dialect's operation does not.

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=intrinsic{{.*}}Code=atomic-result-used
gpu.module @m {
  llvm.func @intrinsic(%a: !llvm.ptr<8>, %b: !llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel} {
    %x = rocdl.workgroup.id.x : i32
    %v = llvm.mlir.constant(1.0 : f32) : f32
    %c = llvm.mlir.constant(0 : i32) : i32
    %old = llvm.call_intrinsic "llvm.amdgcn.raw.ptr.buffer.atomic.fadd.f32"(%v, %a, %c, %c, %c) : (f32, !llvm.ptr<8>, i32, i32, i32) -> f32
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %old, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=volatile_intrinsic{{.*}}Code=volatile
gpu.module @m {
  llvm.func @volatile_intrinsic(%a: !llvm.ptr<8>, %b: !llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel} {
    %x = rocdl.workgroup.id.x : i32
    %c = llvm.mlir.constant(0 : i32) : i32
    %flags = llvm.mlir.constant(-2147483648 : i32) : i32
    %v = llvm.call_intrinsic "llvm.amdgcn.raw.ptr.buffer.load.f32"(%a, %c, %c, %flags) : (!llvm.ptr<8>, i32, i32, i32) -> f32
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %v, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}
