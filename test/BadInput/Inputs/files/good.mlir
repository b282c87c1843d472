gpu.module @m {
  gpu.func @k(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%x] : memref<16xf32>
    gpu.return
  }
}
