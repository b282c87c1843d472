// Buffers in, buffers out; the start value is still part of the product.
// RUN: swizzle-lower %s --chip=h200 | FileCheck %s

// CHECK-LABEL: func.func @product(
// CHECK-SAME: memref<1024x512xf16>, %{{.*}}: memref<512x768xf16>, %{{.*}}: memref<1024x768xf32>)
// CHECK: gpu.launch_func
// CHECK-NOT: gpu.launch_func
// CHECK-NOT: memref.copy
// CHECK: gpu.module @product_kernel [#nvvm.target<O = 3, chip = "sm_90"
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<4x4xf32>)
func.func @product(%a: memref<1024x512xf16>, %b: memref<512x768xf16>, %c: memref<1024x768xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<1024x768xf32>)
  linalg.matmul ins(%a, %b : memref<1024x512xf16>, memref<512x768xf16>) outs(%c : memref<1024x768xf32>)
  return
}

// What is read in between keeps its own kernel.
// CHECK-LABEL: func.func @read_between(
// CHECK-COUNT-3: gpu.launch_func
// CHECK: return
func.func @read_between(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
  linalg.exp ins(%c : memref<64x64xf32>) outs(%b : memref<64x64xf32>)
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
