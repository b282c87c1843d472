// Counters that wrap around at one constant do the same wherever they are updated; with
// another bound, or one that differs, they do not.
//
// RUN: swizzle-opt %s --hw-aware-swizzle="chip=h100 formula='return gx - 1 - x'" -o /dev/null 2>&1 | FileCheck %s

// CHECK-DAG: {{^}}up: remapped for h100
// CHECK-DAG: {{^}}down: remapped for h100
// CHECK-DAG: {{^}}two_bounds: may not be remapped (atomic-not-commutative): the atomic uinc_wrap(7).i32 does not commute with the uinc_wrap(9).i32 of the same memory
// CHECK-DAG: {{^}}up_and_down: may not be remapped (atomic-not-commutative)
// CHECK-DAG: {{^}}bound_of_workgroup: may not be remapped (atomic-not-commutative)
// CHECK-DAG: {{^}}old_is_used: may not be remapped (atomic-result-used)
// CHECK-DAG: {{^}}and_or: may not be remapped (atomic-not-commutative): the atomic or.i32 does not commute with the and.i32 of the same memory
gpu.module @m {
  llvm.func @up(%a: !llvm.ptr<1>, %o: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 64, 1, 1>} {
    %c = llvm.mlir.constant(7 : i32) : i32
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %p = llvm.getelementptr %o[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    %old = llvm.atomicrmw uinc_wrap %a, %c monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
  llvm.func @down(%a: !llvm.ptr<1>, %o: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 64, 1, 1>} {
    %c = llvm.mlir.constant(7 : i32) : i32
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %p = llvm.getelementptr %o[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    %old = llvm.atomicrmw udec_wrap %a, %c monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
  llvm.func @two_bounds(%a: !llvm.ptr<1>, %o: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 64, 1, 1>} {
    %c = llvm.mlir.constant(7 : i32) : i32
    %d = llvm.mlir.constant(9 : i32) : i32
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %p = llvm.getelementptr %o[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    %old = llvm.atomicrmw uinc_wrap %a, %c monotonic : !llvm.ptr<1>, i32
    %new = llvm.atomicrmw uinc_wrap %a, %d monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
  llvm.func @up_and_down(%a: !llvm.ptr<1>, %o: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 64, 1, 1>} {
    %c = llvm.mlir.constant(7 : i32) : i32
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %p = llvm.getelementptr %o[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    %old = llvm.atomicrmw uinc_wrap %a, %c monotonic : !llvm.ptr<1>, i32
    %new = llvm.atomicrmw udec_wrap %a, %c monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
  llvm.func @bound_of_workgroup(%a: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel, gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 64, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %old = llvm.atomicrmw uinc_wrap %a, %x monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
  llvm.func @old_is_used(%a: !llvm.ptr<1>, %o: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 64, 1, 1>} {
    %c = llvm.mlir.constant(7 : i32) : i32
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %p = llvm.getelementptr %o[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %old = llvm.atomicrmw uinc_wrap %a, %c monotonic : !llvm.ptr<1>, i32
    llvm.store %old, %p : i32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @and_or(%a: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel, gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 64, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %old = llvm.atomicrmw _or %a, %x monotonic : !llvm.ptr<1>, i32
    %new = llvm.atomicrmw _and %a, %x monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
}
