// compose plans a kernel that carries a remap of ours anew: the remap is taken
// out, the kernel is read as it was, and a better order takes the remap's place.
// REQUIRES: no-sanitizers
// RUN: swizzle-opt %s --hw-aware-swizzle="chip=mi300x" --canonicalize > %t.best
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x, y' chip=mi300x" > %t.once
// RUN: swizzle-opt %t.once --hw-aware-swizzle="chip=mi300x compose=true" --canonicalize | diff %t.best -
// RUN: swizzle-opt %t.once --canonicalize --hw-aware-swizzle="chip=mi300x compose=true" --canonicalize | FileCheck %s

// One that is as good stays to the byte.
// RUN: swizzle-opt %t.best --hw-aware-swizzle="chip=mi300x compose=true" 2>%t.err | diff %t.best -
// RUN: FileCheck %s --check-prefix=KEPT < %t.err

// CHECK: swizzle.applied = #swizzle.formula<"i = y * gx + x;
// CHECK-NOT: swizzle.composed
// KEPT: stencil2d_kernel: kept as it is (no-gain): the remap that the kernel carries is simulated to take
#map = affine_map<()[s0] -> (s0 * 8)>
#map1 = affine_map<()[s0] -> (s0 * 64)>
gpu.module @stencil2d_kernel {
  gpu.func @stencil2d_kernel(%arg0: memref<8192x8192xf32>, %arg1: memref<8192x8192xf32>) kernel attributes {known_block_size = array<i32: 64, 8, 1>, known_grid_size = array<i32: 128, 1024, 1>} {
    %c1 = arith.constant 1 : index
    %cst = arith.constant -4.000000e+00 : f32
    %c8190 = arith.constant 8190 : index
    %c0 = arith.constant 0 : index
    %c-1 = arith.constant -1 : index
    %block_id_x = gpu.block_id  x
    %block_id_y = gpu.block_id  y
    %thread_id_x = gpu.thread_id  x
    %thread_id_y = gpu.thread_id  y
    %0 = affine.apply #map()[%block_id_y]
    %1 = affine.apply #map1()[%block_id_x]
    %2 = arith.addi %thread_id_y, %0 : index
    %3 = arith.addi %thread_id_x, %1 : index
    %4 = arith.addi %2, %c-1 : index
    %5 = arith.cmpi sge, %4, %c0 : index
    %6 = arith.subi %c8190, %2 : index
    %7 = arith.cmpi sge, %6, %c0 : index
    %8 = arith.andi %5, %7 : i1
    %9 = arith.addi %3, %c-1 : index
    %10 = arith.cmpi sge, %9, %c0 : index
    %11 = arith.andi %8, %10 : i1
    %12 = arith.subi %c8190, %3 : index
    %13 = arith.cmpi sge, %12, %c0 : index
    %14 = arith.andi %11, %13 : i1
    scf.if %14 {
      %15 = memref.load %arg0[%2, %3] : memref<8192x8192xf32>
      %16 = arith.mulf %15, %cst : f32
      %17 = memref.load %arg0[%4, %3] : memref<8192x8192xf32>
      %18 = arith.addf %16, %17 : f32
      %19 = arith.addi %2, %c1 : index
      %20 = memref.load %arg0[%19, %3] : memref<8192x8192xf32>
      %21 = arith.addf %18, %20 : f32
      %22 = memref.load %arg0[%2, %9] : memref<8192x8192xf32>
      %23 = arith.addf %21, %22 : f32
      %24 = arith.addi %3, %c1 : index
      %25 = memref.load %arg0[%2, %24] : memref<8192x8192xf32>
      %26 = arith.addf %23, %25 : f32
      memref.store %26, %arg1[%2, %3] : memref<8192x8192xf32>
    }
    gpu.return
  }
}
