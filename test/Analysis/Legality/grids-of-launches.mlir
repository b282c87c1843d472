// Each launch in the module counts, with its grid: workgroups that meet on the grid of one
// meet, whatever the sizes are that nobody knows.

// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x'" -o /dev/null 2>&1 | FileCheck %s
// CHECK-DAG: slots: may not be remapped (cross-workgroup-write): a workgroup writes bytes of arg1 that another one writes
// CHECK-DAG: few: remapped
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @slots(%a: memref<?xf32> {llvm.noalias}, %o: memref<?xf32> {llvm.noalias}) kernel {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %f1 = arith.constant 1.0 : f32
      %slot = arith.remui %x, %c16 : index
      %begin = arith.muli %slot, %c64 : index
      %i = arith.addi %begin, %t : index
      memref.store %f1, %o[%i] : memref<?xf32>
      gpu.return
    }
    gpu.func @few(%a: memref<?xf32> {llvm.noalias}, %o: memref<?xf32> {llvm.noalias}) kernel {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c16 = arith.constant 16 : index
      %c64 = arith.constant 64 : index
      %f1 = arith.constant 1.0 : f32
      %slot = arith.remui %x, %c16 : index
      %begin = arith.muli %slot, %c64 : index
      %i = arith.addi %begin, %t : index
      memref.store %f1, %o[%i] : memref<?xf32>
      gpu.return
    }
  }
  func.func @host(%A: memref<?xf32>, %B: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c17 = arith.constant 17 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@slots blocks in (%c16, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<?xf32>, %B : memref<?xf32>)
    gpu.launch_func @m::@slots blocks in (%c17, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<?xf32>, %B : memref<?xf32>)
    gpu.launch_func @m::@few blocks in (%c16, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<?xf32>, %B : memref<?xf32>)
    gpu.launch_func @m::@few blocks in (%c8, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<?xf32>, %B : memref<?xf32>)
    return
  }
}
