// Which chip a kernel is planned for: options, then the module's attributes, then
// the target; and what is said if none of them helps.

// RUN: swizzle-opt %s --hw-aware-swizzle="formula='n = gx // num_xcds; return x %% num_xcds * n + x // num_xcds'" | FileCheck %s --check-prefix=TARGET
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='n = gx // num_xcds; return x %% num_xcds * n + x // num_xcds'" --remark-format=emitRemark --remarks-filter=swizzle -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='n = gx // num_xcds; return x %% num_xcds * n + x // num_xcds' chip=mi300a" | FileCheck %s --check-prefix=OPTION
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='n = gx // num_xcds; return x %% num_xcds * n + x // num_xcds' chip=h200" | FileCheck %s --check-prefix=ONE
// RUN: not swizzle-opt %s --hw-aware-swizzle="formula='return x' chip=mi399x" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not swizzle-opt %s --hw-aware-swizzle="formula='return x' hardware-file=%S/Inputs/no-source.json" 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not swizzle-opt %s --hw-aware-swizzle="formula='return x' chip=mi300x hardware-file=%S/Inputs/seven-dies.json" 2>&1 | FileCheck %s --check-prefix=BOTH

// REMARK: remark: {{.*}}Assumed="mi300x, the default chip of target gfx942"
// TARGET: hardware = {num_xcds = 8 : i64}
// OPTION: hardware = {num_xcds = 6 : i64}
// ONE: hardware = {num_xcds = 1 : i64}
// UNKNOWN: error: {{.*}}unknown chip "mi399x"; did you mean mi3
// FILE: error: {{.*}}no-source.json: num_xcds: 3 stands alone
// BOTH: error: {{.*}}exclude each other; give one of them
gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  gpu.func @row(%out: memref<48xindex>) kernel attributes {known_grid_size = array<i32: 48, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    memref.store %x, %out[%x] : memref<48xindex>
    gpu.return
  }
}
