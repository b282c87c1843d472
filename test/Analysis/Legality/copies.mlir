// Copies and fills: where they begin, and how many bytes they touch.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

// The offset counts for both addresses of a copy to workgroup memory.
// CHECK: Missed{{.*}}Function=offset_of_a_copy | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @l() {addr_space = 3 : i32} : !llvm.array<64 x i32>
  llvm.func @offset_of_a_copy(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %s = llvm.mlir.constant(1 : i32) : i32
    %l = llvm.mlir.addressof @l : !llvm.ptr<3>
    %i = llvm.mul %b, %s : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %g = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<1>
    rocdl.load.to.lds %g, %l, 4, 4, 0 : !llvm.ptr<1>
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=offset_of_a_copy_apart |
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @l() {addr_space = 3 : i32} : !llvm.array<64 x i32>
  llvm.func @offset_of_a_copy_apart(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %s = llvm.mlir.constant(2 : i32) : i32
    %l = llvm.mlir.addressof @l : !llvm.ptr<3>
    %i = llvm.mul %b, %s : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %g = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<1>
    rocdl.load.to.lds %g, %l, 4, 4, 0 : !llvm.ptr<1>
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// Called by its name, the intrinsic has its size as an operand.
// CHECK: Missed{{.*}}Function=size_by_name | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @l() {addr_space = 3 : i32} : !llvm.array<64 x i32>
  llvm.func @size_by_name(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %s = llvm.mlir.constant(1 : i32) : i32
    %l = llvm.mlir.addressof @l : !llvm.ptr<3>
    %i = llvm.mul %b, %s : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %g = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<1>
    %size = llvm.mlir.constant(16 : i32) : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    llvm.call_intrinsic "llvm.amdgcn.global.load.lds"(%g, %l, %size, %c0, %c0) : (!llvm.ptr<1>, !llvm.ptr<3>, i32, i32, i32) -> ()
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=size_by_name_apart |
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @l() {addr_space = 3 : i32} : !llvm.array<64 x i32>
  llvm.func @size_by_name_apart(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %s = llvm.mlir.constant(4 : i32) : i32
    %l = llvm.mlir.addressof @l : !llvm.ptr<3>
    %i = llvm.mul %b, %s : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %g = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<1>
    %size = llvm.mlir.constant(16 : i32) : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    llvm.call_intrinsic "llvm.amdgcn.global.load.lds"(%g, %l, %size, %c0, %c0) : (!llvm.ptr<1>, !llvm.ptr<3>, i32, i32, i32) -> ()
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// The length may be an attribute.
// CHECK: Missed{{.*}}Function=copy_inline | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m {
  llvm.func @copy_inline(%a: !llvm.ptr {llvm.noalias}, %c: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %p = llvm.getelementptr %a[%b] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %q = llvm.getelementptr %c[%b] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    "llvm.intr.memcpy.inline"(%p, %q) <{isVolatile = false, len = 8 : i64}> : (!llvm.ptr, !llvm.ptr) -> ()
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=copy_inline_apart |
gpu.module @m {
  llvm.func @copy_inline_apart(%a: !llvm.ptr {llvm.noalias}, %c: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %p = llvm.getelementptr %a[%b] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %q = llvm.getelementptr %c[%b] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    "llvm.intr.memcpy.inline"(%p, %q) <{isVolatile = false, len = 4 : i64}> : (!llvm.ptr, !llvm.ptr) -> ()
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=fill_inline | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m {
  llvm.func @fill_inline(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %z = llvm.mlir.constant(0 : i8) : i8
    %p = llvm.getelementptr %a[%b] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    "llvm.intr.memset.inline"(%p, %z) <{isVolatile = false, len = 8 : i64}> : (!llvm.ptr, i8) -> ()
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=fill_inline_apart |
gpu.module @m {
  llvm.func @fill_inline_apart(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %z = llvm.mlir.constant(0 : i8) : i8
    %p = llvm.getelementptr %a[%b] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    "llvm.intr.memset.inline"(%p, %z) <{isVolatile = false, len = 4 : i64}> : (!llvm.ptr, i8) -> ()
    llvm.return
  }
}

// -----

// 200 of eight bits is no negative number.
// CHECK: Missed{{.*}}Function=fill_of_200 | Code=assumption
// CHECK-SAME: a size that is not constant
gpu.module @m {
  llvm.func @fill_of_200(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %z = llvm.mlir.constant(0 : i8) : i8
    %n = llvm.mlir.constant(200 : i8) : i8
    %p = llvm.getelementptr %a[%b] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    "llvm.intr.memset"(%p, %z, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i8) -> ()
    llvm.return
  }
}
