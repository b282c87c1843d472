// Strides, and differences of addresses, near the ends of what 64 bits hold.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

// Digits of an id, whose strides times weights exceed 64 bits.
// CHECK: Missed{{.*}}Function=digits_far_apart | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m {
  llvm.func @digits_far_apart(%a: !llvm.ptr {llvm.noalias}, %c: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 2097152, 1, 1>, known_grid_size = array<i32: 2097152, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %c31 = llvm.mlir.constant(31 : i64) : i64
    %c20 = llvm.mlir.constant(20 : i64) : i64
    %c5 = llvm.mlir.constant(5 : i64) : i64
    %far = llvm.mlir.constant(18014398509481984 : i64) : i64
    %w = llvm.zext %b : i32 to i64
    %h = llvm.lshr %w, %c20 : i64
    %q = llvm.getelementptr %c[%h] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %v = llvm.load %q : !llvm.ptr -> i32
    %r = llvm.and %w, %c31 : i64
    %s = llvm.mul %r, %far : i64
    %p = llvm.getelementptr %a[%s] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.store %v, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=all_digits_far_apart |
gpu.module @m {
  llvm.func @all_digits_far_apart(%a: !llvm.ptr {llvm.noalias}, %c: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 2097152, 1, 1>, known_grid_size = array<i32: 2097152, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %c31 = llvm.mlir.constant(31 : i64) : i64
    %c20 = llvm.mlir.constant(20 : i64) : i64
    %c5 = llvm.mlir.constant(5 : i64) : i64
    %far = llvm.mlir.constant(68719476736 : i64) : i64
    %w = llvm.zext %b : i32 to i64
    %h = llvm.lshr %w, %c20 : i64
    %q = llvm.getelementptr %c[%h] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %v = llvm.load %q : !llvm.ptr -> i32
    %r = llvm.and %w, %c31 : i64
    %s = llvm.mul %r, %far : i64
    %f = llvm.lshr %w, %c5 : i64
    %p0 = llvm.getelementptr %a[%s] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %p = llvm.getelementptr %p0[%f] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %v, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// Addresses up to 2^62 in both directions, so that differences come near 2^63.
// CHECK: Missed{{.*}}Function=differences_near_the_end | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m {
  llvm.func @differences_near_the_end(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 2, 1, 1>, known_grid_size = array<i32: 2, 1, 1>, known_block_size = array<i32: 32, 32, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %x = nvvm.read.ptx.sreg.tid.x : i32
    %y = nvvm.read.ptx.sreg.tid.y : i32
    %w = llvm.zext %b : i32 to i64
    %u = llvm.zext %x : i32 to i64
    %v = llvm.zext %y : i32 to i64
    %s = llvm.mlir.constant(144115188075855872 : i64) : i64
    %t = llvm.mlir.constant(72057594037927936 : i64) : i64
    %c = llvm.mlir.constant(504403158265495552 : i64) : i64
    %p1 = llvm.mul %w, %s : i64
    %p2 = llvm.mul %u, %t : i64
    %p3 = llvm.mul %v, %t : i64
    %d = llvm.sub %p2, %p3 : i64
    %e = llvm.add %p1, %d : i64
    %f = llvm.add %e, %c : i64
    %g = llvm.sub %e, %c : i64
    %p = llvm.getelementptr %a[%f] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %q = llvm.getelementptr %a[%g] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.store %b, %q : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=odd_difference |
gpu.module @m {
  llvm.func @odd_difference(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 2, 1, 1>, known_grid_size = array<i32: 2, 1, 1>, known_block_size = array<i32: 32, 32, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %x = nvvm.read.ptx.sreg.tid.x : i32
    %y = nvvm.read.ptx.sreg.tid.y : i32
    %w = llvm.zext %b : i32 to i64
    %u = llvm.zext %x : i32 to i64
    %v = llvm.zext %y : i32 to i64
    %s = llvm.mlir.constant(64 : i64) : i64
    %t = llvm.mlir.constant(72057594037927936 : i64) : i64
    %c = llvm.mlir.constant(504403158265495552 : i64) : i64
    %p1 = llvm.mul %w, %s : i64
    %p2 = llvm.mul %u, %t : i64
    %p3 = llvm.mul %v, %t : i64
    %d = llvm.sub %p2, %p3 : i64
    %e = llvm.add %p1, %d : i64
    %f = llvm.add %e, %c : i64
    %g = llvm.sub %e, %c : i64
    %p = llvm.getelementptr %a[%f] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %q = llvm.getelementptr %a[%g] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.store %b, %q : i32, !llvm.ptr
    llvm.return
  }
}
