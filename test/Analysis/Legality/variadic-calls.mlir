// Calls that hand over more than numbers.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

// A function that is given more arguments than it has names for is not read.
// CHECK: Missed{{.*}}Function=more_arguments | Code=assumption
// CHECK-SAME: is too large
gpu.module @m {
  llvm.mlir.global internal @g(0 : i32) {addr_space = 1 : i32} : i32
  llvm.func internal @f(%x: i32, ...) {
    %p = llvm.mlir.addressof @g : !llvm.ptr<1>
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @more_arguments(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    llvm.call @f(%b, %b) vararg(!llvm.func<void (i32, ...)>) : (i32, i32) -> ()
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=as_many_arguments |
gpu.module @m {
  llvm.func internal @f(%x: i32, %a: !llvm.ptr, ...) {
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %x, %p : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @as_many_arguments(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    llvm.call @f(%b, %a) vararg(!llvm.func<void (i32, ptr, ...)>) : (i32, !llvm.ptr) -> ()
    llvm.return
  }
}

// -----

// Memory may be handed to a library inside of a struct.
// CHECK: Missed{{.*}}Function=struct_for_a_library | Code=unknown-callee
// CHECK-SAME: is handed global memory
gpu.module @m {
  llvm.func @__ocml_modf_f32(!llvm.struct<(ptr, i32)>)
  llvm.func @struct_for_a_library(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %u = llvm.mlir.undef : !llvm.struct<(ptr, i32)>
    %s = llvm.insertvalue %a, %u[0] : !llvm.struct<(ptr, i32)>
    llvm.call @__ocml_modf_f32(%s) : (!llvm.struct<(ptr, i32)>) -> ()
    llvm.return
  }
}
