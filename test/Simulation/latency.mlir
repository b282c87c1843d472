// Workgroups wait for what they read, but not for copies that go on by themselves. In
// a product in which every thread makes one element, an order changes little else.

// RUN: swizzle-sim %s --chip=h200 --kernel=reads --json | FileCheck %s --check-prefix=READS
// READS: "bound": "latency"
// RUN: swizzle-sim %s --chip=h200 --kernel=copies --json | FileCheck %s --check-prefix=COPIES --implicit-check-not='"latency"'
// COPIES: "roofline"
// RUN: swizzle-opt %s --hw-aware-swizzle="chip=h200" -o /dev/null 2>&1 | FileCheck %s
// CHECK: product: remapped for h200, simulated {{[1-9][0-9][.][0-9]}} % faster

gpu.module @m {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<1024 x i32>

  llvm.func @reads(%a: !llvm.ptr<1> {llvm.noalias}, %c: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 4096, 1, 1>, gpu.known_block_size = array<i32: 256, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %n = llvm.mlir.constant(1024 : i32) : i32
    %four = llvm.mlir.constant(4 : i32) : i32
    %row = llvm.mul %x, %n overflow<nsw> : i32
    %in = llvm.mul %t, %four overflow<nsw> : i32
    %i = llvm.add %row, %in overflow<nsw> : i32
    %from = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %to = llvm.getelementptr %c[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %from : !llvm.ptr<1> -> f32
    llvm.store %v, %to : f32, !llvm.ptr<1>
    llvm.return
  }

  llvm.func @copies(%a: !llvm.ptr<1> {llvm.noalias}, %c: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 4096, 1, 1>, gpu.known_block_size = array<i32: 256, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %n = llvm.mlir.constant(1024 : i32) : i32
    %four = llvm.mlir.constant(4 : i32) : i32
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %row = llvm.mul %x, %n overflow<nsw> : i32
    %in = llvm.mul %t, %four overflow<nsw> : i32
    %i = llvm.add %row, %in overflow<nsw> : i32
    %from = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %to = llvm.getelementptr %c[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %place = llvm.getelementptr %tile[%in] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    nvvm.cp.async.shared.global %place, %from, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    llvm.store %one, %to : f32, !llvm.ptr<1>
    llvm.return
  }

  gpu.func @product(%a: memref<4096x4096xf32>, %b: memref<4096x4096xf32>, %c: memref<4096x4096xf32>) kernel
      attributes {known_grid_size = array<i32: 128, 128, 1>, known_block_size = array<i32: 32, 32, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %n = arith.constant 4096 : index
    %zero = arith.constant 0.0 : f32
    %i0 = arith.muli %by, %c32 : index
    %i = arith.addi %i0, %ty : index
    %j0 = arith.muli %bx, %c32 : index
    %j = arith.addi %j0, %tx : index
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> f32 {
      %l = memref.load %a[%i, %k] : memref<4096x4096xf32>
      %r = memref.load %b[%k, %j] : memref<4096x4096xf32>
      %p = arith.mulf %l, %r : f32
      %s = arith.addf %acc, %p : f32
      scf.yield %s : f32
    }
    memref.store %sum, %c[%i, %j] : memref<4096x4096xf32>
    gpu.return
  }
}
