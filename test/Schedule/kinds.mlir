// Each kind of operation, and what its threads do.
// REQUIRES: no-sanitizers
// RUN: swizzle-lower %s --chip=mi300x | FileCheck %s
// RUN: swizzle-lower %s --chip=mi300x | swizzle-opt --hw-aware-swizzle=chip=mi300x -o /dev/null

// Four parallel loops: what is beyond three shares z.
// CHECK-LABEL: func.func @convolution
// CHECK: gpu.launch_func @convolution_kernel
// CHECK: known_block_size = array<i32: 16, 14, 1>, known_grid_size = array<i32: 2, 1, 112>
// CHECK-COUNT-3: scf.for {{.*}} -> (vector<4x4xf32>)
func.func @convolution(%in: tensor<2x58x58x64xf32>, %w: tensor<3x3x64x128xf32>) -> tensor<2x56x56x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x56x56x128xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x56x56x128xf32>) -> tensor<2x56x56x128xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%in, %w : tensor<2x58x58x64xf32>, tensor<3x3x64x128xf32>)
      outs(%start : tensor<2x56x56x128xf32>) -> tensor<2x56x56x128xf32>
  return %r : tensor<2x56x56x128xf32>
}

// Sizes known at run time only: one point a thread, guarded at the edges.
// CHECK-LABEL: func.func @dynamic
// CHECK: gpu.launch_func @dynamic_kernel
// CHECK: known_block_size = array<i32: 16, 16, 1>
// CHECK: scf.if
// CHECK: scf.for
func.func @dynamic(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Both sides move whole lines.
// CHECK-LABEL: func.func @transposition
// CHECK: known_block_size = array<i32: 8, 32, 1>, known_grid_size = array<i32: 128, 64, 1>
func.func @transposition(%a: memref<4096x2048xf32>, %b: memref<2048x4096xf32>) {
  linalg.transpose ins(%a : memref<4096x2048xf32>) outs(%b : memref<2048x4096xf32>) permutation = [1, 0]
  return
}

// A long reduction in two steps, whose threads read neighbours.
// CHECK-LABEL: func.func @row_sums
// CHECK-COUNT-2: gpu.launch_func
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @row_sums(%a: tensor<4096x4096xf32>) -> tensor<4096xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4096xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<4096xf32>) -> tensor<4096xf32>
  %r = linalg.reduce { arith.addf } ins(%a : tensor<4096x4096xf32>) outs(%start : tensor<4096xf32>) dimensions = [1]
  return %r : tensor<4096xf32>
}

// Plain arithmetic on tensors becomes one kernel; a prime size is guarded.
// CHECK-LABEL: func.func @elementwise
// CHECK: gpu.launch_func
// CHECK-NOT: gpu.launch_func
// CHECK: known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 3907, 1, 1>
// CHECK: scf.if
// CHECK: math.exp
func.func @elementwise(%a: tensor<1000003xf32>, %b: tensor<1000003xf32>) -> tensor<1000003xf32> {
  %sum = arith.addf %a, %b : tensor<1000003xf32>
  %r = math.exp %sum : tensor<1000003xf32>
  return %r : tensor<1000003xf32>
}

// An operation that stands for several.
// CHECK-LABEL: func.func @softmax
// CHECK-COUNT-6: gpu.launch_func
// CHECK: return
func.func @softmax(%a: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %empty = tensor.empty() : tensor<512x1024xf32>
  %r = linalg.softmax dimension(1) ins(%a : tensor<512x1024xf32>) outs(%empty : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  return %r : tensor<512x1024xf32>
}

// Without a parallel loop there is one thread.
// CHECK-LABEL: func.func @dot
// CHECK: threads in (%c1{{[_0-9]*}}, %c1{{[_0-9]*}}, %c1{{[_0-9]*}})
func.func @dot(%a: tensor<100xf32>, %b: tensor<100xf32>, %c: tensor<f32>) -> tensor<f32> {
  %r = linalg.dot ins(%a, %b : tensor<100xf32>, tensor<100xf32>) outs(%c : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
