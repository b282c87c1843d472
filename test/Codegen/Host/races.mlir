// Two workgroups that touch one byte, one of them writing; kernels without;
// kernels that the host cannot run, or that do not end.
// RUN: swizzle-check %s --races --kernel=rows | FileCheck %s --check-prefix=NONE
// RUN: swizzle-check %s --races --kernel=sum | FileCheck %s --check-prefix=SUM
// RUN: not swizzle-check %s --races --kernel=halo | FileCheck %s --check-prefix=HALO
// RUN: not swizzle-check %s --races --kernel=flag | FileCheck %s --check-prefix=FLAG
// RUN: not swizzle-check %s --races --kernel=halo --json | FileCheck %s --check-prefix=JSON
// RUN: sh -c 'swizzle-check %s --races --kernel=halo > %t; test $? = 1'
// RUN: sh -c 'swizzle-check %s --races --kernel=unit > %t; test $? = 3'
// RUN: FileCheck %s --check-prefix=UNIT < %t
// RUN: sh -c 'swizzle-check %s --races --kernel=endless --max-steps=10000 > %t; test $? = 3'
// RUN: FileCheck %s --check-prefix=ENDLESS < %t
// RUN: sh -c 'swizzle-check %s --races --kernel=rows --grid=3 2> %t; test $? = 2'
// RUN: FileCheck %s --check-prefix=GRID < %t
// RUN: sh -c 'swizzle-check %s --races --model --kernel=rows 2> %t; test $? = 2'
// RUN: FileCheck %s --check-prefix=MODES < %t

// NONE: no race
// NONE-NEXT: all 4 workgroups run, grid 4, block 16, 128 accesses, seed 1
// SUM: no race
// HALO: race: byte 60 of arg0: workgroup (0) writes it (memref.store at {{.*}}races.mlir:[[#]]:[[#]]), and workgroup (1) reads it (memref.load at {{.*}}races.mlir:[[#]]:[[#]])
// HALO-NEXT: {{^}}  2 workgroups run
// FLAG: race: byte 0 of arg0: {{.*}}; both leave the same value
// JSON: "outcome": "race"
// JSON: "argument": 0
// JSON: "buffer": "arg0"
// JSON: "kind": "write"
// JSON: "same_value": false
// JSON: "kind": "read"
// JSON: "reason": "byte 60 of arg0: {{.*}}
// JSON: "schema": "swizzle-check-races/1"
// UNIT: unchecked: op amdgpu.wmma at {{.*}}races.mlir:[[#]]:[[#]]
// ENDLESS: unchecked: step limit: the workgroups take more than 10000 steps
// GRID: grid 3x1x1 of the options contradicts 4x1x1 of rows
// MODES: give ORIGINAL and VARIANT, or ORIGINAL and --model, or ORIGINAL and --races

gpu.module @m {
  gpu.func @rows(%in: memref<64xf32>, %out: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %i = gpu.global_id x
    %v = memref.load %in[%i] : memref<64xf32>
    memref.store %v, %out[%i] : memref<64xf32>
    gpu.return
  }

  gpu.func @sum(%in: memref<64xf32>, %out: memref<f32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %i = gpu.global_id x
    %v = memref.load %in[%i] : memref<64xf32>
    memref.atomic_rmw addf %v, %out[] : (f32, memref<f32>) -> f32
    gpu.return
  }

  gpu.func @halo(%a: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %i = gpu.global_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %inside = arith.cmpi ugt, %i, %c0 : index
    scf.if %inside {
      %j = arith.subi %i, %c1 : index
      %v = memref.load %a[%j] : memref<64xf32>
      memref.store %v, %a[%i] : memref<64xf32>
    }
    gpu.return
  }

  gpu.func @flag(%out: memref<1xi32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    memref.store %one, %out[%c0] : memref<1xi32>
    gpu.return
  }

  gpu.func @unit(%out: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {
    %a = arith.constant dense<1.0> : vector<16xf16>
    %c = arith.constant dense<0.0> : vector<8xf32>
    %d = amdgpu.wmma 16x16x16 %a * %a + %c : vector<16xf16>, vector<16xf16>, vector<8xf32>
    %t = gpu.thread_id x
    vector.store %d, %out[%t] : memref<64xf32>, vector<8xf32>
    gpu.return
  }

  gpu.func @endless(%a: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %i = gpu.global_id x
    %yes = arith.constant true
    cf.br ^again
  ^again:
    cf.cond_br %yes, ^again, ^out
  ^out:
    gpu.return
  }
}
