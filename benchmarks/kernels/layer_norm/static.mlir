// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layer normalisation in fp32, 32768 rows of 4096
// columns. One row a workgroup of 256 threads; a
// thread handles every 256th vector of four columns. The second reading of the
// row is served by the caches.
//
// passes: func.func(convert-parallel-loops-to-gpu)

#column = affine_map<(t, i) -> (t * 4 + i)>

func.func @layer_norm(%in: memref<32768x4096xf32>, %scale: memref<4096xf32>,
                      %shift: memref<4096xf32>, %out: memref<32768x4096xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  %zeros = arith.constant dense<0.0> : vector<4xf32>
  %inverse_columns = arith.constant 0.000244140625 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %rows = arith.constant 32768 : index
  scf.parallel (%row) = (%c0) to (%rows) step (%c1) {
    scf.parallel (%t) = (%c0) to (%c256) step (%c1) {
      // Sum and sum of squares, by lane, then over the workgroup.
      %sums:2 = scf.for %i = %c0 to %c4096 step %c1024
          iter_args(%sum = %zeros, %squares = %zeros) -> (vector<4xf32>, vector<4xf32>) {
        %column = affine.apply #column(%t, %i)
        %x = vector.load %in[%row, %column] : memref<32768x4096xf32>, vector<4xf32>
        %new_sum = arith.addf %sum, %x : vector<4xf32>
        %new_squares = vector.fma %x, %x, %squares : vector<4xf32>
        scf.yield %new_sum, %new_squares : vector<4xf32>, vector<4xf32>
      }
      %thread_sum = vector.reduction <add>, %sums#0 : vector<4xf32> into f32
      %thread_squares = vector.reduction <add>, %sums#1 : vector<4xf32> into f32
      %total = gpu.all_reduce add %thread_sum uniform {} : (f32) -> f32
      %total_squares = gpu.all_reduce add %thread_squares uniform {} : (f32) -> f32
      %mean = arith.mulf %total, %inverse_columns : f32
      %mean_square = arith.mulf %total_squares, %inverse_columns : f32
      %mean_2 = arith.mulf %mean, %mean : f32
      %variance = arith.subf %mean_square, %mean_2 : f32
      %padded = arith.addf %variance, %epsilon : f32
      %factor = math.rsqrt %padded : f32
      %means = vector.broadcast %mean : f32 to vector<4xf32>
      %factors = vector.broadcast %factor : f32 to vector<4xf32>
      scf.for %i = %c0 to %c4096 step %c1024 {
        %column = affine.apply #column(%t, %i)
        %x = vector.load %in[%row, %column] : memref<32768x4096xf32>, vector<4xf32>
        %w = vector.load %scale[%column] : memref<4096xf32>, vector<4xf32>
        %b = vector.load %shift[%column] : memref<4096xf32>, vector<4xf32>
        %centred = arith.subf %x, %means : vector<4xf32>
        %normal = arith.mulf %centred, %factors : vector<4xf32>
        %y = vector.fma %normal, %w, %b : vector<4xf32>
        vector.store %y, %out[%row, %column] : memref<32768x4096xf32>, vector<4xf32>
      }
      scf.reduce
    } {mapping = [#gpu.loop_dim_map<processor = thread_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
    scf.reduce
  } {mapping = [#gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
  return
}
