// One workgroup of 10^9 steps.
gpu.module @kernels {
  gpu.func @kernel(%a: memref<1000000000xf32>, %o: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 1, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 1000000000 : index
    %zero = arith.constant 0.0 : f32
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
      %v = memref.load %a[%k] : memref<1000000000xf32>
      %t = arith.addf %v, %acc : f32
      scf.yield %t : f32
    }
    memref.store %s, %o[%tx] : memref<64xf32>
    gpu.return
  }
}
