// A register that is stored as narrower than it is: LLVM's translation stores all
// of it, over what the next workgroup wrote.
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="chip=mi300x formula=@xcd-balanced" \
// RUN:   --remark-format=emitRemark --remarks-filter='.*' 2>&1 | FileCheck %s

// CHECK: Missed{{.*}}Function=grid_size{{.*}}Code=unknown-effect{{.*}}'rocdl.grid.dim.x' becomes a value of i64 in LLVM IR
gpu.module @m {
  llvm.func @grid_size(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, gpu.known_block_size = array<i32: 1, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %g = rocdl.grid.dim.x : i32
    %p = llvm.getelementptr %a[%b] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %g, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=own_id{{.*}}Code=unknown-effect{{.*}}'nvvm.read.ptx.sreg.ctaid.x' becomes a value of i32
gpu.module @m {
  llvm.func @own_id(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, gpu.known_block_size = array<i32: 1, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i8
    %p = llvm.getelementptr %a[%b] : (!llvm.ptr, i8) -> !llvm.ptr, i8
    llvm.store %b, %p : i8, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=thread_in_call{{.*}}Code=unknown-effect{{.*}}'rocdl.workitem.id.x' becomes a value of i32
gpu.module @m {
  llvm.func @thread() -> i16 {
    %t = rocdl.workitem.id.x : i16
    llvm.return %t : i16
  }
  llvm.func @thread_in_call(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, gpu.known_block_size = array<i32: 1, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %t = llvm.call @thread() : () -> i16
    %p = llvm.getelementptr %a[%b] : (!llvm.ptr, i32) -> !llvm.ptr, i16
    llvm.store %t, %p : i16, !llvm.ptr
    llvm.return
  }
}

// -----

// What upstream's own conversion writes: the extension takes all of it.
// CHECK: Passed{{.*}}Function=extended
gpu.module @m {
  llvm.func @extended(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, gpu.known_block_size = array<i32: 1, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %g = rocdl.grid.dim.x : i32
    %w = llvm.sext %g : i32 to i64
    %p = llvm.getelementptr %a[%b] : (!llvm.ptr, i32) -> !llvm.ptr, i64
    llvm.store %w, %p : i64, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=grid_dim
gpu.module @m {
  gpu.func @grid_dim(%a: memref<8xindex>) kernel attributes {known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %b = gpu.block_id x
    %g = gpu.grid_dim x
    memref.store %g, %a[%b] : memref<8xindex>
    gpu.return
  }
}
