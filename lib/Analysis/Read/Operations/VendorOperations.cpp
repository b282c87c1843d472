//===- VendorOperations.cpp - Machine operations, by name -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows of the nvvm and rocdl dialects, and of device libraries. What stands
// for a machine instruction says little about effects to MLIR's interfaces: an
// operation that reads a clock may well be "pure". So these are listed by name.
// One row holds all operations with one effect. The first pattern that matches
// decides; a `*` at the end stands for anything. Rows that refuse come first,
// those of whole families last.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "Rows.h"

namespace swizzle::analysis {

static constexpr llvm::StringLiteral
    kCluster("belongs to a cluster of workgroups, which would have to move as "
             "a whole"),
    kSlot("tells where on the chip the workgroup runs, which a remap changes"),
    kHidden("reads a workgroup id in a way that is not rewritten"),
    kHelper("returns a workgroup id that cannot be rewritten; read the id with "
            "gpu.block_id"),
    kClock("reads a clock, so that the result depends on when the workgroup "
           "runs"),
    kPacket("points to the packet of the launch, from where the kernel's "
            "arguments and the host's signal are reached; in LLVM IR, loads of "
            "the sizes in it are understood"),
    kQueue("points to the queue of launches, where a kernel can start others"),
    kLaunch("numbers the launches of a queue, so that the result depends on "
            "how many went before"),
    kTicket("hands out numbers in the order in which workgroups arrive"),
    kGrid("makes workgroups wait for each other"),
    kOldValue("yields the old value, which depends on the order of workgroups"),
    kSwap("does not commute, so that the result depends on the order of "
          "workgroups"),
    kAssembly("is assembly, which may read a workgroup id or do anything else");

#define AXES(NAME) NAME "x " NAME "y " NAME "z"
#define BARRIER(NAME)                                                          \
  {NAME, OperationKind::Local, AccessKind::Read, "", "", readBarrier}

static constexpr OperationRow kVendorRows[] = {
    // NVIDIA
    REFUSED("nvvm.read.ptx.sreg.ctaid*", "hidden-id", kHidden),
    REFUSED("nvvm.barrier.cluster* nvvm.getctarank* nvvm.multimem* "
            "nvvm.cluster* nvvm.read.ptx.sreg.cluster* "
            "nvvm.read.ptx.sreg.nclusterid* "
            "nvvm.read.ptx.sreg.is.explicit.cluster nvvm.mapa* "
            "nvvm.fence.sc.cluster "
            "nvvm.cp.async.bulk.shared.cluster.shared.cta",
            "cluster", kCluster),
    // %warpid is a slot of the multiprocessor: 14 and 15 in a workgroup of two.
    REFUSED("nvvm.read.ptx.sreg.smid nvvm.read.ptx.sreg.nsmid "
            "nvvm.read.ptx.sreg.warpid",
            "hardware-slot", kSlot),
    REFUSED("nvvm.read.ptx.sreg.envreg*", "grid-barrier",
            "holds what the driver put there, such as where the barrier of a "
            "cooperative launch lies"),
    REFUSED("nvvm.read.ptx.sreg.clock* nvvm.read.ptx.sreg.globaltimer*",
            "clock", kClock),
    REFUSED("nvvm.griddepcontrol*", "grid-dependency",
            "orders this launch against another one while both run"),
    REFUSED("nvvm.inline_ptx", "inline-asm", kAssembly),
    BARRIER("nvvm.barrier0* nvvm.barrier nvvm.barrier.cta*"),
    VALUE(AXES("nvvm.read.ptx.sreg.tid."), readThreadId),
    VALUE(
        AXES("nvvm.read.ptx.sreg.ntid.") " " AXES("nvvm.read.ptx.sreg.nctaid."),
        readExtent),
    VALUE("nvvm.read.ptx.sreg.laneid", readLane),
    VALUE("nvvm.isspacep.global nvvm.isspacep.shared nvvm.isspacep.local",
          readSpaceTest),
    VALUE("nvvm.read.ptx.sreg.warpsize", readSubgroupSize),
    FREE("nvvm.elect.sync", Local, readElected),
    FREE("nvvm.shfl.sync.idx.i32", Local, readShuffledLane),
    VALUE("nvvm.mulhi.*", readHighProduct),
    VALUE("nvvm.mma.* nvvm.wmma.mma nvvm.wmma.*.mma.* nvvm.wgmma.mma_async",
          readMatrixProduct),
    FLOAT_UPDATE("nvvm.cp.async.bulk.tensor.reduce", readTensorMap),
    ACCESS("nvvm.ldmatrix nvvm.ldmatrix.sync*", Read, readMatrixRows),
    ACCESS("nvvm.stmatrix nvvm.stmatrix.sync*", Write, readMatrixRows),
    ACCESS("nvvm.st.bulk nvvm.tensormap.replace.*", Write, nullptr),
    ACCESS("nvvm.wmma.load nvvm.wmma.*.load.*", Read, readFragment),
    ACCESS("nvvm.wmma.store nvvm.wmma.*.store.*", Write, readFragment),
    ACCESS("nvvm.cp.async.ca.shared.global* nvvm.cp.async.cg.shared.global*",
           Read, nullptr),
    ACCESS("nvvm.cp.async.shared.global", Read, readAsyncCopy),
    ACCESS("nvvm.cp.async.bulk.shared.cluster.global", Read, readBulkCopy),
    ACCESS("nvvm.cp.async.bulk.global.shared.cta", Write, readBulkCopy),
    ACCESS("nvvm.cp.async.bulk.tensor.shared.cluster.global", Read,
           readTensorMap),
    ACCESS("nvvm.cp.async.bulk.tensor.global.shared.cta", Write, readTensorMap),
    ACCESS("nvvm.ldg.global* nvvm.ldu.global*", Read, readPlainAccess),
    ACCESS("nvvm.tex.* nvvm.tld4.*", Read, readTexture),
    ACCESS("nvvm.suld.*", Read, readSurface),
    ACCESS("nvvm.sust.*", Write, readSurface),
    LOCAL("nvvm.bar* nvvm.mbarrier* nvvm.cp.async.mbarrier* "
          "nvvm.cp.async.commit.group nvvm.cp.async.wait.* "
          "nvvm.cp.async.bulk.commit.group nvvm.cp.async.bulk.wait_group "
          "nvvm.cp.async.bulk.wait.group* "
          "nvvm.cp.async.bulk.prefetch nvvm.cp.async.bulk.tensor.prefetch* "
          "nvvm.fence.* nvvm.memory.barrier nvvm.prefetch* nvvm.shfl* "
          "nvvm.vote* nvvm.match* nvvm.redux* nvvm.elect.sync "
          "nvvm.setmaxregister nvvm.setmaxnreg* nvvm.activemask "
          "nvvm.nanosleep nvvm.exit nvvm.wgmma.* nvvm.membar* "
          "nvvm.tcgen05.*"),
    PURE("nvvm.read.ptx.sreg.lanemask* nvvm.read.ptx.sreg.gridid "
         "nvvm.read.ptx.sreg.nwarpid "
         "nvvm.read.ptx.sreg.aggr.smem.size "
         "nvvm.read.ptx.sreg.dynamic.smem.size "
         "nvvm.read.ptx.sreg.total.smem.size nvvm.convert.* "
         "nvvm.dot.accumulate* nvvm.prmt* nvvm.rcp* nvvm.mul24.* nvvm.div.* "
         "nvvm.texsurf.handle*"),
    // AMD
    REFUSED("rocdl.workgroup.id.*", "hidden-id", kHidden),
    REFUSED("rocdl.cluster* rocdl.workgroup.max*", "cluster", kCluster),
    REFUSED("rocdl.dispatch.ptr", "dispatch-id", kPacket),
    REFUSED("rocdl.queue.ptr", "dispatch-id", kQueue),
    REFUSED("rocdl.dispatch.*", "dispatch-id", kLaunch),
    REFUSED("rocdl.s.getreg* rocdl.s.get.waveid* rocdl.wave.id",
            "hardware-slot", kSlot),
    REFUSED("rocdl.s.memtime rocdl.s.memrealtime", "clock", kClock),
    REFUSED("rocdl.s.sendmsg*", "hardware-slot",
            "asks the hardware by message, for what is not known here"),
    REFUSED("rocdl.ds.ordered*", "ordered-count", kTicket),
    REFUSED("rocdl.ds.append* rocdl.ds.consume*", "atomic-result-used",
            kTicket),
    REFUSED("rocdl.ds.gws*", "gws", kGrid),
    REFUSED("rocdl.raw.buffer.atomic.swap rocdl.raw.ptr.buffer.atomic.swap",
            "atomic-not-commutative", kSwap),
    REFUSED("rocdl.raw.buffer.atomic.cmpswap "
            "rocdl.raw.ptr.buffer.atomic.cmpswap",
            "atomic-result-used", kOldValue),
    BARRIER("rocdl.barrier rocdl.s.barrier"),
    VALUE(AXES("rocdl.workitem.id."), readThreadId),
    VALUE(AXES("rocdl.workgroup.dim.") " " AXES("rocdl.grid.dim."), readExtent),
    VALUE("rocdl.wavefrontsize", readSubgroupSize),
    VALUE("rocdl.mbcnt.hi", readLanesBelow),
    FREE("rocdl.readfirstlane", Local, readFirstLane),
    VALUE("rocdl.make.buffer.rsrc", readMakeResource),
    VALUE("rocdl.mfma.* rocdl.smfmac.* rocdl.wmma.*", readMatrixProduct),
    FLOAT_UPDATE("rocdl.raw.buffer.atomic.f* rocdl.raw.ptr.buffer.atomic.f*",
                 readBufferAccess),
    UPDATE("rocdl.raw.buffer.atomic.* rocdl.raw.ptr.buffer.atomic.*",
           readBufferAccess),
    ACCESS("rocdl.ds.read.tr* rocdl.ds.load.tr* rocdl.global.load.tr* "
           "rocdl.global.load.async.to.lds*",
           Read, nullptr),
    ACCESS("rocdl.raw.buffer.load* rocdl.raw.ptr.buffer.load*", Read,
           readBufferAccess),
    ACCESS("rocdl.struct.buffer.load rocdl.struct.ptr.buffer.load", Read,
           nullptr),
    ACCESS("rocdl.struct.buffer.store rocdl.struct.ptr.buffer.store", Write,
           nullptr),
    // Of constants, as LLVM has it; they are bytes like others.
    ACCESS("rocdl.s.buffer.load", Read, nullptr),
    ACCESS("rocdl.raw.buffer.store rocdl.raw.ptr.buffer.store", Write,
           readBufferAccess),
    // LLVM 24 has those that are waited for by marks; the name of a buffer's is
    // turned round where such a module is read.
    ACCESS("rocdl.load.to.lds rocdl.global.load.lds "
           "rocdl.load.async.to.lds rocdl.global.load.async.lds",
           Read, readLoadToWorkgroup),
    ACCESS("rocdl.raw.ptr.buffer.async.load.lds", Read, readBufferAccess),
    LOCAL("rocdl.barrier* rocdl.s.barrier* rocdl.s.get.barrier.state "
          "rocdl.s.get.named.barrier.state rocdl.s.wakeup.barrier "
          "rocdl.s.wait* rocdl.s.nop rocdl.s.setprio* rocdl.s.sleep* "
          "rocdl.s.prefetch.* rocdl.wave.barrier rocdl.buffer.wbinvl1* "
          "rocdl.sched.* rocdl.iglp.opt rocdl.fence* rocdl.ballot "
          "rocdl.readlane rocdl.update.dpp "
          "rocdl.permlane* rocdl.ds_bpermute rocdl.ds.bpermute "
          "rocdl.ds_swizzle rocdl.ds.swizzle rocdl.ds.atomic.async.barrier* "
          "rocdl.ds.atomic.barrier* rocdl.flat.prefetch rocdl.global.prefetch "
          "rocdl.asyncmark rocdl.wait.asyncmark"),
    PURE("rocdl.implicitarg.ptr rocdl.mbcnt.lo rocdl.cvt.* rocdl.fmed3 "
         "rocdl.cos rocdl.sin rocdl.exp2 rocdl.log rocdl.rcp "
         "rocdl.rsq rocdl.sqrt rocdl.tanh rocdl.fdot2* rocdl.sdot* "
         "rocdl.udot* rocdl.perm rocdl.ubfe* rocdl.sbfe* rocdl.is.shared "
         "rocdl.is.private rocdl.groupstaticsize"),
};

llvm::ArrayRef<OperationRow> vendorRows() { return kVendorRows; }

/// Functions of device libraries that have no body in the module.
static constexpr OperationRow kFunctionRows[] = {
    REFUSED("__ockl_get_group_id __ockl_get_global_id "
            "__ockl_get_global_linear_id get_group_id get_global_id "
            "get_global_linear_id _Z12get_group_id* _Z13get_global_id* "
            "_Z20get_global_linear_id*",
            "id-helper", kHelper),
    REFUSED("__ockl_gws*", "gws", kGrid),
    REFUSED("__ockl_grid_sync* __ockl_multi_grid_sync* cudaCGSynchronize*",
            "grid-barrier", kGrid),
    REFUSED("__ockl_steadyctr* __ockl_cyclectr*", "clock", kClock),
    VALUE("swizzle.workgroup_id.*", readWorkgroupId),
    VALUE("malloc", readAllocation),
    // What swizzle/Import makes of inline PTX.
    VALUE("swizzle.ptx.matrix.*", readMatrixProduct),
    FREE("swizzle.ptx.map.*", Local, readMadeMap),
    ACCESS("swizzle.ptx.texture.read.*", Read, readTexture),
    ACCESS("swizzle.ptx.surface.read.*", Read, readSurface),
    ACCESS("swizzle.ptx.surface.write.*", Write, readSurface),
    LOCAL("swizzle.ptx.value.*"),
    LOCAL("__atomic_work_item_fence _Z22atomic_work_item_fence*"),
    FREE("swizzle.ptx.reach.*", Local, nullptr), // by its address
    FREE("swizzle.keep*", Local, nullptr),
    PRINTS("__ockl_printf* __ockl_fprintf* vprintf printf __assertfail "
           "__assert_fail"),
    ACCESS("free", Write, readRelease),
    PURE("swizzle.remapped* __ocml_* __nv_* __nvvm_reflect* "
         "__ockl_get_num_groups __ockl_get_local_size __ockl_get_global_size "
         "__ockl_get_enqueued_local_size __ockl_get_local_id "
         "__ockl_activelane_u32 __ockl_lane_u32"),
};

llvm::ArrayRef<OperationRow> functionRows() { return kFunctionRows; }

} // namespace swizzle::analysis
