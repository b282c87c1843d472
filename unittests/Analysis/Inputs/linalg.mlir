// Operations of linalg on tiles of memrefs.
gpu.module @linalg {
  gpu.func @tile_of_a_matmul(%a: memref<16x8xf32>, %b: memref<8x16xf32>, %c: memref<16x16xf32>) kernel attributes {known_grid_size = array<i32: 4, 4, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %p = arith.constant 0.0 : f32

    %y = arith.muli %by, %c4 : index
    %x = arith.muli %bx, %c4 : index
    %as = memref.subview %a[%y, 0] [4, 8] [1, 1] : memref<16x8xf32> to memref<4x8xf32, strided<[8, 1], offset: ?>>
    %bs = memref.subview %b[0, %x] [8, 4] [1, 1] : memref<8x16xf32> to memref<8x4xf32, strided<[16, 1], offset: ?>>
    %cs = memref.subview %c[%y, %x] [4, 4] [1, 1] : memref<16x16xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
    linalg.fill ins(%p : f32) outs(%cs : memref<4x4xf32, strided<[16, 1], offset: ?>>)
    linalg.matmul ins(%as, %bs : memref<4x8xf32, strided<[8, 1], offset: ?>>, memref<8x4xf32, strided<[16, 1], offset: ?>>) outs(%cs : memref<4x4xf32, strided<[16, 1], offset: ?>>)
    gpu.return
  }

  gpu.func @ragged_tile(%a: memref<10x7xf32>, %b: memref<7xf32>, %c: memref<10x7xf32>) kernel attributes {known_grid_size = array<i32: 1, 3, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c4 = arith.constant 4 : index

    %y = arith.muli %by, %c4 : index
    %n = affine.min affine_map<(d0) -> (4, 10 - d0)>(%y)
    %as = memref.subview %a[%y, 0] [%n, 7] [1, 1] : memref<10x7xf32> to memref<?x7xf32, strided<[7, 1], offset: ?>>
    %cs = memref.subview %c[%y, 0] [%n, 7] [1, 1] : memref<10x7xf32> to memref<?x7xf32, strided<[7, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%as, %b : memref<?x7xf32, strided<[7, 1], offset: ?>>, memref<7xf32>) outs(%cs : memref<?x7xf32, strided<[7, 1], offset: ?>>) {
      ^bb0(%p: f32, %q: f32, %o: f32):
      %s = arith.addf %p, %q : f32
      linalg.yield %s : f32
    }
    gpu.return
  }

  gpu.func @window(%a: memref<12xf32>, %k: memref<3xf32>, %c: memref<10xf32>) kernel attributes {known_grid_size = array<i32: 2, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x

    linalg.conv_1d ins(%a, %k : memref<12xf32>, memref<3xf32>) outs(%c : memref<10xf32>)
    linalg.copy ins(%k : memref<3xf32>) outs(%k : memref<3xf32>)
    gpu.return
  }
}
