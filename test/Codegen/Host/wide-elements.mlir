// Elements wider than 8 bytes are compared whole, word by word: a variant that is wrong in
// the upper half of each is found, and named by the words.
// RUN: split-file %s %t
// RUN: swizzle-check %t/original.mlir %t/original.mlir | FileCheck %s --check-prefix=SAME
// RUN: not swizzle-check %t/original.mlir %t/upper.mlir | FileCheck %s --check-prefix=UPPER

// SAME: passed
// UPPER: failed: workgroup (0) of the variant should do what workgroup (0) of the original does, but element 0 of arg1 is 0x{{[0-9a-f]+}} in the variant and 0x{{[0-9a-f]+}} in the original

//--- original.mlir
gpu.module @m {
  gpu.func @k(%in: memref<64xi128>, %out: memref<64xi128>) kernel
      attributes {known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 8, 1, 1>} {
    %b = gpu.global_id x
    %v = memref.load %in[%b] : memref<64xi128>
    memref.store %v, %out[%b] : memref<64xi128>
    gpu.return
  }
}

//--- upper.mlir
gpu.module @m {
  gpu.func @k(%in: memref<64xi128>, %out: memref<64xi128>) kernel
      attributes {known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 8, 1, 1>} {
    %b = gpu.global_id x
    %bit70 = arith.constant 1180591620717411303424 : i128
    %v = memref.load %in[%b] : memref<64xi128>
    %w = arith.xori %v, %bit70 : i128
    memref.store %w, %out[%b] : memref<64xi128>
    gpu.return
  }
}
