// RUN: not swizzle-sim %s --chip=h200 --formula='return 0, 0' 2>&1 | FileCheck %s --check-prefix=ILLEGAL
// RUN: not swizzle-sim %s 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not swizzle-sim %s --chip=h200 --kernel=other 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: not swizzle-sim %s --chip=h200 --compare 2>&1 | FileCheck %s --check-prefix=COMPARE
// RUN: not swizzle-sim %s --chip=h200 --sample=3 2>&1 | FileCheck %s --check-prefix=SAMPLE
// RUN: not swizzle-sim %s --chip=h200 --prefix=0 2>&1 | FileCheck %s --check-prefix=PREFIX
// RUN: not swizzle-sim %s --chip=h200 --formula=@xcd-balanced --formula-file=- 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not swizzle-sim %s --chip=h200 --draw=%t.svg 2>&1 | FileCheck %s --check-prefix=DRAW
// RUN: not ls %t.svg

// ILLEGAL: swizzle-sim: kernel k: {{.*}}both map to
// CHIP: swizzle-sim: kernel k: the simulator needs to know the chip
// KERNEL: swizzle-sim: no kernel is called other; there are m::k
// COMPARE: --compare needs --formula or --formula-file
// SAMPLE: --sample must be a power of two
// PREFIX: must be above 0 and at most 1
// BOTH: give either --formula or --formula-file
// DRAW: --draw needs --formula or --formula-file
gpu.module @m {
  gpu.func @k(%a: memref<16xf32>) kernel
      attributes {known_grid_size = array<i32: 4, 4, 1>,
                  known_block_size = array<i32: 1, 1, 1>} {
    %bx = gpu.block_id x
    %v = memref.load %a[%bx] : memref<16xf32>
    memref.store %v, %a[%bx] : memref<16xf32>
    gpu.return
  }
}
