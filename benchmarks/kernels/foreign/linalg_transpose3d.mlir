// linalg.transpose of three dimensions, 0 1 2 -> 2 0 1, element by element.
gpu.module @kernels {
  gpu.func @kernel(%in: memref<256x128x512xf32>, %out: memref<512x256x128xf32>) kernel attributes {known_grid_size = array<i32: 8, 128, 256>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %k = affine.apply affine_map<(d0)[s0] -> (d0 * 64 + s0)>(%x)[%tx]
    %v = memref.load %in[%z, %y, %k] : memref<256x128x512xf32>
    memref.store %v, %out[%k, %z, %y] : memref<512x256x128xf32>
    gpu.return
  }
}
