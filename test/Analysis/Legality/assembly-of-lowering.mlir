// Operations that upstream lowers to assembly, for older targets or always, are known
// all the same.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --implicit-check-not=Missed
// RUN: swizzle-opt %s -split-input-file --swizzle-print-model -o /dev/null | FileCheck %s --check-prefix=MODEL

// gfx908 comes first among the chips that are tried.

// CHECK: Passed{{.*}}Function=barrier | Formula
// MODEL-LABEL: kernel @m::@barrier
// MODEL: barrier
gpu.module @m {
  gpu.func @barrier(%a: memref<64xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    amdgpu.lds_barrier
    memref.store %v, %a[%x] : memref<64xi32>
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=sparse | Formula
// MODEL-LABEL: kernel @m::@sparse
// MODEL: compute 4096 tensor flops per subgroup
gpu.module @m {
  gpu.func @sparse(%o: memref<16x32x4xf16> {llvm.noalias}, %a: vector<2x2xf16>, %meta: vector<2xi16>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %d = nvgpu.mma.sp.sync (%a, %a, %a) metadata(%meta) {mmaShape = [16, 8, 16]} : (vector<2x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
    %e = vector.shape_cast %d : vector<2x2xf16> to vector<4xf16>
    vector.store %e, %o[%x, %t, %c0] : memref<16x32x4xf16>, vector<4xf16>
    gpu.return
  }
}

// -----

// Floats of eight bits have a lowering of AMD's own.

// CHECK: Passed{{.*}}Function=narrowed | Formula
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  gpu.func @narrowed(%a: memref<1024xf32>, %o: memref<1024xf8E4M3FNUZ> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.global_id x
    %v = memref.load %a[%i] : memref<1024xf32>
    %n = arith.truncf %v : f32 to f8E4M3FNUZ
    memref.store %n, %o[%i] : memref<1024xf8E4M3FNUZ>
    gpu.return
  }
}
