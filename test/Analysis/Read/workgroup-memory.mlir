// RUN: swizzle-opt %s -split-input-file --swizzle-print-model -o /dev/null | FileCheck %s

// Rows of 33 elements, an index that is loaded, an update.
// CHECK-LABEL: kernel @m::@tile
// CHECK: workgroup buffer __wg_tile_0 4224 bytes
// CHECK: loop i < 32
// CHECK: write workgroup __wg_tile_0[4*tx + 132*i] 4 bytes
// CHECK: barrier
// CHECK: read workgroup __wg_tile_0[?] 4 bytes
// CHECK: atomic workgroup __wg_tile_0[132*tx] 4 bytes
// CHECK-NOT: not modelled
gpu.module @m {
  gpu.func @tile(%a: memref<64x64xf32>, %p: memref<64xindex>) workgroup(%s: memref<32x33xf32, #gpu.address_space<workgroup>>) kernel attributes {known_grid_size = array<i32: 2, 1, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    scf.for %i = %c0 to %c32 step %c1 {
      %v = memref.load %a[%i, %t] : memref<64x64xf32>
      memref.store %v, %s[%i, %t] : memref<32x33xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %far = memref.load %p[%t] : memref<64xindex>
    %q = memref.load %s[%far, %t] : memref<32x33xf32, #gpu.address_space<workgroup>>
    %r = memref.atomic_rmw addf %q, %s[%t, %c0] : (f32, memref<32x33xf32, #gpu.address_space<workgroup>>) -> f32
    gpu.return
  }
}

// -----

// Two buffers that a loop swaps: of either, but nobody says which. One that it
// keeps and walks along is followed.
// CHECK-LABEL: kernel @m::@swapped
// CHECK: loop i < 8
// CHECK-NEXT: read workgroup memory[?] 4 bytes
// CHECK-NEXT: write workgroup memory[?] 4 bytes
// CHECK-LABEL: kernel @m::@walked
// CHECK: loop i < 7
// CHECK-NEXT: read workgroup rows[4*tx + 256*i] 4 bytes
// CHECK: {{^}}  read workgroup rows[4*tx + 1792] 4 bytes
gpu.module @m {
  gpu.func @swapped(%a: memref<64xf32>) workgroup(%s: memref<64xf32, 3>, %u: memref<64xf32, 3>) kernel attributes {known_grid_size = array<i32: 2, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c1 iter_args(%p = %s, %q = %u) -> (memref<64xf32, 3>, memref<64xf32, 3>) {
      %v = memref.load %p[%t] : memref<64xf32, 3>
      memref.store %v, %q[%t] : memref<64xf32, 3>
      scf.yield %q, %p : memref<64xf32, 3>, memref<64xf32, 3>
    }
    gpu.return
  }
  llvm.mlir.global internal @rows() {addr_space = 3 : i32} : !llvm.array<512 x f32>
  llvm.func @walked(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 2, 1, 1>, gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %n = llvm.mlir.constant(8 : i32) : i32
    %rows = llvm.mlir.addressof @rows : !llvm.ptr<3>
    %first = llvm.getelementptr %rows[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    llvm.br ^loop(%zero, %first : i32, !llvm.ptr<3>)
  ^loop(%i: i32, %p: !llvm.ptr<3>):
    %v = llvm.load %p : !llvm.ptr<3> -> f32
    llvm.store %v, %out : f32, !llvm.ptr
    %q = llvm.getelementptr %p[64] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
    %j = llvm.add %i, %one : i32
    %more = llvm.icmp "slt" %j, %n : i32
    llvm.cond_br %more, ^loop(%j, %q : i32, !llvm.ptr<3>), ^end
  ^end:
    llvm.return
  }
}

// -----

// Rows of matrices, an asynchronous copy, a vector.
// CHECK-LABEL: kernel @m::@matrices
// CHECK: write workgroup __wg_matrices_0[16*tx] 16 bytes
// CHECK-NEXT: read arg0[16*tx] 16 bytes
// CHECK: read workgroup __wg_matrices_0[32*tx] 16 bytes in the first 16 lanes
// CHECK: read workgroup __wg_matrices_0[8*tx] 8 bytes
gpu.module @m {
  gpu.func @matrices(%a: memref<512xf16>) workgroup(%s: memref<32x16xf16, 3>) kernel attributes {known_grid_size = array<i32: 1, 1, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %row = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%t)
    %half = affine.apply affine_map<(d0) -> (d0 mod 2 * 8)>(%t)
    %at = arith.muli %t, %c8 : index
    %token = nvgpu.device_async_copy %a[%at], %s[%row, %half], 8 : memref<512xf16> to memref<32x16xf16, 3>
    %m = nvgpu.ldmatrix %s[%t, %c0] {numTiles = 2 : i32, transpose = false} : memref<32x16xf16, 3> -> vector<2x2xf16>
    %r = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%t)
    %c = affine.apply affine_map<(d0) -> (d0 mod 4 * 4)>(%t)
    %v = vector.load %s[%r, %c] : memref<32x16xf16, 3>, vector<4xf16>
    gpu.return
  }
}

// -----

// Private memory is nobody's business.
// CHECK-LABEL: kernel @m::@alone
// CHECK-NOT: workgroup
// CHECK: write arg0
gpu.module @m {
  gpu.func @alone(%a: memref<64xf32>) private(%s: memref<4xf32, #gpu.address_space<private>>) kernel attributes {known_grid_size = array<i32: 1, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %v = memref.load %s[%c0] : memref<4xf32, #gpu.address_space<private>>
    memref.store %v, %a[%t] : memref<64xf32>
    gpu.return
  }
}
