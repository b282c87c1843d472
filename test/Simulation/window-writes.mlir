// Workgroups read for long and write at their ends, or write the same again in each turn.
// What a window of the launch tells of such a kernel is what the launch writes: 4 MiB.

// RUN: swizzle-opt %s --hw-aware-swizzle="chip=h200 report=%t.json" -o /dev/null
// RUN: FileCheck %s < %t.json
// CHECK: "name": "at_the_end"
// CHECK: prefix"
// CHECK: "dram_write_bytes": {{4[12][0-9]{5}(\.|,)}}
// CHECK: "name": "in_each_turn"
// CHECK: prefix"
// CHECK: "dram_write_bytes": {{4[123][0-9]{5}(\.|,)}}

// All workgroups add to the same: the launch writes it once, 1 MiB.
// CHECK: "name": "all_to_one"
// CHECK: prefix"
// CHECK: "dram_write_bytes": {{10[0-9]{5}(\.|,)}}
gpu.module @m {
  gpu.func @at_the_end(%in: memref<1048576xf32> {llvm.noalias}, %out: memref<4096x256xf32> {llvm.noalias}) kernel
      attributes {known_grid_size = array<i32: 4096, 1, 1>, known_block_size = array<i32: 256, 1, 1>} {
    %c256 = arith.constant 256 : index
    %n = arith.constant 1048576 : index
    %zero = arith.constant 0.0 : f32
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %sum = scf.for %i = %t to %n step %c256 iter_args(%s = %zero) -> f32 {
      %v = memref.load %in[%i] : memref<1048576xf32>
      %r = arith.addf %s, %v : f32
      scf.yield %r : f32
    }
    memref.store %sum, %out[%x, %t] : memref<4096x256xf32>
    gpu.return
  }
  gpu.func @in_each_turn(%in: memref<1048576xf32> {llvm.noalias}, %out: memref<4096x256xf32> {llvm.noalias}) kernel
      attributes {known_grid_size = array<i32: 4096, 1, 1>, known_block_size = array<i32: 256, 1, 1>} {
    %c256 = arith.constant 256 : index
    %n = arith.constant 1048576 : index
    %x = gpu.block_id x
    %t = gpu.thread_id x
    scf.for %i = %t to %n step %c256 {
      %v = memref.load %in[%i] : memref<1048576xf32>
      %s = memref.load %out[%x, %t] : memref<4096x256xf32>
      %r = arith.addf %s, %v : f32
      memref.store %r, %out[%x, %t] : memref<4096x256xf32>
    }
    gpu.return
  }
  gpu.func @all_to_one(%in: memref<17179869184xi32> {llvm.noalias}, %out: memref<262144xi32> {llvm.noalias}) kernel
      attributes {known_grid_size = array<i32: 67108864, 1, 1>, known_block_size = array<i32: 256, 1, 1>} {
    %c256 = arith.constant 256 : index
    %c1024 = arith.constant 1024 : index
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %b = arith.muli %x, %c256 : index
    %i = arith.addi %b, %t : index
    %r = arith.remui %x, %c1024 : index
    %rb = arith.muli %r, %c256 : index
    %j = arith.addi %rb, %t : index
    %v = memref.load %in[%i] : memref<17179869184xi32>
    %u = memref.atomic_rmw addi %v, %out[%j] : (i32, memref<262144xi32>) -> i32
    gpu.return
  }
}
