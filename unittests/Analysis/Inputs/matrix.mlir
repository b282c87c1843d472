// Matrix fragments, asynchronous copies and vendors' accesses.
gpu.module @matrix {
  gpu.func @fragments(%a: memref<64x128xf16>, %b: memref<64x128xf16>, %c: memref<64x128xf32>) kernel attributes {known_grid_size = array<i32: 2, 3, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index

    %s = gpu.subgroup_id : index
    %y = arith.muli %by, %c16 : index
    %x = arith.muli %s, %c16 : index
    %0 = gpu.subgroup_mma_load_matrix %a[%y, %x] {leadDimension = 128 : index} : memref<64x128xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %1 = gpu.subgroup_mma_load_matrix %b[%x, %y] {leadDimension = 128 : index, transpose} : memref<64x128xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %2 = gpu.subgroup_mma_load_matrix %c[%y, %x] {leadDimension = 128 : index} : memref<64x128xf32> -> !gpu.mma_matrix<16x16xf32, "COp">
    %3 = gpu.subgroup_mma_compute %0, %1, %2 : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.subgroup_mma_store_matrix %3, %c[%y, %x] {leadDimension = 128 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<64x128xf32>
    gpu.return
  }

  gpu.func @async_copy(%a: memref<32x64xf16>) kernel attributes {known_grid_size = array<i32: 2, 2, 1>, known_block_size = array<i32: 8, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c60 = arith.constant 60 : index

    %w = memref.alloc() : memref<4x64xf16, #gpu.address_space<workgroup>>
    %x = arith.muli %tx, %c8 : index
    %t = nvgpu.device_async_copy %a[%bx, %x], %w[%c0, %x], 8 : memref<32x64xf16> to memref<4x64xf16, #gpu.address_space<workgroup>>
    %left = arith.subi %c60, %x : index
    %u = nvgpu.device_async_copy %a[%by, %x], %w[%c0, %x], 8, %left : memref<32x64xf16> to memref<4x64xf16, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %t, %u
    nvgpu.device_async_wait %g
    %f = memref.load %w[%c0, %x] : memref<4x64xf16, #gpu.address_space<workgroup>>
    gpu.return
  }

  gpu.func @gather_to_lds(%a: memref<32x64xf32>) kernel attributes {known_grid_size = array<i32: 2, 2, 1>, known_block_size = array<i32: 8, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index

    %w = memref.alloc() : memref<4x64xf32, #gpu.address_space<workgroup>>
    %x = arith.muli %tx, %c4 : index
    amdgpu.gather_to_lds %a[%bx, %x], %w[%c0, %c0] : vector<4xf32>, memref<32x64xf32>, memref<4x64xf32, #gpu.address_space<workgroup>>
    gpu.return
  }

  gpu.func @raw_buffers(%a: memref<10x8xf32>) kernel attributes {known_grid_size = array<i32: 4, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x

    %y = arith.index_cast %bx : index to i32
    %x = arith.index_cast %tx : index to i32
    %c5 = arith.constant 5 : i32
    %y5 = arith.muli %y, %c5 : i32
    %v = amdgpu.raw_buffer_load %a[%y5, %x] : memref<10x8xf32>, i32, i32 -> f32
    %w = amdgpu.raw_buffer_load {boundsCheck = true, indexOffset = 4 : i32} %a[%y5, %x] sgprOffset %x : memref<10x8xf32>, i32, i32 -> vector<2xf32>
    amdgpu.raw_buffer_store %v -> %a[%y, %x] : f32 -> memref<10x8xf32>, i32, i32
    amdgpu.raw_buffer_atomic_fadd %v -> %a[%y, %x] : f32 -> memref<10x8xf32>, i32, i32
    gpu.return
  }
}
