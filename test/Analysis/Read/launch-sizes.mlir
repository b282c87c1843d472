// RUN: swizzle-opt %s -split-input-file --swizzle-print-model -o /dev/null | FileCheck %s

// Launch operands are folded.
// CHECK-LABEL: kernel @m::@folded grid 13x4x1 block 32x8x1
module attributes {gpu.container_module} {
gpu.module @m {
  gpu.func @folded(%a: memref<16xf32>) kernel {
    gpu.return
  }
}
func.func @host(%a: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c100 = arith.constant 100 : index
  %x = arith.ceildivui %c100, %c8 : index
  %y = affine.apply affine_map<(d0) -> (d0 ceildiv 10 - 1)>(%c32)
  %y1 = arith.addi %y, %c1 : index
  gpu.launch_func @m::@folded blocks in (%x, %y1, %c1) threads in (%c32, %c8, %c1) args(%a : memref<16xf32>)
  return
}
}

// -----

// Launches that disagree leave the extent open, with a note.
// CHECK-LABEL: kernel @m::@twice grid 4x1x1
// CHECK: assumed: grid x = 4 (from one of the launches)
// CHECK: note: launches disagree on the grid: 4x1x1 at {{.*}}, 8x1x1 at
module attributes {gpu.container_module} {
gpu.module @m {
  gpu.func @twice(%a: memref<16xf32>) kernel {
    gpu.return
  }
}
func.func @host(%a: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  gpu.launch_func @m::@twice blocks in (%c4, %c1, %c1) threads in (%c4, %c1, %c1) args(%a : memref<16xf32>)
  gpu.launch_func @m::@twice blocks in (%c8, %c1, %c1) threads in (%c4, %c1, %c1) args(%a : memref<16xf32>)
  return
}
}

// -----

// The attribute is a fact; a launch that contradicts it is noted (and refused).
// CHECK-LABEL: kernel @m::@known grid 2x1x1
// CHECK: note: the launch at {{.*}} has grid 4x1x1, but the kernel's attribute says 2x1x1
module attributes {gpu.container_module} {
gpu.module @m {
  gpu.func @known(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 2, 1, 1>} {
    gpu.return
  }
}
func.func @host(%a: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  gpu.launch_func @m::@known blocks in (%c4, %c1, %c1) threads in (%c4, %c1, %c1) args(%a : memref<16xf32>)
  return
}
}

// -----

// A dynamic launch: nominal extents of the data give a nominal grid.
// CHECK-LABEL: kernel @m::@dynamic grid 64x1x1 block 64x1x1
// CHECK: assumed: grid x = 64 (from the launch, with nominal sizes)
module attributes {gpu.container_module} {
gpu.module @m {
  gpu.func @dynamic(%a: memref<?xf32>) kernel {
    %b = gpu.block_id x
    gpu.return
  }
}
func.func @host(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %x = arith.ceildivui %n, %c64 : index
  gpu.launch_func @m::@dynamic blocks in (%x, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<?xf32>)
  return
}
}

// -----

// The size of the data at the launch is known though the kernel's type is not.
// CHECK-LABEL: kernel @m::@cast
// CHECK: buffer arg0 4000 bytes of 4
// CHECK: assumed: dim 0 of arg0 = 1000 (from the launch)
module attributes {gpu.container_module} {
gpu.module @m {
  gpu.func @cast(%a: memref<?xf32>) kernel {
    gpu.return
  }
}
func.func @host(%a: memref<1000xf32>) {
  %c1 = arith.constant 1 : index
  %d = memref.cast %a : memref<1000xf32> to memref<?xf32>
  gpu.launch_func @m::@cast blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%d : memref<?xf32>)
  return
}
}

// -----

// Nobody launches it: a nominal extent along each axis that is read.
// CHECK-LABEL: kernel @m::@alone grid 64x1x64 block 32x8x1
// CHECK: assumed: grid x = 64 (nominal)
gpu.module @m {
  gpu.func @alone(%a: memref<16xf32>) kernel {
    %b = gpu.block_id x
    %c = gpu.block_id z
    %t = gpu.thread_id x
    %u = gpu.thread_id y
    gpu.return
  }
}

// -----

// An extent of data that nobody knows is no block that a device would take.
// CHECK-LABEL: kernel @m::@by_data grid 4096x1x1 block 256x1x1
// CHECK: assumed: grid x = 4096 (from the launch, with nominal sizes)
// CHECK: assumed: block x = 256 (nominal)
module attributes {gpu.container_module} {
gpu.module @m {
  gpu.func @by_data(%a: memref<?x?xf32>) kernel {
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %v = memref.load %a[%x, %t] : memref<?x?xf32>
    gpu.return
  }
}
func.func @host(%a: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %a, %c0 : memref<?x?xf32>
  %columns = memref.dim %a, %c1 : memref<?x?xf32>
  gpu.launch_func @m::@by_data blocks in (%rows, %c1, %c1) threads in (%columns, %c1, %c1) args(%a : memref<?x?xf32>)
  return
}
}

// -----

// As many workgroups as all axes allow, whichever comes first.
// CHECK-LABEL: kernel @m::@known_last grid 64x1024x1 block 64x1x1
// CHECK: assumed: grid x = 64 (nominal)
module attributes {gpu.container_module} {
gpu.module @m {
  gpu.func @known_last(%a: memref<?xf32>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %v = memref.load %a[%x] : memref<?xf32>
    gpu.return
  }
}
func.func @host(%a: memref<?xf32>, %r: index, %s: index) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %n = arith.muli %r, %s : index
  gpu.launch_func @m::@known_last blocks in (%n, %c1024, %c1) threads in (%c64, %c1, %c1) args(%a : memref<?xf32>, %n : index)
  return
}
}
