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

#include "../Handlers.h"
#include "Rows.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"

using namespace mlir;

namespace swizzle::analysis {

static constexpr OperationRow kLlvmRows[] = {
    {"llvm.call", OperationKind::Calls},
    REFUSED("llvm.inline_asm", "inline-asm",
            "may read a workgroup id or touch any memory"),
    REFUSED("llvm.invoke", "indirect-call", "may reach any function"),
    REFUSED("llvm.intr.readcyclecounter llvm.intr.readsteadycounter", "clock",
            "reads a clock, so that the result depends on when the workgroup "
            "runs"),
    VALUE("llvm.getelementptr", readAddress),
    FREE("llvm.addrspacecast llvm.inttoptr llvm.ptrtoint "
         "llvm.intr.launder.* llvm.intr.ptr.annotation",
         Pure, readCast),
    FREE("llvm.bitcast", Pure, readBitCast),
    VALUE("llvm.intr.vector.reduce.add llvm.intr.vector.reduce.mul "
          "llvm.intr.vector.reduce.smin llvm.intr.vector.reduce.smax "
          "llvm.intr.vector.reduce.umin llvm.intr.vector.reduce.umax",
          readReduction),
    FREE("llvm.mlir.addressof", Pure, readGlobal),
    FREE("llvm.alloca", Pure, readAllocation),
    FREE("llvm.mlir.constant llvm.trunc", Pure, nullptr),
    FREE("llvm.mlir.undef llvm.mlir.poison", Pure, readUndefined),
    FREE("llvm.mlir.zero", Pure, readZero),
    FREE("llvm.freeze", Pure, readFreeze),
    FREE("llvm.intr.expect llvm.intr.expect.with.probability", Pure,
         readExpected),
    FREE("llvm.insertvalue", Pure, readInsertValue),
    FREE("llvm.extractvalue", Pure, readExtractValue),
    FREE("llvm.insertelement", Pure, readInsertElement),
    FREE("llvm.extractelement", Pure, readExtractElement),
    FREE("llvm.shufflevector", Pure, readShuffle),
    FREE("llvm.intr.lifetime.* llvm.intr.assume llvm.intr.dbg.* "
         "llvm.intr.invariant.* llvm.intr.stacksave llvm.intr.stackrestore "
         "llvm.intr.experimental.noalias.scope.decl llvm.intr.annotation "
         "llvm.intr.var.annotation llvm.intr.fake.use",
         Local, nullptr),
    UPDATE("llvm.atomicrmw llvm.cmpxchg", readPlainAccess),
    ACCESS("llvm.load", Read, readPlainAccess),
    ACCESS("llvm.store", Write, readPlainAccess),
    ACCESS("llvm.intr.memcpy* llvm.intr.memmove", Write, readCopy),
    ACCESS("llvm.intr.memset*", Write, readFill),
    ACCESS("llvm.intr.masked.load", Read, readMaskedLoad),
    ACCESS("llvm.intr.masked.store", Write, readMaskedStore),
    ACCESS("llvm.intr.masked.gather", Read, readGather),
    ACCESS("llvm.intr.masked.scatter", Write, readScatter),
    ACCESS("llvm.intr.masked.expandload llvm.intr.vp.load", Read, nullptr),
    ACCESS("llvm.intr.masked.compressstore llvm.intr.vp.store", Write, nullptr),
    PRINTS("llvm.intr.trap llvm.intr.ubsantrap llvm.intr.debugtrap"),
    LOCAL("llvm.fence llvm.br llvm.cond_br llvm.switch llvm.return "
          "llvm.unreachable llvm.intr.prefetch"),
};

llvm::ArrayRef<OperationRow> llvmRows() { return kLlvmRows; }

/// What was put into a record where `extract` takes it out; null if that is not
/// told.
static Value insertedValue(LLVM::ExtractValueOp extract) {
  Value record = extract.getContainer();
  while (auto insert = record.getDefiningOp<LLVM::InsertValueOp>()) {
    if (insert.getPosition() == extract.getPosition())
      return insert.getValue();
    llvm::ArrayRef<int64_t> one = insert.getPosition(),
                            other = extract.getPosition();
    size_t shared = std::min(one.size(), other.size());
    if (one.take_front(shared) == other.take_front(shared))
      return Value(); // a part of it, or more
    record = insert.getContainer();
  }
  return Value();
}

Value rootOf(Value memory) {
  while (Operation *op = memory.getDefiningOp()) {
    if (auto extract = dyn_cast<LLVM::ExtractValueOp>(op))
      if (Value inserted = insertedValue(extract)) {
        memory = inserted;
        continue;
      }
    if (!isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op) &&
        canonicalName(op) != "rocdl.make.buffer.rsrc")
      break;
    memory = op->getOperand(0);
  }
  return memory;
}

Value withoutSpace(Value pointer) {
  while (isa_and_nonnull<LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(
      pointer.getDefiningOp()))
    pointer = pointer.getDefiningOp()->getOperand(0);
  return pointer;
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

static bool matchesOne(StringRef pattern, StringRef name) {
  auto [begin, rest] = pattern.split('*');
  if (begin.size() == pattern.size())
    return name == pattern;
  if (!name.consume_front(begin))
    return false;
  for (size_t at = 0; !rest.empty() && at <= name.size(); ++at)
    if (matchesOne(rest, name.drop_front(at)))
      return true;
  return rest.empty();
}

bool matches(StringRef patterns, StringRef name) {
  while (!patterns.empty()) {
    auto [pattern, others] = patterns.split(' ');
    if (matchesOne(pattern, name))
      return true;
    patterns = others;
  }
  return false;
}

static const OperationRow *findRow(Operation *op, StringRef name) {
  llvm::ArrayRef<OperationRow> rows;
  if (name.starts_with("llvm."))
    rows = kLlvmRows;
  else if (name.starts_with("nvvm.") || name.starts_with("rocdl."))
    rows = vendorRows();
  else if (isa<CallOpInterface>(op))
    rows = functionRows();
  for (const OperationRow &row : rows)
    if (matches(row.pattern, name))
      return &row;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// What depends on the operation at hand
//===----------------------------------------------------------------------===//

/// Bit 31 of what an access of a buffer resource, or a copy to workgroup
/// memory, has as its last operand, or as `aux`, makes it volatile.
static bool isVolatileBufferAccess(Operation *op, StringRef name) {
  bool isCopy = name.contains(".lds") && !name.starts_with("rocdl.ds.");
  if (!name.starts_with("rocdl.raw.") && !name.starts_with("rocdl.struct.") &&
      !isCopy)
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

/// True if an operand may point to global memory.
static bool isHandedMemory(Operation *op) {
  return llvm::any_of(op->getOperands(), [](Value operand) {
    return mayBeGlobal(operand) ||
           isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(operand.getType());
  });
}

/// Loads and stores that may wait for, or signal to, another workgroup.
static std::optional<OperationEffect> refuseOrdered(Operation *op,
                                                    StringRef name) {
  bool isVolatile = false, ordered = false;
  StringRef what = "copy";
  if (std::optional<MemoryInstruction> plain = asMemoryInstruction(op)) {
    isVolatile = plain->isVolatile;
    ordered = plain->ordered;
    what = plain->what;
  } else if (auto flag = op->getAttrOfType<IntegerAttr>("isVolatile")) {
    isVolatile = !flag.getValue().isZero();
  } else if (name.starts_with("llvm.intr.mem") && op->getNumOperands() > 3) {
    // Called by name, it is an operand.
    APInt flag;
    isVolatile = !matchPattern(op->getOperand(3), m_ConstantInt(&flag)) ||
                 !flag.isZero();
  } else if (isVolatileBufferAccess(op, name)) {
    return refuse("volatile", "'" + name + "' may be volatile");
  }
  if (!isVolatile && !ordered)
    return std::nullopt;
  if (!isHandedMemory(op))
    return std::nullopt;
  std::string code =
      isVolatile ? std::string("volatile") : ("atomic-" + what).str();
  return refuse(code, "the " + what + " is " +
                          (isVolatile ? "volatile" : "atomic") +
                          ": it may wait for, or signal to, another workgroup");
}

/// True for a call of a function without a body that is no intrinsic.
static bool isFunction(Operation *op, StringRef name) {
  return isa<CallOpInterface>(op) && !name.starts_with("llvm.") &&
         !name.starts_with("nvvm.") && !name.starts_with("rocdl.");
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
/// operand that it can be a function of: what has none, or only one that the
/// instruction itself holds, reads a register.
static bool isPureIntrinsic(Operation *op, StringRef name) {
  std::string full = intrinsicName(name);
  if (full.empty() || op->getNumOperands() == 0)
    return false;
  llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(full);
  // Those of other targets than the vendors' may well read an id.
  if (id == llvm::Intrinsic::not_intrinsic ||
      (name.starts_with("llvm.intr.") &&
       llvm::Intrinsic::isTargetIntrinsic(id)))
    return false;
  llvm::LLVMContext context;
  if (!llvm::Intrinsic::getFnAttributes(context, id)
           .getMemoryEffects()
           .doesNotAccessMemory())
    return false;
  // Which operands have to be constants does not hang on types, of which LLVM
  // wants to see some all the same, as many as any intrinsic has.
  constexpr unsigned mostOperands = 64;
  llvm::Type *number = llvm::Type::getInt64Ty(context);
  llvm::SmallVector<llvm::Type *> operands(
      std::max(mostOperands, op->getNumOperands()), number);
  llvm::AttributeList attributes = llvm::Intrinsic::getAttributes(
      context, id, llvm::FunctionType::get(number, operands, false));
  return llvm::any_of(llvm::seq(op->getNumOperands()), [&](unsigned index) {
    return !attributes.hasParamAttr(index, llvm::Attribute::ImmArg);
  });
}

/// True for a new rounding mode, which a wave has to itself; the other
/// registers of the hardware are not known.
static bool setsMode(Operation *op, StringRef name) {
  constexpr unsigned kMode = 1, kNumberBits = 6;
  APInt which;
  return name == "rocdl.s.setreg" && op->getNumOperands() > 0 &&
         matchPattern(op->getOperand(0), m_ConstantInt(&which)) &&
         which.getLoBits(kNumberBits) == kMode;
}

static OperationEffect classifyUnknown(Operation *op, StringRef name) {
  if (setsMode(op, name)) {
    OperationEffect effect;
    effect.kind = OperationKind::Local;
    return effect;
  }
  bool pointers = llvm::any_of(op->getOperandTypes(), [](Type type) {
    return isa<LLVM::LLVMPointerType>(getElementTypeOrSelf(type));
  });
  bool isLlvm = isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect());
  bool plain = isLlvm && !isa<LLVM::CallOp, LLVM::CallIntrinsicOp>(op);
  if ((plain && isMemoryEffectFree(op)) ||
      (!pointers && isPureIntrinsic(op, name)))
    return {};
  if (isFunction(op, name))
    return refuse(
        "unknown-callee",
        "'" + name + "' has no body here" + adviseToLink(op, name) +
            ", so that it may read a workgroup id or touch any memory");
  return refuse("unknown-effect", "'" + name + "' is not known to be harmless");
}

OperationEffect classify(Operation *op) {
  std::string name = canonicalName(op);
  const OperationRow *row = findRow(op, name);
  if (!row || isOfNoMathLibrary(name))
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
    if (row->code == "id-helper" && isOfLlvmIr(op))
      effect.reason =
          "'" + name +
          "' returns a workgroup id; link the device libraries (drop "
          "-nogpulib), or use __builtin_amdgcn_workgroup_id_x() or "
          "blockIdx.x";
    return effect;
  }
  if (name == "malloc" && isLookedAt(op->getResult(0)))
    return refuse("atomic-result-used",
                  "the address that 'malloc' returns is compared or kept, and "
                  "it depends on the order of workgroups");
  std::string cluster = whyCluster(op, name, row->kind);
  if (row->kind == OperationKind::Access ||
      row->kind == OperationKind::Atomic) {
    std::optional<OperationEffect> refused = refuseOrdered(op, name);
    if (!cluster.empty())
      refused = refuse("cluster", cluster);
    if (!refused && row->kind == OperationKind::Atomic)
      refused = refuseUpdate(op, name);
    if (refused) {
      // Its addresses are known all the same.
      refused->access = row->access;
      refused->read = row->read;
      return *refused;
    }
    // In memory of the workgroup's own, the order stays what it was.
    if (isa<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(op))
      effect.bitStable = !StringRef(updateOf(op)).starts_with("f") ||
                         !mayBeGlobal(op->getOperand(0));
  } else if (!cluster.empty()) {
    return refuse("cluster", cluster);
  } else if (row->kind == OperationKind::Pure && isFunction(op, name) &&
             isHandedMemory(op)) {
    // A function of a library may write there.
    return refuse("unknown-callee", "'" + StringRef(name) + "' has no body" +
                                        adviseToLink(op, name) +
                                        " and is handed global memory");
  }
  return effect;
}

} // namespace swizzle::analysis
