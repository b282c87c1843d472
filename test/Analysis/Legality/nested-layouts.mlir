// What the modules around a kernel say of data layouts holds together: an index of 32
// bits by the outer one makes tile numbers wrap around.
//
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x' chip=h100 strict" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

// CHECK: Missed{{.*}}Function=wraps | Code=assumption{{.*}}may wrap around in 32 bits
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>} {
  gpu.module @m attributes {dlti.dl_spec = #dlti.dl_spec<"dlti.endianness" = "little">} {
    gpu.func @wraps(%a: memref<16384xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 256, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %c64 = arith.constant 64 : index
      %large = arith.constant 67108864 : index
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %scaled = arith.muli %x, %large : index
      %back = arith.divui %scaled, %large : index
      %first = arith.muli %back, %c64 : index
      %i = arith.addi %first, %t : index
      %v = arith.index_cast %x : index to i32
      memref.store %v, %a[%i] : memref<16384xi32>
      gpu.return
    }
  }
}
