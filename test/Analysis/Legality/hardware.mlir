// A kernel that asks where or when it runs, or how it was launched.
//
// Refused kernels leave as they came, to the byte.
// RUN: swizzle-opt %s -split-input-file -allow-unregistered-dialect > %t.before
// RUN: swizzle-opt %s -split-input-file -allow-unregistered-dialect --hw-aware-swizzle="formula='return gx - 1 - x'" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark > %t.after 2> %t.remarks
// RUN: diff %t.before %t.after
// RUN: FileCheck %s < %t.remarks

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=sm{{.*}}Code=hardware-slot
gpu.module @m {
  gpu.func @sm(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %s = nvvm.read.ptx.sreg.smid : i32
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=sms{{.*}}Code=hardware-slot
gpu.module @m {
  gpu.func @sms(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %s = nvvm.read.ptx.sreg.nsmid : i32
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=envreg{{.*}}Code=grid-barrier
gpu.module @m {
  gpu.func @envreg(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %s = nvvm.read.ptx.sreg.envreg0 : i32
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=clock{{.*}}Code=clock
gpu.module @m {
  gpu.func @clock(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %s = nvvm.read.ptx.sreg.clock : i32
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=clock64{{.*}}Code=clock
gpu.module @m {
  gpu.func @clock64(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %s = nvvm.read.ptx.sreg.clock64 : i64
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=timer{{.*}}Code=clock
gpu.module @m {
  gpu.func @timer(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %s = nvvm.read.ptx.sreg.globaltimer : i64
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=depends{{.*}}Code=grid-dependency
gpu.module @m {
  gpu.func @depends(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    nvvm.griddepcontrol wait
    gpu.return
  }
}

// -----

// CHECK: remark:{{.*}}Missed{{.*}}Function=getreg{{.*}}Code=hardware-slot
gpu.module @m {
  llvm.func @getreg(%p: !llvm.ptr<1>) attributes {rocdl.kernel, known_grid_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c = llvm.mlir.constant(14 : i32) : i32
    %s = llvm.call_intrinsic "llvm.amdgcn.s.getreg"(%c) : (i32) -> i32
    llvm.return
  }
}

// -----

// CHECK: remark:{{.*}}Missed{{.*}}Function=memtime{{.*}}Code=clock
gpu.module @m {
  llvm.func @memtime(%p: !llvm.ptr<1>) attributes {rocdl.kernel, known_grid_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %s = llvm.call_intrinsic "llvm.amdgcn.s.memtime"() : () -> i64
    llvm.return
  }
}

// -----

// CHECK: remark:{{.*}}Missed{{.*}}Function=memrealtime{{.*}}Code=clock
gpu.module @m {
  llvm.func @memrealtime(%p: !llvm.ptr<1>) attributes {rocdl.kernel, known_grid_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %s = llvm.call_intrinsic "llvm.amdgcn.s.memrealtime"() : () -> i64
    llvm.return
  }
}

// -----

// CHECK: remark:{{.*}}Missed{{.*}}Function=cycles{{.*}}Code=clock
gpu.module @m {
  llvm.func @cycles(%p: !llvm.ptr<1>) attributes {rocdl.kernel, known_grid_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %s = llvm.call_intrinsic "llvm.readcyclecounter"() : () -> i64
    llvm.return
  }
}

// -----

// CHECK: remark:{{.*}}Missed{{.*}}Function=dispatch_id{{.*}}Code=dispatch-id
gpu.module @m {
  llvm.func @dispatch_id(%p: !llvm.ptr<1>) attributes {rocdl.kernel, known_grid_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %s = llvm.call_intrinsic "llvm.amdgcn.dispatch.id"() : () -> i64
    llvm.return
  }
}

// -----

// CHECK: remark:{{.*}}Missed{{.*}}Function=dispatch_ptr{{.*}}Code=dispatch-id
gpu.module @m {
  llvm.func @dispatch_ptr(%p: !llvm.ptr<1>) attributes {rocdl.kernel, known_grid_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %s = llvm.call_intrinsic "llvm.amdgcn.dispatch.ptr"() : () -> !llvm.ptr<4>
    llvm.return
  }
}

// -----

// CHECK: remark:{{.*}}Missed{{.*}}Function=ordered{{.*}}Code=ordered-count
gpu.module @m {
  llvm.func @ordered(%p: !llvm.ptr<1>) attributes {rocdl.kernel, known_grid_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %s = llvm.call_intrinsic "llvm.amdgcn.ds.ordered.add"(%x) : (i32) -> i32
    llvm.return
  }
}

// -----

// CHECK: remark:{{.*}}Missed{{.*}}Function=gws{{.*}}Code=gws
gpu.module @m {
  llvm.func @gws(%p: !llvm.ptr<1>) attributes {rocdl.kernel, known_grid_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    llvm.call_intrinsic "llvm.amdgcn.ds.gws.barrier"(%x, %x) : (i32, i32) -> ()
    llvm.return
  }
}

// -----

// CHECK: remark:{{.*}}Missed{{.*}}Function=other{{.*}}Code=unknown-effect
// CHECK-SAME: is not known to be harmless
gpu.module @m {
  llvm.func @other(%p: !llvm.ptr<1>) attributes {rocdl.kernel, known_grid_size = array<i32: 16, 1, 1>, gpu.known_grid_size = array<i32: 16, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %s = llvm.call_intrinsic "llvm.amdgcn.not.listed"() : () -> i32
    llvm.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=cluster_id{{.*}}Code=cluster
gpu.module @m {
  gpu.func @cluster_id(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %c = gpu.cluster_id x
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=cluster_block{{.*}}Code=cluster
gpu.module @m {
  gpu.func @cluster_block(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %c = gpu.cluster_block_id x
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=cluster_rank{{.*}}Code=cluster
gpu.module @m {
  gpu.func @cluster_rank(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %c = nvvm.read.ptx.sreg.cluster.ctarank : i32
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=cluster_wait{{.*}}Code=cluster
gpu.module @m {
  gpu.func @cluster_wait(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    nvvm.cluster.arrive
    nvvm.cluster.wait
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=cluster_size{{.*}}Code=cluster
gpu.module @m {
  gpu.func @cluster_size(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %x = gpu.block_id x
    %v = memref.load %a[%x] : memref<1024xf32>
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=cluster_dim{{.*}}Code=cluster
gpu.module @m {
  gpu.func @cluster_dim(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %x = gpu.block_id x
    %v = memref.load %a[%x] : memref<1024xf32>
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=cooperative{{.*}}Code=cooperative
gpu.module @m {
  gpu.func @cooperative(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>, gpu.cooperative} {
    %x = gpu.block_id x
    %v = memref.load %a[%x] : memref<1024xf32>
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=cluster_passed_on{{.*}}Code=cluster
gpu.module @m {
  llvm.func @cluster_passed_on(%a: !llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel, passthrough = [["amdgpu-cluster-dims", "2,1,1"]]} {
    %x = rocdl.workgroup.id.x : i32
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    llvm.return
  }
}

// -----

// A slot of the multiprocessor: two subgroups of one workgroup have 14 and 15 where seven
// workgroups of two came before.
// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=subgroup_slot{{.*}}Code=hardware-slot
gpu.module @m {
  gpu.func @subgroup_slot(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %s = nvvm.read.ptx.sreg.warpid : i32
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=fourth_thread_id{{.*}}Code=unknown-effect
gpu.module @m {
  gpu.func @fourth_thread_id(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %s = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.w"() : () -> i32
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=fourth_extent{{.*}}Code=unknown-effect
gpu.module @m {
  gpu.func @fourth_extent(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %s = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.nctaid.w"() : () -> i32
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=id_of_another_target{{.*}}Code=unknown-effect
gpu.module @m {
  gpu.func @id_of_another_target(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %i = arith.index_cast %x : index to i32
    %s = llvm.call_intrinsic "llvm.spv.group.id.i32"(%i) : (i32) -> i32
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=cluster_signal{{.*}}Code=cluster
// CHECK-SAME: waits for other workgroups of a cluster
gpu.module @m {
  gpu.func @cluster_signal(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    rocdl.s.barrier.signal id = -3
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=cluster_wait{{.*}}Code=cluster
gpu.module @m {
  gpu.func @cluster_wait(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %n = arith.constant -4 : i16
    llvm.call_intrinsic "llvm.amdgcn.s.barrier.wait"(%n) : (i16) -> ()
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=volatile_copy{{.*}}Code=volatile
gpu.module @m {
  gpu.func @volatile_copy(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %g = llvm.mlir.zero : !llvm.ptr<1>
    %l = llvm.mlir.zero : !llvm.ptr<3>
    rocdl.global.load.lds %g, %l, 4, 0, -2147483648
    gpu.return
  }
}

// -----

// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=volatile_copy_of_a_buffer{{.*}}Code=volatile
gpu.module @m {
  gpu.func @volatile_copy_of_a_buffer(%a: memref<1024xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %g = llvm.mlir.zero : !llvm.ptr<8>
    %l = llvm.mlir.zero : !llvm.ptr<3>
    %n = arith.constant 4 : i32
    %z = arith.constant 0 : i32
    %aux = arith.constant -2147483648 : i32
    rocdl.raw.ptr.buffer.load.lds %g, %l, %n, %z, %z, %z, %aux
    gpu.return
  }
}

// -----

// The barrier of another workgroup.
// CHECK: remark: {{.*}}Missed{{.*}} WorkgroupRemap{{.*}}Category:swizzle{{.*}}Function=cluster_barrier_elsewhere{{.*}}Code=cluster
gpu.module @m {
  llvm.func @cluster_barrier_elsewhere(%a: !llvm.ptr<7>) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    llvm.call_intrinsic "llvm.nvvm.mbarrier.arrive.scope.cluster.space.cluster"(%a, %x) : (!llvm.ptr<7>, i32) -> ()
    llvm.return
  }
}

// -----

// Tensor units that work for two workgroups, or signal to several.
// CHECK: Missed{{.*}}Function=for_two {{.*}}Code=cluster
gpu.module @m {
  llvm.func @for_two(%p: !llvm.ptr<3>) attributes {nvvm.kernel, gpu.known_grid_size = array<i32: 16, 1, 1>, gpu.known_block_size = array<i32: 128, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c = llvm.mlir.constant(128 : i32) : i32
    nvvm.tcgen05.alloc %p, %c {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=to_several {{.*}}Code=cluster
gpu.module @m {
  llvm.func @to_several(%p: !llvm.ptr<3>, %mask: i16) attributes {nvvm.kernel, gpu.known_grid_size = array<i32: 16, 1, 1>, gpu.known_block_size = array<i32: 128, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    nvvm.tcgen05.commit %p, multicast_mask = %mask : !llvm.ptr<3>, i16
    llvm.return
  }
}
