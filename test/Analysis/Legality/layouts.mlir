// Where elements lie: lanes of less than a byte are packed, and members are aligned as on
// the vendor's targets.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

// Eight bits are a byte, so that workgroup 0 and workgroup 4 store to byte 4.
// CHECK: Missed{{.*}}Function=bits | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m {
  llvm.func @bits(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %i = llvm.add %b, %c4 : i32
    %q = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, vector<8xi1>
    %p = llvm.getelementptr %a[%b] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    %v = llvm.trunc %b : i32 to i8
    llvm.store %v, %q : i8, !llvm.ptr
    llvm.store %v, %p : i8, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=nibbles | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m {
  llvm.func @nibbles(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %i = llvm.add %b, %c4 : i32
    %q = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, vector<4xi4>
    %i2 = llvm.mul %b, %c2 : i32
    %p = llvm.getelementptr %a[%i2] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    %v = llvm.trunc %b : i32 to i8
    llvm.store %v, %q : i8, !llvm.ptr
    llvm.store %v, %p : i8, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=member_after_bits | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m {
  llvm.func @member_after_bits(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %q = llvm.getelementptr %a[%b, 1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(vector<16xi1>, i16)>
    %i = llvm.mul %b, %c4 : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    %p1 = llvm.getelementptr %p[6] : (!llvm.ptr) -> !llvm.ptr, i8
    %v = llvm.trunc %b : i32 to i8
    llvm.store %v, %q : i8, !llvm.ptr
    llvm.store %v, %p1 : i8, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=own_bits |
gpu.module @m {
  llvm.func @own_bits(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %q = llvm.getelementptr %a[%b] : (!llvm.ptr, i32) -> !llvm.ptr, vector<8xi1>
    %v = llvm.trunc %b : i32 to i8
    llvm.store %v, %q : i8, !llvm.ptr
    llvm.return
  }
}

// -----

// A word at each byte.
// CHECK: Missed{{.*}}Function=words_in_bits | Code=cross-workgroup-write
gpu.module @m {
  llvm.func @words_in_bits(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %q = llvm.getelementptr %a[%b] : (!llvm.ptr, i32) -> !llvm.ptr, vector<8xi1>
    llvm.store %b, %q {alignment = 1 : i64} : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// 128 bits are aligned to 16 bytes by NVIDIA, and to 8 by AMD.
// CHECK: Missed{{.*}}Function=wide_member_of_nvidia | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m {
  llvm.func @wide_member_of_nvidia(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %q = llvm.getelementptr %a[%b, 1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32, i128)>
    %i = llvm.mul %b, %c16 : i32
    %i2 = llvm.mul %i, %c2 : i32
    %p = llvm.getelementptr %a[%i2] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    %p1 = llvm.getelementptr %p[48] : (!llvm.ptr) -> !llvm.ptr, i8
    llvm.store %b, %q : i32, !llvm.ptr
    llvm.store %b, %p1 : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=wide_member_of_amd | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m {
  llvm.func @wide_member_of_amd(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c24 = llvm.mlir.constant(24 : i32) : i32
    %q = llvm.getelementptr %a[%b, 1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32, i128)>
    %i = llvm.mul %b, %c24 : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    %p1 = llvm.getelementptr %p[32] : (!llvm.ptr) -> !llvm.ptr, i8
    llvm.store %b, %q : i32, !llvm.ptr
    llvm.store %b, %p1 : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// AMD's pointers to workgroup memory have 32 bits: records are 8 bytes apart, and the
// second half of one is the first of another's.
// CHECK: Missed{{.*}}Function=pointers_of_half_the_size | Code=cross-workgroup
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.func @pointers_of_half_the_size(%a: !llvm.ptr<1> {llvm.noalias}) attributes {rocdl.kernel, gpu.kernel, gpu.known_block_size = array<i32: 1, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %x64 = llvm.zext %x : i32 to i64
    %p = llvm.getelementptr %a[%x64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.struct<(ptr<3>, i32)>
    %c16 = llvm.mlir.constant(16 : i64) : i64
    %c8 = llvm.mlir.constant(8 : i64) : i64
    %m = llvm.mul %x64, %c16 : i64
    %n = llvm.add %m, %c8 : i64
    %q = llvm.getelementptr %a[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
    %v = llvm.load %q : !llvm.ptr<1> -> i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// NVIDIA aligns 256 bits to 32 bytes: the members lie at 64 * b + 32.
// CHECK: Missed{{.*}}Function=wide_member | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m {
  llvm.func @wide_member(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %s = llvm.mlir.constant(192 : i32) : i32
    %q = llvm.getelementptr %a[%b, 1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i8, i256)>
    %i = llvm.mul %b, %s : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    %p1 = llvm.getelementptr %p[224] : (!llvm.ptr) -> !llvm.ptr, i8
    %v = llvm.trunc %b : i32 to i8
    llvm.store %v, %q : i8, !llvm.ptr
    llvm.store %v, %p1 : i8, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=wide_member_apart |
gpu.module @m {
  llvm.func @wide_member_apart(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %s = llvm.mlir.constant(64 : i32) : i32
    %q = llvm.getelementptr %a[%b, 1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i8, i256)>
    %i = llvm.mul %b, %s : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    %p1 = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i8
    %v = llvm.trunc %b : i32 to i8
    llvm.store %v, %q : i8, !llvm.ptr
    llvm.store %v, %p1 : i8, !llvm.ptr
    llvm.return
  }
}

// -----

// AMD aligns them to 8: the members lie at 40 * b + 8.
// CHECK: Missed{{.*}}Function=aligned_to_8 | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m {
  llvm.func @aligned_to_8(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %s = llvm.mlir.constant(120 : i32) : i32
    %q = llvm.getelementptr %a[%b, 1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i8, i256)>
    %i = llvm.mul %b, %s : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    %p1 = llvm.getelementptr %p[128] : (!llvm.ptr) -> !llvm.ptr, i8
    %v = llvm.trunc %b : i32 to i8
    llvm.store %v, %q : i8, !llvm.ptr
    llvm.store %v, %p1 : i8, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=aligned_to_8_apart |
gpu.module @m {
  llvm.func @aligned_to_8_apart(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %s = llvm.mlir.constant(40 : i32) : i32
    %q = llvm.getelementptr %a[%b, 1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i8, i256)>
    %i = llvm.mul %b, %s : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    %p1 = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i8
    %v = llvm.trunc %b : i32 to i8
    llvm.store %v, %q : i8, !llvm.ptr
    llvm.store %v, %p1 : i8, !llvm.ptr
    llvm.return
  }
}

// -----

// A layout that says nothing of 64 bits leaves them to the target: 16 * b + 8.
// CHECK: Missed{{.*}}Function=layout_of_indices | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i32>} {
  llvm.func @layout_of_indices(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %s = llvm.mlir.constant(48 : i32) : i32
    %q = llvm.getelementptr %a[%b, 1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32, i64)>
    %i = llvm.mul %b, %s : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    %p1 = llvm.getelementptr %p[56] : (!llvm.ptr) -> !llvm.ptr, i8
    %v = llvm.trunc %b : i32 to i8
    llvm.store %v, %q : i8, !llvm.ptr
    llvm.store %v, %p1 : i8, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=layout_of_indices_apart |
gpu.module @m attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i32>} {
  llvm.func @layout_of_indices_apart(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %s = llvm.mlir.constant(16 : i32) : i32
    %q = llvm.getelementptr %a[%b, 1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32, i64)>
    %i = llvm.mul %b, %s : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    %p1 = llvm.getelementptr %p[12] : (!llvm.ptr) -> !llvm.ptr, i8
    %v = llvm.trunc %b : i32 to i8
    llvm.store %v, %q : i8, !llvm.ptr
    llvm.store %v, %p1 : i8, !llvm.ptr
    llvm.return
  }
}

// -----

// Pointers into a buffer resource have 160 bits, and lie 32 bytes apart.
// CHECK: Missed{{.*}}Function=fat_pointers | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m {
  llvm.func @fat_pointers(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %s = llvm.mlir.constant(96 : i32) : i32
    %q = llvm.getelementptr %a[%b] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.ptr<7>
    %i = llvm.mul %b, %s : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    %p1 = llvm.getelementptr %p[96] : (!llvm.ptr) -> !llvm.ptr, i8
    %v = llvm.trunc %b : i32 to i8
    llvm.store %v, %q : i8, !llvm.ptr
    llvm.store %v, %p1 : i8, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=fat_pointers_apart |
gpu.module @m {
  llvm.func @fat_pointers_apart(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %s = llvm.mlir.constant(32 : i32) : i32
    %q = llvm.getelementptr %a[%b] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.ptr<7>
    %i = llvm.mul %b, %s : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    %p1 = llvm.getelementptr %p[8] : (!llvm.ptr) -> !llvm.ptr, i8
    %v = llvm.trunc %b : i32 to i8
    llvm.store %v, %q : i8, !llvm.ptr
    llvm.store %v, %p1 : i8, !llvm.ptr
    llvm.return
  }
}
