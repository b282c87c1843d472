// A whole launch on contents that are given: what the buffers hold then, and what is
// refused. `add` adds a number and the workgroup's to each byte; `beyond` leaves its buffer.
// RUN: rm -rf %t && mkdir -p %t/out && printf abcdefgh > %t/in
// RUN: swizzle-check %s --kernel=add --argument=0=@%t/in --argument=1=1 --run=%t/out | FileCheck %s
// RUN: FileCheck %s --check-prefix=OUT < %t/out/arg0
// CHECK: done
// CHECK-NEXT: all 2 workgroups run, grid 2, block 4, 16 accesses
// OUT: {{^}}bcdeghij{{$}}

// What one launch leaves, the next one takes:
// RUN: swizzle-check %s --kernel=add --argument=0=@%t/out/arg0 --argument=1=1 --run=%t/out
// RUN: FileCheck %s --check-prefix=AGAIN < %t/out/arg0
// AGAIN: {{^}}cdefijkl{{$}}

// A pointer leads to as many bytes as are given:
// RUN: rm -rf %t/out && mkdir %t/out
// RUN: sh -c 'swizzle-check %s --kernel=beyond --grid=2 --block=4 --argument=0=@%t/in --run=%t/out > %t/said; test $? = 1'
// RUN: FileCheck %s --check-prefix=BEYOND < %t/said
// RUN: not ls %t/out/arg0
// BEYOND: failed: workgroup (1,0,0), thread (3,0,0), llvm.store at {{.*}}: writes 1 bytes at byte 8 of arg0, which has 8 bytes

// RUN: sh -c 'swizzle-check %s --kernel=unit --argument=0=@%t/in --run=%t/out > %t/said; test $? = 3'
// RUN: FileCheck %s --check-prefix=UNIT < %t/said
// UNIT: unchecked: op amdgpu.wmma at {{.*}}run.mlir:[[#]]:[[#]]

// RUN: not swizzle-check %s --kernel=add --argument=0=@%t/in --run=%t/out 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: --run needs --argument=1=VALUE
// RUN: not swizzle-check %s --kernel=add --argument=0=8 --argument=1=1 --run=%t/out 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: --run needs --argument=0=@FILE
// RUN: not swizzle-check %s --kernel=beyond --argument=0=@%t/in --run=%t/out 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: the module leaves grid or block open: give --grid and --block
// RUN: not swizzle-check %s --kernel=add --grid=3 --argument=0=@%t/in --argument=1=1 --run=%t/out 2>&1 | FileCheck %s --check-prefix=GRID
// GRID: --grid=3 contradicts the module, which has 2
// RUN: printf abc > %t/short
// RUN: not swizzle-check %s --kernel=add --argument=0=@%t/short --argument=1=1 --run=%t/out 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: argument 0: its contents have 3 bytes, the buffer has 8
// RUN: not swizzle-check %s --run=%t/out --json 2>&1 | FileCheck %s --check-prefix=JSON
// JSON: --json goes with verdicts, and --run has none

gpu.module @m {
  gpu.func @add(%a: memref<8xi8>, %more: i8) kernel
      attributes {known_block_size = array<i32: 4, 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {
    %i = gpu.global_id x
    %b = gpu.block_id x
    %number = arith.index_cast %b : index to i8
    %old = memref.load %a[%i] : memref<8xi8>
    %sum = arith.addi %old, %number : i8
    %new = arith.addi %sum, %more : i8
    memref.store %new, %a[%i] : memref<8xi8>
    gpu.return
  }

  llvm.func @beyond(%a: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i8) : i8
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c5 = llvm.mlir.constant(5 : i32) : i32
    %first = llvm.mul %b, %c5 : i32
    %i = llvm.add %first, %t : i32
    %at = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    llvm.store %zero, %at : i8, !llvm.ptr
    llvm.return
  }

  gpu.func @unit(%a: memref<8xi8>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %v = arith.constant dense<1.0> : vector<16xf16>
    %c = arith.constant dense<0.0> : vector<8xf32>
    %d = amdgpu.wmma 16x16x16 %v * %v + %c : vector<16xf16>, vector<16xf16>, vector<8xf32>
    gpu.return
  }
}
