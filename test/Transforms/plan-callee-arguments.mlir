// New ids go behind the arguments that a function has names for, with or without
// attributes of arguments.
// RUN: swizzle-opt %s --split-input-file --hw-aware-swizzle="formula='return gx - 1 - x' chip=h200" | FileCheck %s

// CHECK-LABEL: llvm.func @attributes
// CHECK: llvm.call @store_for_attributes(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (f32 {llvm.noundef}, !llvm.ptr {llvm.noundef}, i64, i64, i64) -> ()
gpu.module @m {
  llvm.func internal @store(%v: f32 {llvm.noundef}, %a: !llvm.ptr {llvm.noundef}) {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %to = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %v, %to : f32, !llvm.ptr
    llvm.return
  }
  llvm.func @attributes(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %v = llvm.mlir.constant(1.0 : f32) : f32
    llvm.call @store(%v, %a) : (f32 {llvm.noundef}, !llvm.ptr {llvm.noundef}) -> ()
    llvm.return
  }
}

// -----

// CHECK-LABEL: llvm.func internal @store_for_more
// CHECK-SAME: (%{{.*}}: i32, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, ...)
// CHECK: llvm.func @more
// CHECK: %[[NONE:.*]] = llvm.mlir.constant(7 : i64)
// CHECK: llvm.call @store_for_more(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[NONE]]) vararg(!llvm.func<void (i32, ptr, i64, i64, i64, ...)>)
gpu.module @m {
  llvm.func internal @store(%v: i32, %a: !llvm.ptr, ...) {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %to = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %v, %to : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @more(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %seven = llvm.mlir.constant(7 : i64) : i64
    llvm.call @store(%x, %a, %seven) vararg(!llvm.func<void (i32, ptr, ...)>) : (i32, !llvm.ptr, i64) -> ()
    llvm.return
  }
}

// -----

// The copy of a function that others see is local, and has no visibility.
// CHECK: llvm.func internal @store_for_hides
// CHECK: llvm.call @store_for_hides
gpu.module @m {
  llvm.func hidden @store(%a: !llvm.ptr) {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %to = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %x, %to : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @hides(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    llvm.call @store(%a) : (!llvm.ptr) -> ()
    llvm.return
  }
}
