// libcurl is mapped when a server is asked, not before: a compiler that loads
// the plugin for the planner, or for a formula, has no HTTP library in it.

// REQUIRES: no-sanitizers
// RUN: env LD_DEBUG=files %llvm_tools/mlir-opt %s --load-pass-plugin=%swizzle_bin_root/lib/SwizzlePlugin.so --load-dialect-plugin=%swizzle_bin_root/lib/SwizzlePlugin.so --pass-pipeline='builtin.module(hw-aware-swizzle{chip=mi300x})' -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=libcurl
// CHECK: file={{.*}}SwizzlePlugin.so

// RUN: echo '{"schema": "swizzle-agents/1", "agent": "openai", "model": "m", "base-url": "http://127.0.0.1:9/v1", "rounds": 1, "retries": 0}' > %t.json
// Nobody listens at this address; the library was opened to find out.
// RUN: env LD_DEBUG=files %llvm_tools/mlir-opt %s --load-pass-plugin=%swizzle_bin_root/lib/SwizzlePlugin.so --load-dialect-plugin=%swizzle_bin_root/lib/SwizzlePlugin.so --pass-pipeline='builtin.module(hw-aware-swizzle{chip=mi300x agent-config=%t.json})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ASKED
// ASKED: file={{.*}}libcurl
gpu.module @kernels {
  gpu.func @scale(%a: memref<64x32xf32>) kernel
      attributes {known_grid_size = array<i32: 64, 32, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %v = memref.load %a[%x, %y] : memref<64x32xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %a[%x, %y] : memref<64x32xf32>
    gpu.return
  }
}
