// A run that finds no kernel says why, and what to do next.
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle=chip=mi300x --allow-unregistered-dialect -o %t.mlir 2>&1 | FileCheck %s

// CHECK: warning: no kernel was found: 'linalg.matmul' is not lowered to a kernel yet; do that first: swizzle-lower FILE.mlir --chip=NAME -o KERNEL.mlir
func.func @linalg(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

// CHECK: warning: no kernel was found: its parallel loops are not mapped to a GPU yet; do that first: mlir-opt --gpu-map-parallel-loops --convert-parallel-loops-to-gpu
func.func @loops(%a: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %v = memref.load %a[%i] : memref<64xf32>
    memref.store %v, %a[%i] : memref<64xf32>
  }
  return
}

// -----

// CHECK: warning: no kernel was found: its parallel loops are mapped to a GPU, but not converted; do that next: mlir-opt --convert-parallel-loops-to-gpu, which leaves loops whose bounds depend on outer ones (tile them with no-min-max-bounds=true)
func.func @mapped(%a: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %v = memref.load %a[%i] : memref<64xf32>
    memref.store %v, %a[%i] : memref<64xf32>
  } {mapping = [#gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
  return
}

// -----

// CHECK: warning: no kernel was found: its parallel loops are not mapped to a GPU yet; do that first: mlir-opt --scf-forall-to-parallel --gpu-map-parallel-loops --convert-parallel-loops-to-gpu
func.func @forall(%a: memref<64xf32>) {
  scf.forall (%i) in (64) {
    %v = memref.load %a[%i] : memref<64xf32>
    memref.store %v, %a[%i] : memref<64xf32>
  }
  return
}

// -----

// CHECK: warning: no kernel was found: its parallel loops are not mapped to a GPU yet; do that first: transform.gpu.map_forall_to_blocks and transform.gpu.map_nested_forall_to_threads
func.func @blocks(%a: memref<64xf32>) {
  scf.forall (%i) in (64) {
    %v = memref.load %a[%i] : memref<64xf32>
    memref.store %v, %a[%i] : memref<64xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// CHECK: warning: no kernel was found: its parallel loops are not mapped to a GPU yet; do that first: mlir-opt --lower-affine --gpu-map-parallel-loops --convert-parallel-loops-to-gpu
func.func @affine(%a: memref<64xf32>) {
  affine.parallel (%i) = (0) to (64) {
    %v = affine.load %a[%i] : memref<64xf32>
    affine.store %v, %a[%i] : memref<64xf32>
  }
  return
}

// -----

// CHECK: warning: no kernel was found: function 'helper' reads a workgroup id, but nothing marks it as a kernel, and it is called, private or returns values; if it is one, say kernel=helper
func.func @helper() -> index {
  %x = gpu.block_id x
  return %x : index
}

// -----

// CHECK: warning: no kernel was found: kernels of dialect 'tt' ('tt.func') are not read; lower them to the gpu or the llvm dialect first
"tt.func"() ({
  "tt.return"() : () -> ()
}) {sym_name = "k"} : () -> ()

// -----

// CHECK: warning: no kernel was found: its kernels are compiled already (gpu.binary); run this before they are
gpu.binary @m [#gpu.object<#nvvm.target, bin = "BLOB">]

// -----

// CHECK: warning: no kernel was found: it has host code only; give the file that has the gpu.func
func.func @host() {
  return
}

// -----

// CHECK: warning: no kernel was found: it has no function
module {}

// -----

// CHECK-NOT: warning
gpu.module @m {
  gpu.func @nothing() kernel {
    gpu.return
  }
}
