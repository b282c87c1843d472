// `strict` refuses what is only assumed.
// RUN: swizzle-opt %s > %t.before
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x' strict=true" --remarks-filter=swizzle --remark-format=emitRemark > %t.after 2> %t.remarks
// RUN: diff %t.before %t.after
// RUN: FileCheck %s < %t.remarks

// CHECK: Missed{{.*}}Function=scatter{{.*}}Code=assumption
gpu.module @m {
  gpu.func @scatter(%p: memref<16xindex>, %a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = arith.constant 1.0 : f32
    %j = memref.load %p[%x] : memref<16xindex>
    memref.store %f, %a[%j] : memref<16xf32>
    gpu.return
  }
}

// Arguments might overlap, unless they say that they do not.
// CHECK: Missed{{.*}}Function=alias{{.*}}Code=assumption{{.*}}arg0 and arg1 do not overlap in memory
gpu.module @n {
  gpu.func @alias(%a: memref<16xf32>, %b: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = memref.load %a[%x] : memref<16xf32>
    memref.store %v, %b[%x] : memref<16xf32>
    gpu.return
  }
}

// What is freed ends for all that may still read it.
// CHECK: Missed{{.*}}Function=frees{{.*}}Code=assumption{{.*}}it ends their life
gpu.module @frees_what_came {
  gpu.func @frees(%a: memref<16xf32> {llvm.noalias}, %b: memref<16xf32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %c15 = arith.constant 15 : index
    %v = memref.load %b[%x] : memref<16xf32>
    memref.store %v, %a[%x] : memref<16xf32>
    %last = arith.cmpi eq, %x, %c15 : index
    cf.cond_br %last, ^free, ^end
  ^free:
    memref.dealloc %b : memref<16xf32>
    cf.br ^end
  ^end:
    gpu.return
  }
}
