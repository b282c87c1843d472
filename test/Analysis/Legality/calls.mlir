// What is called must be known, down to the last function.
//
// Refused kernels leave as they came, to the byte.
// RUN: swizzle-opt %s -split-input-file -allow-unregistered-dialect > %t.before
// RUN: swizzle-opt %s -split-input-file -allow-unregistered-dialect --hw-aware-swizzle="formula='return gx - 1 - x'" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark > %t.after 2> %t.remarks
// RUN: diff %t.before %t.after
// RUN: FileCheck %s < %t.remarks

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=unknown{{.*}}Code=unknown-callee
// CHECK-SAME: 'elsewhere' has no body here
gpu.module @m {
  func.func private @elsewhere()
  gpu.func @unknown(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    func.call @elsewhere() : () -> ()
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=indirect{{.*}}Code=indirect-call
gpu.module @m {
  func.func private @g() {
    return
  }
  gpu.func @indirect(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %f = func.constant @g : () -> ()
    func.call_indirect %f() : () -> ()
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=recursive{{.*}}Code=recursive-call
gpu.module @m {
  func.func private @g() {
    func.call @g() : () -> ()
    return
  }
  gpu.func @recursive(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    func.call @g() : () -> ()
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=helper{{.*}}Code=id-helper
// CHECK-SAME: cannot be rewritten
gpu.module @m {
  func.func private @__ockl_get_group_id(i32) -> i64
  gpu.func @helper(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %c0 = arith.constant 0 : i32
    %i = func.call @__ockl_get_group_id(%c0) : (i32) -> i64
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=opencl_helper{{.*}}Code=id-helper
gpu.module @m {
  func.func private @get_global_id(i32) -> i64
  gpu.func @opencl_helper(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %c0 = arith.constant 0 : i32
    %i = func.call @get_global_id(%c0) : (i32) -> i64
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=nested{{.*}}Code=unknown-callee
gpu.module @m {
  func.func private @elsewhere()
  func.func private @g() {
    func.call @elsewhere() : () -> ()
    return
  }
  gpu.func @nested(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    func.call @g() : () -> ()
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=assembly{{.*}}Code=inline-asm
gpu.module @m {
  gpu.func @assembly(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    llvm.inline_asm has_side_effects "s_nop 0", "" : () -> ()
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=ptx{{.*}}Code=inline-asm
gpu.module @m {
  gpu.func @ptx(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %r = nvvm.inline_ptx "mov.u32 $0, %ctaid.x;" -> i32
    gpu.return
  }
}

// -----

// CHECK: remark:{{.*}}Missed{{.*}}Function=pointer{{.*}}Code=indirect-call
gpu.module @m {
  llvm.func @pointer(%f: !llvm.ptr) attributes {rocdl.kernel, known_grid_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    llvm.call %f() : !llvm.ptr, () -> ()
    llvm.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=grid_sync{{.*}}Code=grid-barrier
gpu.module @m {
  func.func private @__ockl_grid_sync()
  gpu.func @grid_sync(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    func.call @__ockl_grid_sync() : () -> ()
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=unknown_op{{.*}}Code=unknown-effect
// CHECK-SAME: 'other.thing' is not known
gpu.module @m {
  gpu.func @unknown_op(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    "other.thing"() : () -> ()
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=weak_callee{{.*}}Code=unknown-callee
// CHECK-SAME: 'own' is weak: another definition
gpu.module @m {
  llvm.func weak @own(%n: i32) -> i32 {
    llvm.return %n : i32
  }
  gpu.func @weak_callee(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %i = arith.index_cast %x : index to i32
    %s = llvm.call @own(%i) : (i32) -> i32
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=linkonce_callee{{.*}}Code=unknown-callee
// CHECK-SAME: 'own' is weak: another definition
gpu.module @m {
  llvm.func linkonce @own(%n: i32) -> i32 {
    llvm.return %n : i32
  }
  gpu.func @linkonce_callee(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %i = arith.index_cast %x : index to i32
    %s = llvm.call @own(%i) : (i32) -> i32
    gpu.return
  }
}

// -----

// A function that is called as an operation of a vendor's is, is no operation.
// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=named_like_a_vote{{.*}}Code=unknown-callee
// CHECK-SAME: '@nvvm.vote.mine' has no body here
gpu.module @m {
  llvm.func @nvvm.vote.mine(!llvm.ptr)
  llvm.func @named_like_a_vote(%a: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 16, 1, 1>, gpu.known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.call @nvvm.vote.mine(%a) : (!llvm.ptr) -> ()
    llvm.store %x, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=named_like_an_id{{.*}}Code=unknown-callee
// CHECK-SAME: '@nvvm.read.ptx.sreg.ctaid.x' has no body here
gpu.module @m {
  func.func private @nvvm.read.ptx.sreg.ctaid.x() -> i32
  gpu.func @named_like_an_id(%a: memref<1024xi32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = func.call @nvvm.read.ptx.sreg.ctaid.x() : () -> i32
    memref.store %v, %a[%x] : memref<1024xi32>
    gpu.return
  }
}
