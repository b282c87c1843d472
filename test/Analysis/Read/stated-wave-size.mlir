// Lanes of a wave that the kernel itself is compiled for are those, whatever the chip
// has by default, and in every tool.

// RUN: swizzle-sim %s --chip=mi300x --json | FileCheck %s
// RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL
// CHECK-NOT: subgroup size
// MODEL:     write arg0[128*x] 4 bytes
// MODEL-NOT: subgroup size
llvm.func @k(%a: !llvm.ptr) attributes {rocdl.kernel, passthrough = [["target-features", "+wavefrontsize32"]], known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 256, 1, 1>} {
  %x = rocdl.workgroup.id.x : i32
  %w = rocdl.wavefrontsize : i32
  %m = llvm.mul %x, %w : i32
  %p = llvm.getelementptr %a[%m] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.return
}
