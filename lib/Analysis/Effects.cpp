//===- Effects.cpp - What an operation does that others could see ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sorts the operations of the dialects that describe their effects well:
// arithmetic is allowed wherever MLIR says that it has none; memory operations
// one by one, because whether an access is volatile or atomic, and whether an
// atomic's old value is used, decides. Machine-level dialects:
// EffectTables.cpp.
//
//===----------------------------------------------------------------------===//

#include "Effects.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace swizzle {

static Effect harmless() { return {}; }
static Effect access() { return {EffectKind::Access, "", ""}; }
static Effect refuse(StringRef code, const Twine &reason) {
  return {EffectKind::Refused, code.str(), reason.str()};
}

/// True if the type itself says workgroup or private memory.
static bool isLocalSpace(Type type) {
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type))
    return pointer.getAddressSpace() == 3 || pointer.getAddressSpace() == 5;
  auto memref = dyn_cast<BaseMemRefType>(type);
  if (!memref)
    return false;
  Attribute space = memref.getMemorySpace();
  if (auto address = dyn_cast_or_null<gpu::AddressSpaceAttr>(space))
    return address.getValue() != gpu::AddressSpace::Global;
  if (auto number = dyn_cast_or_null<IntegerAttr>(space))
    return number.getInt() == 3 || number.getInt() == 5;
  return false;
}

Value rootOf(Value memory) {
  while (Operation *op = memory.getDefiningOp()) {
    if (!isa<ViewLikeOpInterface>(op) &&
        !isa<memref::CastOp, memref::MemorySpaceCastOp,
             memref::AssumeAlignmentOp, LLVM::GEPOp, LLVM::AddrSpaceCastOp,
             LLVM::BitcastOp>(op))
      break;
    memory = op->getOperand(0);
  }
  return memory;
}

bool mayBeGlobal(Value memory) {
  if (!isa<BaseMemRefType, LLVM::LLVMPointerType>(memory.getType()) ||
      isLocalSpace(memory.getType()))
    return false;
  Value root = rootOf(memory);
  if (isLocalSpace(root.getType()))
    return false;
  Operation *op = root.getDefiningOp();
  return !op ||
         !isa<memref::AllocaOp, LLVM::AllocaOp, gpu::DynamicSharedMemoryOp>(op);
}

/// An atomic update of `memory` by an operation that does (not) commute.
static Effect atomic(Operation *op, Value memory, bool commutes, bool isFloat,
                     StringRef what) {
  if (!mayBeGlobal(memory))
    return harmless();
  if (!op->use_empty())
    return refuse("atomic-result-used",
                  "the old value of the atomic " + what +
                      " is used, and it depends on the order of workgroups");
  if (!commutes)
    return refuse("atomic-not-commutative",
                  "the atomic " + what +
                      " does not commute, so that the result depends on the "
                      "order of workgroups");
  Effect effect{isFloat ? EffectKind::FloatAtomic : EffectKind::Atomic, "", ""};
  effect.update = what.str();
  effect.memory = memory;
  return effect;
}

static Effect classifyAtomicRmw(memref::AtomicRMWOp op) {
  using Kind = arith::AtomicRMWKind;
  bool commutes = op.getKind() != Kind::assign;
  return atomic(op, op.getMemref(), commutes,
                isa<FloatType>(op.getValue().getType()),
                stringifyAtomicRMWKind(op.getKind()));
}

static Effect classifyAtomicRmw(LLVM::AtomicRMWOp op) {
  using Kind = LLVM::AtomicBinOp;
  if (op.getVolatile_() && mayBeGlobal(op.getPtr()))
    return refuse("volatile", "the atomic is volatile");
  bool commutes = true;
  switch (op.getBinOp()) {
  case Kind::add:
  case Kind::sub:
  case Kind::_and:
  case Kind::_or:
  case Kind::_xor:
  case Kind::max:
  case Kind::min:
  case Kind::umax:
  case Kind::umin:
  case Kind::fadd:
  case Kind::fsub:
  case Kind::fmax:
  case Kind::fmin:
  case Kind::fmaximum:
  case Kind::fminimum:
    break;
  default:
    commutes = false;
  }
  return atomic(op, op.getPtr(), commutes,
                !op.getVal().getType().isIntOrIndex(),
                stringifyAtomicBinOp(op.getBinOp()));
}

/// A read-modify-write with a body commutes if the body is one commutative and
/// associative operation on the old value and something that is not made of it.
static Effect classifyGenericAtomic(memref::GenericAtomicRMWOp op) {
  Block &body = op.getRegion().front();
  Operation *yield = body.getTerminator();
  Operation *combine = yield->getOperand(0).getDefiningOp();
  bool commutes = false, isFloat = false;
  Value old = body.getArgument(0);
  if (combine && combine->getBlock() == &body && old.hasOneUse() &&
      combine->getNumOperands() == 2 &&
      llvm::is_contained(combine->getOperands(), old)) {
    static const llvm::StringSet<> kCommutative = {
        "arith.addi",    "arith.muli",   "arith.andi",     "arith.ori",
        "arith.xori",    "arith.maxsi",  "arith.minsi",    "arith.maxui",
        "arith.minui",   "arith.addf",   "arith.maximumf", "arith.minimumf",
        "arith.maxnumf", "arith.minnumf"};
    commutes = kCommutative.contains(combine->getName().getStringRef());
    isFloat = isa<FloatType>(old.getType());
  }
  StringRef what = commutes ? combine->getName().stripDialect()
                            : StringRef("read-modify-write");
  return atomic(op, op.getMemref(), commutes, isFloat, what);
}

/// llvm.load and llvm.store: plain ones only, on memory that others can see.
template <typename OpTy> static Effect classifyPlain(OpTy op, StringRef what) {
  if (!mayBeGlobal(op.getAddr()))
    return harmless();
  if (op.getVolatile_())
    return refuse("volatile", "the " + what +
                                  " is volatile: it may wait for, or signal "
                                  "to, another workgroup");
  if (op.getOrdering() != LLVM::AtomicOrdering::not_atomic)
    return refuse(("atomic-" + what).str(),
                  "the " + what +
                      " is atomic: it may wait for, or signal to, another "
                      "workgroup");
  return access();
}

static Effect classifyLlvm(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return classifyPlain(load, "load");
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return classifyPlain(store, "store");
  if (auto rmw = dyn_cast<LLVM::AtomicRMWOp>(op))
    return classifyAtomicRmw(rmw);
  if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op)) {
    if (!mayBeGlobal(exchange.getPtr()))
      return harmless();
    return refuse("atomic-result-used",
                  "an atomic compare-and-exchange acts on the old value, which "
                  "depends on the order of workgroups");
  }
  if (isa<LLVM::InlineAsmOp>(op))
    return refuse("inline-asm", "inline assembly may read a workgroup id or "
                                "touch any memory");
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return classifyIntrinsic(call.getIntrin(), op);
  if (isa<LLVM::CallOp>(op))
    return {EffectKind::Calls, "", ""};
  if (isa<LLVM::InvokeOp>(op))
    return refuse("indirect-call", "an invoke may reach any function");
  if (isa<LLVM::AllocaOp, LLVM::FenceOp, LLVM::BrOp, LLVM::CondBrOp,
          LLVM::SwitchOp, LLVM::ReturnOp, LLVM::UnreachableOp>(op))
    return harmless();
  if (name.consume_front("llvm.intr.")) {
    if (name.starts_with("memcpy") || name.starts_with("memmove") ||
        name.starts_with("memset")) {
      bool isVolatile = false;
      for (NamedAttribute attr : op->getAttrs())
        if (attr.getName() == "isVolatile")
          if (auto flag = dyn_cast<IntegerAttr>(attr.getValue()))
            isVolatile = !flag.getValue().isZero();
      if (isVolatile && llvm::any_of(op->getOperands(), mayBeGlobal))
        return refuse("volatile", "the copy is volatile");
      return access();
    }
    if (name.starts_with("masked.") || name.starts_with("vp.load") ||
        name.starts_with("vp.store"))
      return access();
    for (StringRef fine :
         {"lifetime.", "assume", "dbg.", "invariant.", "launder.", "stacksave",
          "stackrestore", "prefetch", "experimental.noalias.scope.decl",
          "annotation", "var.annotation", "ptr.annotation"})
      if (name.starts_with(fine))
        return harmless();
    if (name.starts_with("trap") || name.starts_with("ubsantrap") ||
        name.starts_with("debugtrap"))
      return {EffectKind::Prints, "", ""};
  }
  if (isMemoryEffectFree(op))
    return harmless();
  return refuse("unknown-effect", "'" + op->getName().getStringRef() +
                                      "' is not known to be harmless");
}

static Effect classifyMemref(Operation *op) {
  if (auto rmw = dyn_cast<memref::AtomicRMWOp>(op))
    return classifyAtomicRmw(rmw);
  if (auto rmw = dyn_cast<memref::GenericAtomicRMWOp>(op))
    return classifyGenericAtomic(rmw);
  if (isa<memref::LoadOp, memref::StoreOp, memref::CopyOp>(op))
    return access();
  if (isa<memref::AllocaOp, memref::AllocaScopeOp, memref::AllocaScopeReturnOp,
          memref::AtomicYieldOp, memref::PrefetchOp, memref::GetGlobalOp,
          memref::AssumeAlignmentOp>(op) ||
      isMemoryEffectFree(op))
    return harmless();
  return refuse("unknown-effect", "'" + op->getName().getStringRef() +
                                      "' is not known to be harmless");
}

/// Operations that only move data of the dialects that say what they touch.
static bool isPlainAccess(Operation *op) {
  return isa<affine::AffineLoadOp, affine::AffineStoreOp,
             affine::AffineVectorLoadOp, affine::AffineVectorStoreOp,
             vector::LoadOp, vector::StoreOp, vector::TransferReadOp,
             vector::TransferWriteOp, vector::GatherOp, vector::ScatterOp,
             vector::MaskedLoadOp, vector::MaskedStoreOp, vector::ExpandLoadOp,
             vector::CompressStoreOp, linalg::LinalgOp>(op);
}

/// Control flow whose nested operations are judged one by one.
static bool isControlFlow(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "scf" || dialect == "cf")
    return true;
  return isa<affine::AffineForOp, affine::AffineIfOp, affine::AffineParallelOp,
             affine::AffineYieldOp, affine::AffinePrefetchOp, vector::MaskOp,
             vector::YieldOp, linalg::YieldOp, func::ReturnOp>(op);
}

/// Copies to several workgroups of one cluster hide in an optional operand.
static bool isMulticast(Operation *op) {
  if (auto load = dyn_cast<nvgpu::TmaAsyncLoadOp>(op))
    return bool(load.getMulticastMask());
  if (auto copy = dyn_cast<NVVM::CpAsyncBulkGlobalToSharedClusterOp>(op))
    return bool(copy.getMulticastMask());
  if (auto copy = dyn_cast<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(op))
    return bool(copy.getMulticastMask());
  return false;
}

/// Bit 31 of a buffer access's last operand makes it volatile.
static bool isVolatileBufferAccess(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (auto flags = op->getAttrOfType<IntegerAttr>("aux"))
    return flags.getValue().getBitWidth() > 31 && flags.getValue()[31];
  if (!name.starts_with("rocdl.raw.") || name.ends_with(".lds"))
    return false;
  APInt flags;
  if (!matchPattern(op->getOperand(op->getNumOperands() - 1),
                    m_ConstantInt(&flags)))
    return true;
  return flags.getBitWidth() > 31 && flags[31];
}

Effect classify(Operation *op) {
  StringRef name = op->getName().getStringRef();
  StringRef dialect = op->getName().getDialectNamespace();
  if (auto id = dyn_cast<gpu::BlockIdOp>(op)) {
    Effect effect{EffectKind::ReadsId, "", ""};
    effect.axis = unsigned(id.getDimension());
    return effect;
  }
  if (auto id = dyn_cast<gpu::GlobalIdOp>(op)) {
    Effect effect{EffectKind::ReadsId, "", ""};
    effect.axis = unsigned(id.getDimension());
    effect.global = true;
    return effect;
  }
  if (name == "swizzle.remap")
    return harmless();
  if (isa<func::CallOp>(op))
    return {EffectKind::Calls, "", ""};
  if (isa<func::CallIndirectOp>(op))
    return refuse("indirect-call",
                  "an indirect call may reach any function, and so read a "
                  "workgroup id");
  if (isa<cf::AssertOp, vector::PrintOp>(op))
    return {EffectKind::Prints, "", ""};
  if (isPlainAccess(op))
    return access();
  if (isControlFlow(op))
    return harmless();
  if (dialect == "memref")
    return classifyMemref(op);
  if (dialect == "llvm")
    return classifyLlvm(op);
  if (std::optional<Effect> effect = classifyByTable(name)) {
    if (effect->kind == EffectKind::Access && isMulticast(op))
      return refuse("cluster",
                    "'" + name + "' copies to other workgroups of a cluster");
    if (effect->kind == EffectKind::Access && isVolatileBufferAccess(op))
      return refuse("volatile", "'" + name + "' may be volatile");
    return *effect;
  }
  for (StringRef pure : {"arith", "math", "index", "complex", "ub", "vector",
                         "affine", "builtin", "func"})
    if (dialect == pure && isMemoryEffectFree(op))
      return harmless();
  return refuse("unknown-effect", "'" + name + "' is not known to be harmless");
}

} // namespace swizzle
