// Kernels whose grid is one row: known and too large to enumerate, and unknown.
// RUN: swizzle-opt %s --hw-aware-swizzle="formula=@xcd-balanced chip=mi300x" --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='q, r = gx // num_xcds, gx % num_xcds; d, j = x % num_xcds, x // num_xcds; return d * q + min(d, r) + j' chip=mi300x" --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: swizzle-opt %s --hw-aware-swizzle="formula=@xcd-balanced chip=mi300x" 2>/dev/null | FileCheck %s
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='q, r = gx // num_xcds, gx % num_xcds; d, j = x % num_xcds, x // num_xcds; return d * q + min(d, r) + j' chip=mi300x" 2>/dev/null | FileCheck %s

// REMARK: Passed{{.*}}Function=large{{.*}}Proof=nest
// REMARK: Passed{{.*}}Function=unknown{{.*}}Proof=nest

// CHECK-LABEL: gpu.func @large
// CHECK-NOT: gpu.grid_dim
// CHECK: arith.addi
// CHECK-LABEL: gpu.func @unknown
// CHECK: gpu.grid_dim x
gpu.module @m {
  gpu.func @large(%a: memref<?xf32> {llvm.noalias}, %o: memref<?xf32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 5000000, 1, 1>, known_block_size = array<i32: 256, 1, 1>} {
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %bd = gpu.block_dim x
    %b = arith.muli %x, %bd : index
    %i = arith.addi %b, %t : index
    %v = memref.load %a[%i] : memref<?xf32>
    memref.store %v, %o[%i] : memref<?xf32>
    gpu.return
  }

  gpu.func @unknown(%a: memref<?xf32> {llvm.noalias}, %o: memref<?xf32> {llvm.noalias}) kernel {
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %bd = gpu.block_dim x
    %b = arith.muli %x, %bd : index
    %i = arith.addi %b, %t : index
    %v = memref.load %a[%i] : memref<?xf32>
    memref.store %v, %o[%i] : memref<?xf32>
    gpu.return
  }
}
