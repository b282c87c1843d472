// Nine distributions of a lattice, each shifted another way.
gpu.module @kernels {
  gpu.func @kernel(%f0: memref<4098x4098xf32>, %f1: memref<4098x4098xf32>, %f2: memref<4098x4098xf32>, %f3: memref<4098x4098xf32>, %f4: memref<4098x4098xf32>, %f5: memref<4098x4098xf32>, %f6: memref<4098x4098xf32>, %f7: memref<4098x4098xf32>, %f8: memref<4098x4098xf32>, %o: memref<4098x4098xf32>) kernel attributes {known_grid_size = array<i32: 16, 4096, 1>, known_block_size = array<i32: 256, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %i = arith.addi %y, %c1 : index
    %c2 = arith.constant 2 : index
    %i2 = arith.addi %y, %c2 : index
    %j0 = affine.apply affine_map<(d0)[s0] -> (d0 * 256 + s0)>(%x)[%tx]
    %j = arith.addi %j0, %c1 : index
    %j2 = arith.addi %j, %c1 : index
    %s = arith.constant 0.0 : f32
    %v0 = memref.load %f0[%y, %j0] : memref<4098x4098xf32>
    %s0 = arith.addf %v0, %s : f32
    %v1 = memref.load %f1[%y, %j] : memref<4098x4098xf32>
    %s1 = arith.addf %v1, %s0 : f32
    %v2 = memref.load %f2[%y, %j2] : memref<4098x4098xf32>
    %s2 = arith.addf %v2, %s1 : f32
    %v3 = memref.load %f3[%i, %j0] : memref<4098x4098xf32>
    %s3 = arith.addf %v3, %s2 : f32
    %v4 = memref.load %f4[%i, %j] : memref<4098x4098xf32>
    %s4 = arith.addf %v4, %s3 : f32
    %v5 = memref.load %f5[%i, %j2] : memref<4098x4098xf32>
    %s5 = arith.addf %v5, %s4 : f32
    %v6 = memref.load %f6[%i2, %j0] : memref<4098x4098xf32>
    %s6 = arith.addf %v6, %s5 : f32
    %v7 = memref.load %f7[%i2, %j] : memref<4098x4098xf32>
    %s7 = arith.addf %v7, %s6 : f32
    %v8 = memref.load %f8[%i2, %j2] : memref<4098x4098xf32>
    %s8 = arith.addf %v8, %s7 : f32
    memref.store %s8, %o[%i, %j] : memref<4098x4098xf32>
    gpu.return
  }
}
