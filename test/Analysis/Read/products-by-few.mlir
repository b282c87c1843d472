// RUN: swizzle-opt %s -split-input-file --swizzle-print-model -o /dev/null | FileCheck %s

// A product of two variables is a case for each number that one of them may be, if these
// are few: tiles that are walked back and forth.
// CHECK-LABEL: kernel @m::@back_and_forth
// CHECK-NOT: not modelled
// CHECK: if -2*((x) // 8) + 4*((x) // 16) == 0
// CHECK-NEXT: read arg0[128*x + 4*tx + 896*((x) // 8) - 1792*((x) // 16)] 4 bytes
// CHECK: else
// CHECK-NEXT: read arg0[-128*x + 4*tx + 2944*((x) // 8) - 1792*((x) // 16)] 4 bytes
gpu.module @m {
  gpu.func @back_and_forth(%a: memref<64x32xf32>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %row = arith.divui %x, %c8 : index
    %in = arith.remui %x, %c8 : index
    %odd = arith.remui %row, %c2 : index
    %twice = arith.muli %odd, %c2 : index
    %direction = arith.subi %c1, %twice : index
    %begin = arith.muli %odd, %c7 : index
    %walked = arith.muli %direction, %in : index
    %column = arith.addi %begin, %walked : index
    %above = arith.muli %row, %c8 : index
    %tile = arith.addi %above, %column : index
    %v = memref.load %a[%tile, %t] : memref<64x32xf32>
    gpu.return
  }
}

// -----

// Either factor, and numbers below zero.
// CHECK-LABEL: kernel @m::@few_rows
// CHECK-NOT: not modelled
// CHECK: if y - 2 == 0
// CHECK-NEXT: read arg0[4*x + 1600] 4 bytes
// CHECK: if y - 1 == 0
// CHECK-NEXT: read arg0[1600] 4 bytes
// CHECK: else
// CHECK-NEXT: read arg0[-4*x + 1600] 4 bytes
gpu.module @m {
  gpu.func @few_rows(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 100, 3, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c400 = arith.constant 400 : index
    %x = gpu.block_id x
    %y = gpu.block_id y
    %below = arith.subi %y, %c1 : index
    %product = arith.muli %x, %below : index
    %at = arith.addi %product, %c400 : index
    %v = memref.load %a[%at] : memref<4096xf32>
    gpu.return
  }
}

// -----

// Nine are too many.
// CHECK-LABEL: kernel @m::@nine_rows
// CHECK: not modelled: read by memref.load of arg0: product of two variables
gpu.module @m {
  gpu.func @nine_rows(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 100, 9, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %at = arith.muli %x, %y : index
    %v = memref.load %a[%at] : memref<4096xf32>
    gpu.return
  }
}

// -----

// Threads of one wave in different cases would be accesses of their own.
// CHECK-LABEL: kernel @m::@few_threads
// CHECK: not modelled: read by memref.load of arg0: product of two variables
gpu.module @m {
  gpu.func @few_threads(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 100, 1, 1>, known_block_size = array<i32: 8, 1, 1>} {
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %at = arith.muli %x, %t : index
    %v = memref.load %a[%at] : memref<4096xf32>
    gpu.return
  }
}

// -----

// More cases than are followed, each of which a switch compares.
// CHECK-LABEL: kernel @m::@many_cases
// CHECK: a condition is not affine: too many cases
gpu.module @m {
  llvm.func @many_cases(%out: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 8, 8>, known_grid_size = array<i32: 8, 8, 8>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %y = nvvm.read.ptx.sreg.ctaid.y : i32
    %z = nvvm.read.ptx.sreg.ctaid.z : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %xy = llvm.mul %x, %y : i32
    %xyz = llvm.mul %xy, %z : i32
    llvm.switch %xyz : i32, ^end [0: ^a, 12: ^b]
  ^a:
    llvm.store %c1, %out : i32, !llvm.ptr<1>
    llvm.br ^end
  ^b:
    llvm.store %x, %out : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
