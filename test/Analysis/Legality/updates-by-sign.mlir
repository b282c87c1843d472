// Floats are ordered like signed integers where they are not negative, and the other
// way round like unsigned ones where they are: under those conditions, maxima by two
// kinds of updates commute. Without them they do not, wherever they go: updates never
// race, and so a program may make them anywhere.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x'" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

// CHECK: Passed{{.*}}Function=largest |
gpu.module @m {
  llvm.func @largest(%a: !llvm.ptr<1> {llvm.noalias}, %b: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    %bits = llvm.bitcast %v : f32 to i32
    %up = llvm.fcmp "oge" %v, %zero : f32
    llvm.cond_br %up, ^positive, ^next
  ^positive:
    %0 = llvm.atomicrmw max %a, %bits monotonic : !llvm.ptr<1>, i32
    llvm.br ^next
  ^next:
    %down = llvm.icmp "slt" %bits, %c0 : i32
    llvm.cond_br %down, ^negative, ^done
  ^negative:
    %1 = llvm.atomicrmw umin %a, %bits monotonic : !llvm.ptr<1>, i32
    llvm.br ^done
  ^done:
    llvm.return
  }
}

// -----

// Whatever is not negative goes the one way, under a mask, everything else the other.
// CHECK: Passed{{.*}}Function=least |
gpu.module @m {
  llvm.func @least(%a: !llvm.ptr<1> {llvm.noalias}, %b: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %last = llvm.mlir.constant(60 : i32) : i32
    %less = llvm.mlir.constant(-1 : i32) : i32
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %v = llvm.load %p : !llvm.ptr<1> -> i32
    %inside = llvm.icmp "slt" %x, %last : i32
    %up = llvm.icmp "sgt" %v, %less : i32
    %both = llvm.and %inside, %up : i1
    llvm.cond_br %both, ^positive, ^next
  ^positive:
    %0 = llvm.atomicrmw min %a, %v monotonic : !llvm.ptr<1>, i32
    llvm.br ^next
  ^next:
    llvm.cond_br %up, ^done, ^negative
  ^negative:
    %1 = llvm.atomicrmw umax %a, %v monotonic : !llvm.ptr<1>, i32
    llvm.br ^done
  ^done:
    llvm.return
  }
}

// -----

// -0 is at least 0, and the least signed number: not for minima.
// CHECK: Missed{{.*}}Function=least_but_zero | Code=atomic-not-commutative
gpu.module @m {
  llvm.func @least_but_zero(%a: !llvm.ptr<1> {llvm.noalias}, %b: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    %bits = llvm.bitcast %v : f32 to i32
    %up = llvm.fcmp "oge" %v, %zero : f32
    llvm.cond_br %up, ^positive, ^next
  ^positive:
    %0 = llvm.atomicrmw min %a, %bits monotonic : !llvm.ptr<1>, i32
    llvm.br ^next
  ^next:
    %down = llvm.fcmp "olt" %v, %zero : f32
    llvm.cond_br %down, ^negative, ^done
  ^negative:
    %1 = llvm.atomicrmw umax %a, %bits monotonic : !llvm.ptr<1>, i32
    llvm.br ^done
  ^done:
    llvm.return
  }
}

// -----

// What is not at least 0 may be no number, whose sign may be either.
// CHECK: Missed{{.*}}Function=no_number | Code=atomic-not-commutative
gpu.module @m {
  llvm.func @no_number(%a: !llvm.ptr<1> {llvm.noalias}, %b: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    %bits = llvm.bitcast %v : f32 to i32
    %up = llvm.fcmp "oge" %v, %zero : f32
    llvm.cond_br %up, ^positive, ^negative
  ^positive:
    %0 = llvm.atomicrmw max %a, %bits monotonic : !llvm.ptr<1>, i32
    llvm.br ^done
  ^negative:
    %1 = llvm.atomicrmw umin %a, %bits monotonic : !llvm.ptr<1>, i32
    llvm.br ^done
  ^done:
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=at_loaded_places | Code=atomic-not-commutative{{.*}}the atomic max.i32 of arg0 (loaded from memory) may meet, and does not commute with, the add.i32 of the same memory
gpu.module @m {
  llvm.func @at_loaded_places(%a: !llvm.ptr<1> {llvm.noalias}, %b: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %v = llvm.load %p : !llvm.ptr<1> -> i32
    %to = llvm.getelementptr %a[%v] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %0 = llvm.atomicrmw add %to, %x monotonic : !llvm.ptr<1>, i32
    %1 = llvm.atomicrmw max %to, %x monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=alike_at_loaded_places |
gpu.module @m {
  llvm.func @alike_at_loaded_places(%a: !llvm.ptr<1> {llvm.noalias}, %b: !llvm.ptr<1> {llvm.noalias}, %c: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %v = llvm.load %p : !llvm.ptr<1> -> i32
    %to = llvm.getelementptr %a[%v] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %other = llvm.getelementptr %c[%v] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %0 = llvm.atomicrmw add %to, %x monotonic : !llvm.ptr<1>, i32
    %1 = llvm.atomicrmw max %other, %x monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
}

// -----

// Two tensor maps are two buffers, as two arguments are.
// CHECK: Passed{{.*}}Function=two_maps |
gpu.module @m {
  llvm.func @two_maps(%d: !llvm.ptr {llvm.noalias}, %e: !llvm.ptr {llvm.noalias}, %s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    nvvm.cp.async.bulk.tensor.reduce %d, %s, box[%c0] {redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, !llvm.ptr<3>
    nvvm.cp.async.bulk.tensor.reduce %e, %s, box[%c0] {redKind = #nvvm.tma_redux_kind<max>} : !llvm.ptr, !llvm.ptr<3>
    llvm.return
  }
}
