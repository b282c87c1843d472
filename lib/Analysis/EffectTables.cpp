//===- EffectTables.cpp - Device operations by name -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dialects whose operations stand for machine instructions say little about
// effects to MLIR's interfaces: an operation that reads a clock may well be
// "pure". So these dialects are listed by name. The first pattern that matches
// decides; a `*` at the end stands for anything.
//
//===----------------------------------------------------------------------===//

#include "Effects.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;

namespace swizzle {

namespace {
/// One row: everything that `pattern` matches has this effect.
struct Row {
  llvm::StringLiteral pattern;
  EffectKind kind;
  llvm::StringLiteral code;
  llvm::StringLiteral reason;
};
} // namespace

static constexpr llvm::StringLiteral
    kCluster("belongs to a cluster of workgroups, which would have to move as "
             "a whole"),
    kSlot("tells where on the chip the workgroup runs, which a remap changes"),
    kClock("reads a clock, so that the result depends on when the workgroup "
           "runs"),
    kDispatch("gives access to the launch's own numbering of workgroups"),
    kTicket("hands out numbers in the order in which workgroups arrive"),
    kGrid("makes workgroups wait for each other"),
    kOldValue("yields the old value, which depends on the order of workgroups"),
    kAssembly("is assembly, which may read a workgroup id or do anything else");

#define HARMLESS(NAME) {NAME, EffectKind::Harmless, "", ""}
#define ACCESS(NAME) {NAME, EffectKind::Access, "", ""}
#define ATOMIC(NAME) {NAME, EffectKind::Atomic, "", ""}
#define FLOAT_ATOMIC(NAME) {NAME, EffectKind::FloatAtomic, "", ""}
#define PRINTS(NAME) {NAME, EffectKind::Prints, "", ""}
#define REFUSED(NAME, CODE, REASON) {NAME, EffectKind::Refused, CODE, REASON}

static constexpr Row kGpuRows[] = {
    REFUSED("gpu.cluster*", "cluster", kCluster),
    HARMLESS("gpu.thread_id"),
    HARMLESS("gpu.block_dim"),
    HARMLESS("gpu.grid_dim"),
    HARMLESS("gpu.lane_id"),
    HARMLESS("gpu.subgroup_id"),
    HARMLESS("gpu.num_subgroups"),
    HARMLESS("gpu.subgroup_size"),
    HARMLESS("gpu.barrier"),
    HARMLESS("gpu.shuffle"),
    HARMLESS("gpu.rotate"),
    HARMLESS("gpu.all_reduce"),
    HARMLESS("gpu.subgroup_reduce"),
    HARMLESS("gpu.subgroup_broadcast"),
    HARMLESS("gpu.ballot"),
    HARMLESS("gpu.dynamic_shared_memory"),
    HARMLESS("gpu.warp_execute_on_lane_0"),
    HARMLESS("gpu.yield"),
    HARMLESS("gpu.return"),
    HARMLESS("gpu.terminator"),
    HARMLESS("gpu.subgroup_mma_constant_matrix"),
    HARMLESS("gpu.subgroup_mma_compute"),
    HARMLESS("gpu.subgroup_mma_elementwise"),
    HARMLESS("gpu.subgroup_mma_extract_thread_local"),
    HARMLESS("gpu.subgroup_mma_insert_thread_local"),
    ACCESS("gpu.subgroup_mma_load_matrix"),
    ACCESS("gpu.subgroup_mma_store_matrix"),
    PRINTS("gpu.printf"),
};

static constexpr Row kNvgpuRows[] = {
    ACCESS("nvgpu.device_async_copy"),
    ACCESS("nvgpu.tma.async.load"),
    ACCESS("nvgpu.tma.async.store"),
    HARMLESS("nvgpu.device_async_create_group"),
    HARMLESS("nvgpu.device_async_wait"),
    HARMLESS("nvgpu.ldmatrix"),
    HARMLESS("nvgpu.mma.*"),
    HARMLESS("nvgpu.mbarrier.*"),
    HARMLESS("nvgpu.tma.fence.descriptor"),
    HARMLESS("nvgpu.tma.prefetch.descriptor"),
    HARMLESS("nvgpu.warpgroup.generate.descriptor"),
    HARMLESS("nvgpu.warpgroup.mma*"),
    HARMLESS("nvgpu.rcp"),
};

static constexpr Row kAmdgpuRows[] = {
    REFUSED("amdgpu.raw_buffer_atomic_cmpswap", "atomic-result-used",
            kOldValue),
    FLOAT_ATOMIC("amdgpu.raw_buffer_atomic_fadd"),
    FLOAT_ATOMIC("amdgpu.raw_buffer_atomic_fmax"),
    ATOMIC("amdgpu.raw_buffer_atomic_smax"),
    ATOMIC("amdgpu.raw_buffer_atomic_umin"),
    ACCESS("amdgpu.raw_buffer_load"),
    ACCESS("amdgpu.raw_buffer_store"),
    ACCESS("amdgpu.gather_to_lds"),
    HARMLESS("amdgpu.transpose_load"),
    HARMLESS("amdgpu.fat_raw_buffer_cast"),
    HARMLESS("amdgpu.lds_barrier"),
    HARMLESS("amdgpu.sched_barrier"),
    HARMLESS("amdgpu.memory_counter_wait"),
    HARMLESS("amdgpu.dpp"),
    HARMLESS("amdgpu.permlane_swap"),
    HARMLESS("amdgpu.swizzle_bitmode"),
    HARMLESS("amdgpu.mfma"),
    HARMLESS("amdgpu.scaled_mfma"),
    HARMLESS("amdgpu.sparse_mfma"),
    HARMLESS("amdgpu.wmma"),
    HARMLESS("amdgpu.scaled_wmma"),
    HARMLESS("amdgpu.ext_packed_fp8"),
    HARMLESS("amdgpu.packed_*"),
    HARMLESS("amdgpu.scaled_ext_packed*"),
};

static constexpr Row kNvvmRows[] = {
    REFUSED("nvvm.cluster*", "cluster", kCluster),
    REFUSED("nvvm.read.ptx.sreg.cluster*", "cluster", kCluster),
    REFUSED("nvvm.read.ptx.sreg.nclusterid*", "cluster", kCluster),
    REFUSED("nvvm.read.ptx.sreg.is.explicit.cluster", "cluster", kCluster),
    REFUSED("nvvm.mapa*", "cluster", kCluster),
    REFUSED("nvvm.fence.sc.cluster", "cluster", kCluster),
    REFUSED("nvvm.cp.async.bulk.shared.cluster.shared.cta", "cluster",
            kCluster),
    REFUSED("nvvm.read.ptx.sreg.smid", "hardware-slot", kSlot),
    REFUSED("nvvm.read.ptx.sreg.nsmid", "hardware-slot", kSlot),
    REFUSED("nvvm.read.ptx.sreg.envreg*", "hardware-slot", kSlot),
    REFUSED("nvvm.read.ptx.sreg.clock*", "clock", kClock),
    REFUSED("nvvm.read.ptx.sreg.globaltimer*", "clock", kClock),
    REFUSED("nvvm.griddepcontrol*", "grid-dependency",
            "orders this launch against another one while both run"),
    REFUSED("nvvm.inline_ptx", "inline-asm", kAssembly),
    // Thread, size and lane registers; the warp id counts within the workgroup.
    HARMLESS("nvvm.read.ptx.sreg.tid*"),
    HARMLESS("nvvm.read.ptx.sreg.ntid*"),
    HARMLESS("nvvm.read.ptx.sreg.nctaid*"),
    HARMLESS("nvvm.read.ptx.sreg.lane*"),
    HARMLESS("nvvm.read.ptx.sreg.warp*"),
    HARMLESS("nvvm.read.ptx.sreg.nwarpid"),
    HARMLESS("nvvm.read.ptx.sreg.gridid"),
    HARMLESS("nvvm.read.ptx.sreg.aggr.smem.size"),
    HARMLESS("nvvm.read.ptx.sreg.dynamic.smem.size"),
    HARMLESS("nvvm.read.ptx.sreg.total.smem.size"),
    // Waiting and exchange within the workgroup.
    HARMLESS("nvvm.bar*"),
    HARMLESS("nvvm.mbarrier*"),
    HARMLESS("nvvm.cp.async.mbarrier*"),
    HARMLESS("nvvm.cp.async.commit.group"),
    HARMLESS("nvvm.cp.async.wait.*"),
    HARMLESS("nvvm.cp.async.bulk.commit.group"),
    HARMLESS("nvvm.cp.async.bulk.wait_group"),
    HARMLESS("nvvm.cp.async.bulk.prefetch"),
    HARMLESS("nvvm.cp.async.bulk.tensor.prefetch*"),
    HARMLESS("nvvm.fence.*"),
    HARMLESS("nvvm.memory.barrier"),
    HARMLESS("nvvm.prefetch*"),
    HARMLESS("nvvm.shfl*"),
    HARMLESS("nvvm.vote*"),
    HARMLESS("nvvm.match*"),
    HARMLESS("nvvm.redux*"),
    HARMLESS("nvvm.elect.sync"),
    HARMLESS("nvvm.setmaxregister"),
    HARMLESS("nvvm.nanosleep"),
    HARMLESS("nvvm.exit"),
    HARMLESS("nvvm.ldmatrix"),
    HARMLESS("nvvm.stmatrix"),
    HARMLESS("nvvm.st.bulk"),
    // Arithmetic.
    HARMLESS("nvvm.mma.*"),
    HARMLESS("nvvm.wmma.mma"),
    HARMLESS("nvvm.wgmma.*"),
    HARMLESS("nvvm.convert.*"),
    HARMLESS("nvvm.dot.accumulate*"),
    HARMLESS("nvvm.prmt*"),
    HARMLESS("nvvm.rcp*"),
    // Global memory.
    ACCESS("nvvm.wmma.load"),
    ACCESS("nvvm.wmma.store"),
    ACCESS("nvvm.cp.async.shared.global"),
    ACCESS("nvvm.cp.async.bulk.shared.cluster.global"),
    ACCESS("nvvm.cp.async.bulk.global.shared.cta"),
    ACCESS("nvvm.cp.async.bulk.tensor.shared.cluster.global"),
    ACCESS("nvvm.cp.async.bulk.tensor.global.shared.cta"),
    FLOAT_ATOMIC("nvvm.cp.async.bulk.tensor.reduce"),
};

static constexpr Row kRocdlRows[] = {
    REFUSED("rocdl.cluster*", "cluster", kCluster),
    REFUSED("rocdl.workgroup.max*", "cluster", kCluster),
    REFUSED("rocdl.dispatch.*", "dispatch-id", kDispatch),
    REFUSED("rocdl.queue.ptr", "dispatch-id", kDispatch),
    REFUSED("rocdl.s.getreg*", "hardware-slot", kSlot),
    REFUSED("rocdl.s.get.waveid*", "hardware-slot", kSlot),
    REFUSED("rocdl.wave.id", "hardware-slot", kSlot),
    REFUSED("rocdl.s.memtime", "clock", kClock),
    REFUSED("rocdl.s.memrealtime", "clock", kClock),
    REFUSED("rocdl.s.sendmsg*", "hardware-slot",
            "asks the hardware by message, for what is not known here"),
    REFUSED("rocdl.ds.ordered*", "ordered-count", kTicket),
    REFUSED("rocdl.ds.append*", "atomic-result-used", kTicket),
    REFUSED("rocdl.ds.consume*", "atomic-result-used", kTicket),
    REFUSED("rocdl.ds.gws*", "gws", kGrid),
    REFUSED("rocdl.raw.buffer.atomic.cmpswap", "atomic-result-used", kOldValue),
    REFUSED("rocdl.raw.ptr.buffer.atomic.cmpswap", "atomic-result-used",
            kOldValue),
    // Registers of the thread and of the launch.
    HARMLESS("rocdl.workitem.id.*"),
    HARMLESS("rocdl.workgroup.dim.*"),
    HARMLESS("rocdl.grid.dim.*"),
    HARMLESS("rocdl.wavefrontsize"),
    HARMLESS("rocdl.implicitarg.ptr"),
    HARMLESS("rocdl.mbcnt.*"),
    // Waiting and exchange within the workgroup.
    HARMLESS("rocdl.barrier*"),
    HARMLESS("rocdl.s.barrier*"),
    HARMLESS("rocdl.s.get.barrier.state"),
    HARMLESS("rocdl.s.get.named.barrier.state"),
    HARMLESS("rocdl.s.wakeup.barrier"),
    HARMLESS("rocdl.s.wait*"),
    HARMLESS("rocdl.s.nop"),
    HARMLESS("rocdl.s.setprio"),
    HARMLESS("rocdl.s.sleep"),
    HARMLESS("rocdl.sched.*"),
    HARMLESS("rocdl.iglp.opt"),
    HARMLESS("rocdl.fence*"),
    HARMLESS("rocdl.ballot"),
    HARMLESS("rocdl.readfirstlane"),
    HARMLESS("rocdl.readlane"),
    HARMLESS("rocdl.update.dpp"),
    HARMLESS("rocdl.permlane*"),
    HARMLESS("rocdl.ds_bpermute"),
    HARMLESS("rocdl.ds.bpermute"),
    HARMLESS("rocdl.ds_swizzle"),
    HARMLESS("rocdl.ds.swizzle"),
    HARMLESS("rocdl.ds.read.tr*"),
    HARMLESS("rocdl.ds.atomic.async.barrier*"),
    HARMLESS("rocdl.ds.atomic.barrier*"),
    HARMLESS("rocdl.flat.prefetch"),
    HARMLESS("rocdl.global.prefetch"),
    HARMLESS("rocdl.make.buffer.rsrc"),
    // Arithmetic.
    HARMLESS("rocdl.mfma.*"),
    HARMLESS("rocdl.smfmac.*"),
    HARMLESS("rocdl.wmma.*"),
    HARMLESS("rocdl.cvt.*"),
    HARMLESS("rocdl.fmed3"),
    HARMLESS("rocdl.cos"),
    HARMLESS("rocdl.sin"),
    HARMLESS("rocdl.exp"),
    HARMLESS("rocdl.exp2"),
    HARMLESS("rocdl.log"),
    HARMLESS("rocdl.rcp"),
    HARMLESS("rocdl.rsq"),
    HARMLESS("rocdl.sqrt"),
    HARMLESS("rocdl.tanh"),
    // Global memory.
    FLOAT_ATOMIC("rocdl.raw.buffer.atomic.f*"),
    FLOAT_ATOMIC("rocdl.raw.ptr.buffer.atomic.f*"),
    ATOMIC("rocdl.raw.buffer.atomic.smax"),
    ATOMIC("rocdl.raw.buffer.atomic.umin"),
    ATOMIC("rocdl.raw.ptr.buffer.atomic.smax"),
    ATOMIC("rocdl.raw.ptr.buffer.atomic.umin"),
    ACCESS("rocdl.raw.buffer.load"),
    ACCESS("rocdl.raw.buffer.store"),
    ACCESS("rocdl.raw.ptr.buffer.load*"),
    ACCESS("rocdl.raw.ptr.buffer.store"),
    ACCESS("rocdl.load.to.lds"),
    ACCESS("rocdl.global.load.lds"),
    ACCESS("rocdl.global.load.async.to.lds*"),
    ACCESS("rocdl.global.load.tr*"),
};

/// Intrinsics of no vendor, and those whose name differs from the dialect's.
static constexpr Row kIntrinsicRows[] = {
    REFUSED("llvm.readcyclecounter", "clock", kClock),
    REFUSED("llvm.readsteadycounter", "clock", kClock),
    REFUSED("llvm.nvvm.griddepcontrol*", "grid-dependency",
            "orders this launch against another one while both run"),
    REFUSED("llvm.nvvm.barrier.cluster*", "cluster", kCluster),
    REFUSED("llvm.nvvm.getctarank*", "cluster", kCluster),
    HARMLESS("llvm.nvvm.barrier0"),
    HARMLESS("llvm.nvvm.barrier.cta*"),
    HARMLESS("llvm.nvvm.membar*"),
    ACCESS("llvm.nvvm.ldg.global*"),
    ACCESS("llvm.nvvm.ldu.global*"),
    HARMLESS("llvm.amdgcn.fdot2*"),
    HARMLESS("llvm.amdgcn.sdot*"),
    HARMLESS("llvm.amdgcn.udot*"),
    HARMLESS("llvm.amdgcn.perm"),
    HARMLESS("llvm.amdgcn.ubfe*"),
    HARMLESS("llvm.amdgcn.sbfe*"),
    HARMLESS("llvm.amdgcn.is.shared"),
    HARMLESS("llvm.amdgcn.is.private"),
};

/// Functions of device libraries that have no body in the module.
static constexpr Row kFunctionRows[] = {
    REFUSED("__ockl_get_group_id", "id-helper", ""),
    REFUSED("__ockl_get_global_id", "id-helper", ""),
    REFUSED("__ockl_get_global_linear_id", "id-helper", ""),
    REFUSED("get_group_id", "id-helper", ""),
    REFUSED("get_global_id", "id-helper", ""),
    REFUSED("get_global_linear_id", "id-helper", ""),
    REFUSED("_Z12get_group_id*", "id-helper", ""),
    REFUSED("_Z13get_global_id*", "id-helper", ""),
    REFUSED("_Z20get_global_linear_id*", "id-helper", ""),
    REFUSED("__ockl_gws*", "gws", kGrid),
    REFUSED("__ockl_grid_sync*", "grid-barrier", kGrid),
    REFUSED("__ockl_multi_grid_sync*", "grid-barrier", kGrid),
    REFUSED("cudaCGSynchronize*", "grid-barrier", kGrid),
    REFUSED("__ockl_steadyctr*", "clock", kClock),
    REFUSED("__ockl_cyclectr*", "clock", kClock),
    HARMLESS("__ocml_*"),
    HARMLESS("__nv_*"),
    HARMLESS("__nvvm_reflect*"),
    HARMLESS("__ockl_get_num_groups"),
    HARMLESS("__ockl_get_local_size"),
    HARMLESS("__ockl_get_global_size"),
    HARMLESS("__ockl_get_enqueued_local_size"),
    HARMLESS("__ockl_get_local_id"),
    HARMLESS("__ockl_activelane*"),
    HARMLESS("__ockl_lane*"),
    PRINTS("__ockl_printf*"),
    PRINTS("__ockl_fprintf*"),
    PRINTS("vprintf"),
    PRINTS("printf"),
    PRINTS("__assertfail"),
    PRINTS("__assert_fail"),
};

#undef HARMLESS
#undef ACCESS
#undef ATOMIC
#undef FLOAT_ATOMIC
#undef PRINTS
#undef REFUSED

/// True if `name` is `pattern`, or begins with what stands before its `*`.
static bool matches(StringRef pattern, StringRef name) {
  return pattern.consume_back("*") ? name.starts_with(pattern)
                                   : name == pattern;
}

static std::optional<Effect> lookUp(llvm::ArrayRef<Row> rows, StringRef name) {
  for (const Row &row : rows)
    if (matches(row.pattern, name)) {
      Effect effect{row.kind, row.code.str(), ""};
      if (row.kind == EffectKind::Refused)
        effect.reason = ("'" + name + "' " + row.reason).str();
      effect.update = name.str();
      return effect;
    }
  return std::nullopt;
}

/// The axis of a register that ends in `.x`, `.y` or `.z` after `prefix`.
static std::optional<unsigned> axisAfter(StringRef name, StringRef prefix) {
  if (!name.consume_front(prefix) || name.size() != 1 || name[0] < 'x' ||
      name[0] > 'z')
    return std::nullopt;
  return name[0] - 'x';
}

std::optional<Effect> classifyByTable(StringRef name) {
  for (StringRef prefix : {"rocdl.workgroup.id.", "nvvm.read.ptx.sreg.ctaid."})
    if (std::optional<unsigned> axis = axisAfter(name, prefix)) {
      Effect effect{EffectKind::ReadsId, "", ""};
      effect.axis = *axis;
      return effect;
    }
  StringRef dialect = name.split('.').first;
  if (dialect == "gpu")
    return lookUp(kGpuRows, name);
  if (dialect == "nvvm")
    return lookUp(kNvvmRows, name);
  if (dialect == "rocdl")
    return lookUp(kRocdlRows, name);
  if (dialect == "nvgpu")
    return lookUp(kNvgpuRows, name);
  if (dialect == "amdgpu")
    return lookUp(kAmdgpuRows, name);
  return std::nullopt;
}

/// Bit 31 of a buffer access's last argument makes it volatile.
static bool isVolatileBufferIntrinsic(StringRef name, Operation *call) {
  if (!name.starts_with("llvm.amdgcn.raw.") &&
      !name.starts_with("llvm.amdgcn.struct."))
    return false;
  ValueRange arguments;
  if (auto intrinsic = dyn_cast<LLVM::CallIntrinsicOp>(call))
    arguments = intrinsic.getArgs();
  else if (auto function = dyn_cast<CallOpInterface>(call))
    arguments = function.getArgOperands();
  APInt flags;
  if (arguments.empty() ||
      !matchPattern(arguments.back(), m_ConstantInt(&flags)))
    return true;
  return flags.getBitWidth() > 31 && flags[31];
}

Effect classifyIntrinsic(StringRef name, Operation *call) {
  std::optional<Effect> effect = lookUp(kIntrinsicRows, name);
  StringRef tail = name;
  if (!effect && tail.consume_front("llvm.amdgcn."))
    effect = classifyByTable(("rocdl." + tail).str());
  else if (!effect && tail.consume_front("llvm.nvvm."))
    effect = classifyByTable(("nvvm." + tail).str());
  bool updates = effect && (effect->kind == EffectKind::Atomic ||
                            effect->kind == EffectKind::FloatAtomic);
  // Unlike the dialects' operations, intrinsics return the old value.
  if (updates && !call->use_empty())
    return {EffectKind::Refused, "atomic-result-used",
            ("'" + name + "' " + kOldValue + ", and it is used").str()};
  if (effect && (updates || effect->kind == EffectKind::Access) &&
      isVolatileBufferIntrinsic(name, call))
    return {EffectKind::Refused, "volatile",
            ("'" + name + "' may be volatile").str()};
  if (effect)
    return *effect;
  return {EffectKind::Refused, "unknown-effect",
          ("the intrinsic '" + name + "' is not known to be harmless").str()};
}

Effect classifyDeclaration(StringRef name, Operation *call) {
  std::optional<Effect> effect = lookUp(kFunctionRows, name);
  if (effect && effect->code == "id-helper")
    effect->reason = ("'" + name +
                      "' returns a workgroup id that cannot be rewritten; read "
                      "the id with gpu.block_id")
                         .str();
  // A library function that is handed global memory may write there.
  if (effect && effect->kind == EffectKind::Harmless)
    for (Value operand : call->getOperands())
      if (mayBeGlobal(operand))
        return {
            EffectKind::Refused, "unknown-callee",
            ("'" + name + "' has no body and is handed global memory").str()};
  if (effect)
    return *effect;
  return {EffectKind::Refused, "unknown-callee",
          ("'" + name +
           "' has no body here, so that it may read a workgroup id or touch "
           "any memory")
              .str()};
}

} // namespace swizzle
