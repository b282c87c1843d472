module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @copy(%a: memref<4096xf32>, %b: memref<4096xf32>) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>} {
      %block = gpu.block_id x
      %thread = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %base = arith.muli %block, %c64 : index
      %i = arith.addi %base, %thread : index
      %v = memref.load %a[%i] : memref<4096xf32>
      memref.store %v, %b[%i] : memref<4096xf32>
      gpu.return
    }
  }
}
