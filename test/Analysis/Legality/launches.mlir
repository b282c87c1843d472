// Every launch in the module counts, with its sizes and with what it passes, and a
// helper's ids are the kernel's. None of these kernels is accepted as proved.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x, y'" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x, y' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=STRICT
// STRICT-NOT: [Passed]

// Attributes and launches that contradict each other.

// CHECK: Missed{{.*}}Function=other_grid | Code=contradiction
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @other_grid(%a: memref<65536xi32>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %v = arith.index_cast %x : index to i32
      %first = arith.muli %x, %c64 : index
      %i = arith.addi %first, %t : index
      memref.store %v, %a[%i] : memref<65536xi32>
      gpu.return
    }
  }
  func.func @host(%A: memref<65536xi32>, %B: memref<65536xi32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    gpu.launch_func @m::@other_grid blocks in (%c512, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<65536xi32>)
    return
  }
}

// -----

// CHECK: Missed{{.*}}Function=other_block | Code=contradiction
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @other_block(%a: memref<65536xi32>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %v = arith.index_cast %x : index to i32
      %first = arith.muli %x, %c64 : index
      %i = arith.addi %first, %t : index
      memref.store %v, %a[%i] : memref<65536xi32>
      gpu.return
    }
  }
  func.func @host(%A: memref<65536xi32>, %B: memref<65536xi32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    gpu.launch_func @m::@other_block blocks in (%c64, %c1, %c1) threads in (%c512, %c1, %c1) args(%A : memref<65536xi32>)
    return
  }
}

// -----

// CHECK: Missed{{.*}}Function=second_contradicts | Code=contradiction
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @second_contradicts(%a: memref<65536xi32>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %v = arith.index_cast %x : index to i32
      %first = arith.muli %x, %c64 : index
      %i = arith.addi %first, %t : index
      memref.store %v, %a[%i] : memref<65536xi32>
      gpu.return
    }
  }
  func.func @host(%A: memref<65536xi32>, %B: memref<65536xi32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    gpu.launch_func @m::@second_contradicts blocks in (%c64, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<65536xi32>)
    gpu.launch_func @m::@second_contradicts blocks in (%c512, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<65536xi32>)
    return
  }
}

// -----

// CHECK: Missed{{.*}}Function=grid_of_device | Code=contradiction
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @grid_of_device(%a: memref<65536xi32>) kernel attributes {gpu.known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %v = arith.index_cast %x : index to i32
      %first = arith.muli %x, %c64 : index
      %i = arith.addi %first, %t : index
      memref.store %v, %a[%i] : memref<65536xi32>
      gpu.return
    }
  }
  func.func @host(%A: memref<65536xi32>, %B: memref<65536xi32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    gpu.launch_func @m::@grid_of_device blocks in (%c512, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<65536xi32>)
    return
  }
}

// -----

// What the second launch passes counts as much.

// CHECK: Missed{{.*}}Function=other_stride | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 4 of arg0
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @other_stride(%a: memref<65536xi32>, %s: index) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %v = arith.index_cast %x : index to i32
      %first = arith.muli %x, %s : index
      %i = arith.addi %first, %t : index
      memref.store %v, %a[%i] : memref<65536xi32>
      gpu.return
    }
  }
  func.func @host(%A: memref<65536xi32>, %B: memref<65536xi32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@other_stride blocks in (%c64, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<65536xi32>, %c64 : index)
    gpu.launch_func @m::@other_stride blocks in (%c64, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<65536xi32>, %c1 : index)
    return
  }
}

// -----

// CHECK: Passed{{.*}}Function=stride_of_host | Assuming="workgroups stay apart for the sizes that are launched as they do for those that were assumed (arg1 =
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @stride_of_host(%a: memref<65536xi32>, %s: index) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %v = arith.index_cast %x : index to i32
      %first = arith.muli %x, %s : index
      %i = arith.addi %first, %t : index
      memref.store %v, %a[%i] : memref<65536xi32>
      gpu.return
    }
  }
  func.func @host(%A: memref<65536xi32>, %B: memref<65536xi32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@stride_of_host blocks in (%c64, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<65536xi32>, %c64 : index)
    gpu.launch_func @m::@stride_of_host blocks in (%c64, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<65536xi32>, %n : index)
    return
  }
}

// -----

// CHECK: Passed{{.*}}Function=stride_of_nobody | Assuming="workgroups stay apart for the sizes that are launched as they do for those that were assumed (arg1 =
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @stride_of_nobody(%a: memref<65536xi32>, %s: index) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %v = arith.index_cast %x : index to i32
      %first = arith.muli %x, %s : index
      %i = arith.addi %first, %t : index
      memref.store %v, %a[%i] : memref<65536xi32>
      gpu.return
    }
  }
  func.func @host(%A: memref<65536xi32>, %B: memref<65536xi32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@stride_of_nobody blocks in (%c64, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<65536xi32>, %n : index)
    return
  }
}

// -----

// CHECK: Missed{{.*}}Function=same_buffer | Code=cross-workgroup-write, Counterexample="workgroups (1) and (0) both touch byte 256 of arg0
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @same_buffer(%a: memref<65536xi32>, %b: memref<65536xi32>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %v = arith.index_cast %x : index to i32
      %first = arith.muli %x, %c64 : index
      %i = arith.addi %first, %t : index
      %c1 = arith.constant 1 : index
      %j = arith.addi %i, %c1 : index
      %w = memref.load %b[%j] : memref<65536xi32>
      memref.store %w, %a[%i] : memref<65536xi32>
      gpu.return
    }
  }
  func.func @host(%A: memref<65536xi32>, %B: memref<65536xi32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@same_buffer blocks in (%c64, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<65536xi32>, %A : memref<65536xi32>)
    return
  }
}

// -----

// CHECK: Missed{{.*}}Function=same_buffer_second | Code=cross-workgroup-write, Counterexample="workgroups (1) and (0) both touch byte 256 of arg0
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @same_buffer_second(%a: memref<65536xi32>, %b: memref<65536xi32>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %v = arith.index_cast %x : index to i32
      %first = arith.muli %x, %c64 : index
      %i = arith.addi %first, %t : index
      %c1 = arith.constant 1 : index
      %j = arith.addi %i, %c1 : index
      %w = memref.load %b[%j] : memref<65536xi32>
      memref.store %w, %a[%i] : memref<65536xi32>
      gpu.return
    }
  }
  func.func @host(%A: memref<65536xi32>, %B: memref<65536xi32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@same_buffer_second blocks in (%c64, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<65536xi32>, %B : memref<65536xi32>)
    gpu.launch_func @m::@same_buffer_second blocks in (%c64, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<65536xi32>, %A : memref<65536xi32>)
    return
  }
}

// -----

// CHECK: Missed{{.*}}Function=same_buffer_cast | Code=cross-workgroup-write, Counterexample="workgroups (1) and (0) both touch byte 256 of arg0
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @same_buffer_cast(%a: memref<65536xi32>, %b: memref<65536xi32>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %v = arith.index_cast %x : index to i32
      %first = arith.muli %x, %c64 : index
      %i = arith.addi %first, %t : index
      %c1 = arith.constant 1 : index
      %j = arith.addi %i, %c1 : index
      %w = memref.load %b[%j] : memref<65536xi32>
      memref.store %w, %a[%i] : memref<65536xi32>
      gpu.return
    }
  }
  func.func @host(%A: memref<65536xi32>, %B: memref<65536xi32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %any = memref.cast %A : memref<65536xi32> to memref<?xi32>
    %again = memref.cast %any : memref<?xi32> to memref<65536xi32>
    gpu.launch_func @m::@same_buffer_cast blocks in (%c64, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<65536xi32>, %B : memref<65536xi32>)
    gpu.launch_func @m::@same_buffer_cast blocks in (%c64, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<65536xi32>, %again : memref<65536xi32>)
    return
  }
}

// -----

// CHECK: Passed{{.*}}Function=unknown_buffers | Assuming="arg1 and arg0 do not overlap in memory
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @unknown_buffers(%a: memref<65536xi32>, %b: memref<65536xi32>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %v = arith.index_cast %x : index to i32
      %first = arith.muli %x, %c64 : index
      %i = arith.addi %first, %t : index
      %c1 = arith.constant 1 : index
      %j = arith.addi %i, %c1 : index
      %w = memref.load %b[%j] : memref<65536xi32>
      memref.store %w, %a[%i] : memref<65536xi32>
      gpu.return
    }
  }
  func.func @host(%A: memref<65536xi32>, %B: memref<65536xi32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@unknown_buffers blocks in (%c64, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<65536xi32>, %B : memref<65536xi32>)
    return
  }
}

// -----

// Without attributes: two launches, of which the second is too wide.

// CHECK: Missed{{.*}}Function=unknown_grid_of_two | Code=cross-workgroup-write, Counterexample="workgroups (0) and (32) both touch byte 0 of arg0
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @unknown_grid_of_two(%a: memref<65536xi32>) kernel {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %v = arith.index_cast %x : index to i32
      %half = arith.constant 32 : index
      %slot = arith.remui %x, %half : index
      memref.store %v, %a[%slot] : memref<65536xi32>
      gpu.return
    }
  }
  func.func @host(%A: memref<65536xi32>, %B: memref<65536xi32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@unknown_grid_of_two blocks in (%c32, %c1, %c1) threads in (%c1, %c1, %c1) args(%A : memref<65536xi32>)
    gpu.launch_func @m::@unknown_grid_of_two blocks in (%c64, %c1, %c1) threads in (%c1, %c1, %c1) args(%A : memref<65536xi32>)
    return
  }
}

// -----

// CHECK: Missed{{.*}}Function=block_of_two | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 256 of arg0
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @block_of_two(%a: memref<65536xi32>) kernel {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %v = arith.index_cast %x : index to i32
      %first = arith.muli %x, %c64 : index
      %i = arith.addi %first, %t : index
      memref.store %v, %a[%i] : memref<65536xi32>
      gpu.return
    }
  }
  func.func @host(%A: memref<65536xi32>, %B: memref<65536xi32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    gpu.launch_func @m::@block_of_two blocks in (%c64, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<65536xi32>)
    gpu.launch_func @m::@block_of_two blocks in (%c64, %c1, %c1) threads in (%c512, %c1, %c1) args(%A : memref<65536xi32>)
    return
  }
}

// -----

// Module globals are buffers like arguments.

// CHECK: Passed{{.*}}Function=argument_and_global | Assuming="g and arg0 do not overlap in memory
gpu.module @m {
  memref.global @g : memref<64xi32>
  gpu.func @argument_and_global(%a: memref<4096xi32>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %c0 = arith.constant 0 : index
    %g = memref.get_global @g : memref<64xi32>
    %w = memref.load %g[%c0] : memref<64xi32>
    memref.store %w, %a[%x] : memref<4096xi32>
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=written_global | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 0 of g
gpu.module @m {
  memref.global @g : memref<64xi32>
  gpu.func @written_global(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %c64 = arith.constant 64 : index
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %g = memref.get_global @g : memref<64xi32>
    memref.store %v, %g[%c0] : memref<64xi32>
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=global_by_two_names | Code=cross-workgroup-write, Counterexample="workgroups (1) and (0) both touch byte 4 of g
gpu.module @m {
  memref.global @g : memref<4096xi32>
  func.func private @next(%i: index) -> i32 {
    %g = memref.get_global @g : memref<4096xi32>
    %w = memref.load %g[%i] : memref<4096xi32>
    return %w : i32
  }
  gpu.func @global_by_two_names(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c1 = arith.constant 1 : index
    %j = arith.addi %x, %c1 : index
    %g = memref.get_global @g : memref<4096xi32>
    %w = func.call @next(%j) : (index) -> i32
    memref.store %w, %g[%x] : memref<4096xi32>
    gpu.return
  }
}

// -----

// Ids that helpers read, in grids that nobody knows.

// CHECK: Missed{{.*}}Function=id_in_helper | Code=cross-workgroup-write, Counterexample="workgroups (1) and (0) both touch byte 4 of arg0
gpu.module @m {
  func.func private @halo(%a: memref<65536xi32>) {
    %x = gpu.block_id x
    %c1 = arith.constant 1 : index
    %j = arith.addi %x, %c1 : index
    %w = memref.load %a[%j] : memref<65536xi32>
    memref.store %w, %a[%x] : memref<65536xi32>
    return
  }
  gpu.func @id_in_helper(%a: memref<65536xi32>) kernel {
    func.call @halo(%a) : (memref<65536xi32>) -> ()
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=second_id_in_helper | Code=cross-workgroup-write, Counterexample="workgroups (0,1) and (1,0) both touch byte 4 of arg0
gpu.module @m {
  func.func private @row() -> index {
    %y = gpu.block_id y
    return %y : index
  }
  gpu.func @second_id_in_helper(%a: memref<65536xi32>) kernel {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %y = func.call @row() : () -> index
    %i = arith.addi %x, %y : index
    memref.store %v, %a[%i] : memref<65536xi32>
    gpu.return
  }
}

// -----

// All workgroups of a column write the same elements.

// CHECK: Missed{{.*}}Function=other_axis_unread | Code=cross-workgroup-write, Counterexample="workgroups (0,0) and (0,1) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @other_axis_unread(%a: memref<65536xi32>) kernel {
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %v = arith.index_cast %x : index to i32
    %dim = gpu.block_dim x
    %first = arith.muli %x, %dim : index
    %i = arith.addi %first, %t : index
    %y = gpu.block_id y
    %w = arith.index_cast %y : index to i32
    memref.store %w, %a[%i] : memref<65536xi32>
    gpu.return
  }
}

// -----

// Launches inside of a host loop, whose second one passes something else.

// CHECK: Passed{{.*}}Function=stride_from_host_loop | Assuming="writes of arg0 by memref.store{{.*}}do not race
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @stride_from_host_loop(%a: memref<65536xi32>, %s: index) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %v = arith.index_cast %x : index to i32
      %first = arith.muli %x, %s : index
      %i = arith.addi %first, %t : index
      memref.store %v, %a[%i] : memref<65536xi32>
      gpu.return
    }
  }
  func.func @host(%A: memref<65536xi32>, %B: memref<65536xi32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %c64) -> (index) {
      gpu.launch_func @m::@stride_from_host_loop blocks in (%c64, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<65536xi32>, %s : index)
      scf.yield %c1 : index
    }

    return
  }
}

// -----

// The second iteration passes one buffer twice.

// CHECK: Passed{{.*}}Function=alloc_two | Assuming="arg1 and arg0 do not overlap in memory
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @alloc_two(%a: memref<65536xi32>, %b: memref<65536xi32>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %v = arith.index_cast %x : index to i32
      %first = arith.muli %x, %c64 : index
      %i = arith.addi %first, %t : index
      %c1 = arith.constant 1 : index
      %j = arith.addi %i, %c1 : index
      %w = memref.load %b[%j] : memref<65536xi32>
      memref.store %w, %a[%i] : memref<65536xi32>
      gpu.return
    }
  }
  func.func @host(%A: memref<65536xi32>, %B: memref<65536xi32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %p0 = memref.alloc() : memref<65536xi32>
    %q0 = memref.alloc() : memref<65536xi32>
    %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %p0, %q = %q0) -> (memref<65536xi32>, memref<65536xi32>) {
      gpu.launch_func @m::@alloc_two blocks in (%c64, %c1, %c1) threads in (%c64, %c1, %c1) args(%p : memref<65536xi32>, %q : memref<65536xi32>)
      scf.yield %p, %p : memref<65536xi32>, memref<65536xi32>
    }

    return
  }
}

// -----

// The strides of a second view.

// CHECK: Passed{{.*}}Function=memref_second_strides | Assuming="workgroups stay apart for the sizes that are launched as they do for those that were assumed (stride
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @memref_second_strides(%a: memref<64x64xi32, strided<[?, ?]>>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %v = arith.index_cast %x : index to i32
      memref.store %v, %a[%x, %t] : memref<64x64xi32, strided<[?, ?]>>
      gpu.return
    }
  }
  func.func @host(%A: memref<64x64xi32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %d = memref.reinterpret_cast %A to offset: [0], sizes: [64, 64], strides: [%c64, %c1] : memref<64x64xi32> to memref<64x64xi32, strided<[?, ?]>>
    %e = memref.reinterpret_cast %A to offset: [0], sizes: [64, 64], strides: [%c1, %c1] : memref<64x64xi32> to memref<64x64xi32, strided<[?, ?]>>
    gpu.launch_func @m::@memref_second_strides blocks in (%c64, %c1, %c1) threads in (%c64, %c1, %c1) args(%d : memref<64x64xi32, strided<[?, ?]>>)
    gpu.launch_func @m::@memref_second_strides blocks in (%c64, %c1, %c1) threads in (%c64, %c1, %c1) args(%e : memref<64x64xi32, strided<[?, ?]>>)

    return
  }
}

// -----

// The same, with the wider launch first.

// CHECK: Missed{{.*}}Function=wider_first | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 256 of arg0
// CHECK: Missed{{.*}}Function=longer_first | Code=cross-workgroup-write, Counterexample="workgroups (0) and (64) both touch byte 0 of arg0
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @wider_first(%a: memref<65536xi32>) kernel {
      %x = gpu.block_id x
      %t = gpu.thread_id x
      %c64 = arith.constant 64 : index
      %v = arith.index_cast %x : index to i32
      %first = arith.muli %x, %c64 : index
      %i = arith.addi %first, %t : index
      memref.store %v, %a[%i] : memref<65536xi32>
      gpu.return
    }
    gpu.func @longer_first(%a: memref<65536xi32>) kernel {
      %x = gpu.block_id x
      %c64 = arith.constant 64 : index
      %v = arith.index_cast %x : index to i32
      %i = arith.remui %x, %c64 : index
      memref.store %v, %a[%i] : memref<65536xi32>
      gpu.return
    }
  }
  func.func @host(%A: memref<65536xi32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @m::@wider_first blocks in (%c64, %c1, %c1) threads in (%c128, %c1, %c1) args(%A : memref<65536xi32>)
    gpu.launch_func @m::@wider_first blocks in (%c64, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<65536xi32>)
    gpu.launch_func @m::@longer_first blocks in (%c128, %c1, %c1) threads in (%c1, %c1, %c1) args(%A : memref<65536xi32>)
    gpu.launch_func @m::@longer_first blocks in (%c64, %c1, %c1) threads in (%c1, %c1, %c1) args(%A : memref<65536xi32>)
    return
  }
}

// -----

// One buffer by several names: a global that is taken twice, and views of it that keep
// its beginning.

// CHECK: Missed{{.*}}Function=by_two_names | Code=cross-workgroup-write
module attributes {gpu.container_module} {
  memref.global "private" @data : memref<1024xi32> = uninitialized
  gpu.module @m {
    gpu.func @by_two_names(%a: memref<1024xi32>, %b: memref<1024xi32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
      %x = gpu.block_id x
      %c15 = arith.constant 15 : index
      %other = arith.subi %c15, %x : index
      %v = memref.load %a[%other] : memref<1024xi32>
      memref.store %v, %b[%x] : memref<1024xi32>
      gpu.return
    }
  }
  func.func @host() {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %first = memref.get_global @data : memref<1024xi32>
    %again = memref.get_global @data : memref<1024xi32>
    %second = memref.assume_alignment %again, 16 : memref<1024xi32>
    gpu.launch_func @m::@by_two_names blocks in (%c16, %c1, %c1) threads in (%c1, %c1, %c1) args(%first : memref<1024xi32>, %second : memref<1024xi32>)
    return
  }
}

// -----

// CHECK: Missed{{.*}}Function=by_two_views | Code=cross-workgroup-write
// CHECK: Passed{{.*}}Function=by_views_apart
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @by_two_views(%a: memref<1024xi32>, %b: memref<1024xi32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
      %x = gpu.block_id x
      %c15 = arith.constant 15 : index
      %other = arith.subi %c15, %x : index
      %v = memref.load %a[%other] : memref<1024xi32>
      memref.store %v, %b[%x] : memref<1024xi32>
      gpu.return
    }
    gpu.func @by_views_apart(%a: memref<1024xi32>, %b: memref<1024xi32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
      %x = gpu.block_id x
      %c15 = arith.constant 15 : index
      %other = arith.subi %c15, %x : index
      %v = memref.load %a[%other] : memref<1024xi32>
      memref.store %v, %b[%x] : memref<1024xi32>
      gpu.return
    }
  }
  func.func @host(%bytes: memref<8192xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c4096 = arith.constant 4096 : index
    %first = memref.view %bytes[%c0][] : memref<8192xi8> to memref<1024xi32>
    %second = memref.view %bytes[%c0][] : memref<8192xi8> to memref<1024xi32>
    %third = memref.view %bytes[%c4096][] : memref<8192xi8> to memref<1024xi32>
    gpu.launch_func @m::@by_two_views blocks in (%c16, %c1, %c1) threads in (%c1, %c1, %c1) args(%first : memref<1024xi32>, %second : memref<1024xi32>)
    gpu.launch_func @m::@by_views_apart blocks in (%c16, %c1, %c1) threads in (%c1, %c1, %c1) args(%first : memref<1024xi32>, %third : memref<1024xi32>)
    return
  }
}

// -----

// AMD's runtime holds no launch to an attribute of NVIDIA's: what is written lies apart in
// blocks of 64 threads, and nobody says that they are.

// CHECK: Missed{{.*}}Function=block_of_another_vendor | Code=cross-workgroup-write
// CHECK-SAME: block x = 256 (nominal)
gpu.module @m {
  llvm.func @block_of_another_vendor(%a: !llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, nvvm.reqntid = array<i32: 64, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %t = rocdl.workitem.id.x : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %first = llvm.mul %x, %c64 : i32
    %i = llvm.add %first, %t : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
