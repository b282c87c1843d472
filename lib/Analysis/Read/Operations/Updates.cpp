//===- Updates.cpp - Atomic updates, and whether they commute -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Updates of one memory by two workgroups commute if they are the same
// operation on words of one type, if nobody looks at the old value, and if each
// of them is one step for the whole device:
//
//   atomicrmw add %p, %v : i32       "add.i32"
//   atomicrmw sub %p, %v : i32       "add.i32", of the opposite
//   atomicrmw uinc_wrap %p, 7 : i32  "uinc_wrap(7).i32": each does the same
//   atomicrmw xchg %p, %v : i32      "": the last one counts
//
//===----------------------------------------------------------------------===//

#include "Operations.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace swizzle::analysis {

OperationEffect refuse(StringRef code, const Twine &reason) {
  OperationEffect effect;
  effect.kind = OperationKind::Refused;
  effect.access = AccessKind::Write;
  effect.code = code.str();
  effect.reason = reason.str();
  return effect;
}

std::string withType(StringRef name, Type type) {
  std::string text = name.str() + ".";
  llvm::raw_string_ostream(text) << type;
  return text;
}

Value withoutCasts(Value value) {
  while (auto cast = value.getDefiningOp<LLVM::BitcastOp>())
    value = cast.getArg();
  return value;
}

StringRef commutingUpdate(StringRef operation) {
  return llvm::StringSwitch<StringRef>(operation)
      .Cases({"add", "sub"}, "add") // adds the opposite
      .Cases({"fadd", "fsub"}, "fadd")
      .Case("mul", "mul")
      .Case("fmul", "fmul")
      .Cases({"and", "_and"}, "and")
      .Cases({"or", "_or"}, "or")
      .Cases({"xor", "_xor"}, "xor")
      .Cases({"max", "smax"}, "max")
      .Cases({"min", "smin"}, "min")
      .Case("umax", "umax")
      .Case("umin", "umin")
      .Case("usub_sat", "usub_sat") // the sum, down to 0
      .Cases({"fmax", "maxnum"}, "fmax")
      .Cases({"fmin", "minnum"}, "fmin")
      .Cases({"fmaximum", "maximum"}, "fmaximum")
      .Cases({"fminimum", "minimum"}, "fminimum")
      .Default("");
}

/// Reductions by a tensor map: what is updated is said by the map.
static std::string tensorUpdate(NVVM::CpAsyncBulkTensorReduceOp op) {
  NVVM::TMAReduxKind kind = op.getRedKind();
  if (kind == NVVM::TMAReduxKind::INC || kind == NVVM::TMAReduxKind::DEC)
    return "";
  std::string text = ("tensor map " + NVVM::stringifyTMAReduxKind(kind)).str();
  // Maps that lie beside each other in one buffer may be of different types.
  Value map = withoutSpace(op.getTmaDescriptor());
  if (auto argument = dyn_cast<BlockArgument>(map))
    return text + " of argument " + std::to_string(argument.getArgNumber());
  return "";
}

std::string tensorUpdate(Operation *op, Type element) {
  auto reduction = cast<NVVM::CpAsyncBulkTensorReduceOp>(op);
  return withType(
      ("tensor map " + NVVM::stringifyTMAReduxKind(reduction.getRedKind()))
          .str(),
      element);
}

/// A counter that wraps around at a constant: the same function everywhere,
/// which commutes with itself. Empty for other bounds and other updates.
static std::string countingUpdate(LLVM::AtomicRMWOp atomic) {
  LLVM::AtomicBinOp update = atomic.getBinOp();
  auto bound = atomic.getVal().getDefiningOp<LLVM::ConstantOp>();
  auto number = bound ? dyn_cast<IntegerAttr>(bound.getValue()) : nullptr;
  if (!number || (update != LLVM::AtomicBinOp::uinc_wrap &&
                  update != LLVM::AtomicBinOp::udec_wrap))
    return "";
  llvm::SmallString<16> digits;
  number.getValue().toStringUnsigned(digits);
  return (LLVM::stringifyAtomicBinOp(update) + "(" + digits + ")").str();
}

std::string updateOf(Operation *op) {
  if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op)) {
    std::optional<ExchangeLoop> loop = asExchangeLoop(exchange);
    return loop ? loop->update : "";
  }
  if (auto reduction = dyn_cast<NVVM::CpAsyncBulkTensorReduceOp>(op))
    return tensorUpdate(reduction);
  StringRef operation;
  Type type;
  std::string name = canonicalName(op);
  if (auto atomic = dyn_cast<LLVM::AtomicRMWOp>(op)) {
    type = atomic.getVal().getType();
    if (StringRef update = updateBySign(atomic); !update.empty())
      return withType(update, type);
    if (std::string update = countingUpdate(atomic); !update.empty())
      return withType(update, type);
    operation = LLVM::stringifyAtomicBinOp(atomic.getBinOp());
  } else if (StringRef(name).contains(".buffer.atomic.")) {
    operation = StringRef(name).rsplit('.').second;
    type = op->getOperand(0).getType();
  }
  StringRef update = commutingUpdate(operation);
  // Several numbers at once are updated each for itself.
  return update.empty() ? "" : withType(update, getElementTypeOrSelf(type));
}

template <typename Instruction>
static MemoryInstruction describe(Instruction op, AccessKind kind,
                                  StringRef what, Value pointer, Type type) {
  return {kind,
          what,
          pointer,
          type,
          op.getVolatile_(),
          /*ordered=*/false,
          op.getSyncscope(),
          op.getAlignment()};
}

std::optional<MemoryInstruction> asMemoryInstruction(Operation *op) {
  using Result = std::optional<MemoryInstruction>;
  auto isOrdered = [](LLVM::AtomicOrdering ordering) {
    return ordering != LLVM::AtomicOrdering::not_atomic;
  };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](LLVM::LoadOp load) {
        auto result = describe(load, AccessKind::Read, "load", load.getAddr(),
                               load.getType());
        result.ordered = isOrdered(load.getOrdering());
        return result;
      })
      .Case([&](LLVM::StoreOp store) {
        auto result = describe(store, AccessKind::Write, "store",
                               store.getAddr(), store.getValue().getType());
        result.ordered = isOrdered(store.getOrdering());
        return result;
      })
      .Case<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>([](auto atomic) {
        return describe(atomic, AccessKind::Atomic, "atomic", atomic.getPtr(),
                        atomic.getVal().getType());
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// Scopes in which an update is one step for all workgroups.
static bool isDeviceWide(StringRef scope) {
  return llvm::is_contained(
      {"", "one-as", "agent", "agent-one-as", "device", "system"}, scope);
}

std::optional<OperationEffect> refuseUpdate(Operation *op, StringRef name) {
  std::optional<MemoryInstruction> atomic = asMemoryInstruction(op);
  if (atomic && !mayBeGlobal(atomic->pointer))
    return std::nullopt;
  if (atomic && !isDeviceWide(atomic->scope.value_or("")))
    return refuse("atomic-scope",
                  "the atomic " + name + " has the scope '" + *atomic->scope +
                      "', in which updates by other workgroups can get lost");
  // One that may begin inside a word that another one updates.
  if (atomic && atomic->alignment &&
      *atomic->alignment <
          DataLayout::closest(op).getTypeSize(atomic->type).getFixedValue())
    return refuse("atomic-not-commutative",
                  "the atomic " + name +
                      " is aligned to less than its width, so that updates by "
                      "two workgroups may overlap in part, and those do not "
                      "commute");
  auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op);
  std::optional<ExchangeLoop> loop =
      exchange ? asExchangeLoop(exchange) : std::nullopt;
  if (exchange && !loop)
    return refuse("atomic-result-used",
                  "an atomic compare-and-exchange acts on the old value, which "
                  "depends on the order of workgroups");
  if (!exchange && !op->use_empty())
    return refuse("atomic-result-used",
                  "the old value of the atomic " + name +
                      " is used, and it depends on the order of workgroups");
  if (loop && loop->comparesFloats)
    return refuse(
        "atomic-not-commutative",
        "a compare-and-exchange keeps the greater or the lesser of two "
        "floats by a comparison, and which one of NaN or of zeros of "
        "both signs depends on the order of workgroups; a maximum or "
        "minimum such as fmax would commute");
  if (updateOf(op).empty())
    return refuse("atomic-not-commutative",
                  "the atomic " + name +
                      " does not commute, so that the result depends on the "
                      "order of workgroups");
  return std::nullopt;
}

} // namespace swizzle::analysis
