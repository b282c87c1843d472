//===- Operations.cpp - What an operation does, in one table ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows of the llvm dialect, and the look-up. A row says what an operation
// does at most; whether an access is volatile, ordered or in memory of the
// workgroup's own, and whether the old value of an update is used, depends on
// the operation at hand and is looked at here. For intrinsics without a row,
// LLVM's own attributes decide: what touches no memory and computes something
// from its operands is pure.
//
//===----------------------------------------------------------------------===//

#include "Operations.h"

#include "Handlers.h"
#include "Rows.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"

using namespace mlir;

namespace swizzle {

static constexpr OperationRow kLlvmRows[] = {
    {"llvm.call", OperationKind::Calls},
    ACCESS("llvm.load", Read, readLoad),
    ACCESS("llvm.store", Write, readStore),
    UPDATE("llvm.atomicrmw", readAtomicUpdate),
    UPDATE("llvm.cmpxchg", readExchange),
    VALUE("llvm.getelementptr", readAddress),
    FREE("llvm.addrspacecast", Pure, readCast),
    FREE("llvm.bitcast", Pure, readCast),
    FREE("llvm.inttoptr", Pure, readCast),
    FREE("llvm.ptrtoint", Pure, readCast),
    FREE("llvm.mlir.addressof", Pure, readGlobal),
    FREE("llvm.alloca", Pure, readAllocation),
    FREE("llvm.mlir.constant", Pure, nullptr),
    FREE("llvm.trunc", Pure, nullptr),
    FREE("llvm.mlir.undef", Pure, readUndefined),
    FREE("llvm.mlir.poison", Pure, readUndefined),
    FREE("llvm.mlir.zero", Pure, readZero),
    FREE("llvm.freeze", Pure, readFreeze),
    FREE("llvm.insertvalue", Pure, readInsertValue),
    FREE("llvm.extractvalue", Pure, readExtractValue),
    FREE("llvm.insertelement", Pure, readInsertElement),
    FREE("llvm.extractelement", Pure, readExtractElement),
    FREE("llvm.shufflevector", Pure, readShuffle),
    LOCAL("llvm.fence"),
    LOCAL("llvm.br"),
    LOCAL("llvm.cond_br"),
    LOCAL("llvm.switch"),
    LOCAL("llvm.return"),
    LOCAL("llvm.unreachable"),
    REFUSED("llvm.inline_asm", "inline-asm",
            "may read a workgroup id or touch any memory"),
    REFUSED("llvm.invoke", "indirect-call", "may reach any function"),
    ACCESS("llvm.intr.memcpy*", Write, readCopy),
    ACCESS("llvm.intr.memmove", Write, readCopy),
    ACCESS("llvm.intr.memset*", Write, readFill),
    ACCESS("llvm.intr.masked.load", Read, readMaskedLoad),
    ACCESS("llvm.intr.masked.store", Write, readMaskedStore),
    ACCESS("llvm.intr.masked.gather", Read, readGather),
    ACCESS("llvm.intr.masked.scatter", Write, readScatter),
    ACCESS("llvm.intr.masked.expandload", Read, nullptr),
    ACCESS("llvm.intr.masked.compressstore", Write, nullptr),
    ACCESS("llvm.intr.vp.load", Read, nullptr),
    ACCESS("llvm.intr.vp.store", Write, nullptr),
    REFUSED("llvm.intr.readcyclecounter", "clock",
            "reads a clock, so that the result depends on when the workgroup "
            "runs"),
    REFUSED("llvm.intr.readsteadycounter", "clock",
            "reads a clock, so that the result depends on when the workgroup "
            "runs"),
    FREE("llvm.intr.lifetime.*", Local, nullptr),
    FREE("llvm.intr.assume", Local, nullptr),
    FREE("llvm.intr.dbg.*", Local, nullptr),
    FREE("llvm.intr.invariant.*", Local, nullptr),
    FREE("llvm.intr.stacksave", Local, nullptr),
    FREE("llvm.intr.stackrestore", Local, nullptr),
    LOCAL("llvm.intr.prefetch"),
    FREE("llvm.intr.experimental.noalias.scope.decl", Local, nullptr),
    FREE("llvm.intr.launder.*", Pure, readCast),
    FREE("llvm.intr.annotation", Local, nullptr),
    FREE("llvm.intr.var.annotation", Local, nullptr),
    FREE("llvm.intr.ptr.annotation", Pure, readCast),
    PRINTS("llvm.intr.trap"),
    PRINTS("llvm.intr.ubsantrap"),
    PRINTS("llvm.intr.debugtrap"),
};

llvm::ArrayRef<OperationRow> llvmRows() { return kLlvmRows; }

Value rootOf(Value memory) {
  while (Operation *op = memory.getDefiningOp()) {
    if (!isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op) &&
        canonicalName(op) != "rocdl.make.buffer.rsrc")
      break;
    memory = op->getOperand(0);
  }
  return memory;
}

bool mayBeGlobal(Value memory) {
  auto isPointer = [](Type type) {
    return isa<LLVM::LLVMPointerType>(getElementTypeOrSelf(type));
  };
  auto isLocal = [](Value value) {
    return KernelReader::spaceOf(getElementTypeOrSelf(value.getType())) !=
           MemorySpace::Global;
  };
  if (!isPointer(memory.getType()) || isLocal(memory))
    return false;
  Value root = rootOf(memory);
  if (isLocal(root))
    return false;
  return !isa_and_nonnull<LLVM::AllocaOp>(root.getDefiningOp());
}

/// True if `name` is `pattern`, or begins with what stands before its `*`.
static bool matches(StringRef pattern, StringRef name) {
  return pattern.consume_back("*") ? name.starts_with(pattern)
                                   : name == pattern;
}

static const OperationRow *findRow(StringRef name, bool isCall) {
  llvm::ArrayRef<OperationRow> rows =
      name.starts_with("llvm.")                                     ? llvmRows()
      : name.starts_with("nvvm.") || name.starts_with("rocdl.") ? vendorRows()
      : isCall ? functionRows()
               : llvm::ArrayRef<OperationRow>();
  for (const OperationRow &row : rows)
    if (matches(row.pattern, name))
      return &row;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// What depends on the operation at hand
//===----------------------------------------------------------------------===//

/// Bit 31 of a buffer access's last operand makes it volatile.
static bool isVolatileBufferAccess(Operation *op, StringRef name) {
  if (!name.starts_with("rocdl.raw.") && !name.starts_with("rocdl.struct."))
    return false;
  if (name.ends_with(".lds"))
    return false;
  if (auto flags = op->getAttrOfType<IntegerAttr>("aux"))
    return flags.getValue().getBitWidth() > 31 && flags.getValue()[31];
  APInt flags;
  if (op->getNumOperands() == 0 ||
      !matchPattern(op->getOperand(op->getNumOperands() - 1),
                    m_ConstantInt(&flags)))
    return true;
  return flags.getBitWidth() > 31 && flags[31];
}

/// Loads and stores that may wait for, or signal to, another workgroup.
static std::optional<OperationEffect> refuseOrdered(Operation *op,
                                                    StringRef name) {
  bool isVolatile = false;
  LLVM::AtomicOrdering ordering = LLVM::AtomicOrdering::not_atomic;
  StringRef what = "access";
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    isVolatile = load.getVolatile_();
    ordering = load.getOrdering();
    what = "load";
  } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
    isVolatile = store.getVolatile_();
    ordering = store.getOrdering();
    what = "store";
  } else if (auto atomic = dyn_cast<LLVM::AtomicRMWOp>(op)) {
    isVolatile = atomic.getVolatile_();
    what = "atomic";
  } else if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op)) {
    isVolatile = exchange.getVolatile_();
    what = "atomic";
  } else if (auto flag = op->getAttrOfType<BoolAttr>("isVolatile")) {
    isVolatile = flag.getValue();
    what = "copy";
  } else if (auto flag = op->getAttrOfType<IntegerAttr>("isVolatile")) {
    isVolatile = !flag.getValue().isZero();
    what = "copy";
  } else if (name.starts_with("llvm.intr.mem") && op->getNumOperands() > 3) {
    // Called by name, it is an operand.
    APInt flag;
    isVolatile = !matchPattern(op->getOperand(3), m_ConstantInt(&flag)) ||
                 !flag.isZero();
    what = "copy";
  } else if (isVolatileBufferAccess(op, name)) {
    return refuse("volatile", "'" + name + "' may be volatile");
  }
  bool ordered = ordering != LLVM::AtomicOrdering::not_atomic;
  if (!isVolatile && !ordered)
    return std::nullopt;
  bool global = false;
  for (Value operand : op->getOperands())
    global |= mayBeGlobal(operand);
  if (!global)
    return std::nullopt;
  std::string code =
      isVolatile ? std::string("volatile") : ("atomic-" + what).str();
  return refuse(code, "the " + what + " is " +
                          (isVolatile ? "volatile" : "atomic") +
                          ": it may wait for, or signal to, another workgroup");
}

/// Copies to several workgroups of one cluster hide in an optional operand.
static bool isMulticast(Operation *op) {
  if (auto copy = dyn_cast<NVVM::CpAsyncBulkGlobalToSharedClusterOp>(op))
    return bool(copy.getMulticastMask());
  if (auto copy = dyn_cast<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(op))
    return bool(copy.getMulticastMask());
  return false;
}

/// True for a call of a function without a body that is no intrinsic.
static bool isFunction(Operation *op, StringRef name) {
  return isa<CallOpInterface>(op) && !name.starts_with("llvm.") &&
         !name.starts_with("nvvm.") && !name.starts_with("rocdl.");
}

/// A function of a library that is handed global memory may write there.
static bool isHandedMemory(Operation *op) {
  return llvm::any_of(op->getOperands(), mayBeGlobal);
}

//===----------------------------------------------------------------------===//
// Operations without a row
//===----------------------------------------------------------------------===//

/// LLVM's name for `name`, "nvvm.x" or "llvm.intr.x", if it is an intrinsic.
static std::string intrinsicName(StringRef name) {
  if (name.consume_front("nvvm."))
    return ("llvm.nvvm." + name).str();
  if (name.consume_front("rocdl."))
    return ("llvm.amdgcn." + name).str();
  if (name.consume_front("llvm.intr."))
    return ("llvm." + name).str();
  return "";
}

/// True if LLVM says of the intrinsic that it touches no memory, and it has an
/// operand that it can be a function of: what has none reads a register.
static bool isPureIntrinsic(Operation *op, StringRef name) {
  std::string full = intrinsicName(name);
  if (full.empty() || op->getNumOperands() == 0)
    return false;
  llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(full);
  if (id == llvm::Intrinsic::not_intrinsic)
    return false;
  llvm::LLVMContext context;
  llvm::AttributeSet attributes =
      llvm::Intrinsic::getFnAttributes(context, id);
  return attributes.getMemoryEffects().doesNotAccessMemory() &&
         llvm::any_of(op->getOperands(), [](Value operand) {
           return !matchPattern(operand, m_Constant());
         });
}

static OperationEffect classifyUnknown(Operation *op, StringRef name) {
  bool pointers = llvm::any_of(op->getOperandTypes(), [](Type type) {
    return isa<LLVM::LLVMPointerType>(getElementTypeOrSelf(type));
  });
  bool isLlvm = isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect());
  bool plain = isLlvm && !isa<LLVM::CallOp, LLVM::CallIntrinsicOp>(op);
  if ((plain && isMemoryEffectFree(op)) ||
      (!pointers && isPureIntrinsic(op, name)))
    return {};
  if (isFunction(op, name))
    return refuse("unknown-callee",
                  "'" + name +
                      "' has no body here, so that it may read a workgroup id "
                      "or touch any memory");
  return refuse("unknown-effect", "'" + name + "' is not known to be harmless");
}

OperationEffect classify(Operation *op) {
  std::string name = canonicalName(op);
  bool isCall = isa<CallOpInterface>(op);
  const OperationRow *row = findRow(name, isCall);
  if (!row)
    return classifyUnknown(op, name);
  OperationEffect effect;
  effect.kind = row->kind;
  effect.access = row->access;
  effect.bitStable = row->bitStable;
  effect.isFree = row->isFree;
  effect.read = row->read;
  effect.code = row->code.str();
  if (row->kind == OperationKind::Refused) {
    effect.reason = ("'" + name + "' " + row->reason).str();
    return effect;
  }
  bool touches =
      row->kind == OperationKind::Access || row->kind == OperationKind::Atomic;
  if (!touches) {
    bool writes = isFunction(op, name) && row->kind == OperationKind::Pure &&
                  isHandedMemory(op);
    return writes
               ? refuse("unknown-callee", "'" + StringRef(name) +
                                              "' has no body and is handed "
                                              "global memory")
               : effect;
  }
  std::optional<OperationEffect> refused;
  if (isMulticast(op))
    refused = refuse("cluster", "'" + StringRef(name) +
                                    "' copies to other workgroups of a cluster");
  if (!refused)
    refused = refuseOrdered(op, name);
  if (!refused && row->kind == OperationKind::Atomic)
    refused = refuseUpdate(op, name);
  if (refused) {
    // Its addresses are known all the same.
    refused->access = row->access;
    refused->read = row->read;
    return *refused;
  }
  if (row->kind == OperationKind::Atomic) {
    if (isa<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(op)) {
      std::string update = updateOf(op);
      effect.bitStable = !StringRef(update).starts_with("f");
    }
  }
  return effect;
}

} // namespace swizzle
