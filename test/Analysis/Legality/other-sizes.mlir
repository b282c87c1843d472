// What holds for the sizes that are assumed, or for the launches that are seen, says
// nothing of others: where a write vanishes with the nominal size of an argument or a
// grid, in one of two calls, or where a launch passes one buffer twice.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="chip=h200 formula='return gx - 1 - x' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

// A number that is compared with nothing else is that one.
// CHECK: Missed{{.*}}Function=written_for_one_value | Code=cross-workgroup-write
gpu.module @m {
  gpu.func @written_for_one_value(%a: memref<64xi32>, %b: memref<64xi32>, %n: i32) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_grid_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : i32
    %x = gpu.block_id x
    %v = memref.load %b[%x] : memref<64xi32>
    %is = arith.cmpi eq, %n, %c5 : i32
    scf.if %is {
      memref.store %v, %a[%c0] : memref<64xi32>
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=written_for_few_values | Code=cross-workgroup-write
gpu.module @m {
  gpu.func @written_for_few_values(%a: memref<64xi32>, %b: memref<64xi32>, %n: i32) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_grid_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : i32
    %x = gpu.block_id x
    %v = memref.load %b[%x] : memref<64xi32>
    %is = arith.cmpi slt, %n, %c5 : i32
    scf.if %is {
      memref.store %v, %a[%c0] : memref<64xi32>
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=written_for_one_size | Code=cross-workgroup-write
gpu.module @m {
  gpu.func @written_for_one_size(%a: memref<?xi32>, %b: memref<64xi32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_grid_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %x = gpu.block_id x
    %v = memref.load %b[%x] : memref<64xi32>
    %n = memref.dim %a, %c0 : memref<?xi32>
    %is = arith.cmpi eq, %n, %c5 : index
    scf.if %is {
      memref.store %v, %a[%c0] : memref<?xi32>
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=written_on_large_grids | Code=assumption
gpu.module @m {
  gpu.func @written_on_large_grids(%a: memref<64xi32>, %b: memref<?xi32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1000 = arith.constant 1000 : index
    %x = gpu.block_id x
    %v = memref.load %b[%x] : memref<?xi32>
    %is = arith.cmpi uge, %x, %c1000 : index
    scf.if %is {
      memref.store %v, %a[%c0] : memref<64xi32>
    }
    gpu.return
  }
}

// -----

// The addition is reached by the first call, and for arg1 alone; by the second one for
// numbers that are tried.
// CHECK: Missed{{.*}}Function=reached_by_another_call | Code=cross-workgroup-write
gpu.module @m {
  func.func @bump(%p: memref<64xi32>, %i: index) {
    %c1 = arith.constant 1 : i32
    %old = memref.atomic_rmw addi %c1, %p[%i] : (i32, memref<64xi32>) -> i32
    return
  }
  gpu.func @reached_by_another_call(%a: memref<64xi32> {llvm.noalias}, %b: memref<64xi32> {llvm.noalias}, %n: i32) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_grid_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : i32
    %x = gpu.block_id x
    %v = memref.load %a[%x] : memref<64xi32>
    func.call @bump(%b, %c0) : (memref<64xi32>, index) -> ()
    %is = arith.cmpi slt, %n, %c5 : i32
    scf.if %is {
      func.call @bump(%a, %c0) : (memref<64xi32>, index) -> ()
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=one_buffer_passed_twice | Code=assumption
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @one_buffer_passed_twice(%a: memref<?xi32>, %b: memref<?xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c64 = arith.constant 64 : index
      %c320 = arith.constant 320 : index
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %first = arith.muli %x, %c64 : index
      %i = arith.addi %first, %t : index
      %j = arith.addi %i, %c320 : index
      %v = memref.load %a[%i] : memref<?xi32>
      memref.store %v, %b[%j] : memref<?xi32>
      gpu.return
    }
  }
  func.func @host(%a: memref<?xi32>, %gx: index) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@one_buffer_passed_twice blocks in (%gx, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<?xi32>, %a : memref<?xi32>)
    return
  }
}

// -----

// They are two by their attributes, and one by the launch.
// CHECK: Missed{{.*}}Function=apart_but_for_the_launch | Code=assumption
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @apart_but_for_the_launch(%a: memref<?xi32> {llvm.noalias}, %b: memref<?xi32> {llvm.noalias}) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c64 = arith.constant 64 : index
      %c320 = arith.constant 320 : index
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %first = arith.muli %x, %c64 : index
      %i = arith.addi %first, %t : index
      %j = arith.addi %i, %c320 : index
      %v = memref.load %a[%i] : memref<?xi32>
      memref.store %v, %b[%j] : memref<?xi32>
      gpu.return
    }
  }
  func.func @host(%a: memref<?xi32>, %gx: index) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@apart_but_for_the_launch blocks in (%gx, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<?xi32>, %a : memref<?xi32>)
    return
  }
}

// -----

// The second launch passes two buffers, which may overlap.
// CHECK: Missed{{.*}}Function=two_launches | Code=assumption
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @two_launches(%a: memref<?xi32>, %b: memref<?xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c64 = arith.constant 64 : index
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %first = arith.muli %x, %c64 : index
      %i = arith.addi %first, %t : index
      %v = memref.load %a[%i] : memref<?xi32>
      memref.store %v, %b[%i] : memref<?xi32>
      gpu.return
    }
  }
  func.func @host(%a: memref<?xi32>, %c: memref<?xi32>, %gx: index) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@two_launches blocks in (%gx, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<?xi32>, %a : memref<?xi32>)
    gpu.launch_func @m::@two_launches blocks in (%gx, %c1, %c1) threads in (%c64, %c1, %c1) args(%a : memref<?xi32>, %c : memref<?xi32>)
    return
  }
}

// -----

// Workgroups of one x and several y add to and take the maximum of one element.
// CHECK: Missed{{.*}}Function=two_updates | Code=assumption
gpu.module @m {
  gpu.func @two_updates(%b: memref<?xi32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c1 = arith.constant 1 : i32
    %c5 = arith.constant 5 : i32
    %x = gpu.block_id x
    %added = memref.atomic_rmw addi %c1, %b[%x] : (i32, memref<?xi32>) -> i32
    %taken = memref.atomic_rmw maxs %c5, %b[%x] : (i32, memref<?xi32>) -> i32
    gpu.return
  }
}

// -----

// A negative number of bytes is a large one for the hardware: nothing is cut off.
// CHECK: Missed{{.*}}Function=all_bytes_there_are | Code=cross-workgroup-write
llvm.func @all_bytes_there_are(%a: !llvm.ptr<1> {llvm.noalias}) attributes {rocdl.kernel, gpu.kernel, gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
  %x = rocdl.workgroup.id.x : i32
  %stride = llvm.mlir.constant(0 : i16) : i16
  %bytes = llvm.mlir.constant(-1 : i64) : i64
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %c0 : !llvm.ptr<1> to !llvm.ptr<8>
  rocdl.raw.ptr.buffer.store %x, %r, %c0, %c0, %c0 : i32
  llvm.return
}

// -----

// CHECK: Missed{{.*}}Function=half_of_all_bytes | Code=cross-workgroup-write
llvm.func @half_of_all_bytes(%a: !llvm.ptr<1> {llvm.noalias}) attributes {rocdl.kernel, gpu.kernel, gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
  %x = rocdl.workgroup.id.x : i32
  %stride = llvm.mlir.constant(0 : i16) : i16
  %bytes = llvm.mlir.constant(-2147483648 : i64) : i64
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %c0 : !llvm.ptr<1> to !llvm.ptr<8>
  rocdl.raw.ptr.buffer.store %x, %r, %c0, %c0, %c0 : i32
  llvm.return
}

// -----

// Only what device libraries define themselves is known, not whatever has such a name.
// CHECK: Missed{{.*}}Function=calls_its_own_assertion | Code=unknown-callee
gpu.module @m {
  llvm.func weak @__assert_of_mine(%p: !llvm.ptr<1>) {
    llvm.return
  }
  llvm.func @calls_its_own_assertion(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %v = llvm.load %p : !llvm.ptr<1> -> i32
    llvm.call @__assert_of_mine(%a) : (!llvm.ptr<1>) -> ()
    llvm.return
  }
}
