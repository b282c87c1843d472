// How large clusters may be groups nothing yet, in the spelling of MLIR or of LLVM.

// RUN: swizzle-opt %s --hw-aware-swizzle="chip=h200 formula='return gx - 1 - x'" -o /dev/null 2>&1 | FileCheck %s
// CHECK-DAG: mlir: remapped for h200
// CHECK-DAG: llvm: remapped for h200
// CHECK-DAG: grouped: may not be remapped (cluster)
module attributes {gpu.container_module} {
  llvm.func @mlir(%a: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.cluster_max_blocks = 8 : i32, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %x, %p : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @llvm(%a: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, passthrough = [["nvvm.maxclusterrank", "8"]], known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %x, %p : i32, !llvm.ptr
    llvm.return
  }
  llvm.func @grouped(%a: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, nvvm.cluster_max_blocks = 8 : i32, nvvm.cluster_dim = array<i32: 2, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %x, %p : i32, !llvm.ptr
    llvm.return
  }
}
