// Plainly independent: accepted, and nothing has to be assumed.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x, y' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --implicit-check-not=Missed

// A subtraction adds the opposite.

// CHECK: Passed{{.*}}Function=add_and_subtract | Formula
gpu.module @m {
  llvm.func @add_and_subtract(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %0 = llvm.atomicrmw add %a, %x monotonic : !llvm.ptr<1>, i32
    %1 = llvm.atomicrmw sub %a, %x monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
}

// -----

// Different updates of buffers that lie apart.

// CHECK: Passed{{.*}}Function=two_buffers | Formula
gpu.module @m {
  gpu.func @two_buffers(%a: memref<4096xi32> {llvm.noalias}, %b: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = memref.atomic_rmw addi %v, %a[%c0] : (i32, memref<4096xi32>) -> i32
    %1 = memref.atomic_rmw maxs %v, %b[%c0] : (i32, memref<4096xi32>) -> i32
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=two_amd_buffers | Formula
gpu.module @m {
  gpu.func @two_amd_buffers(%a: memref<64xf32> {llvm.noalias}, %b: memref<64xf32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %i = arith.index_cast %x : index to i32
    %v = arith.sitofp %i : i32 to f32
    %c0 = arith.constant 0 : i32
    amdgpu.raw_buffer_atomic_fadd %v -> %a[%c0] : f32 -> memref<64xf32>, i32
    amdgpu.raw_buffer_atomic_fmax %v -> %b[%c0] : f32 -> memref<64xf32>, i32
    gpu.return
  }
}

// -----

// Different updates of different halves.

// CHECK: Passed{{.*}}Function=two_halves | Formula
gpu.module @m {
  gpu.func @two_halves(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %far = arith.addi %x, %c64 : index
    %0 = memref.atomic_rmw addi %v, %a[%x] : (i32, memref<4096xi32>) -> i32
    %1 = memref.atomic_rmw maxs %v, %a[%far] : (i32, memref<4096xi32>) -> i32
    gpu.return
  }
}

// -----

// An update that is written out, and commutes.

// CHECK: Passed{{.*}}Function=update_written_as_a_region | Formula
gpu.module @m {
  gpu.func @update_written_as_a_region(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = memref.generic_atomic_rmw %a[%c0] : memref<4096xi32> {
    ^bb0(%old: i32):
      %new = arith.addi %old, %v : i32
      memref.atomic_yield %new : i32
    }
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=maximum_written_as_a_region | Formula
gpu.module @m {
  gpu.func @maximum_written_as_a_region(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = memref.generic_atomic_rmw %a[%c0] : memref<4096xi32> {
    ^bb0(%old: i32):
      %new = arith.maxsi %old, %v : i32
      memref.atomic_yield %new : i32
    }
    gpu.return
  }
}

// -----

// In the workgroup's own memory anything goes.

// CHECK: Passed{{.*}}Function=exchange_of_its_own | Formula
gpu.module @m {
  gpu.func @exchange_of_its_own(%a: memref<4096xi32> {llvm.noalias}) workgroup(%w: memref<4xi32, #gpu.address_space<workgroup>>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = memref.generic_atomic_rmw %w[%c0] : memref<4xi32, #gpu.address_space<workgroup>> {
    ^bb0(%old: i32):
      %new = arith.subi %v, %old : i32
      memref.atomic_yield %new : i32
    }
    memref.store %r, %a[%x] : memref<4096xi32>
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=allocated_inside | Formula
gpu.module @m {
  gpu.func @allocated_inside(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %own = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
    memref.store %v, %own[%c0] : memref<64xi32, #gpu.address_space<workgroup>>
    %w = memref.load %own[%c0] : memref<64xi32, #gpu.address_space<workgroup>>
    memref.store %w, %a[%x] : memref<4096xi32>
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=reshaped | Formula
gpu.module @m {
  gpu.func @reshaped(%a: memref<4096xi32> {llvm.noalias}, %shape: memref<2xindex> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %wide = memref.reshape %a(%shape) : (memref<4096xi32>, memref<2xindex>) -> memref<64x64xi32>
    memref.store %v, %wide[%x, %c0] : memref<64x64xi32>
    gpu.return
  }
}

// -----

// A row each.

// CHECK: Passed{{.*}}Function=filled_row | Formula
gpu.module @m {
  gpu.func @filled_row(%a: memref<64x64xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %row = memref.subview %a[%x, 0] [1, 64] [1, 1] : memref<64x64xi32> to memref<64xi32, strided<[1], offset: ?>>
    linalg.fill ins(%v : i32) outs(%row : memref<64xi32, strided<[1], offset: ?>>)
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=copied_row | Formula
gpu.module @m {
  gpu.func @copied_row(%a: memref<64x64xi32> {llvm.noalias}, %b: memref<64x64xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %from = memref.subview %a[%x, 0] [1, 64] [1, 1] : memref<64x64xi32> to memref<64xi32, strided<[1], offset: ?>>
    %to = memref.subview %b[%x, 0] [1, 64] [1, 1] : memref<64x64xi32> to memref<64xi32, strided<[1], offset: ?>>
    memref.copy %from, %to : memref<64xi32, strided<[1], offset: ?>> to memref<64xi32, strided<[1], offset: ?>>
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=memcpy_of_a_row | Formula
gpu.module @m {
  llvm.func @memcpy_of_a_row(%a: !llvm.ptr<1> {llvm.noalias}, %b: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %bytes = llvm.mlir.constant(64 : i64) : i64
    %o = llvm.mul %x, %c64 overflow<nsw, nuw> : i32
    %p = llvm.getelementptr %a[%o] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
    %q = llvm.getelementptr %b[%o] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
    "llvm.intr.memcpy"(%p, %q, %bytes) <{isVolatile = false}> : (!llvm.ptr<1>, !llvm.ptr<1>, i64) -> ()
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=memset_of_a_row | Formula
gpu.module @m {
  llvm.func @memset_of_a_row(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %bytes = llvm.mlir.constant(64 : i64) : i64
    %zero = llvm.mlir.constant(0 : i8) : i8
    %o = llvm.mul %x, %c64 : i32
    %p = llvm.getelementptr %a[%o] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
    "llvm.intr.memset"(%p, %zero, %bytes) <{isVolatile = false}> : (!llvm.ptr<1>, i8, i64) -> ()
    llvm.return
  }
}

// -----

// A pointer that a condition chooses.

// CHECK: Passed{{.*}}Function=chosen_buffer | Formula
gpu.module @m {
  gpu.func @chosen_buffer(%a: memref<4096xi32> {llvm.noalias}, %b: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %late = arith.cmpi sge, %x, %c32 : index
    %p = arith.select %late, %a, %b : memref<4096xi32>
    memref.store %v, %p[%x] : memref<4096xi32>
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=chosen_pointer | Formula
gpu.module @m {
  llvm.func @chosen_pointer(%a: !llvm.ptr<1> {llvm.noalias}, %b: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %late = llvm.icmp "uge" %x, %c32 : i32
    llvm.cond_br %late, ^one, ^two
    ^one:
    llvm.br ^both(%a : !llvm.ptr<1>)
    ^two:
    llvm.br ^both(%b : !llvm.ptr<1>)
    ^both(%p: !llvm.ptr<1>):
    %q = llvm.getelementptr %p[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %q : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=loop_over_a_row | Formula
gpu.module @m {
  gpu.func @loop_over_a_row(%a: memref<4096xi32> {llvm.noalias}, %b: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %x, %c64 : index
    scf.for %i = %c0 to %c64 step %c1 {
      %j = arith.addi %row, %i : index
      %w = memref.load %b[%j] : memref<4096xi32>
      memref.store %w, %a[%j] : memref<4096xi32>
    }
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=carried_pointer | Formula
gpu.module @m {
  gpu.func @carried_pointer(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %row = arith.muli %x, %c64 : index
    %end = scf.for %i = %c0 to %c64 step %c1 iter_args(%j = %row) -> (index) {
      memref.store %v, %a[%j] : memref<4096xi32>
      %next = arith.addi %j, %c1 : index
      scf.yield %next : index
    }
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=reversed_rows | Formula
gpu.module @m {
  gpu.func @reversed_rows(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c63 = arith.constant 63 : index
    %i = arith.subi %c63, %x : index
    memref.store %v, %a[%i] : memref<4096xi32>
    gpu.return
  }
}

// -----

// Integers that are narrow, and wide enough.

// CHECK: Passed{{.*}}Function=narrow_numbers | Formula
gpu.module @m {
  gpu.func @narrow_numbers(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %byte = arith.trunci %v : i32 to i8
    %wide = arith.extui %byte : i8 to i32
    %i = arith.index_cast %wide : i32 to index
    memref.store %v, %a[%i] : memref<4096xi32>
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=bits_put_together | Formula
gpu.module @m {
  gpu.func @bits_put_together(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c3 = arith.constant 3 : index
    %low = arith.andi %x, %c7 : index
    %high = arith.shrui %x, %c3 : index
    %up = arith.shli %low, %c3 : index
    %i = arith.ori %up, %high : index
    memref.store %v, %a[%i] : memref<4096xi32>
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=guarded_tail | Formula
gpu.module @m {
  gpu.func @guarded_tail(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %first = arith.muli %x, %c32 : index
    %inside = arith.cmpi ult, %t, %c32 : index
    scf.if %inside {
      %i = arith.addi %first, %t : index
      memref.store %v, %a[%i] : memref<4096xi32>
    }
    gpu.return
  }
}

// -----

// Only one workgroup writes.

// CHECK: Passed{{.*}}Function=alone | Formula
gpu.module @m {
  gpu.func @alone(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      memref.store %v, %a[%c0] : memref<4096xi32>
    }
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=helper | Formula
gpu.module @m {
  func.func private @put(%p: memref<4096xi32>, %i: index, %v: i32) {
    memref.store %v, %p[%i] : memref<4096xi32>
    return
  }
  gpu.func @helper(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    func.call @put(%a, %x, %v) : (memref<4096xi32>, index, i32) -> ()
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=global_table | Formula
gpu.module @m {
  memref.global constant @table : memref<4xi32> = dense<[1, 2, 3, 4]>
  gpu.func @global_table(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %g = memref.get_global @table : memref<4xi32>
    %w = memref.load %g[%c1] : memref<4xi32>
    memref.store %w, %a[%x] : memref<4096xi32>
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Passed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=workgroup_signal |
gpu.module @m {
  gpu.func @workgroup_signal(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    rocdl.s.barrier.signal id = -1
    rocdl.s.barrier.wait id = -1
    rocdl.s.barrier.signal id = 5
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Passed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=weak_odr_callee |
gpu.module @m {
  llvm.func weak_odr @own(%n: i32) -> i32 {
    llvm.return %n : i32
  }
  gpu.func @weak_odr_callee(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %i = arith.index_cast %x : index to i32
    %s = llvm.call @own(%i) : (i32) -> i32
    gpu.return
  }
}

// -----

// 32 places of a circle further, as it is written without a remainder.

// CHECK: Passed{{.*}}Function=around_by_signs | Formula
gpu.module @m {
  gpu.func @around_by_signs(%a: memref<64x2xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c63 = arith.constant 63 : index
    %c64 = arith.constant 64 : index
    %n = arith.subi %x, %c32 : index
    %all = arith.shrsi %n, %c63 : index
    %masked = arith.andi %all, %c64 : index
    %i = arith.addi %n, %masked : index
    memref.store %v, %a[%i, %c0] : memref<64x2xi32>
    %one = arith.shrui %n, %c63 : index
    %turn = arith.muli %one, %c64 : index
    %j = arith.addi %n, %turn : index
    memref.store %v, %a[%j, %c1] : memref<64x2xi32>
    gpu.return
  }
}

// -----

// What is left of a number after several subtractions, or 0, whichever comes first.

// CHECK: Passed{{.*}}Function=subtracts_down_to_zero |
gpu.module @m {
  llvm.func @subtracts_down_to_zero(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %0 = llvm.atomicrmw usub_sat %a, %x monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
}
