// Six loops of 32 around one access, 1,024 workgroups.
gpu.module @kernels {
  gpu.func @kernel(%a: memref<32x32x32x32x32x32xf32>, %o: memref<32x32x64xf32>) kernel attributes {known_grid_size = array<i32: 32, 32, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %r0 = scf.for %k0 = %c0 to %n step %c1 iter_args(%p0 = %zero) -> (f32) {
      %r1 = scf.for %k1 = %c0 to %n step %c1 iter_args(%p1 = %p0) -> (f32) {
        %r2 = scf.for %k2 = %c0 to %n step %c1 iter_args(%p2 = %p1) -> (f32) {
          %r3 = scf.for %k3 = %c0 to %n step %c1 iter_args(%p3 = %p2) -> (f32) {
            %r4 = scf.for %k4 = %c0 to %n step %c1 iter_args(%p4 = %p3) -> (f32) {
              %r5 = scf.for %k5 = %c0 to %n step %c1 iter_args(%p5 = %p4) -> (f32) {
                %v = memref.load %a[%k5, %k4, %k3, %k2, %k1, %k0] : memref<32x32x32x32x32x32xf32>
                %t = arith.addf %v, %p5 : f32
                scf.yield %t : f32
              }
              scf.yield %r5 : f32
            }
            scf.yield %r4 : f32
          }
          scf.yield %r3 : f32
        }
        scf.yield %r2 : f32
      }
      scf.yield %r1 : f32
    }
    memref.store %r0, %o[%x, %y, %tx] : memref<32x32x64xf32>
    gpu.return
  }
}
