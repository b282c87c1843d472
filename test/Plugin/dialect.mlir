// The dialect works in a stock mlir-opt.

// REQUIRES: no-sanitizers
// RUN: %llvm_tools/mlir-opt %s --load-dialect-plugin=%swizzle_bin_root/lib/SwizzlePlugin.so | FileCheck %s
// RUN: not %llvm_tools/mlir-opt %s 2>&1 | FileCheck %s --check-prefix=WITHOUT

// CHECK-LABEL: gpu.func @kernel
// CHECK:         swizzle.remap{{ ?}}(%{{.*}}) grid [8, 8, 1]{{.*}}"return x, y"
// WITHOUT: error: {{.*}}swizzle
gpu.module @kernels {
  gpu.func @kernel() kernel {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %new_x, %new_y, %new_z = swizzle.remap (%x, %y, %z) grid [8, 8, 1] #swizzle.formula<"return x, y", params = {}, hardware = {}>
    gpu.return
  }
}
