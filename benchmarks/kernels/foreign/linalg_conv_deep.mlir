// The same convolution as a naive lowering leaves it: four threads a workgroup, all channels in one loop nest.
gpu.module @kernels {
  gpu.func @kernel(%out: memref<16x56x56x128xf32>, %in: memref<16x58x58x64xf32>, %f: memref<3x3x64x128xf32>) kernel attributes {known_grid_size = array<i32: 14, 56, 16>, known_block_size = array<i32: 4, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %w = affine.apply affine_map<(d0)[s0] -> (d0 * 4 + s0)>(%x)[%tx]
    scf.for %oc = %c0 to %c128 step %c1 {
      %first = memref.load %out[%z, %y, %w, %oc] : memref<16x56x56x128xf32>
      %s0 = scf.for %kh = %c0 to %c3 step %c1 iter_args(%s1 = %first) -> (f32) {
        %h = arith.addi %y, %kh : index
        %s2 = scf.for %kw = %c0 to %c3 step %c1 iter_args(%s3 = %s1) -> (f32) {
          %ww = arith.addi %w, %kw : index
          %s4 = scf.for %ic = %c0 to %c64 step %c1 iter_args(%s5 = %s3) -> (f32) {
            %v = memref.load %in[%z, %h, %ww, %ic] : memref<16x58x58x64xf32>
            %k = memref.load %f[%kh, %kw, %ic, %oc] : memref<3x3x64x128xf32>
            %m = math.fma %v, %k, %s5 : f32
            scf.yield %m : f32
          }
          scf.yield %s4 : f32
        }
        scf.yield %s2 : f32
      }
      memref.store %s0, %out[%z, %y, %w, %oc] : memref<16x56x56x128xf32>
    }
    gpu.return
  }
}
