// An id that is read and never used, as outlining leaves it, tells no workgroups apart;
// and a grid of data that nobody knows the size of is one that can be launched.

// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x, y, z'" -o /dev/null 2>&1 | FileCheck %s
// CHECK: k: remapped
// RUN: mlir-opt %S/Inputs/three-extents.mlir --gpu-kernel-outlining | swizzle-opt --hw-aware-swizzle=chip=h200 -o /dev/null 2>&1 | FileCheck %s --check-prefix=OUTLINED
// OUTLINED: f_kernel: kept as it is (not-memory-bound)
gpu.module @m {
  gpu.func @k(%a: memref<?x?xf32> {llvm.noalias}, %o: memref<?x?xf32> {llvm.noalias}, %n: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %unused = arith.muli %z, %n : index
    %t = gpu.thread_id x
    %c256 = arith.constant 256 : index
    %b = arith.muli %x, %c256 : index
    %i = arith.addi %b, %t : index
    %p = arith.cmpi ult, %i, %n : index
    scf.if %p {
      %v = memref.load %a[%y, %i] : memref<?x?xf32>
      memref.store %v, %o[%y, %i] : memref<?x?xf32>
    }
    gpu.return
  }
}
