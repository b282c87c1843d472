// Eight consecutive workgroups read the same row, and a chip with eight dies
// deals them to eight caches: the order of workgroups decides how often a row is
// fetched.
module {
  gpu.module @kernels {
    gpu.func @shared_rows(%a: memref<128x16384xf32>, %b: memref<16x64x256xf32>) kernel
        attributes {known_grid_size = array<i32: 64, 16, 1>, known_block_size = array<i32: 256, 1, 1>} {
      %x = gpu.block_id x
      %y = gpu.block_id y
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c256 = arith.constant 256 : index
      %c16384 = arith.constant 16384 : index
      %zero = arith.constant 0.0 : f32
      %group = arith.divui %x, %c8 : index
      %first = arith.muli %y, %c8 : index
      %row = arith.addi %first, %group : index
      %sum = scf.for %k = %c0 to %c16384 step %c256 iter_args(%acc = %zero) -> f32 {
        %i = arith.addi %k, %t : index
        %p = memref.load %a[%row, %i] : memref<128x16384xf32>
        %s = arith.addf %acc, %p : f32
        scf.yield %s : f32
      }
      memref.store %sum, %b[%y, %x, %t] : memref<16x64x256xf32>
      gpu.return
    }
  }
}
