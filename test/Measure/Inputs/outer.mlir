// Rows of %a are shared along x, columns of %b along y; more workgroups than an H200
// holds at once, so that their order matters there.
module {
  gpu.module @k {
    gpu.func @outer(%a: memref<48x4096xf32>, %b: memref<64x4096xf32>, %out: memref<48x64x256xf32>) kernel
        attributes {known_grid_size = array<i32: 64, 48, 1>,
                    known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c256 = arith.constant 256 : index
      %c1024 = arith.constant 4096 : index
      %zero = arith.constant 0.0 : f32
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %tx = gpu.thread_id x
      %sum = scf.for %k = %c0 to %c1024 step %c256 iter_args(%acc = %zero) -> f32 {
        %column = arith.addi %k, %tx : index
        %va = memref.load %a[%by, %column] : memref<48x4096xf32>
        %vb = memref.load %b[%bx, %column] : memref<64x4096xf32>
        %product = arith.mulf %va, %vb : f32
        %next = arith.addf %acc, %product : f32
        scf.yield %next : f32
      }
      memref.store %sum, %out[%by, %bx, %tx] : memref<48x64x256xf32>
      gpu.return
    }
  }
}
