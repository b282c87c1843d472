// RUN: swizzle-opt %s -split-input-file --swizzle-print-model -o /dev/null | FileCheck %s

// CHECK-LABEL: kernel @m::@product
// CHECK: not modelled: read by memref.load of arg0: product of two variables
gpu.module @m {
  gpu.func @product(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 9, 1, 1>, known_block_size = array<i32: 9, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = arith.muli %b, %t : index
    %v = memref.load %a[%i] : memref<64xf32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: kernel @m::@divisor
// CHECK: not modelled: read by memref.load of arg0: division by a variable
gpu.module @m {
  gpu.func @divisor(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 4, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %d = arith.addi %t, %c1 : index
    %i = arith.divui %b, %d : index
    %v = memref.load %a[%i] : memref<64xf32>
    gpu.return
  }
}

// -----

// An unsigned division of what may be negative is no floor division.
// CHECK-LABEL: kernel @m::@negative
// CHECK: not modelled: read by memref.load of arg0: an unsigned operation on a value that may be negative
gpu.module @m {
  gpu.func @negative(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 4, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = gpu.block_id x
    %c2 = arith.constant 2 : index
    %n = arith.subi %b, %c2 : index
    %i = arith.divui %n, %c2 : index
    %v = memref.load %a[%i] : memref<64xf32>
    gpu.return
  }
}

// -----

// CHECK-LABEL: kernel @m::@narrow
// CHECK: not modelled: read by memref.load of arg0: may wrap around in 8 bits
gpu.module @m {
  gpu.func @narrow(%a: memref<256xf32>) kernel attributes {known_grid_size = array<i32: 100, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = gpu.block_id x
    %c20 = arith.constant 20 : i8
    %n = arith.index_cast %b : index to i8
    %m = arith.muli %n, %c20 : i8
    %i = arith.index_cast %m : i8 to index
    %v = memref.load %a[%i] : memref<256xf32>
    gpu.return
  }
}

// -----

// What a callee without a body does to a buffer is not known.
// CHECK-LABEL: kernel @m::@outside
// CHECK: not modelled: write by func.call of arg0: it is not known what it does
gpu.module @m {
  func.func private @somewhere(memref<64xf32>)
  gpu.func @outside(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 4, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    func.call @somewhere(%a) : (memref<64xf32>) -> ()
    gpu.return
  }
}

// -----

// CHECK-LABEL: kernel @m::@around
// CHECK: not modelled: write by func.call of arg0: a recursive call, or calls nested too deeply
gpu.module @m {
  func.func @again(%a: memref<64xf32>) {
    func.call @again(%a) : (memref<64xf32>) -> ()
    return
  }
  gpu.func @around(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 4, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    func.call @again(%a) : (memref<64xf32>) -> ()
    gpu.return
  }
}

// -----

// What rests on a broken promise stays poison where structs meet.
// CHECK-LABEL: kernel @frozen_member
// CHECK: not modelled: read by llvm.load of arg0: a frozen value that may be poison
// CHECK: not modelled: write by llvm.store of arg0: a frozen value that may be poison
llvm.func @frozen_member(%a: !llvm.ptr) attributes {nvvm.kernel, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
  %x = nvvm.read.ptx.sreg.ctaid.x : i32
  %by = llvm.mlir.constant(30 : i32) : i32
  %four = llvm.mlir.constant(4 : i32) : i32
  %none = llvm.mlir.undef : !llvm.struct<(i32, i32)>
  %broken = llvm.shl %x, %by overflow<nsw> : i32
  %c = llvm.icmp "slt" %x, %four : i32
  %s = llvm.insertvalue %broken, %none[0] : !llvm.struct<(i32, i32)>
  %t = llvm.insertvalue %x, %none[0] : !llvm.struct<(i32, i32)>
  llvm.cond_br %c, ^meet(%s : !llvm.struct<(i32, i32)>), ^meet(%t : !llvm.struct<(i32, i32)>)
^meet(%either: !llvm.struct<(i32, i32)>):
  %v = llvm.extractvalue %either[0] : !llvm.struct<(i32, i32)>
  %f = llvm.freeze %v : i32
  %p = llvm.getelementptr %a[%f] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  %d = llvm.load %p : !llvm.ptr -> f32
  llvm.store %d, %p : f32, !llvm.ptr
  llvm.return
}

// -----

// A narrow number that wraps is the rest of its bits, but poison where it must not.
// CHECK-LABEL: kernel @wrapped_and_frozen
// CHECK: write arg0[x + 44] 1 bytes
// CHECK: not modelled: write by llvm.store of arg0: a frozen value that may be poison
llvm.func @wrapped_and_frozen(%a: !llvm.ptr) attributes {nvvm.kernel, known_grid_size = array<i32: 20, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
  %x = nvvm.read.ptx.sreg.ctaid.x : i32
  %far = llvm.mlir.constant(300 : i32) : i32
  %one = llvm.mlir.constant(1 : i8) : i8
  %y = llvm.add %x, %far : i32
  %broken = llvm.trunc %y overflow<nuw> : i32 to i8
  %f = llvm.freeze %broken : i8
  %p = llvm.getelementptr %a[%f] : (!llvm.ptr, i8) -> !llvm.ptr, i8
  llvm.store %one, %p : i8, !llvm.ptr
  %rest = llvm.trunc %y : i32 to i8
  %g = llvm.freeze %rest : i8
  %q = llvm.getelementptr %a[%g] : (!llvm.ptr, i8) -> !llvm.ptr, i8
  llvm.store %one, %q : i8, !llvm.ptr
  llvm.return
}
