// RUN: swizzle-opt %s --swizzle-print-model -o /dev/null | FileCheck %s

// A loop with two exits is given up where x + 4 * y is 0. That says nothing of
// the remainder, which was computed before.
// CHECK-LABEL: kernel @m::@elsewhere
// CHECK: {{^}}  write arg0[4*x + 16*y - 48*((x + 4*y + 11) // 12) + 44] 4 bytes
gpu.module @m {
  gpu.func @elsewhere(%a: memref<12xi32>) kernel attributes {known_grid_size = array<i32: 4, 3, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c11 = arith.constant 11 : index
    %c12 = arith.constant 12 : index
    %v = arith.constant 7 : i32
    %x = gpu.block_id x
    %y = gpu.block_id y
    %y4 = arith.muli %y, %c4 : index
    %id = arith.addi %x, %y4 : index
    %next = arith.addi %id, %c11 : index
    %slot = arith.remui %next, %c12 : index
    %first = arith.cmpi eq, %id, %c0 : index
    cf.cond_br %first, ^head(%c0 : index), ^end
  ^head(%i: index):
    %more = arith.cmpi slt, %i, %c4 : index
    cf.cond_br %more, ^body, ^end
  ^body:
    %stop = arith.cmpi sge, %i, %c1 : index
    cf.cond_br %stop, ^end, ^back
  ^back:
    %j = arith.addi %i, %c1 : index
    cf.br ^head(%j : index)
  ^end:
    memref.store %v, %a[%slot] : memref<12xi32>
    gpu.return
  }
}
