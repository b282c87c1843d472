// linalg.generic: a bias row and a bias column are added to a batch.
gpu.module @kernels {
  gpu.func @kernel(%a: memref<64x1024x1024xf32>, %r: memref<1024xf32>, %c: memref<64x1024xf32>) kernel attributes {known_grid_size = array<i32: 4, 1024, 64>, known_block_size = array<i32: 256, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %j = affine.apply affine_map<(d0)[s0] -> (d0 * 256 + s0)>(%x)[%tx]
    %v = memref.load %a[%z, %y, %j] : memref<64x1024x1024xf32>
    %rv = memref.load %r[%j] : memref<1024xf32>
    %cv = memref.load %c[%z, %y] : memref<64x1024xf32>
    %s = arith.addf %v, %rv : f32
    %t = arith.addf %s, %cv : f32
    memref.store %t, %a[%z, %y, %j] : memref<64x1024x1024xf32>
    gpu.return
  }
}
