gpu.module @m {
  gpu.func @k(%a: memref<?x?xf32>) kernel attributes {known_grid_size = array<i32: 2147483647, 2147483647, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %v = memref.load %a[%y, %x] : memref<?x?xf32>
    gpu.return
  }
}
