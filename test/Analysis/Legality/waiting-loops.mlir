// Plain loads poll where assembly or a fence keeps the compiler from hoisting them. A
// loop that only another thread can end waits for it, maybe for one of a workgroup
// that has not begun.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x'" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

// CHECK: Missed{{.*}}Function=polls | Code=waiting-loop{{.*}}until another thread writes what 'llvm.load' reads
gpu.module @m {
  llvm.func @polls(%flags: !llvm.ptr<1> {llvm.noalias}, %out: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %before = llvm.sub %x, %c1 : i32
    %other = llvm.getelementptr %flags[%before] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %first = llvm.icmp "eq" %x, %c0 : i32
    llvm.cond_br %first, ^done, ^wait
  ^wait:
    %seen = llvm.load %other : !llvm.ptr<1> -> i32
    %no = llvm.icmp "eq" %seen, %c0 : i32
    llvm.cond_br %no, ^wait, ^done
  ^done:
    %own = llvm.getelementptr %flags[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %c1, %own : i32, !llvm.ptr<1>
    %to = llvm.getelementptr %out[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %to : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// The result of the load goes through the subgroup, and around the loop.
// CHECK: Missed{{.*}}Function=votes | Code=waiting-loop
gpu.module @m {
  llvm.func @votes(%flags: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %own = llvm.getelementptr %flags[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %c1, %own : i32, !llvm.ptr<1>
    llvm.br ^wait(%c0 : i32)
  ^wait(%last: i32):
    %seen = llvm.load %flags : !llvm.ptr<1> -> i32
    %ready = nvvm.shfl.sync idx %all, %last, %c0, %c0 : i32 -> i32
    %no = llvm.icmp "eq" %ready, %c0 : i32
    llvm.cond_br %no, ^wait(%seen : i32), ^done
  ^done:
    llvm.return
  }
}

// -----

// What was loaded before the loop, which ends at once or never.
// CHECK: Missed{{.*}}Function=for_ever | Code=waiting-loop
gpu.module @m {
  llvm.func @for_ever(%flags: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %own = llvm.getelementptr %flags[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %seen = llvm.load %flags : !llvm.ptr<1> -> i32
    %no = llvm.icmp "eq" %seen, %c0 : i32
    llvm.cond_br %no, ^wait, ^done
  ^wait:
    llvm.br ^wait
  ^done:
    llvm.store %c1, %own : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// A bound in memory that nobody writes to.
// CHECK: Passed{{.*}}Function=counts_up_to |
gpu.module @m {
  llvm.func @counts_up_to(%bound: !llvm.ptr<1> {llvm.noalias}, %out: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %to = llvm.getelementptr %out[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.br ^loop(%c0 : i32)
  ^loop(%i: i32):
    %n = llvm.load %bound : !llvm.ptr<1> -> i32
    llvm.store %i, %to : i32, !llvm.ptr<1>
    %next = llvm.add %i, %c1 : i32
    %more = llvm.icmp "slt" %next, %n : i32
    llvm.cond_br %more, ^loop(%next : i32), ^done
  ^done:
    llvm.return
  }
}

// -----

// A loop that works on what it looks at goes on by itself.
// CHECK: Passed{{.*}}Function=halves |
gpu.module @m {
  llvm.func @halves(%data: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %own = llvm.getelementptr %data[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %own : i32, !llvm.ptr<1>
    llvm.br ^loop
  ^loop:
    %v = llvm.load %own : !llvm.ptr<1> -> i32
    %half = llvm.lshr %v, %c1 : i32
    llvm.store %half, %own : i32, !llvm.ptr<1>
    %more = llvm.icmp "ne" %half, %c0 : i32
    llvm.cond_br %more, ^loop, ^done
  ^done:
    llvm.return
  }
}

// -----

// By many numbers at once.
// CHECK: Missed{{.*}}Function=polls_by_gather | Code=waiting-loop
gpu.module @m {
  llvm.func @polls_by_gather(%flags: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %yes = llvm.mlir.constant(dense<true> : vector<2xi1>) : vector<2xi1>
    %none = llvm.mlir.constant(dense<0> : vector<2xi32>) : vector<2xi32>
    %places = llvm.mlir.constant(dense<[0, 1]> : vector<2xi32>) : vector<2xi32>
    %many = llvm.getelementptr %flags[%places] : (!llvm.ptr<1>, vector<2xi32>) -> vector<2x!llvm.ptr<1>>, i32
    llvm.br ^wait
  ^wait:
    %seen = llvm.intr.masked.gather %many, %yes, %none {alignment = 4 : i32} : (vector<2x!llvm.ptr<1>>, vector<2xi1>, vector<2xi32>) -> vector<2xi32>
    %one = llvm.extractelement %seen[%c1 : i32] : vector<2xi32>
    %no = llvm.icmp "eq" %one, %c0 : i32
    llvm.cond_br %no, ^wait, ^done
  ^done:
    %own = llvm.getelementptr %flags[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %c1, %own : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// By a copy into memory of the thread's own.
// CHECK: Missed{{.*}}Function=polls_a_copy | Code=waiting-loop
gpu.module @m {
  llvm.func @polls_a_copy(%flags: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %copy = llvm.alloca %c1 x !llvm.array<16 x i32> : (i32) -> !llvm.ptr
    llvm.br ^wait
  ^wait:
    "llvm.intr.memcpy.inline"(%copy, %flags) <{isVolatile = false, len = 64 : i64}> : (!llvm.ptr, !llvm.ptr<1>) -> ()
    %seen = llvm.load %copy : !llvm.ptr -> i32
    %no = llvm.icmp "eq" %seen, %c0 : i32
    llvm.cond_br %no, ^wait, ^done
  ^done:
    %own = llvm.getelementptr %flags[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %c1, %own : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// The same by the intrinsic's name.
// CHECK: Missed{{.*}}Function=polls_a_named_copy | Code=waiting-loop
gpu.module @m {
  llvm.func @polls_a_named_copy(%flags: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %copy = llvm.alloca %c1 x !llvm.array<16 x i32> : (i32) -> !llvm.ptr
    %length = llvm.mlir.constant(64 : i64) : i64
    %false = llvm.mlir.constant(false) : i1
    llvm.br ^wait
  ^wait:
    llvm.call_intrinsic "llvm.memcpy.p0.p1.i64"(%copy, %flags, %length, %false) : (!llvm.ptr, !llvm.ptr<1>, i64, i1) -> ()
    %seen = llvm.load %copy : !llvm.ptr -> i32
    %no = llvm.icmp "eq" %seen, %c0 : i32
    llvm.cond_br %no, ^wait, ^done
  ^done:
    %own = llvm.getelementptr %flags[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %c1, %own : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// What is written may be one of two.
// CHECK: Missed{{.*}}Function=signals_by_choice | Code=waiting-loop
gpu.module @m {
  llvm.func @signals_by_choice(%flags: !llvm.ptr<1> {llvm.noalias}, %others: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %last = llvm.icmp "eq" %x, %c1 : i32
    %which = llvm.select %last, %flags, %others : i1, !llvm.ptr<1>
    llvm.br ^wait
  ^wait:
    %seen = llvm.load %flags : !llvm.ptr<1> -> i32
    %no = llvm.icmp "eq" %seen, %c0 : i32
    llvm.cond_br %no, ^wait, ^done
  ^done:
    %own = llvm.getelementptr %which[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %c1, %own : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// A loop of which nothing is used but that it ends.
// CHECK: Missed{{.*}}Function=looks_back | Code=waiting-loop
gpu.module @m {
  gpu.func @looks_back(%flags: memref<64xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %later = arith.cmpi ne, %x, %c0 : index
    scf.if %later {
      %before = arith.subi %x, %c1 : index
      scf.while : () -> () {
        %seen = memref.load %flags[%before] : memref<64xi32>
        %no = arith.cmpi eq, %seen, %zero : i32
        scf.condition(%no)
      } do {
        scf.yield
      }
    }
    memref.store %one, %flags[%x] : memref<64xi32>
    gpu.return
  }
}

// -----

// What is stored inside may be something else: it does not end the loop for certain.
// CHECK: Missed{{.*}}Function=stores_by_choice | Code=waiting-loop
gpu.module @m {
  llvm.func @stores_by_choice(%flags: !llvm.ptr<1> {llvm.noalias}, %others: !llvm.ptr<1> {llvm.noalias}, %never: i1) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %which = llvm.select %never, %flags, %others : i1, !llvm.ptr<1>
    llvm.br ^wait
  ^wait:
    llvm.store %c1, %which : i32, !llvm.ptr<1>
    %seen = llvm.load %flags : !llvm.ptr<1> -> i32
    %no = llvm.icmp "eq" %seen, %c0 : i32
    llvm.cond_br %no, ^wait, ^done
  ^done:
    %own = llvm.getelementptr %flags[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %c1, %own : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// Nobody knows what is written.
// CHECK: Missed{{.*}}Function=signals_by_number | Code=waiting-loop
gpu.module @m {
  llvm.func @signals_by_number(%flags: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %number = llvm.ptrtoint %flags : !llvm.ptr<1> to i64
    %again = llvm.inttoptr %number : i64 to !llvm.ptr<1>
    llvm.br ^wait
  ^wait:
    %seen = llvm.load %flags : !llvm.ptr<1> -> i32
    %no = llvm.icmp "eq" %seen, %c0 : i32
    llvm.cond_br %no, ^wait, ^done
  ^done:
    llvm.store %c1, %again : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// What the loop yields is used by what nobody uses, and what it carries is what it saw.
// CHECK: Missed{{.*}}Function=looks_again | Code=waiting-loop
gpu.module @m {
  gpu.func @looks_again(%flags: memref<64xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %later = arith.cmpi ne, %x, %c0 : index
    scf.if %later {
      %before = arith.subi %x, %c1 : index
      %last = scf.while (%seen = %zero) : (i32) -> i32 {
        %no = arith.cmpi eq, %seen, %zero : i32
        scf.condition(%no) %seen : i32
      } do {
      ^bb0(%seen: i32):
        %now = memref.load %flags[%before] : memref<64xi32>
        scf.yield %now : i32
      }
      %size = arith.index_cast %last : i32 to index
      %unused = memref.subview %flags[0] [%size] [1] : memref<64xi32> to memref<?xi32, strided<[1]>>
    }
    memref.store %one, %flags[%x] : memref<64xi32>
    gpu.return
  }
}

// -----

// A walk goes on by what it copies to itself, as by what it loads.
// CHECK: Passed{{.*}}Function=walks |
gpu.module @m {
  llvm.func @walks(%nodes: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %copy = llvm.alloca %c1 x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
    llvm.br ^walk(%x : i32)
  ^walk(%at: i32):
    %node = llvm.getelementptr %nodes[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<4 x i32>
    "llvm.intr.memcpy.inline"(%copy, %node) <{isVolatile = false, len = 16 : i64}> : (!llvm.ptr, !llvm.ptr<1>) -> ()
    %next = llvm.load %copy : !llvm.ptr -> i32
    %more = llvm.icmp "sgt" %next, %c0 : i32
    llvm.cond_br %more, ^walk(%next : i32), ^done
  ^done:
    %own = llvm.getelementptr %nodes[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<4 x i32>
    llvm.store %c1, %own : i32, !llvm.ptr<1>
    llvm.return
  }
}
