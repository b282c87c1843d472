// How often a loop runs, where the number that it counts by wraps around.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

// At the 1024th iteration 32 * w is -32768 in 16 bits, which is below every bound: the
// loop goes on, up to 3000, and reaches what the next workgroup writes.
// CHECK: Missed{{.*}}Function=goes_on | Code=assumption
gpu.module @m {
  llvm.func @goes_on(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1024, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c1024 = llvm.mlir.constant(1024 : i32) : i32
    %most = llvm.mlir.constant(3000 : i32) : i32
    %least = llvm.mlir.constant(31744 : i32) : i32
    %all = llvm.mlir.constant(1048576 : i32) : i32
    %wide = llvm.add %t, %least : i32
    %bound = llvm.trunc %wide : i32 to i16
    %first = llvm.mul %b, %all : i32
    %own = llvm.add %first, %t : i32
    llvm.br ^head(%c0 : i32)
  ^head(%w: i32):
    %steps = llvm.mul %w, %c32 : i32
    %i = llvm.trunc %steps : i32 to i16
    %below = llvm.icmp "slt" %i, %bound : i16
    %few = llvm.icmp "slt" %w, %most : i32
    %more = llvm.and %below, %few : i1
    llvm.cond_br %more, ^body, ^done
  ^body:
    %row = llvm.mul %w, %c1024 : i32
    %at = llvm.add %own, %row : i32
    %to = llvm.getelementptr %a[%at] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %b, %to : i32, !llvm.ptr
    %next = llvm.add %w, %c1 : i32
    llvm.br ^head(%next : i32)
  ^done:
    llvm.return
  }
}

// -----

// As many iterations, and nothing wraps around.
// CHECK: Passed{{.*}}Function=ends |
gpu.module @m {
  llvm.func @ends(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1024, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c1024 = llvm.mlir.constant(1024 : i32) : i32
    %all = llvm.mlir.constant(1048576 : i32) : i32
    %first = llvm.mul %b, %all : i32
    %own = llvm.add %first, %t : i32
    llvm.br ^head(%c0 : i32)
  ^head(%w: i32):
    %more = llvm.icmp "slt" %w, %c1024 : i32
    llvm.cond_br %more, ^body, ^done
  ^body:
    %row = llvm.mul %w, %c1024 : i32
    %at = llvm.add %own, %row : i32
    %to = llvm.getelementptr %a[%at] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %b, %to : i32, !llvm.ptr
    %next = llvm.add %w, %c1 : i32
    llvm.br ^head(%next : i32)
  ^done:
    llvm.return
  }
}

// -----

// Lanes that come to a shuffle by different iterations may meet there: what they count
// is not the same in all of them.
// CHECK: Missed{{.*}}Function=meets | Code=assumption{{.*}}what another lane has
gpu.module @m {
  llvm.func @meets(%a: !llvm.ptr {llvm.noalias}, %n: i32) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %size = llvm.mlir.constant(128 : i32) : i32
    %is_first = llvm.icmp "eq" %t, %c0 : i32
    %outer = llvm.select %is_first, %c4, %c2 : i1, i32
    %inner = llvm.select %is_first, %c1, %c2 : i1, i32
    %base = llvm.mul %b, %c2 : i32
    llvm.br ^rows(%c0 : i32)
  ^rows(%i: i32):
    %more = llvm.icmp "slt" %i, %outer : i32
    llvm.cond_br %more, ^columns(%c0 : i32), ^done
  ^columns(%j: i32):
    %further = llvm.icmp "slt" %j, %inner : i32
    llvm.cond_br %further, ^body, ^next
  ^body:
    %s = llvm.call_intrinsic "llvm.nvvm.shfl.sync.idx.i32"(%all, %i, %c0, %c31) : (i32, i32, i32, i32) -> i32
    %row = llvm.mul %t, %size : i32
    %own = llvm.add %row, %base : i32
    %at = llvm.add %own, %s : i32
    %to = llvm.getelementptr %a[%at] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %b, %to : i32, !llvm.ptr
    %j1 = llvm.add %j, %c1 : i32
    llvm.br ^columns(%j1 : i32)
  ^next:
    %i1 = llvm.add %i, %c1 : i32
    llvm.br ^rows(%i1 : i32)
  ^done:
    llvm.return
  }
}
