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
//   atomicrmw xchg %p, %v : i32      "": the last one counts
//
//===----------------------------------------------------------------------===//

#include "ExchangeLoop.h"
#include "Operations.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;

namespace swizzle {

OperationEffect refuse(StringRef code, const Twine &reason) {
  OperationEffect effect;
  effect.kind = OperationKind::Refused;
  effect.access = AccessKind::Write;
  effect.code = code.str();
  effect.reason = reason.str();
  return effect;
}

static std::string withType(StringRef name, Type type) {
  std::string text = name.str() + ".";
  llvm::raw_string_ostream(text) << type;
  return text;
}

static StringRef updateOf(LLVM::AtomicBinOp operation) {
  using Kind = LLVM::AtomicBinOp;
  switch (operation) {
  case Kind::add:
  case Kind::sub: // adds the opposite
    return "add";
  case Kind::_and:
  case Kind::_or:
  case Kind::_xor:
  case Kind::max:
  case Kind::min:
  case Kind::umax:
  case Kind::umin:
  case Kind::fmax:
  case Kind::fmin:
  case Kind::fmaximum:
  case Kind::fminimum:
    return LLVM::stringifyAtomicBinOp(operation);
  case Kind::fadd:
  case Kind::fsub:
    return "fadd";
  default:
    return "";
  }
}

/// The name that atomicrmw has for an update of AMD's buffers.
static StringRef bufferUpdate(StringRef name) {
  StringRef operation = name.rsplit('.').second;
  if (operation == "sub")
    return "add";
  if (operation == "smax" || operation == "smin")
    return operation.drop_front();
  for (StringRef known : {"add", "umax", "umin", "and", "or", "xor", "fadd",
                          "fmax", "fmin"})
    if (operation == known)
      return operation == "and"   ? "_and"
             : operation == "or"  ? "_or"
             : operation == "xor" ? "_xor"
                                  : operation;
  return "";
}

/// Reductions by a tensor map: what is updated is said by the map.
static std::string tensorUpdate(NVVM::CpAsyncBulkTensorReduceOp op) {
  NVVM::TMAReduxKind kind = op.getRedKind();
  if (kind == NVVM::TMAReduxKind::INC || kind == NVVM::TMAReduxKind::DEC)
    return "";
  std::string text =
      ("tensor map " + NVVM::stringifyTMAReduxKind(kind)).str();
  Value map = rootOf(op.getTmaDescriptor());
  if (auto argument = dyn_cast<BlockArgument>(map))
    return text + " of argument " + std::to_string(argument.getArgNumber());
  return withType(text, map.getType());
}

std::string tensorUpdate(Operation *op, Type element) {
  auto reduction = cast<NVVM::CpAsyncBulkTensorReduceOp>(op);
  return withType(
      ("tensor map " + NVVM::stringifyTMAReduxKind(reduction.getRedKind()))
          .str(),
      element);
}

std::string updateOf(Operation *op) {
  if (auto atomic = dyn_cast<LLVM::AtomicRMWOp>(op)) {
    StringRef name = updateOf(atomic.getBinOp());
    return name.empty() ? "" : withType(name, atomic.getVal().getType());
  }
  if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op)) {
    std::optional<ExchangeLoop> loop = asExchangeLoop(exchange);
    return loop ? loop->update : "";
  }
  if (auto reduction = dyn_cast<NVVM::CpAsyncBulkTensorReduceOp>(op))
    return tensorUpdate(reduction);
  std::string name = canonicalName(op);
  if (!StringRef(name).contains(".buffer.atomic."))
    return "";
  StringRef operation = bufferUpdate(name);
  return operation.empty() ? ""
                           : withType(operation, op->getOperand(0).getType());
}

/// The memory that an update goes to, as far as an operand says.
static Value updatedMemory(Operation *op) {
  if (auto atomic = dyn_cast<LLVM::AtomicRMWOp>(op))
    return atomic.getPtr();
  if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op))
    return exchange.getPtr();
  return Value();
}

/// Scopes in which an update is one step for all workgroups.
static bool isDeviceWide(std::optional<StringRef> scope) {
  if (!scope)
    return true;
  for (StringRef wide :
       {"", "one-as", "agent", "agent-one-as", "device", "system"})
    if (*scope == wide)
      return true;
  return false;
}

static std::optional<StringRef> scopeOf(Operation *op) {
  if (auto atomic = dyn_cast<LLVM::AtomicRMWOp>(op))
    return atomic.getSyncscope();
  if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op))
    return exchange.getSyncscope();
  return std::nullopt;
}

/// True for an update that may begin inside a word that another one updates:
/// one that is told to be aligned to less than its width.
static bool isMisaligned(Operation *op) {
  std::optional<uint64_t> alignment;
  Type type;
  if (auto atomic = dyn_cast<LLVM::AtomicRMWOp>(op)) {
    alignment = atomic.getAlignment();
    type = atomic.getVal().getType();
  } else if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op)) {
    alignment = exchange.getAlignment();
    type = exchange.getVal().getType();
  }
  return alignment &&
         *alignment < DataLayout::closest(op).getTypeSize(type).getFixedValue();
}

std::optional<OperationEffect> refuseUpdate(Operation *op, StringRef name) {
  Value memory = updatedMemory(op);
  if (memory && !mayBeGlobal(memory))
    return std::nullopt;
  if (std::optional<StringRef> scope = scopeOf(op); !isDeviceWide(scope))
    return refuse("atomic-scope",
                  "the atomic " + name + " has the scope '" + *scope +
                      "', in which updates by other workgroups can get lost");
  if (isMisaligned(op))
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
  if (updateOf(op).empty())
    return refuse("atomic-not-commutative",
                  "the atomic " + name +
                      " does not commute, so that the result depends on the "
                      "order of workgroups");
  return std::nullopt;
}

} // namespace swizzle
