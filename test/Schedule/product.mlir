// One kernel for a product, its start value and what is done with its result;
// each thread keeps 4x4 sums in registers.
// RUN: swizzle-lower %s --chip=mi300x | FileCheck %s
// RUN: swizzle-lower %s --chip=mi300x | swizzle-opt --hw-aware-swizzle=chip=mi300x -o /dev/null

// CHECK-LABEL: func.func @bias_relu
// CHECK: gpu.launch_func @bias_relu_kernel::@bias_relu_kernel
// CHECK-NOT: gpu.launch_func
// CHECK: gpu.module @bias_relu_kernel [#rocdl.target<O = 3, chip = "gfx942">]
// CHECK: known_block_size = array<i32: 16, 16, 1>, known_grid_size = array<i32: 12, 16, 1>
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<4x4xf32>)
// CHECK-COUNT-16: vector.fma
// CHECK: arith.maximumf
// CHECK-COUNT-4: vector.store
// CHECK-NOT: memref.alloc
func.func @bias_relu(%a: tensor<1024x512xf32>, %b: tensor<512x768xf32>,
                     %bias: tensor<768xf32>) -> tensor<1024x768xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1024x768xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<1024x768xf32>) -> tensor<1024x768xf32>
  %product = linalg.matmul ins(%a, %b : tensor<1024x512xf32>, tensor<512x768xf32>)
      outs(%start : tensor<1024x768xf32>) -> tensor<1024x768xf32>
  %other = tensor.empty() : tensor<1024x768xf32>
  %result = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%product, %bias : tensor<1024x768xf32>, tensor<768xf32>)
      outs(%other : tensor<1024x768xf32>) {
    ^bb0(%x: f32, %y: f32, %unused: f32):
      %sum = arith.addf %x, %y : f32
      %relu = arith.maximumf %sum, %zero : f32
      linalg.yield %relu : f32
  } -> tensor<1024x768xf32>
  return %result : tensor<1024x768xf32>
}
