// 2^30 workgroups, each of which reads a line of a small table.
gpu.module @kernels {
  gpu.func @kernel(%a: memref<32768x32xf32>, %b: memref<32768x32xf32>, %o: memref<32768x32768x32xi8>) kernel attributes {known_grid_size = array<i32: 32768, 32768, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %u = memref.load %a[%x, %tx] : memref<32768x32xf32>
    %v = memref.load %b[%y, %tx] : memref<32768x32xf32>
    %s = arith.addf %u, %v : f32
    %i = arith.fptosi %s : f32 to i8
    memref.store %i, %o[%y, %x, %tx] : memref<32768x32768x32xi8>
    gpu.return
  }
}
