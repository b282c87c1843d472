// Buffer resources: which bytes they leave untouched, and which they put elsewhere.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

// All workgroups store beyond the 16 bytes of the resource, which does nothing ...
// CHECK: Passed{{.*}}Function=beyond_its_end |
gpu.module @m {
  llvm.func @beyond_its_end(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(16 : i64) : i64
    %flags = llvm.mlir.constant(159744 : i32) : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr to !llvm.ptr<8>
    %m = llvm.srem %b, %c4 : i32
    %n = llvm.mul %m, %c4 : i32
    %o = llvm.add %n, %c16 : i32
    rocdl.raw.ptr.buffer.store %b, %r, %o, %c0, %c0 : i32
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=beyond_its_end_raw |
gpu.module @m {
  llvm.func @beyond_its_end_raw(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(16 : i64) : i64
    %flags = llvm.mlir.constant(805466112 : i32) : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr to !llvm.ptr<8>
    %m = llvm.srem %b, %c4 : i32
    %n = llvm.mul %m, %c4 : i32
    %o = llvm.add %n, %c16 : i32
    rocdl.raw.ptr.buffer.store %b, %r, %o, %c0, %c0 : i32
    llvm.return
  }
}

// -----

// ... unless the resource lets through what is out of bounds.
// CHECK: Missed{{.*}}Function=end_is_not_checked | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m {
  llvm.func @end_is_not_checked(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(16 : i64) : i64
    %flags = llvm.mlir.constant(537030656 : i32) : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr to !llvm.ptr<8>
    %m = llvm.srem %b, %c4 : i32
    %n = llvm.mul %m, %c4 : i32
    %o = llvm.add %n, %c16 : i32
    rocdl.raw.ptr.buffer.store %b, %r, %o, %c0, %c0 : i32
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=end_of_index_only | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m {
  llvm.func @end_of_index_only(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(16 : i64) : i64
    %flags = llvm.mlir.constant(268595200 : i32) : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr to !llvm.ptr<8>
    %m = llvm.srem %b, %c4 : i32
    %n = llvm.mul %m, %c4 : i32
    %o = llvm.add %n, %c16 : i32
    rocdl.raw.ptr.buffer.store %b, %r, %o, %c0, %c0 : i32
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=flags_of_gfx1250 | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m {
  llvm.func @flags_of_gfx1250(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(16 : i64) : i64
    %flags = llvm.mlir.constant(3 : i32) : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr to !llvm.ptr<8>
    %m = llvm.srem %b, %c4 : i32
    %n = llvm.mul %m, %c4 : i32
    %o = llvm.add %n, %c16 : i32
    rocdl.raw.ptr.buffer.store %b, %r, %o, %c0, %c0 : i32
    llvm.return
  }
}

// -----

// From gfx11 on, two bits above the stride say how neighbours are put apart.
// CHECK: Missed{{.*}}Function=swizzled_by_4_bytes | Code=assumption
// CHECK-SAME: puts neighbours apart
gpu.module @m {
  llvm.func @swizzled_by_4_bytes(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %stride = llvm.mlir.constant(16384 : i16) : i16
    %bytes = llvm.mlir.constant(4294967295 : i64) : i64
    %flags = llvm.mlir.constant(159744 : i32) : i32
    %i = llvm.mul %b, %c4 : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr to !llvm.ptr<8>
    rocdl.raw.ptr.buffer.store %b, %r, %i, %c0, %c0 : i32
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=swizzled_by_16_bytes | Code=assumption
// CHECK-SAME: puts neighbours apart
gpu.module @m {
  llvm.func @swizzled_by_16_bytes(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %stride = llvm.mlir.constant(-16384 : i16) : i16
    %bytes = llvm.mlir.constant(4294967295 : i64) : i64
    %flags = llvm.mlir.constant(159744 : i32) : i32
    %i = llvm.mul %b, %c4 : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr to !llvm.ptr<8>
    rocdl.raw.ptr.buffer.store %b, %r, %i, %c0, %c0 : i32
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=not_swizzled |
gpu.module @m {
  llvm.func @not_swizzled(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(4294967295 : i64) : i64
    %flags = llvm.mlir.constant(159744 : i32) : i32
    %i = llvm.mul %b, %c4 : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr to !llvm.ptr<8>
    rocdl.raw.ptr.buffer.store %b, %r, %i, %c0, %c0 : i32
    llvm.return
  }
}

// -----

// Up to gfx10, one of them swizzles the cache, and only its size is not known.
// CHECK: Missed{{.*}}Function=cache_swizzled | Code=assumption
// CHECK-SAME: no buffer access of arg0 is out of bounds
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.func @cache_swizzled(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %stride = llvm.mlir.constant(16384 : i16) : i16
    %bytes = llvm.mlir.constant(4294967295 : i64) : i64
    %flags = llvm.mlir.constant(159744 : i32) : i32
    %i = llvm.mul %b, %c4 : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr to !llvm.ptr<8>
    rocdl.raw.ptr.buffer.store %b, %r, %i, %c0, %c0 : i32
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=cache_swizzled_without_end |
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.func @cache_swizzled_without_end(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %stride = llvm.mlir.constant(16384 : i16) : i16
    %bytes = llvm.mlir.constant(4294967295 : i64) : i64
    %flags = llvm.mlir.constant(537030656 : i32) : i32
    %i = llvm.mul %b, %c4 : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr to !llvm.ptr<8>
    rocdl.raw.ptr.buffer.store %b, %r, %i, %c0, %c0 : i32
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=swizzled_on_gfx11 | Code=assumption
// CHECK-SAME: puts neighbours apart
gpu.module @m [#rocdl.target<chip = "gfx1100">] {
  llvm.func @swizzled_on_gfx11(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %stride = llvm.mlir.constant(16384 : i16) : i16
    %bytes = llvm.mlir.constant(4294967295 : i64) : i64
    %flags = llvm.mlir.constant(537030656 : i32) : i32
    %i = llvm.mul %b, %c4 : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr to !llvm.ptr<8>
    rocdl.raw.ptr.buffer.store %b, %r, %i, %c0, %c0 : i32
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=swizzled_on_gfx9 | Code=assumption
// CHECK-SAME: puts neighbours apart
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.func @swizzled_on_gfx9(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %stride = llvm.mlir.constant(-16384 : i16) : i16
    %bytes = llvm.mlir.constant(4294967295 : i64) : i64
    %flags = llvm.mlir.constant(159744 : i32) : i32
    %i = llvm.mul %b, %c4 : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr to !llvm.ptr<8>
    rocdl.raw.ptr.buffer.store %b, %r, %i, %c0, %c0 : i32
    llvm.return
  }
}

// -----

// The format of the resource may take a number from the bytes of a neighbour.
// CHECK: Missed{{.*}}Function=load_by_format | Code=assumption
// CHECK-SAME: depends on a format
gpu.module @m {
  llvm.func @load_by_format(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(4294967295 : i64) : i64
    %flags = llvm.mlir.constant(159744 : i32) : i32
    %i = llvm.mul %b, %c4 : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr to !llvm.ptr<8>
    %v = llvm.call_intrinsic "llvm.amdgcn.raw.ptr.buffer.load.format.f32"(%r, %i, %c0, %c0) : (!llvm.ptr<8>, i32, i32, i32) -> f32
    %p = llvm.getelementptr %a[%b] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %v, %p : f32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=load_without_format |
gpu.module @m {
  llvm.func @load_without_format(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(4294967295 : i64) : i64
    %flags = llvm.mlir.constant(159744 : i32) : i32
    %i = llvm.mul %b, %c4 : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr to !llvm.ptr<8>
    %v = llvm.call_intrinsic "llvm.amdgcn.raw.ptr.buffer.load.f32"(%r, %i, %c0, %c0) : (!llvm.ptr<8>, i32, i32, i32) -> f32
    %p = llvm.getelementptr %a[%b] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %v, %p : f32, !llvm.ptr
    llvm.return
  }
}

// -----

// LLVM has it as a function of its operands. It reads memory.
// CHECK: Missed{{.*}}Function=scalar_load | Code=assumption
// CHECK-SAME: its addresses are not read
gpu.module @m {
  llvm.func @scalar_load(%a: !llvm.ptr {llvm.noalias}, %r: vector<4xi32>) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %v = llvm.call_intrinsic "llvm.amdgcn.s.buffer.load.i32"(%r, %b, %c0) : (vector<4xi32>, i32, i32) -> i32
    %p = llvm.getelementptr %a[%b] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %v, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// What comes from outside may put neighbours apart, or add the number of the thread.
// CHECK: Missed{{.*}}Function=from_outside | Code=assumption{{.*}}a resource from outside
gpu.module @m {
  llvm.func @from_outside(%r: !llvm.ptr<8> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %o = llvm.mul %b, %c4 : i32
    rocdl.raw.ptr.buffer.store %b, %r, %o, %c0, %c0 : i32
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=view_from_outside | Code=assumption{{.*}}a resource from outside
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @view_from_outside(%a: memref<64xi32, 7> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    memref.store %v, %a[%x] : memref<64xi32, 7>
    gpu.return
  }
}
