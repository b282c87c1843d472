// 2^20 workgroups of one access each.
gpu.module @kernels {
  gpu.func @kernel(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 1024, 1024, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = memref.load %a[%x] : memref<1024xf32>
    %zero = arith.constant 0.0 : f32
    %is = arith.cmpf oeq, %v, %zero : f32
    cf.assert %is, "zero"
    gpu.return
  }
}
