// A Jacobi step by hand: interior points only.
gpu.module @kernels {
  gpu.func @kernel(%in: memref<8192x8192xf32>, %out: memref<8192x8192xf32>) kernel attributes {known_grid_size = array<i32: 256, 1024, 1>, known_block_size = array<i32: 32, 8, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8190 = arith.constant 8190 : index
    %i0 = affine.apply affine_map<(d0)[s0] -> (d0 * 8 + s0)>(%y)[%ty]
    %j0 = affine.apply affine_map<(d0)[s0] -> (d0 * 32 + s0)>(%x)[%tx]
    %a = arith.cmpi ult, %i0, %c8190 : index
    %b = arith.cmpi ult, %j0, %c8190 : index
    %in2 = arith.andi %a, %b : i1
    scf.if %in2 {
      %i = arith.addi %i0, %c1 : index
      %j = arith.addi %j0, %c1 : index
      %i2 = arith.addi %i, %c1 : index
      %j2 = arith.addi %j, %c1 : index
      %n = memref.load %in[%i0, %j] : memref<8192x8192xf32>
      %s = memref.load %in[%i2, %j] : memref<8192x8192xf32>
      %w = memref.load %in[%i, %j0] : memref<8192x8192xf32>
      %e = memref.load %in[%i, %j2] : memref<8192x8192xf32>
      %s0 = arith.addf %n, %s : f32
      %s1 = arith.addf %w, %e : f32
      %s2 = arith.addf %s0, %s1 : f32
      memref.store %s2, %out[%i, %j] : memref<8192x8192xf32>
    }
    gpu.return
  }
}
