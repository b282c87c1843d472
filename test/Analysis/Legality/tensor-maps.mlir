// Copies and updates by tensor maps that the host code in the module makes.

// RUN: swizzle-opt %s -split-input-file --gpu-kernel-outlining --hw-aware-swizzle="chip=h200 formula='return gx - 1 - x'" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

// Boxes that lie one behind the other.
// CHECK: Passed{{.*}}Function=apart_kernel | Assuming="workgroups stay apart for the sizes that are launched as they do for those that were assumed (the tensor map of arg0 (from the launch))"
!map = !nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = none, l2promo=none, oob=zero, interleave=none>
memref.global "private" @tile : memref<8x32xf32, 3>
func.func @apart(%a: memref<128x32xf32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %u = memref.cast %a : memref<128x32xf32> to memref<*xf32>
  %m = nvgpu.tma.create.descriptor %u box[%c8, %c32] : memref<*xf32> -> !map
  gpu.launch blocks(%x, %y, %z) in (%gx = %c16, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%nx = %c32, %ny = %c1, %nz = %c1) {
    %c0 = arith.constant 0 : index
    %step = arith.constant 8 : index
    %tile = memref.get_global @tile : memref<8x32xf32, 3>
    %row = arith.muli %x, %step : index
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      nvgpu.tma.async.store %tile to %m[%c0, %row] : memref<8x32xf32, 3> -> !map
    }
    gpu.terminator
  }
  return
}

// -----

// Boxes that share half of their rows.
// CHECK: Missed{{.*}}Function=overlapping_kernel | Code=cross-workgroup-write
!map = !nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = none, l2promo=none, oob=zero, interleave=none>
memref.global "private" @tile : memref<8x32xf32, 3>
func.func @overlapping(%a: memref<128x32xf32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %u = memref.cast %a : memref<128x32xf32> to memref<*xf32>
  %m = nvgpu.tma.create.descriptor %u box[%c8, %c32] : memref<*xf32> -> !map
  gpu.launch blocks(%x, %y, %z) in (%gx = %c16, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%nx = %c32, %ny = %c1, %nz = %c1) {
    %c0 = arith.constant 0 : index
    %step = arith.constant 4 : index
    %tile = memref.get_global @tile : memref<8x32xf32, 3>
    %row = arith.muli %x, %step : index
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      nvgpu.tma.async.store %tile to %m[%c0, %row] : memref<8x32xf32, 3> -> !map
    }
    gpu.terminator
  }
  return
}

// -----

// Sums of one box commute.
// CHECK: Function=sum_kernel | Note="not bit-stable
// CHECK: Passed{{.*}}Function=sum_kernel
!map = !nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = none, l2promo=none, oob=zero, interleave=none>
memref.global "private" @tile : memref<8x32xf32, 3>
func.func @sum(%a: memref<128x32xf32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %u = memref.cast %a : memref<128x32xf32> to memref<*xf32>
  %m = nvgpu.tma.create.descriptor %u box[%c8, %c32] : memref<*xf32> -> !map
  gpu.launch blocks(%x, %y, %z) in (%gx = %c16, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%nx = %c32, %ny = %c1, %nz = %c1) {
    %c0 = arith.constant 0 : index
    %step = arith.constant 0 : index
    %tile = memref.get_global @tile : memref<8x32xf32, 3>
    %row = arith.muli %x, %step : index
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      %map = builtin.unrealized_conversion_cast %m : !map to !llvm.ptr
      %zero = arith.constant 0 : i32
      %at = arith.index_cast %row : index to i32
      %base = memref.extract_aligned_pointer_as_index %tile : memref<8x32xf32, 3> -> index
      %word = arith.index_cast %base : index to i64
      %source = llvm.inttoptr %word : i64 to !llvm.ptr<3>
      nvvm.cp.async.bulk.tensor.reduce %map, %source, box[%zero, %at] {redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, !llvm.ptr<3>
    }
    gpu.terminator
  }
  return
}

// -----

// A sum and a maximum of one box do not.
// CHECK: Missed{{.*}}Function=sum_and_maximum_kernel | Code=atomic-not-commutative
!map = !nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = none, l2promo=none, oob=zero, interleave=none>
memref.global "private" @tile : memref<8x32xf32, 3>
func.func @sum_and_maximum(%a: memref<128x32xf32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %u = memref.cast %a : memref<128x32xf32> to memref<*xf32>
  %m = nvgpu.tma.create.descriptor %u box[%c8, %c32] : memref<*xf32> -> !map
  gpu.launch blocks(%x, %y, %z) in (%gx = %c16, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%nx = %c32, %ny = %c1, %nz = %c1) {
    %c0 = arith.constant 0 : index
    %step = arith.constant 0 : index
    %tile = memref.get_global @tile : memref<8x32xf32, 3>
    %row = arith.muli %x, %step : index
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      %map = builtin.unrealized_conversion_cast %m : !map to !llvm.ptr
      %zero = arith.constant 0 : i32
      %at = arith.index_cast %row : index to i32
      %base = memref.extract_aligned_pointer_as_index %tile : memref<8x32xf32, 3> -> index
      %word = arith.index_cast %base : index to i64
      %source = llvm.inttoptr %word : i64 to !llvm.ptr<3>
      nvvm.cp.async.bulk.tensor.reduce %map, %source, box[%zero, %at] {redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, !llvm.ptr<3>
      nvvm.cp.async.bulk.tensor.reduce %map, %source, box[%zero, %at] {redKind = #nvvm.tma_redux_kind<max>} : !llvm.ptr, !llvm.ptr<3>
    }
    gpu.terminator
  }
  return
}

// -----

// Those of boxes that lie apart do.
// CHECK: Passed{{.*}}Function=sums_and_maxima_kernel
!map = !nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = none, l2promo=none, oob=zero, interleave=none>
memref.global "private" @tile : memref<8x32xf32, 3>
func.func @sums_and_maxima(%a: memref<128x32xf32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %u = memref.cast %a : memref<128x32xf32> to memref<*xf32>
  %m = nvgpu.tma.create.descriptor %u box[%c8, %c32] : memref<*xf32> -> !map
  gpu.launch blocks(%x, %y, %z) in (%gx = %c16, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%nx = %c32, %ny = %c1, %nz = %c1) {
    %c0 = arith.constant 0 : index
    %step = arith.constant 8 : index
    %tile = memref.get_global @tile : memref<8x32xf32, 3>
    %row = arith.muli %x, %step : index
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      %map = builtin.unrealized_conversion_cast %m : !map to !llvm.ptr
      %zero = arith.constant 0 : i32
      %at = arith.index_cast %row : index to i32
      %base = memref.extract_aligned_pointer_as_index %tile : memref<8x32xf32, 3> -> index
      %word = arith.index_cast %base : index to i64
      %source = llvm.inttoptr %word : i64 to !llvm.ptr<3>
      nvvm.cp.async.bulk.tensor.reduce %map, %source, box[%zero, %at] {redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, !llvm.ptr<3>
      nvvm.cp.async.bulk.tensor.reduce %map, %source, box[%zero, %at] {redKind = #nvvm.tma_redux_kind<max>} : !llvm.ptr, !llvm.ptr<3>
    }
    gpu.terminator
  }
  return
}

// -----

// A map that comes from elsewhere.
// CHECK: Passed{{.*}}Function=foreign_kernel | Assuming="writes of some buffer by nvgpu.tma.async.store
!map = !nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = none, l2promo=none, oob=zero, interleave=none>
memref.global "private" @tile : memref<8x32xf32, 3>
func.func @foreign(%m: !map) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c16, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%nx = %c32, %ny = %c1, %nz = %c1) {
    %c0 = arith.constant 0 : index
    %step = arith.constant 8 : index
    %tile = memref.get_global @tile : memref<8x32xf32, 3>
    %row = arith.muli %x, %step : index
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      nvgpu.tma.async.store %tile to %m[%c0, %row] : memref<8x32xf32, 3> -> !map
    }
    gpu.terminator
  }
  return
}

// -----

// Boxes of which the last ones may reach beyond the tensor.
// CHECK: Passed{{.*}}Function=beyond_kernel | Assuming="writes of arg0 by nvgpu.tma.async.store of arg0 (a box that may reach beyond the tensor)
!map = !nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = none, l2promo=none, oob=zero, interleave=none>
memref.global "private" @tile : memref<8x32xf32, 3>
func.func @beyond(%a: memref<128x32xf32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %u = memref.cast %a : memref<128x32xf32> to memref<*xf32>
  %m = nvgpu.tma.create.descriptor %u box[%c8, %c32] : memref<*xf32> -> !map
  gpu.launch blocks(%x, %y, %z) in (%gx = %c16, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%nx = %c32, %ny = %c1, %nz = %c1) {
    %c0 = arith.constant 0 : index
    %step = arith.constant 9 : index
    %tile = memref.get_global @tile : memref<8x32xf32, 3>
    %row = arith.muli %x, %step : index
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      nvgpu.tma.async.store %tile to %m[%c0, %row] : memref<8x32xf32, 3> -> !map
    }
    gpu.terminator
  }
  return
}

// -----

// Nobody else can launch a private kernel, so that the map is a fact.
// CHECK: Passed{{.*}}Function=alone | Formula=
!map = !nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = none, l2promo=none, oob=zero, interleave=none>
module attributes {gpu.container_module} {
  gpu.module @m attributes {sym_visibility = "private"} {
    memref.global "private" @tile : memref<8x32xf32, 3>
    gpu.func @alone(%m: !map) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_grid_size = array<i32: 16, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %x = gpu.block_id x
      %row = arith.muli %x, %c8 : index
      %tile = memref.get_global @tile : memref<8x32xf32, 3>
      nvgpu.tma.async.store %tile to %m[%c0, %row] : memref<8x32xf32, 3> -> !map
      gpu.return
    }
  }
  func.func @launches(%a: memref<128x32xf32>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %u = memref.cast %a : memref<128x32xf32> to memref<*xf32>
    %map = nvgpu.tma.create.descriptor %u box[%c8, %c32] : memref<*xf32> -> !map
    gpu.launch_func @m::@alone blocks in (%c16, %c1, %c1) threads in (%c1, %c1, %c1) args(%map : !map)
    return
  }
}

// -----

// What an argument is said to be of is claimed, whoever launches the kernel.
// CHECK: Passed{{.*}}Function=claimed_and_private | Assuming="{{.*}}the tensor map of arg0 (from the launch)
!map = !nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = none, l2promo=none, oob=zero, interleave=none>
module attributes {gpu.container_module} {
  gpu.module @m attributes {sym_visibility = "private"} {
    memref.global "private" @tile : memref<8x32xf32, 3>
    gpu.func @claimed_and_private(%m: !map {swizzle.tensor_map = array<i64: 4, 128, 32, 32, 1, 8, 32>}) kernel attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 16, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %tile = memref.get_global @tile : memref<8x32xf32, 3>
      %row = arith.muli %x, %c8 : index
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        nvgpu.tma.async.store %tile to %m[%c0, %row] : memref<8x32xf32, 3> -> !map
      }
      gpu.return
    }
  }
  func.func @host(%m: !map) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @m::@claimed_and_private blocks in (%c16, %c1, %c1) threads in (%c32, %c1, %c1) args(%m : !map)
    return
  }
}
