// One thread a workgroup, a stride of a page: every access another line of every set.
gpu.module @kernels {
  gpu.func @kernel(%a: memref<4096x1048576xi8>, %o: memref<65536xi8>) kernel attributes {known_grid_size = array<i32: 65536, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 4096 : index
    %z8 = arith.constant 0 : i8
    %c16 = arith.constant 16 : index
    %j = arith.muli %x, %c16 : index
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %z8) -> (i8) {
      %v = memref.load %a[%k, %j] : memref<4096x1048576xi8>
      %t = arith.addi %v, %acc : i8
      scf.yield %t : i8
    }
    memref.store %s, %o[%x] : memref<65536xi8>
    gpu.return
  }
}
