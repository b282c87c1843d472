// Nothing to remap.
//
// Refused kernels leave as they came, to the byte.
// RUN: swizzle-opt %s -split-input-file -allow-unregistered-dialect > %t.before
// RUN: swizzle-opt %s -split-input-file -allow-unregistered-dialect --hw-aware-swizzle="formula='return gx - 1 - x'" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark > %t.after 2> %t.remarks
// RUN: diff %t.before %t.after
// RUN: FileCheck %s < %t.remarks

// CHECK: remark:{{.*}}Missed{{.*}}Function=no_id{{.*}}Code=no-id
gpu.module @m {
  gpu.func @no_id(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>} {
    %t = gpu.thread_id x
    %v = memref.load %a[%t] : memref<1024xf32>
    gpu.return
  }
}

// -----

// A launch may have no workgroup; an attribute that says so is an error
// (test/BadInput/sizes.mlir).
// CHECK: remark:{{.*}}Missed{{.*}}Function=empty_grid{{.*}}Code=empty-grid
module attributes {gpu.container_module} {
  gpu.module @m attributes {sym_visibility = "private"} {
    gpu.func @empty_grid(%a: memref<1024xf32>) kernel {
      %x = gpu.block_id x
      %v = memref.load %a[%x] : memref<1024xf32>
      gpu.return
    }
  }
  func.func @host(%a: memref<1024xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    gpu.launch_func @m::@empty_grid blocks in (%c0, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<1024xf32>)
    return
  }
}

// -----

// CHECK: remark:{{.*}}Missed{{.*}}Function=again{{.*}}Code=already-remapped
gpu.module @m {
  gpu.func @again(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, swizzle.applied = #swizzle.formula<"return x", params = {}, hardware = {}>} {
    %x = gpu.block_id x
    %v = memref.load %a[%x] : memref<1024xf32>
    gpu.return
  }
}

// -----

// CHECK: remark:{{.*}}Missed{{.*}}Function=clustered_launch_kernel{{.*}}Code=cluster
func.func @clustered_launch(%a: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch clusters(%cx, %cy, %cz) in (%nx = %c1, %ny = %c1, %nz = %c1) blocks(%bx, %by, %bz) in (%gx = %c16, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %v = memref.load %a[%bx] : memref<1024xf32>
    gpu.terminator
  }
  return
}
