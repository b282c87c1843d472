//===- Walk.cpp - One operation after another -----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each operation is read as the table says, or its memory is listed as not
// modelled. Calls of functions with a body are read in place; where a pointer
// is one of two, what uses it is read for either.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include <utility>

using namespace mlir;

namespace swizzle::analysis {

/// Calls nest no deeper than this.
static constexpr size_t kMaxCallDepth = 256;

void KernelReader::readBody(Block &block) {
  for (Operation &op : block)
    if (!op.hasTrait<OpTrait::IsTerminator>())
      readOperation(&op);
}

AbstractValues KernelReader::yielded(Operation *terminator) {
  AbstractValues result;
  for (Value value : terminator->getOperands())
    result.push_back(get(value));
  return result;
}

/// Lists the memory that `op`, whose addresses nobody reads, may touch.
static void listOperands(KernelReader &reader, Operation *op,
                         const OperationEffect &effect) {
  reader.met.insert(op);
  bool refused = effect.kind == OperationKind::Refused;
  AccessKind kind = refused ? AccessKind::Write : effect.access;
  std::string why =
      refused ? "it is not known what it does" : "its addresses are not read";
  bool isListed = false;
  for (Value operand : op->getOperands()) {
    if (!isa<LLVM::LLVMPointerType>(operand.getType()))
      continue;
    isListed = true;
    reader.notModelled(op, reader.pointer(operand), kind, why, updateOf(op));
  }
  // Memory that is named by a descriptor.
  if (!isListed && !refused)
    reader.notModelled(op, {}, kind, why, updateOf(op));
}

bool KernelReader::readChoice(Operation *op) {
  for (Value operand : op->getOperands()) {
    AbstractValue choice = get(operand);
    if (choice.kind != AbstractValue::Kind::Choice)
      continue;
    auto side = [&](const AbstractValue &value) {
      set(operand, value);
      readOperation(op);
      AbstractValues results;
      for (Value result : op->getResults())
        results.push_back(get(result));
      return results;
    };
    AbstractValues results = guarded(
        choice.lanes[0], [&] { return side(choice.members[0]); },
        [&] { return side(choice.members[1]); });
    set(operand, choice);
    for (auto [result, value] : llvm::zip(op->getResults(), results))
      set(result, value);
    return true;
  }
  return false;
}

const OperationEffect &KernelReader::effectOf(Operation *op) {
  auto [entry, fresh] = effects.try_emplace(op);
  if (fresh)
    entry->second = classify(op);
  return entry->second;
}

void KernelReader::readOperation(Operation *op) {
  if (!spendWork(op) || isa<LLVM::ConstantOp>(op) || readChoice(op))
    return;
  const OperationEffect effect = effectOf(op);
  if (tests.answer(*this, op))
    return countIssued(op, effect);
  if (effect.read) {
    effect.read(*this, op);
  } else if (effect.kind == OperationKind::Calls) {
    readCall(op);
  } else if (effect.kind != OperationKind::Pure || !readInteger(op)) {
    if (effect.kind == OperationKind::Access ||
        effect.kind == OperationKind::Atomic ||
        effect.kind == OperationKind::Refused)
      listOperands(*this, op, effect);
    readArithmetic(*this, op);
    setUnknown(op, originOf(op, "result of " + describe(op)));
  }
  if (followsTests)
    tests.follow(*this, op);
  countIssued(op, effect);
}

Value KernelReader::passedFor(BlockArgument argument) const {
  Block *block = argument.getOwner();
  if (!block->isEntryBlock())
    return nullptr;
  Operation *function = block->getParentOp();
  if (function == lowered.function.getOperation())
    return argument;
  auto found = llvm::find(callStack, function);
  if (found == callStack.end())
    return nullptr;
  auto call = cast<CallOpInterface>(calls[found - callStack.begin()]);
  return call.getArgOperands()[argument.getArgNumber()];
}

void KernelReader::readCall(Operation *op) {
  met.insert(op);
  auto call = cast<CallOpInterface>(op);
  // Symbols are looked up among all of the module, and a call is read many
  // times.
  auto [resolved, isNew] = callees.try_emplace(op);
  if (bool indirect = false; isNew)
    resolved->second = resolveCallee(call, indirect);
  FunctionOpInterface callee = resolved->second;
  bool known = callee && !callee.isExternal() &&
               callee.getFunctionBody().getNumArguments() ==
                   call.getArgOperands().size();
  // A body that takes other arguments than it is given is not read.
  bool unread = callee && !callee.isExternal() && !known;
  if (unread || (known && callStack.size() >= kMaxCallDepth))
    work = kMaxWork;
  if (known && work < kMaxWork &&
      !llvm::is_contained(callStack, callee.getOperation())) {
    callStack.push_back(callee);
    calls.push_back(op);
    for (auto [argument, operand] : llvm::zip(
             callee.getFunctionBody().getArguments(), call.getArgOperands()))
      set(argument, get(operand));
    // With assumed sizes it matters what this very call leaves out.
    auto before = std::exchange(met, {});
    AbstractValues results = readFunction(callee.getFunctionBody());
    if (!model.assumed.empty() && work < kMaxWork)
      coverCall(callee);
    if (before.size() > met.size())
      std::swap(before, met);
    met.insert(before.begin(), before.end());
    callStack.pop_back();
    calls.pop_back();
    results.resize(op->getNumResults(),
                   AbstractValue::unknown("result of a call"));
    for (auto [result, value] : llvm::zip(op->getResults(), results))
      set(result, value);
    return;
  }
  std::string why = known ? "a recursive call, or calls nested too deeply"
                          : "a call of a function without a body";
  setUnknown(op, why);
  for (Value operand : call.getArgOperands()) {
    AbstractValue value = get(operand);
    if (value.isGlobal())
      notModelled(op, value, AccessKind::Write, why);
  }
}

} // namespace swizzle::analysis
