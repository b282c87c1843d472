// What is known on one way through a kernel, in one call, or of one lane, is not known of
// another.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

// Where the loop is left, the second call reads arg1; the first one read arg0 there.
// CHECK: Missed{{.*}}Function=value_of_an_earlier_call | Code=assumption
gpu.module @m {
  llvm.func @read(%a: !llvm.ptr, %b: !llvm.ptr, %i: i32, %direct: i1) -> i32 {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c8 = llvm.mlir.constant(8 : i32) : i32
    llvm.cond_br %direct, ^end(%a : !llvm.ptr), ^head(%c0 : i32)
  ^head(%j: i32):
    %go = llvm.icmp "slt" %j, %c0 : i32
    llvm.cond_br %go, ^body, ^end(%b : !llvm.ptr)
  ^body:
    %stop = llvm.icmp "sgt" %j, %i : i32
    %next = llvm.add %j, %c1 : i32
    llvm.cond_br %stop, ^none, ^head(%next : i32)
  ^none:
    llvm.return %c0 : i32
  ^end(%p: !llvm.ptr):
    %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %v = llvm.load %q : !llvm.ptr -> i32
    llvm.return %v : i32
  }
  llvm.func @value_of_an_earlier_call(%a: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.noalias}, %o: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %yes = llvm.mlir.constant(true) : i1
    %no = llvm.mlir.constant(false) : i1
    %next = llvm.add %x, %c1 : i32
    %v = llvm.call @read(%a, %b, %next, %yes) : (!llvm.ptr, !llvm.ptr, i32, i1) -> i32
    %w = llvm.call @read(%a, %b, %next, %no) : (!llvm.ptr, !llvm.ptr, i32, i1) -> i32
    %s = llvm.add %v, %w : i32
    %po = llvm.getelementptr %o[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %s, %po : i32, !llvm.ptr
    %pb = llvm.getelementptr %b[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %x, %pb : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// An arm of a select is read where it is selected, with all that it is made of. Elsewhere
// the quotient is another one: workgroups 0 and 1 store to element 12.
// CHECK: Missed{{.*}}Function=part_of_an_arm | Code=assumption
gpu.module @m {
  llvm.func @part_of_an_arm(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %m = llvm.sub %b, %c2 : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c7 = llvm.mlir.constant(7 : i32) : i32
    %d = llvm.udiv %m, %c3 : i32
    %e = llvm.add %d, %c1 : i32
    %on = llvm.icmp "sge" %m, %c0 : i32
    %s = llvm.select %on, %e, %c0 : i1, i32
    %low = llvm.and %d, %c7 : i32
    %back = llvm.sub %low, %b : i32
    %i = llvm.add %back, %c8 : i32
    %q = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %s, %q : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// Lane 1 may point into arg0, which workgroups write, whatever lane 0 points to.
// CHECK: Missed{{.*}}Function=lane_of_unknown_pointers | Code=assumption
gpu.module @m {
  llvm.func @lane_of_unknown_pointers(%a: !llvm.ptr {llvm.noalias}, %d: !llvm.ptr {llvm.noalias}, %o: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %none = llvm.mlir.poison : vector<2x!llvm.ptr>
    %n = llvm.add %b, %c1 : i32
    %an = llvm.getelementptr %a[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %dn = llvm.getelementptr %d[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %a0 = llvm.insertelement %an, %none[%c0 : i32] : vector<2x!llvm.ptr>
    %a1 = llvm.insertelement %an, %a0[%c1 : i32] : vector<2x!llvm.ptr>
    %d0 = llvm.insertelement %dn, %none[%c0 : i32] : vector<2x!llvm.ptr>
    %d1 = llvm.insertelement %dn, %d0[%c1 : i32] : vector<2x!llvm.ptr>
    %flag = llvm.load %d : !llvm.ptr -> i1
    %some = llvm.select %flag, %d1, %a1 : i1, vector<2x!llvm.ptr>
    %both = llvm.insertelement %dn, %some[%c0 : i32] : vector<2x!llvm.ptr>
    %m = llvm.mlir.constant(dense<true> : vector<2xi1>) : vector<2xi1>
    %z = llvm.mlir.constant(dense<0> : vector<2xi32>) : vector<2xi32>
    %g = llvm.intr.masked.gather %both, %m, %z {alignment = 4 : i32} : (vector<2x!llvm.ptr>, vector<2xi1>, vector<2xi32>) -> vector<2xi32>
    %e = llvm.extractelement %g[%c1 : i32] : vector<2xi32>
    %q = llvm.getelementptr %o[%b] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %e, %q : i32, !llvm.ptr
    %own = llvm.getelementptr %a[%b] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %b, %own : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// What one lane of a mask is says nothing of the next one, which may store to the element
// of a neighbour.
// CHECK: Missed{{.*}}Function=lane_of_unknown_mask | Code=assumption
// CHECK-SAME: a mask that is not affine
gpu.module @m {
  llvm.func @lane_of_unknown_mask(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %none = llvm.mlir.poison : vector<2xi32>
    %b0 = llvm.insertelement %b, %none[%c0 : i32] : vector<2xi32>
    %b1 = llvm.insertelement %b, %b0[%c1 : i32] : vector<2xi32>
    %by = llvm.mlir.constant(dense<[1, 1073741825]> : vector<2xi32>) : vector<2xi32>
    %end = llvm.mlir.constant(dense<8> : vector<2xi32>) : vector<2xi32>
    %wraps = llvm.mul %b1, %by : vector<2xi32>
    %m = llvm.icmp "ult" %wraps, %end : vector<2xi32>
    %p = llvm.getelementptr %a[%b] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.intr.masked.store %b1, %p, %m {alignment = 4 : i32} : vector<2xi32>, vector<2xi1> into !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=lane_of_known_mask |
gpu.module @m {
  llvm.func @lane_of_known_mask(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %none = llvm.mlir.poison : vector<2xi32>
    %b0 = llvm.insertelement %b, %none[%c0 : i32] : vector<2xi32>
    %b1 = llvm.insertelement %b, %b0[%c1 : i32] : vector<2xi32>
    %by = llvm.mlir.constant(dense<[0, 8]> : vector<2xi32>) : vector<2xi32>
    %end = llvm.mlir.constant(dense<8> : vector<2xi32>) : vector<2xi32>
    %off = llvm.add %b1, %by : vector<2xi32>
    %m = llvm.icmp "ult" %off, %end : vector<2xi32>
    %p = llvm.getelementptr %a[%b] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.intr.masked.store %b1, %p, %m {alignment = 4 : i32} : vector<2xi32>, vector<2xi1> into !llvm.ptr
    llvm.return
  }
}
