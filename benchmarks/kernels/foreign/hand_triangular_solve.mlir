// Products with the lower triangle only: workgroups of different depth.
gpu.module @kernels {
  gpu.func @kernel(%a: memref<4096x4096xf32>, %v: memref<4096x64xf32>, %o: memref<4096x64xf32>) kernel attributes {known_grid_size = array<i32: 1, 4096, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %end = arith.addi %y, %c1 : index
    %s = scf.for %k = %c0 to %end step %c1 iter_args(%acc = %zero) -> (f32) {
      %l = memref.load %a[%y, %k] : memref<4096x4096xf32>
      %r = memref.load %v[%k, %tx] : memref<4096x64xf32>
      %f = math.fma %l, %r, %acc : f32
      scf.yield %f : f32
    }
    memref.store %s, %o[%y, %tx] : memref<4096x64xf32>
    gpu.return
  }
}
