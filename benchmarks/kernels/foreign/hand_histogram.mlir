// Counts by atomics: what is counted depends on data, the input does not.
gpu.module @kernels {
  gpu.func @kernel(%in: memref<4194304xi32>, %bins: memref<1024xi32>) kernel attributes {known_grid_size = array<i32: 4096, 1, 1>, known_block_size = array<i32: 256, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1 : i32
    scf.for %k = %c0 to %c4 step %c1 {
      %i = affine.apply affine_map<(d0, d1)[s0] -> (d0 * 1024 + d1 * 256 + s0)>(%x, %k)[%tx]
      %v = memref.load %in[%i] : memref<4194304xi32>
      %b = arith.index_cast %v : i32 to index
      %old = memref.atomic_rmw addi %one, %bins[%b] : (i32, memref<1024xi32>) -> i32
    }
    gpu.return
  }
}
