// Text that is no IR is an error with its place, and no output.
// RUN: rm -f %t.out
// RUN: not swizzle-opt %s --hw-aware-swizzle -o %t.out 2>&1 | FileCheck %s
// RUN: not ls %t.out
// CHECK: malformed.mlir:7:{{[0-9]+}}: error:
gpu.module @m {
  gpu.func @k( kernel {
