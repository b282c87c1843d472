// The whole pipeline works in a stock mlir-opt: an explicit formula is proved,
// applied and lowered; the chip comes from the target; what is illegal is refused.

// REQUIRES: no-sanitizers
// RUN: %llvm_tools/mlir-opt %s --load-pass-plugin=%swizzle_bin_root/lib/SwizzlePlugin.so --load-dialect-plugin=%swizzle_bin_root/lib/SwizzlePlugin.so --pass-pipeline='builtin.module(hw-aware-swizzle{formula="n = gx // num_xcds; return x % num_xcds * n + x // num_xcds, y"},canonicalize)' | FileCheck %s
// RUN: not %llvm_tools/mlir-opt %s --load-pass-plugin=%swizzle_bin_root/lib/SwizzlePlugin.so --load-dialect-plugin=%swizzle_bin_root/lib/SwizzlePlugin.so --pass-pipeline='builtin.module(hw-aware-swizzle{formula="return x // 2, y"})' 2>&1 | FileCheck %s --check-prefix=ILLEGAL

// CHECK-LABEL: gpu.func @row
// CHECK-SAME:    swizzle.applied = #swizzle.formula<
// CHECK-SAME:    hardware = {num_xcds = 8 : i64}
// CHECK-NOT:     swizzle.remap
// CHECK:         arith.shrui
// CHECK:         memref.store
// ILLEGAL: error: {{.*}}the formula is not a permutation of the grid 64x32
// ILLEGAL: workgroups (0,0) and (1,0) both map to (0,0); (32,0) is never reached
gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  gpu.func @row(%out: memref<64x32xindex>) kernel attributes {known_grid_size = array<i32: 64, 32, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %c = arith.constant 7 : index
    memref.store %c, %out[%x, %y] : memref<64x32xindex>
    gpu.return
  }
}
