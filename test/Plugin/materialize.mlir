// Lowering works in a stock mlir-opt, and canonicalisation of the host after it.

// REQUIRES: no-sanitizers
// RUN: %llvm_tools/mlir-opt %s --load-pass-plugin=%swizzle_bin_root/lib/SwizzlePlugin.so --load-dialect-plugin=%swizzle_bin_root/lib/SwizzlePlugin.so --pass-pipeline='builtin.module(swizzle-materialize,canonicalize)' | FileCheck %s

// CHECK-LABEL: gpu.func @transpose
// CHECK-SAME:    swizzle.applied = #swizzle.formula<"return y, x"
// CHECK-NOT:     swizzle.remap
// CHECK-DAG:     %[[X:.*]] = gpu.block_id x
// CHECK-DAG:     %[[Y:.*]] = gpu.block_id y
// CHECK:         memref.store %{{.*}}, %{{.*}}[%[[Y]], %[[X]]]
gpu.module @kernels {
  gpu.func @transpose(%out: memref<8x8xindex>) kernel attributes {known_grid_size = array<i32: 8, 8, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %new_x, %new_y, %new_z = swizzle.remap (%x, %y, %z) grid [8, 8, 1] #swizzle.formula<"return y, x", params = {}, hardware = {}>
    memref.store %z, %out[%new_x, %new_y] : memref<8x8xindex>
    gpu.return
  }
}
