// Compare-and-exchange loops that carry more than the old value: what else they carry
// tells how often they failed.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x, y' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --implicit-check-not=Passed

// A compare-and-exchange loop whose number of attempts is seen.

// CHECK: Missed{{.*}}Function=retries_leave | Code=atomic-result-used
gpu.module @m {
  llvm.func @retries_leave(%a: !llvm.ptr<1> {llvm.noalias}, %b: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %first = llvm.load %a : !llvm.ptr<1> -> i32
    llvm.br ^loop(%first, %c0 : i32, i32)
  ^loop(%old: i32, %m: i32):
    %new = llvm.add %old, %x : i32
    %n = llvm.add %m, %c1 : i32
    %pair = llvm.cmpxchg %a, %old, %new acq_rel monotonic : !llvm.ptr<1>, i32
    %seen = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %ok = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    llvm.cond_br %ok, ^end(%m : i32), ^loop(%seen, %n : i32, i32)
  ^end(%e: i32):
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %e, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=retries_used_after | Code=atomic-result-used
gpu.module @m {
  llvm.func @retries_used_after(%a: !llvm.ptr<1> {llvm.noalias}, %b: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %first = llvm.load %a : !llvm.ptr<1> -> i32
    llvm.br ^loop(%first, %c0 : i32, i32)
  ^loop(%old: i32, %m: i32):
    %new = llvm.add %old, %x : i32
    %n = llvm.add %m, %c1 : i32
    %pair = llvm.cmpxchg %a, %old, %new acq_rel monotonic : !llvm.ptr<1>, i32
    %seen = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %ok = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    llvm.cond_br %ok, ^end, ^loop(%seen, %n : i32, i32)
  ^end:
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %m, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=retry_counter | Code=atomic-result-used
gpu.module @m {
  llvm.func @retry_counter(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %first = llvm.load %a : !llvm.ptr<1> -> i32
    llvm.br ^loop(%first, %c1 : i32, i32)
  ^loop(%old: i32, %m: i32):
    %new = llvm.add %old, %m : i32
    %n = llvm.add %m, %c1 : i32
    %pair = llvm.cmpxchg %a, %old, %new acq_rel monotonic : !llvm.ptr<1>, i32
    %seen = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %ok = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    llvm.cond_br %ok, ^end, ^loop(%seen, %n : i32, i32)
  ^end:
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=previous_seen | Code=atomic-result-used
gpu.module @m {
  llvm.func @previous_seen(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %first = llvm.load %a : !llvm.ptr<1> -> i32
    llvm.br ^loop(%first, %c1 : i32, i32)
  ^loop(%old: i32, %m: i32):
    %new = llvm.add %old, %m : i32
    %pair = llvm.cmpxchg %a, %old, %new acq_rel monotonic : !llvm.ptr<1>, i32
    %seen = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %ok = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    llvm.cond_br %ok, ^end, ^loop(%seen, %old : i32, i32)
  ^end:
    llvm.return
  }
}

// -----

// A weak exchange may fail although what came back is what was expected: an update is
// lost, and which one depends on the order.

// CHECK: Missed{{.*}}Function=weak_compared | Code=atomic-result-used
gpu.module @m {
  llvm.func @weak_compared(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %first = llvm.load %a : !llvm.ptr<1> -> i32
    llvm.br ^loop(%first : i32)
  ^loop(%old: i32):
    %new = llvm.add %old, %x : i32
    %pair = llvm.cmpxchg weak %a, %old, %new acq_rel monotonic : !llvm.ptr<1>, i32
    %seen = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %same = llvm.icmp "eq" %old, %seen : i32
    llvm.cond_br %same, ^end, ^loop(%seen : i32)
  ^end:
    llvm.return
  }
}

// -----

// It goes on as long as nobody came between.

// CHECK: Missed{{.*}}Function=compared_the_other_way | Code=atomic-result-used
gpu.module @m {
  llvm.func @compared_the_other_way(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %first = llvm.load %a : !llvm.ptr<1> -> i32
    llvm.br ^loop(%first : i32)
  ^loop(%old: i32):
    %new = llvm.add %old, %x : i32
    %pair = llvm.cmpxchg %a, %old, %new acq_rel monotonic : !llvm.ptr<1>, i32
    %seen = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %same = llvm.icmp "eq" %old, %seen : i32
    llvm.cond_br %same, ^loop(%seen : i32), ^end
  ^end:
    llvm.return
  }
}

// -----

// What is compared is not what was expected.

// CHECK: Missed{{.*}}Function=compared_with_another | Code=atomic-result-used
gpu.module @m {
  llvm.func @compared_with_another(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %first = llvm.load %a : !llvm.ptr<1> -> i32
    llvm.br ^loop(%first : i32)
  ^loop(%old: i32):
    %new = llvm.add %old, %x : i32
    %pair = llvm.cmpxchg %a, %old, %new acq_rel monotonic : !llvm.ptr<1>, i32
    %seen = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %same = llvm.icmp "eq" %x, %seen : i32
    llvm.cond_br %same, ^end, ^loop(%seen : i32)
  ^end:
    llvm.return
  }
}

// -----

// What came back leaves beside.

// CHECK: Missed{{.*}}Function=compared_and_kept | Code=atomic-result-used
gpu.module @m {
  llvm.func @compared_and_kept(%a: !llvm.ptr<1> {llvm.noalias}, %b: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %first = llvm.load %a : !llvm.ptr<1> -> i32
    llvm.br ^loop(%first : i32)
  ^loop(%old: i32):
    %new = llvm.add %old, %x : i32
    %pair = llvm.cmpxchg %a, %old, %new acq_rel monotonic : !llvm.ptr<1>, i32
    %seen = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %other = llvm.icmp "ne" %old, %seen : i32
    llvm.cond_br %other, ^loop(%seen : i32), ^end(%seen : i32)
  ^end(%e: i32):
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %e, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// The loop goes on where its condition holds; what comes after it is read, too.

// CHECK: Missed{{.*}}Function=stores_after | Code=cross-workgroup-write
gpu.module @m {
  llvm.func @stores_after(%a: !llvm.ptr<1> {llvm.noalias}, %b: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %first = llvm.load %a : !llvm.ptr<1> -> i32
    llvm.br ^loop(%first : i32)
  ^loop(%old: i32):
    %new = llvm.mul %old, %c3 : i32
    %pair = llvm.cmpxchg %a, %old, %new monotonic monotonic : !llvm.ptr<1>, i32
    %seen = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %other = llvm.icmp "ne" %seen, %old : i32
    llvm.cond_br %other, ^loop(%seen : i32), ^end
  ^end:
    llvm.store %x, %b : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// The greater of two floats by a comparison, of which NaN and zeros know no order.

// CHECK: Missed{{.*}}Function=greater_float | Code=atomic-not-commutative
// CHECK-SAME: which one of NaN or of zeros of both signs depends on the order of workgroups
gpu.module @m {
  llvm.func @greater_float(%a: !llvm.ptr<1> {llvm.noalias}, %b: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    %first = llvm.load %a : !llvm.ptr<1> -> i32
    llvm.br ^loop(%first : i32)
  ^loop(%old: i32):
    %f = llvm.bitcast %old : i32 to f32
    %isLess = llvm.fcmp "olt" %f, %v : f32
    %most = llvm.select %isLess, %v, %f : i1, f32
    %new = llvm.bitcast %most : f32 to i32
    %pair = llvm.cmpxchg %a, %old, %new acq_rel monotonic : !llvm.ptr<1>, i32
    %seen = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %ok = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    llvm.cond_br %ok, ^end, ^loop(%seen : i32)
  ^end:
    llvm.return
  }
}
