gpu.module @m {
  gpu.func @k(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.thread_id x
    %v = memref.load %a[%x] : memref<16xf32>
    gpu.return
  }
}
