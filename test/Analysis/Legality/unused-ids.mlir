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
    %u1 = arith.muli %unused, %unused : index
    %u2 = arith.muli %u1, %u1 : index
    %u3 = arith.muli %u2, %u2 : index
    %u4 = arith.muli %u3, %u3 : index
    %u5 = arith.muli %u4, %u4 : index
    %u6 = arith.muli %u5, %u5 : index
    %u7 = arith.muli %u6, %u6 : index
    %u8 = arith.muli %u7, %u7 : index
    %u9 = arith.muli %u8, %u8 : index
    %u10 = arith.muli %u9, %u9 : index
    %u11 = arith.muli %u10, %u10 : index
    %u12 = arith.muli %u11, %u11 : index
    %u13 = arith.muli %u12, %u12 : index
    %u14 = arith.muli %u13, %u13 : index
    %u15 = arith.muli %u14, %u14 : index
    %u16 = arith.muli %u15, %u15 : index
    %u17 = arith.muli %u16, %u16 : index
    %u18 = arith.muli %u17, %u17 : index
    %u19 = arith.muli %u18, %u18 : index
    %u20 = arith.muli %u19, %u19 : index
    %u21 = arith.muli %u20, %u20 : index
    %u22 = arith.muli %u21, %u21 : index
    %u23 = arith.muli %u22, %u22 : index
    %u24 = arith.muli %u23, %u23 : index
    %u25 = arith.muli %u24, %u24 : index
    %u26 = arith.muli %u25, %u25 : index
    %u27 = arith.muli %u26, %u26 : index
    %u28 = arith.muli %u27, %u27 : index
    %u29 = arith.muli %u28, %u28 : index
    %u30 = arith.muli %u29, %u29 : index
    %u31 = arith.muli %u30, %u30 : index
    %u32 = arith.muli %u31, %u31 : index
    %u33 = arith.muli %u32, %u32 : index
    %u34 = arith.muli %u33, %u33 : index
    %u35 = arith.muli %u34, %u34 : index
    %u36 = arith.muli %u35, %u35 : index
    %u37 = arith.muli %u36, %u36 : index
    %u38 = arith.muli %u37, %u37 : index
    %u39 = arith.muli %u38, %u38 : index
    %u40 = arith.muli %u39, %u39 : index
    %u41 = arith.muli %u40, %u40 : index
    %u42 = arith.muli %u41, %u41 : index
    %u43 = arith.muli %u42, %u42 : index
    %u44 = arith.muli %u43, %u43 : index
    %u45 = arith.muli %u44, %u44 : index
    %u46 = arith.muli %u45, %u45 : index
    %u47 = arith.muli %u46, %u46 : index
    %u48 = arith.muli %u47, %u47 : index
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
