// No operation is left out: not in a region of an unusual operation, not below calls,
// and no view forgets what the views below it shift. Each of these kernels races.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x, y'" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x, y' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=STRICT
// STRICT-NOT: [Passed]

// Operations inside of regions, wherever they hang.

// CHECK: Missed{{.*}}Function=store_while_reducing | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @store_while_reducing(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %sum = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%v) -> i32 {
      scf.reduce(%v : i32) {
      ^bb0(%l: i32, %r: i32):
        %s = arith.addi %l, %r : i32
        memref.store %v, %a[%c0] : memref<4096xi32>
        scf.reduce.return %s : i32
      }
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=store_in_switch | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @store_in_switch(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.index_switch %x
    case 2 {
      memref.store %v, %a[%c0] : memref<4096xi32>
      scf.yield
    }
    default {
      memref.store %v, %a[%c0] : memref<4096xi32>
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=store_in_execute | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @store_in_execute(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %r = scf.execute_region -> i32 {
      memref.store %v, %a[%c0] : memref<4096xi32>
      scf.yield %v : i32
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=store_in_scope | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @store_in_scope(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    memref.alloca_scope {
      memref.store %v, %a[%c0] : memref<4096xi32>
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=store_in_condition | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @store_in_condition(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.while : () -> () {
      memref.store %v, %a[%c0] : memref<4096xi32>
      %never = arith.constant false
      scf.condition(%never)
    } do {
      scf.yield
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=store_in_generic_body | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @store_in_generic_body(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %own = memref.alloca() : memref<4xi32>
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%own : memref<4xi32>) {
    ^bb0(%old: i32):
      memref.store %v, %a[%c0] : memref<4096xi32>
      linalg.yield %v : i32
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=store_in_affine_loop | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @store_in_affine_loop(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    affine.for %i = 0 to 4 {
      affine.store %v, %a[%i] : memref<4096xi32>
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=store_in_lanes | Code=cross-workgroup-write
gpu.module @m {
  gpu.func @store_in_lanes(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %lane = gpu.lane_id
    gpu.warp_execute_on_lane_0(%lane)[32] {
      memref.store %v, %a[%c0] : memref<4096xi32>
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=store_under_unknown_switch | Code=cross-workgroup-write{{.*}}if what memory or an argument holds says so
gpu.module @m {
  gpu.func @store_under_unknown_switch(%a: memref<4096xi32> {llvm.noalias}, %b: memref<64xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %k = memref.load %b[%x] : memref<64xi32>
    cf.switch %k : i32, [
      default: ^end,
      7: ^write
    ]
    ^write:
    memref.store %v, %a[%c0] : memref<4096xi32>
    cf.br ^end
    ^end:
    gpu.return
  }
}

// -----

// A store below twenty calls.

// CHECK: Missed{{.*}}Function=twenty_calls | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 0 of arg0
gpu.module @m {
  func.func private @f0(%a: memref<4096xi32>, %v: i32) {
    func.call @f1(%a, %v) : (memref<4096xi32>, i32) -> ()
    return
  }
  func.func private @f1(%a: memref<4096xi32>, %v: i32) {
    func.call @f2(%a, %v) : (memref<4096xi32>, i32) -> ()
    return
  }
  func.func private @f2(%a: memref<4096xi32>, %v: i32) {
    func.call @f3(%a, %v) : (memref<4096xi32>, i32) -> ()
    return
  }
  func.func private @f3(%a: memref<4096xi32>, %v: i32) {
    func.call @f4(%a, %v) : (memref<4096xi32>, i32) -> ()
    return
  }
  func.func private @f4(%a: memref<4096xi32>, %v: i32) {
    func.call @f5(%a, %v) : (memref<4096xi32>, i32) -> ()
    return
  }
  func.func private @f5(%a: memref<4096xi32>, %v: i32) {
    func.call @f6(%a, %v) : (memref<4096xi32>, i32) -> ()
    return
  }
  func.func private @f6(%a: memref<4096xi32>, %v: i32) {
    func.call @f7(%a, %v) : (memref<4096xi32>, i32) -> ()
    return
  }
  func.func private @f7(%a: memref<4096xi32>, %v: i32) {
    func.call @f8(%a, %v) : (memref<4096xi32>, i32) -> ()
    return
  }
  func.func private @f8(%a: memref<4096xi32>, %v: i32) {
    func.call @f9(%a, %v) : (memref<4096xi32>, i32) -> ()
    return
  }
  func.func private @f9(%a: memref<4096xi32>, %v: i32) {
    func.call @f10(%a, %v) : (memref<4096xi32>, i32) -> ()
    return
  }
  func.func private @f10(%a: memref<4096xi32>, %v: i32) {
    func.call @f11(%a, %v) : (memref<4096xi32>, i32) -> ()
    return
  }
  func.func private @f11(%a: memref<4096xi32>, %v: i32) {
    func.call @f12(%a, %v) : (memref<4096xi32>, i32) -> ()
    return
  }
  func.func private @f12(%a: memref<4096xi32>, %v: i32) {
    func.call @f13(%a, %v) : (memref<4096xi32>, i32) -> ()
    return
  }
  func.func private @f13(%a: memref<4096xi32>, %v: i32) {
    func.call @f14(%a, %v) : (memref<4096xi32>, i32) -> ()
    return
  }
  func.func private @f14(%a: memref<4096xi32>, %v: i32) {
    func.call @f15(%a, %v) : (memref<4096xi32>, i32) -> ()
    return
  }
  func.func private @f15(%a: memref<4096xi32>, %v: i32) {
    func.call @f16(%a, %v) : (memref<4096xi32>, i32) -> ()
    return
  }
  func.func private @f16(%a: memref<4096xi32>, %v: i32) {
    func.call @f17(%a, %v) : (memref<4096xi32>, i32) -> ()
    return
  }
  func.func private @f17(%a: memref<4096xi32>, %v: i32) {
    func.call @f18(%a, %v) : (memref<4096xi32>, i32) -> ()
    return
  }
  func.func private @f18(%a: memref<4096xi32>, %v: i32) {
    func.call @f19(%a, %v) : (memref<4096xi32>, i32) -> ()
    return
  }
  func.func private @f19(%a: memref<4096xi32>, %v: i32) {
    %c0 = arith.constant 0 : index
    memref.store %v, %a[%c0] : memref<4096xi32>
    return
  }
  gpu.func @twenty_calls(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    func.call @f0(%a, %v) : (memref<4096xi32>, i32) -> ()
    gpu.return
  }
}

// -----

// The second call of a function does something else than the first.

// CHECK: Missed{{.*}}Function=called_twice | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 0 of arg0
gpu.module @m {
  func.func private @put(%p: memref<4096xi32>, %i: index, %v: i32) {
    memref.store %v, %p[%i] : memref<4096xi32>
    return
  }
  gpu.func @called_twice(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    func.call @put(%a, %x, %v) : (memref<4096xi32>, index, i32) -> ()
    func.call @put(%a, %c0, %v) : (memref<4096xi32>, index, i32) -> ()
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=returned_buffer | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 0 of arg0
gpu.module @m {
  func.func private @choose(%p: memref<4096xi32>, %i: index) -> memref<4096xi32> {
    return %p : memref<4096xi32>
  }
  gpu.func @returned_buffer(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %p = func.call @choose(%a, %x) : (memref<4096xi32>, index) -> memref<4096xi32>
    memref.store %v, %p[%c0] : memref<4096xi32>
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=early_return | Code=cross-workgroup-write, Counterexample="workgroups (0) and (7) both touch byte 0 of arg0
gpu.module @m {
  func.func private @put(%p: memref<4096xi32>, %i: index, %v: i32) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %few = arith.cmpi slt, %i, %c4 : index
    cf.cond_br %few, ^alone, ^all
  ^alone:
    memref.store %v, %p[%i] : memref<4096xi32>
    return
  ^all:
    memref.store %v, %p[%c0] : memref<4096xi32>
    return
  }
  gpu.func @early_return(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    func.call @put(%a, %x, %v) : (memref<4096xi32>, index, i32) -> ()
    gpu.return
  }
}

// -----

// Views of views: every shift counts, and only once.

// CHECK: Missed{{.*}}Function=reinterpreted_view | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 16128 of arg0
gpu.module @m {
  gpu.func @reinterpreted_view(%a: memref<32768xi8> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c63 = arith.constant 63 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %back = arith.subi %c63, %x : index
    %bytes = arith.muli %back, %c256 : index
    %view = memref.view %a[%bytes][] : memref<32768xi8> to memref<64xi32>
    %first = arith.muli %x, %c64 : index
    %again = memref.reinterpret_cast %view to offset: [%first], sizes: [64], strides: [1] : memref<64xi32> to memref<64xi32, strided<[1], offset: ?>>
    memref.store %v, %again[%c0] : memref<64xi32, strided<[1], offset: ?>>
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=subview_of_view | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 252 of arg0
gpu.module @m {
  gpu.func @subview_of_view(%a: memref<32768xi8> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c63 = arith.constant 63 : index
    %bytes = arith.subi %c63, %x : index
    %c4b = arith.muli %bytes, %c4 : index
    %view = memref.view %a[%c4b][] : memref<32768xi8> to memref<64xi32>
    %part = memref.subview %view[%x] [1] [1] : memref<64xi32> to memref<1xi32, strided<[1], offset: ?>>
    memref.store %v, %part[%c0] : memref<1xi32, strided<[1], offset: ?>>
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=subview_of_subview | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 252 of arg0
gpu.module @m {
  gpu.func @subview_of_subview(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c63 = arith.constant 63 : index
    %back = arith.subi %c63, %x : index
    %one = memref.subview %a[%x] [64] [1] : memref<4096xi32> to memref<64xi32, strided<[1], offset: ?>>
    %two = memref.subview %one[%back] [1] [1] : memref<64xi32, strided<[1], offset: ?>> to memref<1xi32, strided<[1], offset: ?>>
    memref.store %v, %two[%c0] : memref<1xi32, strided<[1], offset: ?>>
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=stride_of_stride | Code=cross-workgroup-write, Counterexample="workgroups (1) and (2) both touch byte 16 of arg0
gpu.module @m {
  gpu.func @stride_of_stride(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    %even = memref.subview %a[0] [128] [2] : memref<4096xi32> to memref<128xi32, strided<[2]>>
    %fourth = memref.subview %even[0] [64] [2] : memref<128xi32, strided<[2]>> to memref<64xi32, strided<[4]>>
    memref.store %v, %fourth[%x] : memref<64xi32, strided<[4]>>
    %twice = arith.muli %x, %c2 : index
    memref.store %v, %even[%twice] : memref<128xi32, strided<[2]>>
    memref.store %v, %even[%x] : memref<128xi32, strided<[2]>>
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=view_behind_reinterpreted | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 63 of arg0
gpu.module @m {
  gpu.func @view_behind_reinterpreted(%a: memref<32768xi8> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %all = memref.reinterpret_cast %a to offset: [%x], sizes: [4096], strides: [1] : memref<32768xi8> to memref<4096xi8, strided<[1], offset: ?>>
    %b, %off, %s, %st = memref.extract_strided_metadata %all : memref<4096xi8, strided<[1], offset: ?>> -> memref<i8>, index, index, index
    %byte = arith.trunci %v : i32 to i8
    %c63 = arith.constant 63 : index
    %rest = arith.subi %c63, %off : index
    memref.store %byte, %all[%rest] : memref<4096xi8, strided<[1], offset: ?>>
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=collapsed | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @collapsed(%a: memref<64x64xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %flat = memref.collapse_shape %a [[0, 1]] : memref<64x64xi32> into memref<4096xi32>
    %wide = memref.expand_shape %flat [[0, 1]] output_shape [32, 128] : memref<4096xi32> into memref<32x128xi32>
    %c2 = arith.constant 2 : index
    %row = arith.divui %x, %c2 : index
    memref.store %v, %wide[%row, %c0] : memref<32x128xi32>
    gpu.return
  }
}

// -----

// Elements of another size.

// CHECK: Missed{{.*}}Function=wider_element | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 4 of arg0
gpu.module @m {
  gpu.func @wider_element(%a: memref<32768xi8> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %view = memref.view %a[%c0][] : memref<32768xi8> to memref<1024xi64>
    %w = arith.extsi %v : i32 to i64
    memref.store %w, %view[%x] : memref<1024xi64>
    %narrow = memref.view %a[%c0][] : memref<32768xi8> to memref<1024xi32>
    memref.store %v, %narrow[%x] : memref<1024xi32>
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=wide_vector | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 4 of arg0
gpu.module @m {
  gpu.func @wide_vector(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %w = vector.broadcast %v : i32 to vector<4xi32>
    vector.store %w, %a[%x] : memref<4096xi32>, vector<4xi32>
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=wider_than_its_stride | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 8 of arg0
gpu.module @m {
  llvm.func @wider_than_its_stride(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c = llvm.mlir.constant(1 : i32) : i32
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i64
    %w = llvm.zext %x : i32 to i65
    llvm.store %w, %p : i65, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=number_of_33_bits | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 4 of arg0
gpu.module @m {
  llvm.func @number_of_33_bits(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %w = llvm.zext %x : i32 to i33
    llvm.store %w, %p : i33, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=whole_struct | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 8 of arg0
gpu.module @m {
  llvm.func @whole_struct(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c3 = llvm.mlir.constant(2 : i32) : i32
    %i = llvm.mul %x, %c3 : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %w = llvm.mlir.zero : !llvm.struct<(i32, i64)>
    llvm.store %w, %p : !llvm.struct<(i32, i64)>, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=vector_of_four_in_three | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 12 of arg0
gpu.module @m {
  llvm.func @vector_of_four_in_three(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %i = llvm.mul %x, %c3 : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %w = llvm.mlir.zero : vector<4xi32>
    llvm.store %w, %p {alignment = 4 : i64} : vector<4xi32>, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=rows_that_overlap | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 4 of arg1
gpu.module @m {
  gpu.func @rows_that_overlap(%a: memref<4096xi32> {llvm.noalias}, %b: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %from = memref.subview %a[%x] [2] [1] : memref<4096xi32> to memref<2xi32, strided<[1], offset: ?>>
    %to = memref.subview %b[%x] [2] [1] : memref<4096xi32> to memref<2xi32, strided<[1], offset: ?>>
    memref.copy %from, %to : memref<2xi32, strided<[1], offset: ?>> to memref<2xi32, strided<[1], offset: ?>>
    gpu.return
  }
}
