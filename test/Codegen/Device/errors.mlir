// Every way to fail says what, where, and what would be right.
// RUN: split-file %s %t
// RUN: not swizzle-compile %t/ok.mlir 2>&1 | FileCheck %s --check-prefix=NO-TARGET
// NO-TARGET: swizzle-compile: give one of --target=ARCH (sm_90, gfx942), --chip=NAME and --hardware-file=PATH
// RUN: not swizzle-compile %t/ok.mlir --target=gfx943 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: LLVM's back end knows no target 'gfx943'; near it: gfx942
// RUN: not swizzle-compile %t/ok.mlir --chip=mi301x 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: mi300x
// RUN: not swizzle-compile %t/ok.mlir --chip=mi300x --hardware-file=%t/none.json 2>&1 | FileCheck %s --check-prefix=NO-TARGET
// RUN: not swizzle-compile %t/ok.mlir --hardware-file=%t/none.json 2>&1 | FileCheck %s --check-prefix=NO-FILE
// NO-FILE: swizzle-compile: {{.*}}none.json: cannot be read
// RUN: not swizzle-compile %t/ok.mlir --target=sm_90 --emit=hsaco 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: there is no hsaco for sm_90; there is ptx and llvm
// RUN: not swizzle-compile %t/ok.mlir --target=sm_90 --kernel=other 2>&1 | FileCheck %s --check-prefix=KERNEL
// KERNEL: no kernel is called other; there are m::k
// RUN: not swizzle-compile %t/nothing.mlir --target=sm_90 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: the module has no kernel
// RUN: not swizzle-compile %t/modules.mlir --target=sm_90 2>&1 | FileCheck %s --check-prefix=MODULES
// MODULES: kernels of several GPU modules are meant; choose one of a::k, b::k
// RUN: not swizzle-compile %t/remap.mlir --target=sm_90 2>&1 | FileCheck %s --check-prefix=REMAP
// REMAP: kernel k holds a swizzle.remap; lower it first, with swizzle-opt --swizzle-materialize
// RUN: not swizzle-compile %t/malformed.mlir --target=sm_90 2>&1 | FileCheck %s --check-prefix=MALFORMED
// MALFORMED: malformed.mlir:{{[0-9]+}}:{{[0-9]+}}: error:
// RUN: not swizzle-compile %t/double.mlir --target=sm_90 2>&1 | FileCheck %s --check-prefix=EXTERN
// EXTERN: the kernel cannot be compiled for sm_90:
// EXTERN: calls __nv_exp, which is defined nowhere: no GPU can load that; __nv_* are functions of CUDA's libdevice: name it with --device-library=
// RUN: not swizzle-compile %t/vendor.mlir --target=gfx942 2>&1 | FileCheck %s --check-prefix=VENDOR
// VENDOR: the kernel cannot be lowered for gfx942:
// VENDOR: vendor.mlir
// RUN: not swizzle-compile %t/ok.mlir --target=gfx942 --linker=/no/lld 2>&1 | FileCheck %s --check-prefix=LINKER
// LINKER: ld.lld is needed to link a code object: install lld-22 or name it with --linker; looked for it at /no/lld
// RUN: not swizzle-compile %t/grid.mlir --target=gfx942 --device-library-folder=/no 2>&1 | FileCheck %s --check-prefix=LIBRARIES
// LIBRARIES: the kernel needs the ROCm device libraries (ocml.bc, ockl.bc): install rocm-device-libs or name their folder with --device-library-folder; looked for it at /no
// RUN: not swizzle-compile %t/ok.mlir --target=sm_90 --device-library=/no.bc 2>&1 | FileCheck %s --check-prefix=LIBRARY
// LIBRARY: the device library /no.bc does not exist
// RUN: not swizzle-compile %t/ok.mlir --target=sm_90 --pointer-alignment=3 2>&1 | FileCheck %s --check-prefix=ALIGNMENT
// ALIGNMENT: --pointer-alignment must be a power of two
// RUN: not swizzle-compile %t/none.mlir --target=sm_90 --cache=%t/c 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: none.mlir: {{[Nn]}}o such file
// RUN: not swizzle-compile %t/large.mlir --target=gfx942 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: local memory (262144) exceeds limit (65536) in function 'k'

// RUN: not swizzle-compile %t/name.mlir --target=sm_90 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: PTX has no names like 'a b': a letter, then letters, digits, '_' and '$'
// RUN: swizzle-compile %t/name.mlir --target=gfx942 -o /dev/null

// No output is left of a failure.
// RUN: not swizzle-compile %t/double.mlir --target=sm_90 -o %t/out.ptx 2>/dev/null
// RUN: not ls %t/out.ptx

//--- ok.mlir
gpu.module @m {
  gpu.func @k(%a: memref<64xf32>) kernel { gpu.return }
}
//--- name.mlir
gpu.module @m {
  gpu.func @"a b"(%a: memref<64xf32>) kernel { gpu.return }
}
//--- nothing.mlir
gpu.module @m {
  gpu.func @f(%a: memref<64xf32>) { gpu.return }
}
//--- modules.mlir
gpu.module @a {
  gpu.func @k() kernel { gpu.return }
}
gpu.module @b {
  gpu.func @k() kernel { gpu.return }
}
//--- remap.mlir
gpu.module @m {
  gpu.func @k(%a: memref<64xf32>) kernel {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %r:3 = swizzle.remap (%x, %y, %z) grid [8, 8, 1]
        #swizzle.formula<"return gx - 1 - x, y", params = {}, hardware = {}>
    gpu.return
  }
}
//--- malformed.mlir
gpu.module @m {
  gpu.func @k(%a: memref<64xf32>) kernel { gpu.retur }
}
//--- double.mlir
gpu.module @m {
  gpu.func @k(%a: memref<64xf64>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %a[%i] : memref<64xf64>
    %e = math.exp %v : f64
    memref.store %e, %a[%i] : memref<64xf64>
    gpu.return
  }
}
//--- vendor.mlir
gpu.module @m {
  gpu.func @k(%a: memref<16x16xf16>, %b: memref<16x16xf16>) kernel {
    %c0 = arith.constant 0 : index
    %m = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "COp">
    gpu.subgroup_mma_store_matrix %m, %b[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<16x16xf16>
    gpu.return
  }
}
//--- grid.mlir
gpu.module @m {
  gpu.func @k(%a: memref<64xindex>) kernel {
    %i = gpu.thread_id x
    %g = gpu.grid_dim x
    memref.store %g, %a[%i] : memref<64xindex>
    gpu.return
  }
}
//--- large.mlir
gpu.module @m {
  gpu.func @k(%a: memref<64xf32>) workgroup(%w: memref<65536xf32, #gpu.address_space<workgroup>>) kernel {
    %i = gpu.thread_id x
    %j = gpu.thread_id y
    %v = memref.load %a[%i] : memref<64xf32>
    memref.store %v, %w[%j] : memref<65536xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %u = memref.load %w[%i] : memref<65536xf32, #gpu.address_space<workgroup>>
    memref.store %u, %a[%i] : memref<64xf32>
    gpu.return
  }
}
