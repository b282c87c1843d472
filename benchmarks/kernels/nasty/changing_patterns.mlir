// Each step touches another pattern of lines: ids modulo a prime, wide workgroups.
gpu.module @kernels {
  gpu.func @kernel(%a: memref<1048576xf32>, %o: memref<256x1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 16, 1>, known_block_size = array<i32: 1024, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 100000 : index
    %p = arith.constant 524287 : index
    %c7 = arith.constant 7 : index
    %c1009 = arith.constant 1009 : index
    %zero = arith.constant 0.0 : f32
    %b = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1)>(%y, %x)
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
      %m = arith.muli %tx, %c1009 overflow<nsw> : index
      %q = arith.muli %k, %c7 overflow<nsw> : index
      %e = arith.addi %m, %q overflow<nsw> : index
      %f = arith.addi %e, %b overflow<nsw> : index
      %i = arith.remui %f, %p : index
      %v = memref.load %a[%i] : memref<1048576xf32>
      %t = arith.addf %v, %acc : f32
      scf.yield %t : f32
    }
    memref.store %s, %o[%b, %tx] : memref<256x1024xf32>
    gpu.return
  }
}
