// Kernels in every form in which they come.
// RUN: split-file %s %t
// RUN: swizzle-compile %t/launch.mlir --target=sm_90 | FileCheck %s --check-prefix=LAUNCH
// RUN: swizzle-compile %t/two.mlir --target=gfx942 --kernel=second --emit=asm | FileCheck %s --check-prefix=SECOND
// RUN: swizzle-compile %t/two.mlir --target=gfx942 --kernel=m::first --emit=asm | FileCheck %s --check-prefix=FIRST
// RUN: swizzle-compile %t/two.mlir --target=sm_90 --json -o /dev/null | FileCheck %s --check-prefix=BOTH
// RUN: swizzle-compile %t/lowered.mlir --target=sm_90 | FileCheck %s --check-prefix=LOWERED
// RUN: swizzle-compile %t/math.mlir --target=sm_90 --kernel=single | FileCheck %s --check-prefix=MATH --implicit-check-not=.extern
// RUN: swizzle-compile %t/math.mlir --target=gfx942 --emit=asm | FileCheck %s --check-prefix=OCML --implicit-check-not=s_swappc
// RUN: swizzle-compile %t/vectors.mlir --target=sm_90 | FileCheck %s --check-prefix=WIDE
// RUN: swizzle-compile %t/vectors.mlir --target=sm_90 --pointer-alignment=1 | FileCheck %s --check-prefix=NARROW
// RUN: swizzle-compile %t/vectors.mlir --target=sm_90 --pointer-alignment=1 --aligned-vectors | FileCheck %s --check-prefix=WIDE
// RUN: swizzle-compile %t/reduce.mlir --target=sm_90 | FileCheck %s --check-prefix=SHUFFLE
// RUN: swizzle-compile %t/reduce.mlir --target=gfx942 --emit=asm | FileCheck %s --check-prefix=BPERMUTE
// RUN: swizzle-compile %t/subgroup.mlir --target=sm_90 | FileCheck %s --check-prefix=LANES-32
// RUN: swizzle-compile %t/subgroup.mlir --target=gfx1100 --emit=asm | FileCheck %s --check-prefix=LANES-32
// RUN: swizzle-compile %t/subgroup.mlir --target=gfx942 --emit=asm | FileCheck %s --check-prefix=LANES-64

//--- launch.mlir
func.func @host(%a: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%bx = %c64, %by = %c1, %bz = %c1) {
    %v = arith.constant 1.0 : f32
    memref.store %v, %a[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}
// LAUNCH: .visible .entry host_kernel(
// LAUNCH: st.global

//--- two.mlir
gpu.module @m {
  gpu.func @first(%a: memref<64xf32>) kernel {
    gpu.return
  }
  gpu.func @second(%a: memref<?xf32>, %n: index) kernel {
    gpu.return
  }
}
gpu.module @empty {
}
// SECOND-NOT: first
// SECOND: second:
// FIRST-NOT: second
// FIRST: first:
// BOTH: "name":"first"{{.*}}"name":"second"{{.*}}"memref_arguments":"descriptor"

//--- lowered.mlir
llvm.func @helper(%i: i32) -> i32 {
  %c = llvm.mlir.constant(7 : i32) : i32
  %r = llvm.mul %i, %c : i32
  llvm.return %r : i32
}
llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %i = nvvm.read.ptx.sreg.tid.x : i32
  %r = llvm.call @helper(%i) : (i32) -> i32
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %r, %q : i32, !llvm.ptr<1>
  llvm.return
}
// LOWERED: .visible .entry k(
// LOWERED: mul{{.*}}, 7;
// LOWERED: st.global

//--- math.mlir
gpu.module @m {
  gpu.func @single(%a: memref<64xf32>, %h: memref<64xf16>) kernel {
    %i = gpu.thread_id x
    %v0 = memref.load %a[%i] : memref<64xf32>
    %v1 = math.exp %v0 : f32
    %v2 = math.log %v1 : f32
    %v3 = math.tanh %v2 : f32
    %v4 = math.erf %v3 : f32
    %v5 = math.sqrt %v4 : f32
    %v6 = math.powf %v5, %v0 : f32
    %v7 = math.sin %v6 : f32
    %v8 = math.absf %v7 : f32
    %v9 = math.rsqrt %v8 : f32
    %v10 = math.exp2 %v9 : f32
    %v11 = math.log2 %v10 : f32
    %v12 = math.atan2 %v11, %v0 : f32
    %v13 = math.sinh %v12 : f32
    %v14 = math.floor %v13 : f32
    memref.store %v14, %a[%i] : memref<64xf32>
    %h0 = memref.load %h[%i] : memref<64xf16>
    %h1 = math.exp %h0 : f16
    memref.store %h1, %h[%i] : memref<64xf16>
    gpu.return
  }
}
// MATH: .visible .entry single(
// MATH: fma.rn.f32
// MATH: sqrt.rn.f32
// MATH: cvt.rmi.f32.f32
// OCML: single:
// OCML: v_exp_f32

//--- vectors.mlir
gpu.module @m {
  gpu.func @copy(%a: memref<64x64xf32>, %b: memref<64x64xf32>) kernel {
    %y = gpu.block_id x
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %x = arith.muli %t, %c4 : index
    %v = vector.load %a[%y, %x] : memref<64x64xf32>, vector<4xf32>
    vector.store %v, %b[%y, %x] : memref<64x64xf32>, vector<4xf32>
    gpu.return
  }
}
// WIDE: ld.global.v4.b32
// WIDE: st.global.v4.b32
// NARROW-COUNT-4: ld.global.b32
// NARROW-COUNT-4: st.global.b32

//--- reduce.mlir
gpu.module @m {
  gpu.func @sum(%a: memref<64xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %a[%i] : memref<64xf32>
    %s = gpu.subgroup_reduce add %v : (f32) -> f32
    memref.store %s, %a[%i] : memref<64xf32>
    gpu.return
  }
}
// SHUFFLE-COUNT-5: shfl.sync.bfly
// BPERMUTE-COUNT-6: {{ds_bpermute|dpp|ds_swizzle|permlane}}

//--- subgroup.mlir
gpu.module @m {
  gpu.func @size(%a: memref<64xi32>) kernel {
    %i = gpu.subgroup_id : index
    %s = gpu.subgroup_size : index
    %v = arith.index_cast %s : index to i32
    memref.store %v, %a[%i] : memref<64xi32>
    gpu.return
  }
}
// LANES-32: {{(st.global.b32|v_mov_b32|v_dual_mov_b32).*, 32}}
// LANES-64: v_mov_b32{{.*}}, 64
