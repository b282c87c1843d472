// Causal attention scores: blocks above the diagonal are skipped.
gpu.module @kernels {
  gpu.func @kernel(%q: memref<16x2048x64xf32>, %k: memref<16x2048x64xf32>, %s: memref<16x2048x2048xf32>) kernel attributes {known_grid_size = array<i32: 32, 128, 16>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    %j = affine.apply affine_map<(d0)[s0] -> (d0 * 64 + s0)>(%x)[%tx]
    %jb = affine.apply affine_map<(d0) -> (d0 * 64)>(%x)
    %last = affine.apply affine_map<(d0) -> (d0 * 16 + 15)>(%y)
    %needed = arith.cmpi ule, %jb, %last : index
    scf.if %needed {
      scf.for %r = %c0 to %c16 step %c1 {
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1)>(%y, %r)
        %d = scf.for %e = %c0 to %c64 step %c1 iter_args(%acc = %zero) -> (f32) {
          %qv = memref.load %q[%z, %i, %e] : memref<16x2048x64xf32>
          %kv = memref.load %k[%z, %j, %e] : memref<16x2048x64xf32>
          %f = math.fma %qv, %kv, %acc : f32
          scf.yield %f : f32
        }
        memref.store %d, %s[%z, %i, %j] : memref<16x2048x2048xf32>
      }
    }
    gpu.return
  }
}
