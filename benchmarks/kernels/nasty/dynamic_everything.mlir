// Sizes, grid and trip counts by arguments.
gpu.module @kernels {
  gpu.func @kernel(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %o: memref<?x?xf32>, %n: index) kernel {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %bx = gpu.block_dim x
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %m = arith.muli %x, %bx : index
    %j = arith.addi %m, %tx : index
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
      %l = memref.load %a[%y, %k] : memref<?x?xf32>
      %r = memref.load %b[%k, %j] : memref<?x?xf32>
      %f = math.fma %l, %r, %acc : f32
      scf.yield %f : f32
    }
    memref.store %s, %o[%y, %j] : memref<?x?xf32>
    gpu.return
  }
}
