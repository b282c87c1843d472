// Launches settle the grid of a private kernel only if nothing but launches can
// get hold of it.
// RUN: swizzle-opt %s --swizzle-plan="formula='return gx - 1 - x'" -allow-unregistered-dialect | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @m {
    // CHECK-LABEL: gpu.func @launched
    // CHECK: swizzle.remap
    // CHECK-NOT: guarded
    gpu.func @launched(%a: memref<16xf32>) kernel attributes {sym_visibility = "private"} {
      %x = gpu.block_id x
      %v = memref.load %a[%x] : memref<16xf32>
      gpu.return
    }
    // CHECK-LABEL: gpu.func @named
    // CHECK: swizzle.remap{{.*}} grid [16, 1, 1] guarded
    gpu.func @named(%a: memref<16xf32>) kernel attributes {sym_visibility = "private"} {
      %x = gpu.block_id x
      %v = memref.load %a[%x] : memref<16xf32>
      gpu.return
    }
  }
  func.func @host(%a: memref<16xf32>) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    gpu.launch_func @m::@launched blocks in (%c16, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<16xf32>)
    gpu.launch_func @m::@named blocks in (%c16, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<16xf32>)
    "runtime.register"() {kernel = @m::@named} : () -> ()
    return
  }
}
