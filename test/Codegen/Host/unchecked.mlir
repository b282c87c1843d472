// What the host cannot run, or what the original itself does wrong, is no
// verdict about the variant.
// RUN: not swizzle-check %s %s --kernel=matrix_unit | FileCheck %s --check-prefix=OP
// RUN: not swizzle-check %s %s --kernel=callee | FileCheck %s --check-prefix=CALLEE
// RUN: not swizzle-check %s %s --kernel=diverges | FileCheck %s --check-prefix=DIVERGES
// RUN: not swizzle-check %s %s --kernel=outside | FileCheck %s --check-prefix=OUTSIDE
// RUN: not swizzle-check %s %s --kernel=nothing | FileCheck %s --check-prefix=NOTHING
// RUN: sh -c 'swizzle-check %s %s --kernel=nothing --json; test $? = 3'
// RUN: sh -c 'swizzle-check %s %s; test $? = 2'
// RUN: sh -c 'swizzle-check %s %s --kernel=other 2>%t; test $? = 2'
// RUN: FileCheck %s --check-prefix=OTHER < %t
// RUN: sh -c 'swizzle-check %s %s --kernel=outside --grid=3 2>%t; test $? = 2'
// RUN: FileCheck %s --check-prefix=GRID < %t
// RUN: sh -c 'swizzle-check %s %s --kernel=outside --argument=0=many 2>%t; test $? = 2'
// RUN: FileCheck %s --check-prefix=ARGUMENT < %t

// OP: unchecked: op amdgpu.wmma at {{.*}}unchecked.mlir:[[#]]:[[#]]
// CALLEE: unchecked: a call of secret, which is not there
// DIVERGES: unchecked: the original itself: workgroup (0,0,0): thread (0,0,0) waits at gpu.barrier at {{.*}}unchecked.mlir:[[#]]:[[#]], while thread (16,0,0) has ended; all threads must reach the same barrier
// OUTSIDE: unchecked: the original itself: workgroup (1,0,0), thread (31,0,0), memref.store at {{.*}}unchecked.mlir:[[#]]:[[#]]: writes 4 bytes at byte 252 of arg0, which has 252 bytes
// NOTHING: unchecked: no workgroup that was run wrote anything
// OTHER: no kernel is called other; there are m::matrix_unit, m::callee, m::diverges, m::outside, m::nothing

// GRID: grid 3 is asked for, but outside is launched with 2
// ARGUMENT: --argument=0=many: many is not a whole number

gpu.module @m {
  gpu.func @matrix_unit(%out: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {
    %a = arith.constant dense<1.0> : vector<16xf16>
    %c = arith.constant dense<0.0> : vector<8xf32>
    %d = amdgpu.wmma 16x16x16 %a * %a + %c : vector<16xf16>, vector<16xf16>, vector<8xf32>
    %t = gpu.thread_id x
    vector.store %d, %out[%t] : memref<64xf32>, vector<8xf32>
    gpu.return
  }

  func.func private @secret(f32) -> f32
  gpu.func @callee(%out: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {
    %t = gpu.global_id x
    %one = arith.constant 1.0 : f32
    %v = func.call @secret(%one) : (f32) -> f32
    memref.store %v, %out[%t] : memref<64xf32>
    gpu.return
  }

  gpu.func @diverges(%out: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {
    %t = gpu.thread_id x
    %c16 = arith.constant 16 : index
    %low = arith.cmpi ult, %t, %c16 : index
    scf.if %low {
      gpu.barrier
    }
    gpu.return
  }

  gpu.func @outside(%out: memref<63xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {
    %t = gpu.global_id x
    %one = arith.constant 1.0 : f32
    memref.store %one, %out[%t] : memref<63xf32>
    gpu.return
  }

  gpu.func @nothing(%out: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {
    gpu.return
  }
}
