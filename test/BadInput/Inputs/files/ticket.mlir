gpu.module @m {
  gpu.func @ticket(%a: memref<16xi32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %old = memref.atomic_rmw addi %one, %a[%c0] : (i32, memref<16xi32>) -> i32
    memref.store %old, %a[%x] : memref<16xi32>
    gpu.return
  }
}
