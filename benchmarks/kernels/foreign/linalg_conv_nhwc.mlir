// linalg.conv_2d_nhwc_hwcf, one output pixel row piece a workgroup, filters in an inner loop.
gpu.module @kernels {
  gpu.func @kernel(%in: memref<8x34x34x32xf32>, %f: memref<3x3x32x64xf32>, %out: memref<8x32x32x64xf32>) kernel attributes {known_grid_size = array<i32: 4, 32, 8>, known_block_size = array<i32: 8, 8, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0.0 : f32
    %w = affine.apply affine_map<(d0)[s0] -> (d0 * 8 + s0)>(%x)[%ty]
    scf.for %o = %c0 to %c64 step %c8 {
      %oc = arith.addi %o, %tx : index
      %s0 = scf.for %kh = %c0 to %c3 step %c1 iter_args(%s1 = %zero) -> (f32) {
        %h = arith.addi %y, %kh : index
        %s2 = scf.for %kw = %c0 to %c3 step %c1 iter_args(%s3 = %s1) -> (f32) {
          %ww = arith.addi %w, %kw : index
          %s4 = scf.for %ic = %c0 to %c32 step %c1 iter_args(%s5 = %s3) -> (f32) {
            %v = memref.load %in[%z, %h, %ww, %ic] : memref<8x34x34x32xf32>
            %k = memref.load %f[%kh, %kw, %ic, %oc] : memref<3x3x32x64xf32>
            %m = math.fma %v, %k, %s5 : f32
            scf.yield %m : f32
          }
          scf.yield %s4 : f32
        }
        scf.yield %s2 : f32
      }
      memref.store %s0, %out[%z, %y, %w, %oc] : memref<8x32x32x64xf32>
    }
    gpu.return
  }
}
