// An embedding: rows of a table by an index that is loaded.
gpu.module @kernels {
  gpu.func @kernel(%ids: memref<16384xi32>, %table: memref<50000x256xf32>, %out: memref<16384x256xf32>) kernel attributes {known_grid_size = array<i32: 16384, 1, 1>, known_block_size = array<i32: 256, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = memref.load %ids[%x] : memref<16384xi32>
    %r = arith.index_cast %v : i32 to index
    %e = memref.load %table[%r, %tx] : memref<50000x256xf32>
    memref.store %e, %out[%x, %tx] : memref<16384x256xf32>
    gpu.return
  }
}
