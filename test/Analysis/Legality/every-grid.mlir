// A block of 64 is claimed (and compared at run time), of the grid nobody knows
// anything: `strict` takes what is apart on every grid, read without any size
// that is not known.
// RUN: swizzle-opt %s --hw-aware-swizzle="chip=h100 block=64 strict=true formula='return gx - 1 - x'" -o /dev/null 2>&1 | FileCheck %s
// RUN: swizzle-opt %s --hw-aware-swizzle="chip=h100 block=64 strict=true kernel=apart formula='return gx - 1 - x'" 2>/dev/null | FileCheck %s --check-prefix=GUARD

// CHECK-DAG: {{^}}apart: remapped for h100
// CHECK-DAG: {{^}}fixed: remapped for h100

// With two workgroups along y, each would double what the other has written.
// CHECK-DAG: {{^}}twice: may not be remapped (assumption)
// 64 * x may wrap around in 32 bits.
// CHECK-DAG: {{^}}narrow: may not be remapped (assumption)
// A row may be shorter than the block.
// CHECK-DAG: {{^}}rows: may not be remapped (assumption)
// CHECK-DAG: {{^}}size: may not be remapped (assumption)
// The extent of the grid is no number that is known.
// CHECK-DAG: {{^}}strided: may not be remapped (assumption)
// CHECK-DAG: {{^}}number: may not be remapped (assumption)

// GUARD: gpu.func @apart
// GUARD: %[[DIM:.*]] = gpu.block_dim x
// GUARD: arith.cmpi eq, %[[DIM]], %c64
gpu.module @m {
  gpu.func @apart(%a: memref<?xf32>) kernel {
    %c64 = arith.constant 64 : index
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %b = arith.muli %x, %c64 : index
    %i = arith.addi %b, %t : index
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%i] : memref<?xf32>
    gpu.return
  }
  gpu.func @twice(%a: memref<?xf32>) kernel {
    %c64 = arith.constant 64 : index
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %b = arith.muli %x, %c64 : index
    %i = arith.addi %b, %t : index
    %f = memref.load %a[%i] : memref<?xf32>
    %g = arith.addf %f, %f : f32
    memref.store %g, %a[%i] : memref<?xf32>
    gpu.return
  }
  gpu.func @narrow(%a: memref<?xf32>) kernel {
    %c64 = arith.constant 64 : i32
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %xi = arith.index_cast %x : index to i32
    %ti = arith.index_cast %t : index to i32
    %b = arith.muli %xi, %c64 : i32
    %j = arith.addi %b, %ti : i32
    %i = arith.index_castui %j : i32 to index
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%i] : memref<?xf32>
    gpu.return
  }
  gpu.func @rows(%a: memref<?x?xf32>) kernel {
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%x, %t] : memref<?x?xf32>
    gpu.return
  }
  gpu.func @fixed(%a: memref<?x64xf32>) kernel {
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%x, %t] : memref<?x64xf32>
    gpu.return
  }
  gpu.func @size(%a: memref<?xf32>) kernel {
    %c0 = arith.constant 0 : index
    %x = gpu.block_id x
    %n = memref.dim %a, %c0 : memref<?xf32>
    %i = arith.remui %x, %n : index
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%i] : memref<?xf32>
    gpu.return
  }
  gpu.func @strided(%a: memref<?xf32>) kernel {
    %x = gpu.block_id x
    %g = gpu.grid_dim x
    %t = gpu.thread_id x
    %b = arith.muli %t, %g : index
    %i = arith.addi %b, %x : index
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%i] : memref<?xf32>
    gpu.return
  }
  gpu.func @number(%a: memref<?xf32>, %n: index) kernel {
    %x = gpu.block_id x
    %b = arith.muli %x, %n : index
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%b] : memref<?xf32>
    gpu.return
  }
}
