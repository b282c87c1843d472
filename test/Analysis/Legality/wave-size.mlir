// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chips that have waves of either size: the features of the target say which. Each
// workgroup of 64 threads writes 32 numbers if lanes go up to 31, and those of its
// neighbour as well if they go up to 63.

// RUN: swizzle-opt %s --split-input-file --hw-aware-swizzle="strict formula='return gx - 1 - x'" -o /dev/null 2>&1 | FileCheck %s

// CHECK: narrow: remapped
// CHECK: wide: may not be remapped (cross-workgroup-write)
// CHECK: both: may not be remapped (assumption)
// CHECK: either: may not be remapped (assumption)
// CHECK: described: may not be remapped (cross-workgroup-write)

module attributes {gpu.container_module} {
  gpu.module @m [#rocdl.target<chip = "gfx1100">] {
    gpu.func @narrow(%out: memref<1056xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 32, 1, 1>} {
      %x = gpu.block_id x
      %lane = gpu.lane_id
      %c32 = arith.constant 32 : index
      %first = arith.muli %x, %c32 : index
      %i = arith.addi %first, %lane : index
      %v = arith.index_cast %x : index to i32
      memref.store %v, %out[%i] : memref<1056xi32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m [#rocdl.target<chip = "gfx1100", features = "+wavefrontsize64">] {
    gpu.func @wide(%out: memref<1056xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 32, 1, 1>} {
      %x = gpu.block_id x
      %lane = gpu.lane_id
      %c32 = arith.constant 32 : index
      %first = arith.muli %x, %c32 : index
      %i = arith.addi %first, %lane : index
      %v = arith.index_cast %x : index to i32
      memref.store %v, %out[%i] : memref<1056xi32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m [#rocdl.target<chip = "gfx1100", features = "+dpp, +wavefrontsize32,+wavefrontsize64">] {
    gpu.func @both(%out: memref<2112xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 32, 1, 1>} {
      %x = gpu.block_id x
      %lane = gpu.lane_id
      %c64 = arith.constant 64 : index
      %first = arith.muli %x, %c64 : index
      %i = arith.addi %first, %lane : index
      %v = arith.index_cast %x : index to i32
      memref.store %v, %out[%i] : memref<2112xi32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m [#rocdl.target<chip = "gfx1100">, #rocdl.target<chip = "gfx1100", features = "+wavefrontsize64">] {
    gpu.func @either(%out: memref<2112xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 32, 1, 1>} {
      %x = gpu.block_id x
      %lane = gpu.lane_id
      %c64 = arith.constant 64 : index
      %first = arith.muli %x, %c64 : index
      %i = arith.addi %first, %lane : index
      %v = arith.index_cast %x : index to i32
      memref.store %v, %out[%i] : memref<2112xi32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module, dlti.target_system_spec = #dlti.target_system_spec<"GPU" = #dlti.target_device_spec<"swizzle.chip" = "rx7900xtx">>} {
  gpu.module @m [#rocdl.target<chip = "gfx1100", features = "+wavefrontsize64">] {
    gpu.func @described(%out: memref<1056xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 32, 1, 1>} {
      %x = gpu.block_id x
      %lane = gpu.lane_id
      %c32 = arith.constant 32 : index
      %first = arith.muli %x, %c32 : index
      %i = arith.addi %first, %lane : index
      %v = arith.index_cast %x : index to i32
      memref.store %v, %out[%i] : memref<1056xi32>
      gpu.return
    }
  }
}

// -----

// Compiled for one more chip, of which nothing is known, and not for the one that is
// described: the size is assumed.
// CHECK: more_than_known: may not be remapped (assumption)
module attributes {gpu.container_module} {
  gpu.module @m [#rocdl.target<chip = "gfx1100">, #rocdl.target<chip = "gfx906">] {
    gpu.func @more_than_known(%out: memref<1056xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 32, 1, 1>} {
      %x = gpu.block_id x
      %lane = gpu.lane_id
      %c32 = arith.constant 32 : index
      %first = arith.muli %x, %c32 : index
      %i = arith.addi %first, %lane : index
      %v = arith.index_cast %x : index to i32
      memref.store %v, %out[%i] : memref<1056xi32>
      gpu.return
    }
  }
}

// -----

// CHECK: another_than_described: may not be remapped (assumption)
module attributes {gpu.container_module, dlti.target_system_spec = #dlti.target_system_spec<"GPU" = #dlti.target_device_spec<"swizzle.chip" = "rx7900xtx">>} {
  gpu.module @m [#rocdl.target<chip = "gfx942">] {
    gpu.func @another_than_described(%out: memref<1056xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 32, 1, 1>} {
      %x = gpu.block_id x
      %lane = gpu.lane_id
      %c32 = arith.constant 32 : index
      %first = arith.muli %x, %c32 : index
      %i = arith.addi %first, %lane : index
      %v = arith.index_cast %x : index to i32
      memref.store %v, %out[%i] : memref<1056xi32>
      gpu.return
    }
  }
}

// -----

// Asked for in a function that the kernel calls.
// CHECK: asked_below: may not be remapped (assumption)
module attributes {gpu.container_module} {
  gpu.module @m {
    func.func private @width() -> index {
      %size = gpu.subgroup_size : index
      return %size : index
    }
    gpu.func @asked_below(%out: memref<65536xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 32, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c2048 = arith.constant 2048 : index
      %size = func.call @width() : () -> index
      %first = arith.muli %x, %c2048 : index
      %mine = arith.muli %t, %size : index
      %i = arith.addi %first, %mine : index
      %v = arith.index_cast %x : index to i32
      memref.store %v, %out[%i] : memref<65536xi32>
      gpu.return
    }
  }
}
