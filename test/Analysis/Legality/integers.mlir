// Integers are what they are in the machine. Each of these kernels races, and each
// looks as if it did not to a reader that takes true for 1, unsigned numbers for
// signed ones, or integers for numbers without end.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x'" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=STRICT
// STRICT-NOT: [Passed]

// One bit: true is -1 where the operation is signed.

// CHECK: Missed{{.*}}Function=less_than_false | Code=cross-workgroup-write, Counterexample="workgroups (32) and (63) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @less_than_false(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %false = arith.constant false
    %late = arith.cmpi sge, %x, %c32 : index
    %negative = arith.cmpi slt, %late, %false : i1
    scf.if %negative {
      memref.store %v, %a[%c0] : memref<4096xi32>
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=greater_of_bits | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @greater_of_bits(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %true = arith.constant true
    %late = arith.cmpi sge, %x, %c32 : index
    %greater = arith.maxsi %late, %true : i1
    scf.if %greater {
    } else {
      memref.store %v, %a[%c0] : memref<4096xi32>
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=smaller_of_bits | Code=cross-workgroup-write, Counterexample="workgroups (32) and (63) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @smaller_of_bits(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %false = arith.constant false
    %late = arith.cmpi sge, %x, %c32 : index
    %smaller = arith.minsi %late, %false : i1
    scf.if %smaller {
      memref.store %v, %a[%c0] : memref<4096xi32>
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=extended_bit | Code=cross-workgroup-write, Counterexample="workgroups (63) and (31) both touch byte 124 of arg0
gpu.module @m {
  gpu.func @extended_bit(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c32 = arith.constant 32 : index
    %late = arith.cmpi sge, %x, %c32 : index
    %wide = arith.extsi %late : i1 to i32
    %sign = arith.index_cast %wide : i32 to index
    %shift = arith.muli %sign, %c32 : index
    %i = arith.addi %x, %shift : index
    memref.store %v, %a[%i] : memref<4096xi32>
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=bit_as_index | Code=cross-workgroup-write, Counterexample="workgroups (63) and (31) both touch byte 124 of arg0
gpu.module @m {
  gpu.func @bit_as_index(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c32 = arith.constant 32 : index
    %late = arith.cmpi sge, %x, %c32 : index
    %sign = arith.index_cast %late : i1 to index
    %shift = arith.muli %sign, %c32 : index
    %i = arith.addi %x, %shift : index
    memref.store %v, %a[%i] : memref<4096xi32>
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=sum_of_bits | Assuming="writes of arg0 by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @sum_of_bits(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c64 = arith.constant 64 : index
    %all = arith.cmpi slt, %x, %c64 : index
    %sum = arith.addi %all, %all : i1
    %wide = arith.extui %sum : i1 to i32
    %i = arith.index_cast %wide : i32 to index
    %j = arith.muli %x, %i : index
    memref.store %v, %a[%j] : memref<4096xi32>
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=shifted_bit | Code=cross-workgroup-write, Counterexample="workgroups (63) and (31) both touch byte 124 of arg0
gpu.module @m {
  gpu.func @shifted_bit(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %false = arith.constant false
    %late = arith.cmpi sge, %x, %c32 : index
    %same = arith.shrsi %late, %false : i1
    %wide = arith.extsi %same : i1 to i32
    %one = arith.constant 1 : i32
    %back = arith.shrsi %wide, %one : i32
    %sign = arith.index_cast %back : i32 to index
    %shift = arith.muli %sign, %c32 : index
    %i = arith.addi %x, %shift : index
    memref.store %v, %a[%i] : memref<4096xi32>
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=parity | Code=cross-workgroup-write, Counterexample="workgroups (0) and (2) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @parity(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %bit = arith.trunci %v : i32 to i1
    %wide = arith.extui %bit : i1 to i32
    %i = arith.index_cast %wide : i32 to index
    memref.store %v, %a[%i] : memref<4096xi32>
    gpu.return
  }
}

// -----

// Unsigned: a bound that is negative as a signed number is a large one.

// CHECK: Passed{{.*}}Function=unsigned_loop | Assuming="writes of arg0 by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @unsigned_loop(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %low = arith.constant 0 : i32
    %high = arith.constant -1073741824 : i32
    %step = arith.constant 0x40000000 : i32
    scf.for unsigned %i = %low to %high step %step : i32 {
      memref.store %v, %a[%c0] : memref<4096xi32>
    }
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=unsigned_while | Assuming="writes of arg0 by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @unsigned_while(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %low = arith.constant 0 : i32
    %high = arith.constant -2147483648 : i32
    %step = arith.constant 0x40000000 : i32
    scf.while (%i = %low) : (i32) -> i32 {
      %more = arith.cmpi ult, %i, %high : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      memref.store %v, %a[%c0] : memref<4096xi32>
      %next = arith.addi %i, %step : i32
      scf.yield %next : i32
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=unsigned_test | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @unsigned_test(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %from = arith.subi %x, %c32 : index
    %small = arith.cmpi ult, %from, %c64 : index
    scf.if %small {
      memref.store %v, %a[%x] : memref<4096xi32>
    } else {
      memref.store %v, %a[%c0] : memref<4096xi32>
    }
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=unsigned_minimum | Assuming="writes of arg0 by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @unsigned_minimum(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c5 = arith.constant 5 : index
    %c32 = arith.constant 32 : index
    %from = arith.subi %x, %c32 : index
    %i = arith.minui %from, %c5 : index
    %j = arith.addi %i, %c32 : index
    memref.store %v, %a[%j] : memref<4096xi32>
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=unsigned_maximum | Assuming="writes of arg0 by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @unsigned_maximum(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c5 = arith.constant 5 : index
    %c64 = arith.constant 64 : index
    %below = arith.subi %x, %c64 : index
    %most = arith.maxui %below, %c5 : index
    %one = arith.divui %most, %below : index
    %minus = arith.subi %one, %c5 : index
    %c4 = arith.constant 4 : index
    %zero = arith.addi %minus, %c4 : index
    %i = arith.muli %x, %zero : index
    memref.store %v, %a[%i] : memref<4096xi32>
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=unsigned_quotient | Assuming="writes of arg0 by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @unsigned_quotient(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c127 = arith.constant 127 : index
    %c128 = arith.constant 128 : index
    %big = arith.constant 0x200000000000000 : index
    %below = arith.subi %x, %c128 : index
    %quotient = arith.divui %below, %big : index
    %zero = arith.subi %c127, %quotient : index
    %i = arith.muli %x, %zero : index
    memref.store %v, %a[%i] : memref<4096xi32>
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=unsigned_remainder | Assuming="writes of arg0 by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @unsigned_remainder(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c64 = arith.constant 64 : index
    %c3 = arith.constant 3 : index
    %below = arith.subi %x, %c64 : index
    %i = arith.remui %below, %c3 : index
    memref.store %v, %a[%i] : memref<4096xi32>
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=unsigned_extension | Code=cross-workgroup-write
// CHECK-SAME: workgroups (0) and (1) both touch byte 1792 of arg0
gpu.module @m {
  gpu.func @unsigned_extension(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c32 = arith.constant 32 : i8
    %byte = arith.trunci %v : i32 to i8
    %below = arith.subi %byte, %c32 : i8
    %wide = arith.extui %below : i8 to i32
    %c224 = arith.constant 224 : i32
    %least = arith.minsi %wide, %c224 : i32
    %i = arith.index_cast %least : i32 to index
    %j = arith.addi %i, %i : index
    memref.store %v, %a[%j] : memref<4096xi32>
    gpu.return
  }
}

// -----

// Wide and narrow: what does not fit is lost, at every width.

// CHECK: Passed{{.*}}Function=shifted_out | Assuming="writes of arg0 by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @shifted_out(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c16 = arith.constant 16 : index
    %c59 = arith.constant 59 : index
    %left = arith.shli %x, %c59 : index
    %right = arith.shrsi %left, %c59 : index
    %i = arith.addi %right, %c16 : index
    memref.store %v, %a[%i] : memref<4096xi32>
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=product_of_64_bits | Assuming="writes of arg0 by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @product_of_64_bits(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c64 = arith.constant 64 : index
    %big = arith.constant 0x400000000000000 : index
    %product = arith.muli %x, %big : index
    %i = arith.muli %product, %c64 : index
    memref.store %v, %a[%i] : memref<4096xi32>
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=sum_of_8_bits | Code=cross-workgroup-write
// CHECK-SAME: workgroups (0) and (64) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @sum_of_8_bits(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 128, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %byte = arith.trunci %v : i32 to i8
    %four = arith.constant 4 : i8
    %times = arith.muli %byte, %four : i8
    %wide = arith.extui %times : i8 to i32
    %i = arith.index_cast %wide : i32 to index
    memref.store %v, %a[%i] : memref<4096xi32>
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=counter_of_8_bits | Assuming="writes of arg0 by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @counter_of_8_bits(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %low = arith.constant 0 : i8
    %high = arith.constant 120 : i8
    %step = arith.constant 100 : i8
    %c128 = arith.constant 128 : index
    %row = arith.muli %x, %c128 : index
    %first = arith.addi %row, %c128 : index
    scf.for %i = %low to %high step %step : i8 {
      %wide = arith.index_cast %i : i8 to index
      %j = arith.addi %first, %wide : index
      memref.store %v, %a[%j] : memref<4096xi32>
    }
    gpu.return
  }
}

// -----

// nuw says nothing about the sign.

// CHECK: Passed{{.*}}Function=no_unsigned_wrap_only | Assuming="writes of arg0 by llvm.store{{.*}}do not race
gpu.module @m {
  llvm.func @no_unsigned_wrap_only(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %big = llvm.mlir.constant(67108864 : i32) : i32
    %zero = llvm.mlir.constant(0 : i64) : i64
    %places = llvm.mlir.constant(26 : i64) : i64
    %product = llvm.mul %x, %big overflow<nuw> : i32
    %wide = llvm.sext %product : i32 to i64
    %back = llvm.ashr %wide, %places : i64
    %i = llvm.intr.smax(%back, %zero) : (i64, i64) -> i64
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// A frozen sum that overflows is any number, nsw or not.

// CHECK: Passed{{.*}}Function=frozen | Assuming="writes of arg0 by llvm.store{{.*}}do not race
gpu.module @m {
  llvm.func @frozen(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %most = llvm.mlir.constant(2147483647 : i32) : i32
    %big = llvm.mlir.constant(2147483647 : i64) : i64
    %sum = llvm.add %x, %most overflow<nsw> : i32
    %frozen = llvm.freeze %sum : i32
    %wide = llvm.sext %frozen : i32 to i64
    %i = llvm.sub %wide, %big : i64
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=shift_by_width | Assuming="writes of arg0 by llvm.store{{.*}}do not race
gpu.module @m {
  llvm.func @shift_by_width(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %amount = llvm.or %x, %c32 : i32
    %shifted = llvm.shl %x, %amount : i32
    %frozen = llvm.freeze %shifted : i32
    %p = llvm.getelementptr %a[%frozen] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=absolute_value | Code=cross-workgroup-write, Counterexample="workgroups (63) and (1) both touch byte 124 of arg0
gpu.module @m {
  llvm.func @absolute_value(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %d = llvm.sub %x, %c32 : i32
    %i = "llvm.intr.abs"(%d) <{is_int_min_poison = false}> : (i32) -> i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=rotated | Assuming="writes of arg0 by llvm.store{{.*}}do not race
gpu.module @m {
  llvm.func @rotated(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %t = llvm.intr.fshl(%x, %x, %c31) : (i32, i32, i32) -> i32
    %c26 = llvm.mlir.constant(26 : i32) : i32
    %i = llvm.lshr %t, %c26 : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=wide_128 | Assuming="writes of arg0 by llvm.store{{.*}}do not race
gpu.module @m {
  llvm.func @wide_128(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %w = llvm.zext %x : i32 to i128
    %c126 = llvm.mlir.constant(126 : i128) : i128
    %l = llvm.shl %w, %c126 : i128
    %r = llvm.lshr %l, %c126 : i128
    %i = llvm.trunc %r : i128 to i64
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=address_wraps | Assuming="writes of arg0 by llvm.store{{.*}}do not race
gpu.module @m {
  llvm.func @address_wraps(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %w = llvm.zext %x : i32 to i64
    %big = llvm.mlir.constant(4611686018427387904 : i64) : i64
    %i = llvm.mul %w, %big : i64
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// The widest numbers that have a range of their own: 4 << 59 wraps around in 62 bits,
// so that workgroups 3 and 5 store to one place.

// CHECK: Passed{{.*}}Function=wraps_in_62_bits | Assuming="writes of arg0 by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @wraps_in_62_bits(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %n = arith.index_cast %x : index to i62
    %c59 = arith.constant 59 : i62
    %left = arith.shli %n, %c59 : i62
    %right = arith.shrsi %left, %c59 : i62
    %size = math.absi %right : i62
    %i = arith.index_cast %size : i62 to index
    memref.store %v, %a[%i] : memref<4096xi32>
    gpu.return
  }
}

// -----

// (x + (x < 0 ? 15 : 0)) >> 4, as compilers divide by 16.

// CHECK: Missed{{.*}}Function=divided_by_shifts | Code=cross-workgroup-write, Counterexample="workgroups (0) and (
gpu.module @m {
  gpu.func @divided_by_shifts(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c4 = arith.constant 4 : index
    %c60 = arith.constant 60 : index
    %c63 = arith.constant 63 : index
    %sign = arith.shrsi %x, %c63 : index
    %bias = arith.shrui %sign, %c60 : index
    %sum = arith.addi %x, %bias : index
    %i = arith.shrsi %sum, %c4 : index
    memref.store %v, %a[%i] : memref<4096xi32>
    gpu.return
  }
}

// -----

// The bit of the sign is 1 of a negative number, not -1: x - 32 + 33 * sign is 1 for
// workgroups 0 and 33.

// CHECK: Missed{{.*}}Function=bit_of_sign | Code=cross-workgroup-write, Counterexample="workgroups (0) and (33) both
gpu.module @m {
  gpu.func @bit_of_sign(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c31 = arith.constant 31 : i32
    %c32 = arith.constant 32 : i32
    %c33 = arith.constant 33 : i32
    %n = arith.subi %v, %c32 : i32
    %sign = arith.shrui %n, %c31 : i32
    %turn = arith.muli %sign, %c33 : i32
    %k = arith.addi %n, %turn : i32
    %i = arith.index_cast %k : i32 to index
    memref.store %v, %a[%i] : memref<4096xi32>
    gpu.return
  }
}
