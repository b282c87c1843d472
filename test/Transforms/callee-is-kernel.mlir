// A kernel that another one calls is still launched by the host once its only caller
// calls a copy of it; and LLVM kernels whose ids are read by an intrinsic's name keep to
// the vendor's own operations.
// RUN: swizzle-opt %s --hw-aware-swizzle="chip=h100 formula='return gx - 1 - x'" | FileCheck %s

// CHECK-DAG: llvm.func internal @launched(
// CHECK-DAG: llvm.call @launched_for_caller
// CHECK-LABEL: llvm.func @by_name
// CHECK-NOT: gpu.block_id
// CHECK: llvm.return
module attributes {gpu.container_module} {
  gpu.module @m [#nvvm.target<chip = "sm_90">] {
    llvm.func internal @launched(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel} {
      %x = nvvm.read.ptx.sreg.ctaid.x : i32
      %p = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %x, %p : i32, !llvm.ptr
      llvm.return
    }
    llvm.func @caller(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      llvm.call @launched(%a) : (!llvm.ptr) -> ()
      llvm.return
    }
    llvm.func @by_name(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.ctaid.x"() : () -> i32
      %p = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %x, %p : i32, !llvm.ptr
      llvm.return
    }
  }
  func.func @host(%a: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @m::@launched blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : !llvm.ptr)
    return
  }
}
