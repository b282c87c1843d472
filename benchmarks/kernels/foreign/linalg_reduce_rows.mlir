// linalg.reduce over columns, one row a thread: strided reads.
gpu.module @kernels {
  gpu.func @kernel(%in: memref<65536x512xf32>, %out: memref<65536xf32>) kernel attributes {known_grid_size = array<i32: 256, 1, 1>, known_block_size = array<i32: 256, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %zero = arith.constant 0.0 : f32
    %r = affine.apply affine_map<(d0)[s0] -> (d0 * 256 + s0)>(%x)[%tx]
    %s = scf.for %k = %c0 to %c512 step %c1 iter_args(%acc = %zero) -> (f32) {
      %v = memref.load %in[%r, %k] : memref<65536x512xf32>
      %n = arith.addf %v, %acc : f32
      scf.yield %n : f32
    }
    memref.store %s, %out[%r] : memref<65536xf32>
    gpu.return
  }
}
