// linalg.pooling_nhwc_max: windows of 3 x 3, stride 2.
gpu.module @kernels {
  gpu.func @kernel(%in: memref<32x113x113x64xf32>, %out: memref<32x56x56x64xf32>) kernel attributes {known_grid_size = array<i32: 56, 56, 32>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %low = arith.constant -3.0e38 : f32
    %m0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%m1 = %low) -> (f32) {
      %h = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%y, %i)
      %m2 = scf.for %j = %c0 to %c3 step %c1 iter_args(%m3 = %m1) -> (f32) {
        %w = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%x, %j)
        %v = memref.load %in[%z, %h, %w, %tx] : memref<32x113x113x64xf32>
        %m = arith.maximumf %v, %m3 : f32
        scf.yield %m : f32
      }
      scf.yield %m2 : f32
    }
    memref.store %m0, %out[%z, %y, %x, %tx] : memref<32x56x56x64xf32>
    gpu.return
  }
}
