// linalg.matmul after tiling to workgroups and threads, no staging: 16 x 16 tiles.
gpu.module @kernels {
  gpu.func @kernel(%a: memref<2048x1024xf32>, %b: memref<1024x2048xf32>, %c: memref<2048x2048xf32>) kernel attributes {known_grid_size = array<i32: 128, 128, 1>, known_block_size = array<i32: 16, 16, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1024 = arith.constant 1024 : index
    %zero = arith.constant 0.0 : f32
    %i = affine.apply affine_map<(d0)[s0] -> (d0 * 16 + s0)>(%y)[%ty]
    %j = affine.apply affine_map<(d0)[s0] -> (d0 * 16 + s0)>(%x)[%tx]
    %sum = scf.for %k = %c0 to %c1024 step %c1 iter_args(%acc = %zero) -> (f32) {
      %l = memref.load %a[%i, %k] : memref<2048x1024xf32>
      %r = memref.load %b[%k, %j] : memref<1024x2048xf32>
      %f = math.fma %l, %r, %acc : f32
      scf.yield %f : f32
    }
    memref.store %sum, %c[%i, %j] : memref<2048x2048xf32>
    gpu.return
  }
}
