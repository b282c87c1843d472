// REQUIRES: no-sanitizers
// A limit that is reached is no verdict: steps, time and memory, in each mode.
// RUN: sh -c 'swizzle-check %s %s --kernel=endless --max-steps=10000 > %t; test $? = 3'
// RUN: FileCheck %s --check-prefix=STEPS < %t
// RUN: sh -c 'swizzle-check %s %s --kernel=endless --time-limit=0.2 > %t; test $? = 3'
// RUN: FileCheck %s --check-prefix=TIME < %t
// RUN: sh -c 'swizzle-check %s --races --kernel=endless --time-limit=0.2 --max-steps=1000000000000 --json > %t; test $? = 3'
// RUN: FileCheck %s --check-prefix=JSON < %t
// RUN: sh -c 'swizzle-check %s --model --kernel=endless --max-steps=10000 > %t; test $? = 3'
// RUN: FileCheck %s --check-prefix=MODEL < %t
// RUN: sh -c 'sed "s/cmpi eq/cmpi ne/" %s > %t.variant; swizzle-check %s %t.variant --kernel=sometimes --max-steps=10000 > %t; test $? = 3'
// RUN: FileCheck %s --check-prefix=VARIANT < %t
// RUN: sh -c 'ulimit -d 20000; swizzle-check %s %s --kernel=sometimes > %t; test $? = 3'
// RUN: FileCheck %s --check-prefix=MEMORY < %t
// RUN: sh -c 'swizzle-check %s --races --kernel=grows > %t; test $? = 3'
// RUN: FileCheck %s --check-prefix=STACK < %t

// STEPS: unchecked: the original itself: workgroup (0,0,0), thread (0,0,0), {{.*}} at {{.*}}limits.mlir:[[#]]:[[#]]: the workgroup has taken more steps than are allowed; does it end?
// TIME: unchecked: time limit
// JSON: "schema": "swizzle-check-races/1"
// JSON: "outcome": "unchecked"
// JSON: "reason": "time limit"
// MODEL: unchecked: {{.*}}
// VARIANT: unchecked: the variant: {{.*}} more steps than are allowed
// MEMORY: unchecked: {{.*}}
// STACK: unchecked: memory limit: {{.*}}llvm.alloca at {{.*}}: the thread's stack is full

gpu.module @m {
  gpu.func @endless(%a: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %i = gpu.global_id x
    %yes = arith.constant true
    %c1 = arith.constant 1.0 : f32
    memref.store %c1, %a[%i] : memref<64xf32>
    cf.br ^again
  ^again:
    gpu.barrier
    cf.cond_br %yes, ^again, ^out
  ^out:
    gpu.return
  }

  // Does not end if the comparison is the other one.
  gpu.func @sometimes(%a: memref<64xindex>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %i = gpu.global_id x
    %c64 = arith.constant 64 : index
    memref.store %i, %a[%i] : memref<64xindex>
    cf.br ^again
  ^again:
    %again = arith.cmpi eq, %i, %c64 : index
    cf.cond_br %again, ^again, ^out
  ^out:
    gpu.return
  }

  gpu.func @grows(%a: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %i = gpu.global_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1000 = arith.constant 1000 : index
    %one = arith.constant 1.0 : f32
    scf.for %j = %c0 to %c1000 step %c1 {
      %p = llvm.mlir.constant(1024 : i64) : i64
      %s = llvm.alloca %p x f32 : (i64) -> !llvm.ptr
      llvm.store %one, %s : f32, !llvm.ptr
    }
    memref.store %one, %a[%i] : memref<64xf32>
    gpu.return
  }
}
