// RUN: swizzle-opt %s -split-input-file --gpu-kernel-outlining --swizzle-print-model -o /dev/null | FileCheck %s

// The host makes the maps: boxes of rows and columns of two matrices are read, by
// one thread, and a box of the first one is written, which is an argument, too.
// CHECK-LABEL: kernel @product_kernel::@product_kernel
// CHECK-DAG: buffer arg[[A:[0-9]+]] 524288 bytes of 2
// CHECK-DAG: buffer arg[[B:[0-9]+]] 131072 bytes of 2
// CHECK: loop i < 4
// CHECK: read arg[[A]][65536*y + 128*i] 128 bytes x 128 at 512
// CHECK: write workgroup {{.*}} 16384 bytes per workgroup
// CHECK: read arg[[B]][128*x + 32768*i] 128 bytes x 64 at 512
// CHECK: write arg[[A]][128*x + 65536*y] 128 bytes x 128 at 512
// CHECK-NOT: not modelled
!rows = !nvgpu.tensormap.descriptor<tensor = memref<128x64xf16, 3>, swizzle = swizzle_128b, l2promo=none, oob=zero, interleave=none>
!columns = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo=none, oob=zero, interleave=none>
!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
func.func @product(%a: memref<1024x256xf16>, %b: memref<256x256xf16>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %ua = memref.cast %a : memref<1024x256xf16> to memref<*xf16>
  %ub = memref.cast %b : memref<256x256xf16> to memref<*xf16>
  %ma = nvgpu.tma.create.descriptor %ua box[%c128, %c64] : memref<*xf16> -> !rows
  %mb = nvgpu.tma.create.descriptor %ub box[%c64, %c64] : memref<*xf16> -> !columns
  gpu.launch blocks(%x, %y, %z) in (%gx = %c4, %gy = %c8, %gz = %c1)
             threads(%tx, %ty, %tz) in (%nx = %c128, %ny = %c1, %nz = %c1) {
    %c0 = arith.constant 0 : index
    %c32768 = arith.constant 32768 : index
    %one = arith.constant 1 : index
    %k1 = arith.constant 64 : index
    %k2 = arith.constant 256 : index
    %r1 = arith.constant 128 : index
    %p = arith.constant false
    %smem = memref.get_global @tiles : memref<24576xf16, 3>
    %l = memref.reinterpret_cast %smem to offset: [0], sizes: [128, 64], strides: [64, 1] : memref<24576xf16, 3> to memref<128x64xf16, 3>
    %r = memref.reinterpret_cast %smem to offset: [8192], sizes: [64, 64], strides: [64, 1] : memref<24576xf16, 3> to memref<64x64xf16, strided<[64, 1], offset: 8192>, 3>
    %barrier = nvgpu.mbarrier.create -> !bar
    %row = arith.muli %y, %r1 : index
    %column = arith.muli %x, %k1 : index
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.for %k = %c0 to %k2 step %k1 {
      scf.if %first {
        nvgpu.tma.async.load %ma[%k, %row], %barrier[%c0] to %l : !rows, !bar -> memref<128x64xf16, 3>
        nvgpu.tma.async.load %mb[%column, %k], %barrier[%c0] to %r : !columns, !bar -> memref<64x64xf16, strided<[64, 1], offset: 8192>, 3>
      }
    }
    nvgpu.tma.async.store %l to %ma[%column, %row], predicate = %first : memref<128x64xf16, 3> -> !rows
    gpu.terminator
  }
  return
}
memref.global "private" @tiles : memref<24576xf16, 3>

// -----

// A box that reaches beyond the tensor in the last row, a map that comes from
// elsewhere, an extent that nobody knows, one thread that is elected.
// CHECK-LABEL: kernel @beyond_kernel::@beyond_kernel
// CHECK: not modelled: read by nvgpu.tma.async.load of {{.*}}: a box that may reach beyond the tensor
// CHECK: not modelled: read by nvgpu.tma.async.load: a tensor-map copy, whose descriptor is not known
// CHECK: not modelled: read by nvgpu.tma.async.load: a tensor-map copy, whose descriptor is not known
!map = !nvgpu.tensormap.descriptor<tensor = memref<8x32xf32, 3>, swizzle = none, l2promo=none, oob=zero, interleave=none>
!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
memref.global "private" @tile : memref<8x32xf32, 3>
func.func @beyond(%a: memref<30x32xf32>, %b: memref<?x32xf32>, %foreign: !map) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %ua = memref.cast %a : memref<30x32xf32> to memref<*xf32>
  %ub = memref.cast %b : memref<?x32xf32> to memref<*xf32>
  %ma = nvgpu.tma.create.descriptor %ua box[%c8, %c32] : memref<*xf32> -> !map
  %mb = nvgpu.tma.create.descriptor %ub box[%c8, %c32] : memref<*xf32> -> !map
  gpu.launch blocks(%x, %y, %z) in (%gx = %c4, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%nx = %c32, %ny = %c1, %nz = %c1) {
    %c0 = arith.constant 0 : index
    %eight = arith.constant 8 : index
    %l = memref.get_global @tile : memref<8x32xf32, 3>
    %barrier = nvgpu.mbarrier.create -> !bar
    %row = arith.muli %x, %eight : index
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      nvgpu.tma.async.load %ma[%c0, %row], %barrier[%c0] to %l : !map, !bar -> memref<8x32xf32, 3>
      nvgpu.tma.async.load %mb[%c0, %row], %barrier[%c0] to %l : !map, !bar -> memref<8x32xf32, 3>
      nvgpu.tma.async.load %foreign[%c0, %row], %barrier[%c0] to %l : !map, !bar -> memref<8x32xf32, 3>
    }
    gpu.terminator
  }
  return
}
