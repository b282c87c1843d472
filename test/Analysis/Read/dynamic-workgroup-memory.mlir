// Workgroup memory that a launch adds counts, as the launch has it, else as somebody
// says; the check gives the kernel as much.

// RUN: swizzle-opt %s --swizzle-print-model -o /dev/null | FileCheck %s
// RUN: swizzle-check %s --model | FileCheck %s --check-prefix=MODEL
// RUN: sed 's/dynamic_shared_memory_size %bytes//' %s > %t.mlir
// RUN: swizzle-opt %t.mlir --swizzle-print-model -o /dev/null | FileCheck %s --check-prefix=UNSAID
// RUN: swizzle-sim %t.mlir --chip=h200 --dynamic-workgroup-bytes=114000 | FileCheck %s --check-prefix=TWO

// CHECK: kernel @m::@k grid 8x1x1 block 32x1x1 workgroup memory 128 bytes
// MODEL: passed
// UNSAID-NOT: workgroup memory
// TWO: 2 workgroups a compute unit
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%in: memref<256xi32>, %out: memref<256xi32>) kernel {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c31 = arith.constant 31 : index
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %first = arith.muli %x, %c32 : index
      %i = arith.addi %first, %t : index
      %v = memref.load %in[%i] : memref<256xi32>
      %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %tile = memref.view %bytes[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<32xi32, #gpu.address_space<workgroup>>
      memref.store %v, %tile[%t] : memref<32xi32, #gpu.address_space<workgroup>>
      gpu.barrier
      %other = arith.subi %c31, %t : index
      %w = memref.load %tile[%other] : memref<32xi32, #gpu.address_space<workgroup>>
      memref.store %w, %out[%i] : memref<256xi32>
      gpu.return
    }
  }
  func.func @main(%in: memref<256xi32>, %out: memref<256xi32>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %bytes = arith.constant 128 : i32
    gpu.launch_func @m::@k blocks in (%c8, %c1, %c1) threads in (%c32, %c1, %c1) dynamic_shared_memory_size %bytes args(%in : memref<256xi32>, %out : memref<256xi32>)
    return
  }
}
