// What is not reached with the sizes that are assumed may be reached with others: it is
// judged under such, if some are found.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="chip=h200 formula='return gx - 1 - x' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

// A loop has a turn on small grids alone, or for large arguments.
// CHECK: Missed{{.*}}Function=written_in_a_loop | Code=assumption
gpu.module @m {
  gpu.func @written_in_a_loop(%a: memref<64xi32> {llvm.noalias}, %b: memref<?xi32> {llvm.noalias}) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c50 = arith.constant 50 : index
    %x = gpu.block_id x
    %g = gpu.grid_dim x
    %v = memref.load %b[%x] : memref<?xi32>
    scf.for %i = %g to %c50 step %c1 {
      memref.store %v, %a[%c0] : memref<64xi32>
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=loop_by_argument | Code=cross-workgroup-write
gpu.module @m {
  gpu.func @loop_by_argument(%a: memref<64xi32> {llvm.noalias}, %b: memref<64xi32> {llvm.noalias}, %n: i32) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_grid_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4096 : i32
    %x = gpu.block_id x
    %v = memref.load %b[%x] : memref<64xi32>
    scf.for %i = %c4 to %n step %c1 : i32 {
      memref.store %v, %a[%c0] : memref<64xi32>
    }
    gpu.return
  }
}

// -----

// Lanes, bytes and records that are none for the nominal size.
// CHECK: Missed{{.*}}Function=masked_by_argument | Code=cross-workgroup-write
gpu.module @m {
  llvm.func @masked_by_argument(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i32) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c5 = llvm.mlir.constant(5 : i32) : i32
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %v = llvm.load %p : !llvm.ptr -> i32
    %on = llvm.icmp "slt" %n, %c5 : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %none = llvm.mlir.poison : vector<2xi1>
    %m0 = llvm.insertelement %on, %none[%c0 : i32] : vector<2xi1>
    %m = llvm.insertelement %on, %m0[%c1 : i32] : vector<2xi1>
    %w = llvm.mlir.constant(dense<1> : vector<2xi32>) : vector<2xi32>
    llvm.intr.masked.store %w, %a, %m {alignment = 4 : i32} : vector<2xi32>, vector<2xi1> into !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=copied_by_argument | Code=cross-workgroup-write
gpu.module @m {
  llvm.func @copied_by_argument(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i32) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c = llvm.mlir.constant(4096 : i32) : i32
    %z = llvm.mlir.constant(0 : i8) : i8
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %v = llvm.load %p : !llvm.ptr -> i32
    %s = llvm.sub %n, %c : i32
    "llvm.intr.memset"(%a, %z, %s) <{isVolatile = false}> : (!llvm.ptr, i8, i32) -> ()
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=resource_by_argument | Code=cross-workgroup-write
gpu.module @m {
  llvm.func @resource_by_argument(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i64) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c = llvm.mlir.constant(4096 : i64) : i64
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %v = llvm.load %p : !llvm.ptr -> i32
    %s = llvm.sub %n, %c : i64
    %stride = llvm.mlir.constant(0 : i16) : i16
    %flags = llvm.mlir.constant(159744 : i32) : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %s, %flags : !llvm.ptr to !llvm.ptr<8>
    rocdl.raw.ptr.buffer.store %v, %r, %c0, %c0, %c0 : i32
    llvm.return
  }
}

// -----

// Another buffer is updated for one value, which all others read.
// CHECK: Missed{{.*}}Function=chosen_by_argument | Code=cross-workgroup-write
gpu.module @m {
  llvm.func @chosen_by_argument(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i32) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c5 = llvm.mlir.constant(5 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %v = llvm.load %p : !llvm.ptr -> i32
    %on = llvm.icmp "slt" %n, %c5 : i32
    %q = llvm.select %on, %b, %a : i1, !llvm.ptr
    %o = llvm.atomicrmw add %q, %v monotonic : !llvm.ptr, i32
    llvm.return
  }
}

// -----

// What is written on large grids alone may overlap what is read.
// CHECK: Missed{{.*}}Function=overlap_beyond | Code=assumption
gpu.module @m {
  gpu.func @overlap_beyond(%a: memref<?xi32>, %b: memref<?xi32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c1000 = arith.constant 1000 : index
    %x = gpu.block_id x
    %v = memref.load %a[%x] : memref<?xi32>
    %is = arith.cmpi uge, %x, %c1000 : index
    scf.if %is {
      memref.store %v, %b[%x] : memref<?xi32>
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=passed_on_by_argument | Code=cross-workgroup-write
gpu.module @m {
  llvm.func @passed_on_by_argument(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i32) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c5 = llvm.mlir.constant(5 : i32) : i32
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %v = llvm.load %p : !llvm.ptr -> i32
    %on = llvm.icmp "slt" %n, %c5 : i32
    llvm.cond_br %on, ^meet(%b : !llvm.ptr), ^meet(%a : !llvm.ptr)
  ^meet(%q: !llvm.ptr):
    %o = llvm.atomicrmw add %q, %v monotonic : !llvm.ptr, i32
    llvm.return
  }
}

// -----

// Words are aligned, and bytes copied, for other sizes than the nominal one.
// CHECK: Missed{{.*}}Function=half_words_by_argument | Code=assumption
gpu.module @m {
  llvm.func @half_words_by_argument(%a: !llvm.ptr {llvm.noalias}, %n: i32) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i64) : i64
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(4294967295 : i64) : i64
    %s = llvm.mul %n, %c4 overflow<nsw> : i32
    %i = llvm.mul %x, %s overflow<nsw> : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %c0 : !llvm.ptr to !llvm.ptr<8>
    %o = llvm.call_intrinsic "llvm.amdgcn.raw.ptr.buffer.atomic.add.i64"(%one, %r, %i, %c0, %c0) : (i64, !llvm.ptr<8>, i32, i32, i32) -> i64
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=async_copy_by_argument | Code=cross-workgroup-write
gpu.module @m {
  llvm.mlir.global internal @l() {addr_space = 3 : i32} : !llvm.array<4 x i32>
  llvm.func @async_copy_by_argument(%a: !llvm.ptr<1> {llvm.noalias}, %n: i32) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c = llvm.mlir.constant(4096 : i32) : i32
    %l = llvm.mlir.addressof @l : !llvm.ptr<3>
    %s = llvm.sub %n, %c : i32
    nvvm.cp.async.shared.global %l, %a, 16, cache = ca, %s : !llvm.ptr<3>, !llvm.ptr<1>, i32
    %o = llvm.atomicrmw add %a, %x monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
}

// -----

// A pointer that moves on within one buffer is no choice, whatever the size.
// CHECK: Passed{{.*}}Function=moves_on |
gpu.module @m {
  llvm.func @moves_on(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %n: i32) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.br ^head(%c0, %p : i32, !llvm.ptr)
  ^head(%i: i32, %q: !llvm.ptr):
    %go = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %go, ^body, ^end
  ^body:
    %v = llvm.load %q : !llvm.ptr -> i32
    %o = llvm.atomicrmw add %a, %v monotonic : !llvm.ptr, i32
    %next = llvm.add %i, %c1 : i32
    %moved = llvm.getelementptr %q[8] : (!llvm.ptr) -> !llvm.ptr, i32
    llvm.br ^head(%next, %moved : i32, !llvm.ptr)
  ^end:
    llvm.return
  }
}
