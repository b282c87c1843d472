// RUN: swizzle-opt %s -split-input-file --swizzle-print-model -o /dev/null | FileCheck %s

// Where a table says what is read, the read is modelled for simulation: equal
// places of the table say the same.
// CHECK-LABEL: kernel @m::@pages
// CHECK: read arg1[4*x] 4 bytes
// CHECK: read arg0[4*tx + 128*arg1[4*x]] 4 bytes, assumed
// CHECK: read arg0[4*tx + 128*arg1[4*x + 4] - 512*((arg1[4*x + 4]) // 4)] 4 bytes, assumed
// CHECK-NOT: not modelled
// CHECK: assumed: what arg1 holds, which says where to go: numbers spread evenly
gpu.module @m {
  gpu.func @pages(%a: memref<64x32xf32>, %table: memref<64xi32>) kernel attributes {known_grid_size = array<i32: 32, 1, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : i32
    %p = memref.load %table[%b] : memref<64xi32>
    %i = arith.index_cast %p : i32 to index
    %v = memref.load %a[%i, %t] : memref<64x32xf32>
    %n = arith.addi %b, %c1 : index
    %q = memref.load %table[%n] : memref<64xi32>
    %r = arith.remui %q, %c4 : i32
    %j = arith.index_cast %r : i32 to index
    %w = memref.load %a[%j, %t] : memref<64x32xf32>
    gpu.return
  }
}

// -----

// A table that says where in another one to look.
// CHECK-LABEL: kernel @m::@tables
// CHECK: read arg1[4*arg2[4*x]] 4 bytes, assumed
// CHECK: read arg0[4*arg1[4*arg2[4*x]]] 4 bytes, assumed
// CHECK: assumed: what arg1 holds
// CHECK: assumed: what arg2 holds
gpu.module @m {
  gpu.func @tables(%a: memref<64xf32>, %inner: memref<64xi32>, %outer: memref<64xi32>) kernel attributes {known_grid_size = array<i32: 32, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %b = gpu.block_id x
    %o = memref.load %outer[%b] : memref<64xi32>
    %i = arith.index_cast %o : i32 to index
    %p = memref.load %inner[%i] : memref<64xi32>
    %j = arith.index_cast %p : i32 to index
    %v = memref.load %a[%j] : memref<64xf32>
    gpu.return
  }
}

// -----

// What a loop carries, is no integer, or came about by an atomic says nothing.
// CHECK-LABEL: kernel @m::@others
// CHECK: write arg0[4*arg1[4*x]] 4 bytes, assumed
// CHECK: not modelled: read by memref.load of arg0
// CHECK: not modelled: read by memref.load of arg0
// CHECK: not modelled: read by memref.load of arg0
gpu.module @m {
  gpu.func @others(%a: memref<64xf32>, %table: memref<64xi32>, %reals: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 32, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %one = arith.constant 1 : i32
    %f = arith.constant 0.0 : f32
    %p = memref.load %table[%b] : memref<64xi32>
    %i = arith.index_cast %p : i32 to index
    memref.store %f, %a[%i] : memref<64xf32>
    %last = scf.for %k = %c0 to %c8 step %c1 iter_args(%at = %b) -> index {
      %v = memref.load %a[%at] : memref<64xf32>
      %n = memref.load %table[%k] : memref<64xi32>
      %next = arith.index_cast %n : i32 to index
      scf.yield %next : index
    }
    %r = memref.load %reals[%b] : memref<64xf32>
    %s = arith.fptosi %r : f32 to i32
    %j = arith.index_cast %s : i32 to index
    %w = memref.load %a[%j] : memref<64xf32>
    %old = memref.atomic_rmw addi %one, %table[%c0] : (i32, memref<64xi32>) -> i32
    %l = arith.index_cast %old : i32 to index
    %x = memref.load %a[%l] : memref<64xf32>
    gpu.return
  }
}

// -----

// A loaded number that decides between two addresses: reads on both sides of a
// guard, which is as assumed as they are.
// CHECK-LABEL: kernel @m::@decides
// CHECK: read arg1[4*x] 4 bytes
// CHECK-NEXT: if -arg1[4*x] >= 0
// CHECK-NEXT: read arg0[256] 4 bytes, assumed
// CHECK-NEXT: else
// CHECK-NEXT: read arg0[4*x] 4 bytes, assumed
// CHECK: assumed: what arg1 holds
gpu.module @m {
  llvm.func @decides(%a: !llvm.ptr, %table: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 32, 1, 1>, gpu.known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %at = llvm.getelementptr %table[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %number = llvm.load %at : !llvm.ptr -> i32
    %small = llvm.icmp "slt" %number, %c1 : i32
    %here = llvm.getelementptr %a[%x] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %there = llvm.getelementptr %a[64] : (!llvm.ptr) -> !llvm.ptr, f32
    %p = llvm.select %small, %there, %here : i1, !llvm.ptr
    %v = llvm.load %p : !llvm.ptr -> f32
    %out = llvm.alloca %c1 x f32 : (i32) -> !llvm.ptr
    llvm.store volatile %v, %out : f32, !llvm.ptr
    llvm.return
  }
}

// -----

// Updates go where numbers say, too, those of a vector one after the other. As
// many bits of them are believed as leave the access within its buffer, and sums
// within 32 bits.
// CHECK-LABEL: kernel @m::@edges
// CHECK: read arg1[8*x] 8 bytes
// CHECK: atomic arg0[4*tx + 268435456*arg1[8*x + 4]] 4 bytes fadd.f32, assumed
// CHECK-NOT: not modelled
gpu.module @m {
  llvm.func @edges(%sums: !llvm.ptr, %ends: !llvm.ptr, %values: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 32, 1, 1>, gpu.known_block_size = array<i32: 64, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %large = llvm.mlir.constant(67108864 : i32) : i32
    %f = llvm.mlir.constant(1.0 : f32) : f32
    %at = llvm.getelementptr %ends[%x] : (!llvm.ptr, i32) -> !llvm.ptr, vector<2xi32>
    %both = llvm.load %at {alignment = 8} : !llvm.ptr -> vector<2xi32>
    %end = llvm.extractelement %both[%c1 : i32] : vector<2xi32>
    %row = llvm.mul %end, %large : i32
    %place = llvm.add %row, %t : i32
    %to = llvm.getelementptr %sums[%place] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %old = llvm.atomicrmw fadd %to, %f monotonic : !llvm.ptr, f32
    llvm.return
  }
}

// -----

// A number that is loaded under a mask, and 0 elsewhere.
// CHECK-LABEL: kernel @m::@masked
// CHECK: read arg0[4*tx + 128*arg1[4*x]] 4 bytes, assumed
// CHECK-NOT: not modelled
gpu.module @m {
  gpu.func @masked(%a: memref<64x32xf32>, %table: memref<64xi32>, %flags: memref<64xi1>) kernel attributes {known_grid_size = array<i32: 32, 1, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %none = arith.constant 0 : i32
    %flag = memref.load %flags[%b] : memref<64xi1>
    %p = scf.if %flag -> i32 {
      %number = memref.load %table[%b] : memref<64xi32>
      scf.yield %number : i32
    } else {
      scf.yield %none : i32
    }
    %i = arith.index_cast %p : i32 to index
    %v = memref.load %a[%i, %t] : memref<64x32xf32>
    gpu.return
  }
}

// -----

// Rows of which a table says where they begin and end lie one after the other; a
// chain from one number to the next is not followed.
// CHECK-LABEL: kernel @m::@sparse
// CHECK: loop i < 16
// CHECK-NEXT: read arg2[64*x + 4*i] 4 bytes, assumed
// CHECK-NEXT: read arg0[4*arg2[64*x + 4*i]] 4 bytes, assumed
// CHECK: not modelled: read by memref.load of arg0
// CHECK: assumed: what arg1 holds, which says where rows begin: one after the other
gpu.module @m {
  gpu.func @sparse(%a: memref<?xf32>, %rows: memref<65xi32>, %columns: memref<?xi32>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.addi %b, %c1 : index
    %p = memref.load %rows[%b] : memref<65xi32>
    %q = memref.load %rows[%n] : memref<65xi32>
    %first = arith.index_cast %p : i32 to index
    %end = arith.index_cast %q : i32 to index
    scf.for %k = %first to %end step %c1 {
      %column = memref.load %columns[%k] : memref<?xi32>
      %i = arith.index_cast %column : i32 to index
      %v = memref.load %a[%i] : memref<?xf32>
    }
    %last = scf.for %k = %first to %end step %c1 iter_args(%at = %c0) -> index {
      %next = memref.load %columns[%at] : memref<?xi32>
      %i = arith.index_cast %next : i32 to index
      %v = memref.load %a[%at] : memref<?xf32>
      scf.yield %i : index
    }
    gpu.return
  }
}
