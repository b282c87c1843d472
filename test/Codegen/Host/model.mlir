// The model on trial: it agrees with what workgroups touch; what it leaves out,
// and kernels that differ from it, are said.
// RUN: swizzle-check %s --model --kernel=row | FileCheck %s --check-prefix=ROW
// RUN: swizzle-check %s --model --kernel=row --json | FileCheck %s --check-prefix=JSON
// RUN: not swizzle-check %s --model --kernel=gather | FileCheck %s --check-prefix=GATHER
// RUN: not swizzle-check %s --model --kernel=twice | FileCheck %s --check-prefix=TWICE
// RUN: sh -c 'swizzle-check %s %s --model; test $? = 2'
// Numbers that are given are those of both; shapes the model does not take.
// RUN: swizzle-check %s --model --kernel=strided --argument=2=17 | FileCheck %s --check-prefix=ROW
// RUN: swizzle-check %s --model --kernel=strided --argument=2=0 | FileCheck %s --check-prefix=ROW
// RUN: not swizzle-check %s --model --kernel=strided --argument=2=5000000000 | FileCheck %s --check-prefix=WIDE
// RUN: swizzle-check %s --model --kernel=passed --argument=2=16 | FileCheck %s --check-prefix=ROW
// RUN: not swizzle-check %s --model --kernel=passed --argument=2=17 | FileCheck %s --check-prefix=PASSED
// RUN: swizzle-check %s --model --kernel=open | FileCheck %s --check-prefix=ROW
// RUN: swizzle-check %s --model --kernel=open --argument=0=5000 | FileCheck %s --check-prefix=ROW
// RUN: not swizzle-check %s --model --kernel=open --argument=0=100 | FileCheck %s --check-prefix=OPEN

// ROW: passed
// ROW-NEXT: {{[0-9]+}} workgroups recorded, {{[0-9]+}} accesses, seed 1
// JSON: "schema": "swizzle-check-model/1"
// JSON: "status": "passed"
// GATHER: unchecked: the model leaves out memref.load of arg1:
// TWICE: unchecked: the launch passes one piece of memory as arguments 0 and 1, which are two here
// WIDE: unchecked: the model cannot take what is given: '5000000000' for argument 2, which is 'i32': it holds numbers from -2147483648 to 4294967295
// PASSED: unchecked: the model cannot take what is given: '17' for argument 2, which is 'i32': the launch in the module passes 16
// OPEN: unchecked: the model takes no shapes: extent 0 of arg0 is 100 in the execution and 4096 in the model; workgroup

gpu.module @m {
  gpu.func @row(%in: memref<16x64xf32>, %out: memref<16x64xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 16, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %c1 = arith.constant 1 : index
    %i = arith.muli %t, %c4 : index
    scf.for %j = %c0 to %c4 step %c1 {
      %v = vector.load %in[%b, %i] : memref<16x64xf32>, vector<4xf32>
      vector.store %v, %out[%b, %i] : memref<16x64xf32>, vector<4xf32>
    }
    gpu.return
  }

  gpu.func @strided(%in: memref<65536xf32>, %out: memref<64xf32>, %n: i32) kernel
      attributes {known_block_size = array<i32: 4, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %i = gpu.global_id x
    %stride = arith.index_cast %n : i32 to index
    %at = arith.muli %i, %stride : index
    %v = memref.load %in[%at] : memref<65536xf32>
    memref.store %v, %out[%i] : memref<64xf32>
    gpu.return
  }

  gpu.func @open(%in: memref<?xf32>, %out: memref<1024xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 16, 1, 1>} {
    %i = gpu.global_id x
    %c0 = arith.constant 0 : index
    %n = memref.dim %in, %c0 : memref<?xf32>
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %v = memref.load %in[%i] : memref<?xf32>
      memref.store %v, %out[%i] : memref<1024xf32>
    }
    gpu.return
  }

  gpu.func @gather(%index: memref<64xi32>, %in: memref<64xf32>, %out: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %t = gpu.thread_id x
    %n = memref.load %index[%t] : memref<64xi32>
    %i = arith.index_cast %n : i32 to index
    %v = memref.load %in[%i] : memref<64xf32>
    memref.store %v, %out[%t] : memref<64xf32>
    gpu.return
  }
}

module attributes {gpu.container_module} {
gpu.module @shared {
  gpu.func @twice(%in: memref<16xf32>, %out: memref<16xf32>) kernel
      attributes {known_block_size = array<i32: 1, 1, 1>, known_grid_size = array<i32: 16, 1, 1>} {
    %b = gpu.block_id x
    %v = memref.load %in[%b] : memref<16xf32>
    memref.store %v, %out[%b] : memref<16xf32>
    gpu.return
  }

  gpu.func @passed(%in: memref<256xf32>, %out: memref<16xf32>, %n: i32) kernel
      attributes {known_block_size = array<i32: 1, 1, 1>, known_grid_size = array<i32: 15, 1, 1>} {
    %b = gpu.block_id x
    %stride = arith.index_cast %n : i32 to index
    %at = arith.muli %b, %stride : index
    %v = memref.load %in[%at] : memref<256xf32>
    memref.store %v, %out[%b] : memref<16xf32>
    gpu.return
  }
}

func.func @host(%m: memref<16xf32>, %in: memref<256xf32>, %out: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %n = arith.constant 16 : i32
  gpu.launch_func @shared::@passed blocks in (%c15, %c1, %c1) threads in (%c1, %c1, %c1) args(%in : memref<256xf32>, %out : memref<16xf32>, %n : i32)
  gpu.launch_func @shared::@twice blocks in (%c16, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<16xf32>, %m : memref<16xf32>)
  return
}
}
