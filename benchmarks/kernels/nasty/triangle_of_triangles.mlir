// Trip counts that depend on outer loops and on the workgroup.
gpu.module @kernels {
  gpu.func @kernel(%a: memref<4096x4096xf32>, %o: memref<4096x64xf32>) kernel attributes {known_grid_size = array<i32: 1, 4096, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %end = arith.addi %y, %c1 : index
    %s = scf.for %i = %c0 to %end step %c1 iter_args(%p = %zero) -> (f32) {
      %stop = arith.addi %i, %c1 : index
      %q = scf.for %j = %c0 to %stop step %c1 iter_args(%acc = %p) -> (f32) {
        %v = memref.load %a[%i, %j] : memref<4096x4096xf32>
        %t = arith.addf %v, %acc : f32
        scf.yield %t : f32
      }
      scf.yield %q : f32
    }
    memref.store %s, %o[%y, %tx] : memref<4096x64xf32>
    gpu.return
  }
}
