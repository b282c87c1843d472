// Sixteen workgroups of 10^8 steps that share all they read.
gpu.module @kernels {
  gpu.func @kernel(%a: memref<100000000xf32>, %o: memref<16x64xf32>) kernel attributes {known_grid_size = array<i32: 4, 4, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 100000000 : index
    %zero = arith.constant 0.0 : f32
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
      %v = memref.load %a[%k] : memref<100000000xf32>
      %t = arith.addf %v, %acc : f32
      scf.yield %t : f32
    }
    %i = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%y, %x)
    memref.store %s, %o[%i, %tx] : memref<16x64xf32>
    gpu.return
  }
}
