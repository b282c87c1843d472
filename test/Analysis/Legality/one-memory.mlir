// Arguments that a launch passes the same memory: as they lie there, they are compared.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

// Somebody who is not seen may pass the two shifted.

// CHECK: Missed{{.*}}Function=visible | Code=assumption{{.*}}arg0 and arg1 lie in all launches as in those that are seen, or do not overlap
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @visible(%a: memref<1024xf32>, %o: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %i = affine.apply affine_map<()[b, t] -> (b * 64 + t)>()[%x, %t]
      %v = memref.load %a[%i] : memref<1024xf32>
      memref.store %v, %o[%i] : memref<1024xf32>
      gpu.return
    }
  }
  func.func @host(%m: memref<1024xf32>) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@visible blocks in (%c16, %c1, %c1) threads in (%c64, %c1, %c1) args(%m : memref<1024xf32>, %m : memref<1024xf32>)
    return
  }
}

// -----

// CHECK: Passed{{.*}}Function=private | Formula
module attributes {gpu.container_module} {
  gpu.module @m attributes {sym_visibility = "private"} {
    gpu.func @private(%a: memref<1024xf32>, %o: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %i = affine.apply affine_map<()[b, t] -> (b * 64 + t)>()[%x, %t]
      %v = memref.load %a[%i] : memref<1024xf32>
      memref.store %v, %o[%i] : memref<1024xf32>
      gpu.return
    }
  }
  func.func @host(%m: memref<1024xf32>) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@private blocks in (%c16, %c1, %c1) threads in (%c64, %c1, %c1) args(%m : memref<1024xf32>, %m : memref<1024xf32>)
    return
  }
}

// -----

// Views of one piece of memory: these overlap,

// CHECK: Missed{{.*}}Function=overlapping | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte
module attributes {gpu.container_module} {
  gpu.module @m attributes {sym_visibility = "private"} {
    gpu.func @overlapping(%a: memref<1024xf32>, %o: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %i = affine.apply affine_map<()[b, t] -> (b * 64 + t)>()[%x, %t]
      %v = memref.load %a[%i] : memref<1024xf32>
      memref.store %v, %o[%i] : memref<1024xf32>
      gpu.return
    }
  }
  func.func @host(%m: memref<16384xi8>) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %s0 = memref.view %m[%c0][] : memref<16384xi8> to memref<1024xf32>
    %s1 = memref.view %m[%c128][] : memref<16384xi8> to memref<1024xf32>
    gpu.launch_func @m::@overlapping blocks in (%c16, %c1, %c1) threads in (%c64, %c1, %c1) args(%s0 : memref<1024xf32>, %s1 : memref<1024xf32>)
    return
  }
}

// -----

// and so do these, the other way round,

// CHECK: Missed{{.*}}Function=overlapping_before | Code=cross-workgroup-write, Counterexample="workgroups (
module attributes {gpu.container_module} {
  gpu.module @m attributes {sym_visibility = "private"} {
    gpu.func @overlapping_before(%a: memref<1024xf32>, %o: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %i = affine.apply affine_map<()[b, t] -> (b * 64 + t)>()[%x, %t]
      %v = memref.load %a[%i] : memref<1024xf32>
      memref.store %v, %o[%i] : memref<1024xf32>
      gpu.return
    }
  }
  func.func @host(%m: memref<16384xi8>) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c4096 = arith.constant 4096 : index
    %c3968 = arith.constant 3968 : index
    %s0 = memref.view %m[%c4096][] : memref<16384xi8> to memref<1024xf32>
    %s1 = memref.view %m[%c3968][] : memref<16384xi8> to memref<1024xf32>
    gpu.launch_func @m::@overlapping_before blocks in (%c16, %c1, %c1) threads in (%c64, %c1, %c1) args(%s0 : memref<1024xf32>, %s1 : memref<1024xf32>)
    return
  }
}

// -----

// and these do not.

// CHECK: Passed{{.*}}Function=apart | Formula
module attributes {gpu.container_module} {
  gpu.module @m attributes {sym_visibility = "private"} {
    gpu.func @apart(%a: memref<1024xf32>, %o: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %i = affine.apply affine_map<()[b, t] -> (b * 64 + t)>()[%x, %t]
      %v = memref.load %a[%i] : memref<1024xf32>
      memref.store %v, %o[%i] : memref<1024xf32>
      gpu.return
    }
  }
  func.func @host(%m: memref<16384xi8>) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c8192 = arith.constant 8192 : index
    %c4096 = arith.constant 4096 : index
    %s0 = memref.view %m[%c8192][] : memref<16384xi8> to memref<1024xf32>
    %s1 = memref.view %m[%c4096][] : memref<16384xi8> to memref<1024xf32>
    gpu.launch_func @m::@apart blocks in (%c16, %c1, %c1) threads in (%c64, %c1, %c1) args(%s0 : memref<1024xf32>, %s1 : memref<1024xf32>)
    return
  }
}

// -----

// What a launch without a function passes is what every launch passes.

// CHECK: Passed{{.*}}Function=inline_kernel | Formula
func.func @inline(%m: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c16, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %first = arith.muli %bx, %c64 : index
    %i = arith.addi %first, %tx : index
    %v = memref.load %m[%i] : memref<1024xf32>
    memref.store %v, %m[%i] : memref<1024xf32>
    gpu.terminator
  }
  return
}

// -----

// What one argument is aligned to tells where the memory begins: 4 bytes before.
// CHECK: Missed{{.*}}Function=aligned | Code=cross-workgroup-write
module attributes {gpu.container_module} {
  gpu.module @m attributes {sym_visibility = "private"} {
    gpu.func @aligned(%a: memref<1024xf32> {llvm.align = 16 : i64}, %o: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c15 = arith.constant 15 : i64
      %z = arith.constant 0 : i64
      %p = memref.extract_aligned_pointer_as_index %a : memref<1024xf32> -> index
      %pi = arith.index_cast %p : index to i64
      %low = arith.andi %pi, %c15 : i64
      %al = arith.cmpi eq, %low, %z : i64
      %xi = arith.index_cast %x : index to i32
      %f = arith.sitofp %xi : i32 to f32
      scf.if %al {
        memref.store %f, %o[%c0] : memref<1024xf32>
      } else {
        %i = affine.apply affine_map<()[b, t] -> (b * 64 + t)>()[%x, %t]
        memref.store %f, %o[%i] : memref<1024xf32>
      }
      gpu.return
    }
  }
  func.func @host(%m: memref<16384xi8>) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %s0 = memref.view %m[%c4][] : memref<16384xi8> to memref<1024xf32>
    %s1 = memref.view %m[%c0][] : memref<16384xi8> to memref<1024xf32>
    gpu.launch_func @m::@aligned blocks in (%c16, %c1, %c1) threads in (%c64, %c1, %c1) args(%s0 : memref<1024xf32>, %s1 : memref<1024xf32>)
    return
  }
}

// -----

// The launch passes a place behind where memory begins, and that is aligned.
// CHECK: Missed{{.*}}Function=misaligned | Code=cross-workgroup-write{{.*}}the memory that is passed for arg0 is aligned to 16 bytes
module attributes {gpu.container_module} {
  gpu.module @m attributes {sym_visibility = "private"} {
    gpu.func @misaligned(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c15 = arith.constant 15 : i64
      %z = arith.constant 0 : i64
      %p = memref.extract_aligned_pointer_as_index %a : memref<1024xf32> -> index
      %pi = arith.index_cast %p : index to i64
      %low = arith.andi %pi, %c15 : i64
      %al = arith.cmpi eq, %low, %z : i64
      %xi = arith.index_cast %x : index to i32
      %f = arith.sitofp %xi : i32 to f32
      scf.if %al {
        %i = affine.apply affine_map<()[b, t] -> (b * 64 + t)>()[%x, %t]
        memref.store %f, %a[%i] : memref<1024xf32>
      } else {
        memref.store %f, %a[%c0] : memref<1024xf32>
      }
      gpu.return
    }
  }
  func.func @host() {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c4 = arith.constant 4 : index
    %m = memref.alloc() {alignment = 64} : memref<16384xi8>
    %s0 = memref.view %m[%c4][] : memref<16384xi8> to memref<1024xf32>
    gpu.launch_func @m::@misaligned blocks in (%c16, %c1, %c1) threads in (%c64, %c1, %c1) args(%s0 : memref<1024xf32>)
    return
  }
}
