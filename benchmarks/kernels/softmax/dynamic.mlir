// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax in fp32, a number of rows known at run time only, of 32768 columns. One row a
// workgroup of 256 threads: a pass for the maximum and the sum, a pass for the
// result; a thread handles every 256th vector of four columns.
//
// passes: func.func(convert-parallel-loops-to-gpu)

#column = affine_map<(t, i) -> (t * 4 + i)>

func.func @softmax(%in: memref<?x32768xf32>, %out: memref<?x32768xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %c1024 = arith.constant 1024 : index
  %columns = arith.constant 32768 : index
  %lowest = arith.constant dense<-3.40282347E+38> : vector<4xf32>
  %zeros = arith.constant dense<0.0> : vector<4xf32>
  %one = arith.constant 1.0 : f32
  %rows = memref.dim %in, %c0 : memref<?x32768xf32>
  scf.parallel (%row) = (%c0) to (%rows) step (%c1) {
    scf.parallel (%t) = (%c0) to (%c256) step (%c1) {
      // Maximum and sum of one thread's columns; the sum is rescaled whenever the
      // maximum grows.
      %found:2 = scf.for %i = %c0 to %columns step %c1024
          iter_args(%max = %lowest, %sum = %zeros) -> (vector<4xf32>, vector<4xf32>) {
        %column = affine.apply #column(%t, %i)
        %x = vector.load %in[%row, %column] : memref<?x32768xf32>, vector<4xf32>
        %new_max = arith.maxnumf %max, %x : vector<4xf32>
        %shrink = arith.subf %max, %new_max : vector<4xf32>
        %scale = math.exp %shrink : vector<4xf32>
        %scaled = arith.mulf %sum, %scale : vector<4xf32>
        %shifted = arith.subf %x, %new_max : vector<4xf32>
        %term = math.exp %shifted : vector<4xf32>
        %new_sum = arith.addf %scaled, %term : vector<4xf32>
        scf.yield %new_max, %new_sum : vector<4xf32>, vector<4xf32>
      }
      // The same over the four lanes and the workgroup.
      %thread_max = vector.reduction <maxnumf>, %found#0 : vector<4xf32> into f32
      %row_max = gpu.all_reduce maxnumf %thread_max uniform {} : (f32) -> f32
      %maxima = vector.broadcast %row_max : f32 to vector<4xf32>
      %lane_shrink = arith.subf %found#0, %maxima : vector<4xf32>
      %lane_scale = math.exp %lane_shrink : vector<4xf32>
      %lane_sum = arith.mulf %found#1, %lane_scale : vector<4xf32>
      %thread_sum = vector.reduction <add>, %lane_sum : vector<4xf32> into f32
      %row_sum = gpu.all_reduce add %thread_sum uniform {} : (f32) -> f32
      %inverse = arith.divf %one, %row_sum : f32
      %inverses = vector.broadcast %inverse : f32 to vector<4xf32>
      scf.for %i = %c0 to %columns step %c1024 {
        %column = affine.apply #column(%t, %i)
        %x = vector.load %in[%row, %column] : memref<?x32768xf32>, vector<4xf32>
        %shifted = arith.subf %x, %maxima : vector<4xf32>
        %term = math.exp %shifted : vector<4xf32>
        %y = arith.mulf %term, %inverses : vector<4xf32>
        vector.store %y, %out[%row, %column] : memref<?x32768xf32>, vector<4xf32>
      }
      scf.reduce
    } {mapping = [#gpu.loop_dim_map<processor = thread_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
    scf.reduce
  } {mapping = [#gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
  return
}
