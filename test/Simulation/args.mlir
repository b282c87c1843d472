// Of a launch that is seen, the IR says what is passed: a claim does not override it.

// RUN: swizzle-sim %s --chip=h200 --args=?+64 | FileCheck %s
// CHECK: arg1 = 64 (claimed)
// RUN: not swizzle-sim %s --chip=h200 --args=?+65 2>&1 | FileCheck %s --check-prefix=LAUNCH
// LAUNCH: kernel k: --args: '65' for argument 1, which is 'index': the launch in the module passes 64
// RUN: not swizzle-sim %s --chip=h200 --args=4096 2>&1 | FileCheck %s --check-prefix=MEMREF
// MEMREF: '4096' for argument 0, which is 'memref<?xf32>': its sizes are those of its type and of the launch; '?' is right

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%a: memref<?xf32>, %n: index) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
      %x = gpu.block_id x
      %i = arith.muli %x, %n : index
      %v = memref.load %a[%i] : memref<?xf32>
      memref.store %v, %a[%i] : memref<?xf32>
      gpu.return
    }
  }
  func.func @main(%a: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@k blocks in (%c8, %c1, %c1) threads in (%c8, %c1, %c1) args(%a : memref<?xf32>, %c64 : index)
    return
  }
}
