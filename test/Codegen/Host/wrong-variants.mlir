// Wrong variants are caught: each has the kernel of the original with one mistake.
// RUN: split-file %s %t
// RUN: not swizzle-check %t/original.mlir %t/unreplaced.mlir --formula='return y, x' | FileCheck %s --check-prefix=UNREPLACED
// RUN: not swizzle-check %t/original.mlir %t/swapped.mlir | FileCheck %s --check-prefix=SWAPPED
// RUN: not swizzle-check %t/original.mlir %t/barrier.mlir | FileCheck %s --check-prefix=BARRIER
// RUN: not swizzle-check %t/original.mlir %t/guard.mlir | FileCheck %s --check-prefix=GUARD
// RUN: not swizzle-check %t/open.mlir %t/assumed.mlir --grid=2x4 --assumed-grid=4x2 | FileCheck %s --check-prefix=ASSUMED
// RUN: swizzle-check %t/open.mlir %t/open.mlir --grid=2x4 --assumed-grid=4x2 | FileCheck %s --check-prefix=GUARDED
// RUN: not swizzle-check %t/original.mlir %t/original.mlir --formula='return x, 0' | FileCheck %s --check-prefix=DUPLICATE
// RUN: not swizzle-check %t/halo.mlir %t/reversed-halo.mlir --formula='return gx - 1 - x' | FileCheck %s --check-prefix=HALO

// UNREPLACED: failed: workgroup (3,0) of the variant should do what workgroup (0,3) of the original does, but element 0 of arg1 is 0.{{[0-9]+}} (0x{{[0-9a-f]+}}) in the variant and not written in the original
// SWAPPED: failed: workgroup (3,0) of the variant should do what workgroup (3,0) of the original does
// BARRIER: failed: workgroup (0,0) of the variant should do what workgroup (0,0) of the original does, but element 0 of arg1 is -2.61675457e+36 (0xfbfbfbfb) in the variant
// GUARD: failed: workgroup ({{[0-9]}},3,0), thread ({{[0-9]}},{{[0-9]}},0), memref.load at {{.*}}guard.mlir:{{[0-9]+}}:{{[0-9]+}}: reads 4 bytes at byte 3840 of arg0, which has 3840 bytes
// ASSUMED: failed: workgroup
// GUARDED: passed
// GUARDED: formula from identity: the variant was made for another grid
// HALO: failed: workgroups of the original race, and the variant changes which comes first: byte 60 of arg0: workgroup (0) writes it
// DUPLICATE: failed: the formula is no permutation: workgroups (0,0) and (0,1) both map to (0,0)

//--- original.mlir
gpu.module @m {
  gpu.func @k(%in: memref<30x32xf32>, %out: memref<30x32xf32>)
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 8, 8, 1>, known_grid_size = array<i32: 4, 4, 1>} {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c30 = arith.constant 30 : index
    %c63 = arith.constant 63 : index
    %hx = gpu.block_id x
    %hy = gpu.block_id y

    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %x0 = arith.muli %hx, %c8 : index
    %y0 = arith.muli %hy, %c8 : index
    %x = arith.addi %x0, %tx : index
    %y = arith.addi %y0, %ty : index
    %r0 = arith.muli %ty, %c8 : index
    %t = arith.addi %r0, %tx : index
    %inside = arith.cmpi ult, %y, %c30 : index
    scf.if %inside {
      %v = memref.load %in[%y, %x] : memref<30x32xf32>
      memref.store %v, %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %mirror = arith.subi %c63, %t : index
    %v = memref.load %tile[%mirror] : memref<64xf32, #gpu.address_space<workgroup>>
    scf.if %inside {
      memref.store %v, %out[%y, %x] : memref<30x32xf32>
    }
    gpu.return
  }
}
//--- unreplaced.mlir
gpu.module @m {
  gpu.func @k(%in: memref<30x32xf32>, %out: memref<30x32xf32>)
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 8, 8, 1>, known_grid_size = array<i32: 4, 4, 1>} {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c30 = arith.constant 30 : index
    %c63 = arith.constant 63 : index
    %hx = gpu.block_id x
    %hy = gpu.block_id y

    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %x0 = arith.muli %hy, %c8 : index
    %y0 = arith.muli %hy, %c8 : index
    %x = arith.addi %x0, %tx : index
    %y = arith.addi %y0, %ty : index
    %r0 = arith.muli %ty, %c8 : index
    %t = arith.addi %r0, %tx : index
    %inside = arith.cmpi ult, %y, %c30 : index
    scf.if %inside {
      %v = memref.load %in[%y, %x] : memref<30x32xf32>
      memref.store %v, %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %mirror = arith.subi %c63, %t : index
    %v = memref.load %tile[%mirror] : memref<64xf32, #gpu.address_space<workgroup>>
    scf.if %inside {
      memref.store %v, %out[%y, %x] : memref<30x32xf32>
    }
    gpu.return
  }
}
//--- swapped.mlir
gpu.module @m {
  gpu.func @k(%in: memref<30x32xf32>, %out: memref<30x32xf32>)
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 8, 8, 1>, known_grid_size = array<i32: 4, 4, 1>} {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c30 = arith.constant 30 : index
    %c63 = arith.constant 63 : index
    %hx = gpu.block_id x
    %hy = gpu.block_id y

    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %x0 = arith.muli %hy, %c8 : index
    %y0 = arith.muli %hx, %c8 : index
    %x = arith.addi %x0, %tx : index
    %y = arith.addi %y0, %ty : index
    %r0 = arith.muli %ty, %c8 : index
    %t = arith.addi %r0, %tx : index
    %inside = arith.cmpi ult, %y, %c30 : index
    scf.if %inside {
      %v = memref.load %in[%y, %x] : memref<30x32xf32>
      memref.store %v, %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %mirror = arith.subi %c63, %t : index
    %v = memref.load %tile[%mirror] : memref<64xf32, #gpu.address_space<workgroup>>
    scf.if %inside {
      memref.store %v, %out[%y, %x] : memref<30x32xf32>
    }
    gpu.return
  }
}
//--- barrier.mlir
gpu.module @m {
  gpu.func @k(%in: memref<30x32xf32>, %out: memref<30x32xf32>)
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 8, 8, 1>, known_grid_size = array<i32: 4, 4, 1>} {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c30 = arith.constant 30 : index
    %c63 = arith.constant 63 : index
    %hx = gpu.block_id x
    %hy = gpu.block_id y

    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %x0 = arith.muli %hx, %c8 : index
    %y0 = arith.muli %hy, %c8 : index
    %x = arith.addi %x0, %tx : index
    %y = arith.addi %y0, %ty : index
    %r0 = arith.muli %ty, %c8 : index
    %t = arith.addi %r0, %tx : index
    %inside = arith.cmpi ult, %y, %c30 : index
    scf.if %inside {
      %v = memref.load %in[%y, %x] : memref<30x32xf32>
      memref.store %v, %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    
    %mirror = arith.subi %c63, %t : index
    %v = memref.load %tile[%mirror] : memref<64xf32, #gpu.address_space<workgroup>>
    scf.if %inside {
      memref.store %v, %out[%y, %x] : memref<30x32xf32>
    }
    gpu.return
  }
}
//--- guard.mlir
gpu.module @m {
  gpu.func @k(%in: memref<30x32xf32>, %out: memref<30x32xf32>)
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 8, 8, 1>, known_grid_size = array<i32: 4, 4, 1>} {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c30 = arith.constant 30 : index
    %c63 = arith.constant 63 : index
    %hx = gpu.block_id x
    %hy = gpu.block_id y

    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %x0 = arith.muli %hx, %c8 : index
    %y0 = arith.muli %hy, %c8 : index
    %x = arith.addi %x0, %tx : index
    %y = arith.addi %y0, %ty : index
    %r0 = arith.muli %ty, %c8 : index
    %t = arith.addi %r0, %tx : index
    %inside = arith.constant true
    scf.if %inside {
      %v = memref.load %in[%y, %x] : memref<30x32xf32>
      memref.store %v, %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %mirror = arith.subi %c63, %t : index
    %v = memref.load %tile[%mirror] : memref<64xf32, #gpu.address_space<workgroup>>
    scf.if %inside {
      memref.store %v, %out[%y, %x] : memref<30x32xf32>
    }
    gpu.return
  }
}
//--- open.mlir
gpu.module @m {
  gpu.func @k(%in: memref<30x32xf32>, %out: memref<30x32xf32>)
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 8, 8, 1>} {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c30 = arith.constant 30 : index
    %c63 = arith.constant 63 : index
    %hx = gpu.block_id x
    %hy = gpu.block_id y

    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %x0 = arith.muli %hx, %c8 : index
    %y0 = arith.muli %hy, %c8 : index
    %x = arith.addi %x0, %tx : index
    %y = arith.addi %y0, %ty : index
    %r0 = arith.muli %ty, %c8 : index
    %t = arith.addi %r0, %tx : index
    %inside = arith.cmpi ult, %y, %c30 : index
    scf.if %inside {
      %v = memref.load %in[%y, %x] : memref<30x32xf32>
      memref.store %v, %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %mirror = arith.subi %c63, %t : index
    %v = memref.load %tile[%mirror] : memref<64xf32, #gpu.address_space<workgroup>>
    scf.if %inside {
      memref.store %v, %out[%y, %x] : memref<30x32xf32>
    }
    gpu.return
  }
}
//--- assumed.mlir
gpu.module @m {
  gpu.func @k(%in: memref<30x32xf32>, %out: memref<30x32xf32>)
      workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 8, 8, 1>} {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c30 = arith.constant 30 : index
    %c63 = arith.constant 63 : index
    %hx = gpu.block_id x
    %hy = gpu.block_id y
    %c4 = arith.constant 4 : index
    %rows = arith.muli %hy, %c4 : index
    %id = arith.addi %rows, %hx : index
    %c2 = arith.constant 2 : index
    %nx = arith.divui %id, %c2 : index
    %ny = arith.remui %id, %c2 : index
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %x0 = arith.muli %nx, %c8 : index
    %y0 = arith.muli %ny, %c8 : index
    %x = arith.addi %x0, %tx : index
    %y = arith.addi %y0, %ty : index
    %r0 = arith.muli %ty, %c8 : index
    %t = arith.addi %r0, %tx : index
    %inside = arith.cmpi ult, %y, %c30 : index
    scf.if %inside {
      %v = memref.load %in[%y, %x] : memref<30x32xf32>
      memref.store %v, %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %mirror = arith.subi %c63, %t : index
    %v = memref.load %tile[%mirror] : memref<64xf32, #gpu.address_space<workgroup>>
    scf.if %inside {
      memref.store %v, %out[%y, %x] : memref<30x32xf32>
    }
    gpu.return
  }
}
//--- halo.mlir
gpu.module @m {
  gpu.func @k(%a: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %w = gpu.block_id x

    %t = gpu.thread_id x
    %base = arith.muli %w, %c16 : index
    %i = arith.addi %base, %t : index
    %inside = arith.cmpi ugt, %i, %c0 : index
    scf.if %inside {
      %j = arith.subi %i, %c1 : index
      %v = memref.load %a[%j] : memref<64xf32>
      memref.store %v, %a[%i] : memref<64xf32>
    }
    gpu.return
  }
}
//--- reversed-halo.mlir
gpu.module @m {
  gpu.func @k(%a: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c3 = arith.constant 3 : index
    %id = gpu.block_id x
    %w = arith.subi %c3, %id : index
    %t = gpu.thread_id x
    %base = arith.muli %w, %c16 : index
    %i = arith.addi %base, %t : index
    %inside = arith.cmpi ugt, %i, %c0 : index
    scf.if %inside {
      %j = arith.subi %i, %c1 : index
      %v = memref.load %a[%j] : memref<64xf32>
      memref.store %v, %a[%i] : memref<64xf32>
    }
    gpu.return
  }
}
