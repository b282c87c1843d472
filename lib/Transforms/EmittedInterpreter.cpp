//===- EmittedInterpreter.cpp - Runs emitted operations -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles operations to steps, and runs the steps and loops among them; what
// one step computes is in EmittedSteps.cpp. `index` counts as 64 bits wide.
//
//===----------------------------------------------------------------------===//

#include "EmittedInterpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

namespace swizzle {

using namespace mlir;

static unsigned widthOf(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

static uint64_t truncate(uint64_t value, unsigned width) {
  return width >= 64 ? value : value & llvm::maskTrailingOnes<uint64_t>(width);
}

static llvm::Error unknownOperation(Operation *op) {
  return llvm::createStringError("'%s' is not an operation that emission makes",
                                 op->getName().getStringRef().str().c_str());
}

EmittedInterpreter::Slot EmittedInterpreter::define(Value value) {
  bool wide = widthOf(value.getType()) > 32;
  auto [entry, inserted] =
      slots.try_emplace(value, Slot{numColumns[wide], wide});
  numColumns[wide] += inserted;
  return entry->second;
}

llvm::Expected<EmittedInterpreter::Slot>
EmittedInterpreter::slotOf(Value value) {
  auto found = slots.find(value);
  if (found == slots.end())
    return llvm::createStringError(
        "an emitted operation depends on a value that is neither an id nor an "
        "extent");
  return found->second;
}

llvm::Expected<EmittedInterpreter>
EmittedInterpreter::compile(llvm::ArrayRef<Value> inputs,
                            llvm::ArrayRef<Value> outputs) {
  EmittedInterpreter result;
  result.program = std::make_shared<Steps>();
  for (Value input : inputs) {
    if (!input.getType().isIndex())
      return llvm::createStringError("an id or an extent is not an index");
    result.inputSlots.push_back(result.define(input));
  }

  // Whatever the outputs need, in the order of the block.
  llvm::SetVector<Operation *> needed;
  std::vector<Value> stack(outputs.begin(), outputs.end());
  auto need = [&](Value value) {
    if (!result.slots.count(value))
      stack.push_back(value);
  };
  while (!stack.empty()) {
    Value value = stack.back();
    stack.pop_back();
    Operation *op = value.getDefiningOp();
    if (result.slots.count(value) || !op || !needed.insert(op))
      continue;
    for (Value operand : op->getOperands())
      need(operand);
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (nested != op &&
            !op->isAncestor(operand.getParentBlock()->getParentOp()))
          need(operand);
    });
  }
  std::vector<Operation *> order(needed.begin(), needed.end());
  for (Operation *op : order)
    if (op->getBlock() != order.front()->getBlock())
      return llvm::createStringError(
          "the emitted operations do not stand in one block");
  std::sort(order.begin(), order.end(),
            [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : order)
    if (llvm::Error error = result.compileOp(op, *result.program))
      return error;
  for (Value output : outputs) {
    llvm::Expected<Slot> slot = result.slotOf(output);
    if (!slot)
      return slot.takeError();
    if (!output.getType().isIndex())
      return llvm::createStringError("a new id is not an index");
    result.outputSlots.push_back(*slot);
  }
  result.narrowLanes.assign(result.numColumns[0] * batchSize, 0);
  result.wideLanes.assign(result.numColumns[1] * batchSize, 0);
  result.fillConstants();
  return result;
}

/// Nothing else writes the columns of constants, so that once is enough.
void EmittedInterpreter::fillConstants() {
  for (auto [slot, value] : constants)
    if (slot.wide)
      std::fill_n(lanes<uint64_t>(slot), batchSize, value);
    else
      std::fill_n(lanes<uint32_t>(slot), batchSize, uint32_t(value));
}

/// What an operation computes, if it is one that emission makes.
static std::optional<EmittedInterpreter::Step::Kind> kindOf(Operation *op) {
  using Kind = EmittedInterpreter::Step::Kind;
  return llvm::TypeSwitch<Operation *, std::optional<Kind>>(op)
      .Case<arith::AddIOp>([](auto) { return Kind::Add; })
      .Case<arith::SubIOp>([](auto) { return Kind::Sub; })
      .Case<arith::MulIOp>([](auto) { return Kind::Mul; })
      .Case<arith::MulUIExtendedOp>([](auto) { return Kind::MulExtended; })
      .Case<arith::DivUIOp>([](auto) { return Kind::DivU; })
      .Case<arith::RemUIOp>([](auto) { return Kind::RemU; })
      .Case<arith::DivSIOp>([](auto) { return Kind::DivS; })
      .Case<arith::RemSIOp>([](auto) { return Kind::RemS; })
      .Case<arith::ShLIOp>([](auto) { return Kind::Shl; })
      .Case<arith::ShRUIOp>([](auto) { return Kind::ShrU; })
      .Case<arith::ShRSIOp>([](auto) { return Kind::ShrS; })
      .Case<arith::AndIOp>([](auto) { return Kind::And; })
      .Case<arith::OrIOp>([](auto) { return Kind::Or; })
      .Case<arith::XOrIOp>([](auto) { return Kind::Xor; })
      .Case<arith::MinUIOp>([](auto) { return Kind::MinU; })
      .Case<arith::MaxUIOp>([](auto) { return Kind::MaxU; })
      .Case<arith::MinSIOp>([](auto) { return Kind::MinS; })
      .Case<arith::MaxSIOp>([](auto) { return Kind::MaxS; })
      .Case<arith::CmpIOp>([](auto) { return Kind::Compare; })
      .Case<arith::SelectOp>([](auto) { return Kind::Select; })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp, arith::TruncIOp>(
          [](auto) { return Kind::Convert; })
      .Case<arith::ExtSIOp, arith::IndexCastOp>(
          [](auto) { return Kind::ConvertSigned; })
      .Default([](Operation *) { return std::nullopt; });
}

llvm::Error EmittedInterpreter::compileOp(Operation *op, Steps &steps) {
  if (isa<scf::ForOp>(op))
    return compileLoop(op, steps);
  if (!isa<arith::ArithDialect>(op->getDialect()) || op->getNumRegions())
    return unknownOperation(op);
  for (Type type : op->getResultTypes())
    if (!type.isIndex() && !type.isSignlessInteger())
      return unknownOperation(op);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto attribute = dyn_cast<IntegerAttr>(constant.getValue());
    if (!attribute)
      return unknownOperation(op);
    unsigned width = widthOf(constant.getType());
    uint64_t value = truncate(attribute.getValue().getSExtValue(), width);
    StepKey key = {~uint64_t(0), value, width};
    auto [entry, inserted] = known.try_emplace(key);
    if (inserted) {
      entry->second.push_back(define(constant));
      constants.emplace_back(entry->second.front(), value);
    }
    slots[constant] = entry->second.front();
    return llvm::Error::success();
  }
  std::optional<Step::Kind> kind = kindOf(op);
  if (!kind)
    return unknownOperation(op);
  Step step;
  step.kind = *kind;
  step.op = op;
  for (Value operand : op->getOperands()) {
    llvm::Expected<Slot> slot = slotOf(operand);
    if (!slot)
      return slot.takeError();
    step.operands.push_back(*slot);
  }
  step.width = widthOf(op->getOperand(op->getNumOperands() - 1).getType());
  step.resultWidth = widthOf(op->getResult(0).getType());
  if (auto overflow = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op)) {
    step.noSignedWrap = overflow.hasNoSignedWrap();
    step.noUnsignedWrap = overflow.hasNoUnsignedWrap();
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    step.predicate = static_cast<int>(compare.getPredicate());
  APInt amount;
  if (op->getNumOperands() == 2 &&
      matchPattern(op->getOperand(1), m_ConstantInt(&amount)))
    step.amount = truncate(amount.getZExtValue(), step.width);

  StepKey key = {uint64_t(step.kind), step.width,
                 step.resultWidth,    step.noSignedWrap,
                 step.noUnsignedWrap, uint64_t(step.predicate)};
  for (Slot slot : step.operands)
    key.push_back(uint64_t(slot.column) * 2 + slot.wide);
  auto [entry, inserted] = known.try_emplace(std::move(key));
  if (!inserted) {
    for (auto [value, slot] : llvm::zip_equal(op->getResults(), entry->second))
      slots[value] = slot;
    return llvm::Error::success();
  }
  for (Value result : op->getResults())
    step.results.push_back(define(result));
  entry->second = step.results;
  steps.push_back(std::move(step));
  return llvm::Error::success();
}

llvm::Error EmittedInterpreter::compileLoop(Operation *op, Steps &steps) {
  auto loop = cast<scf::ForOp>(op);
  APInt lower, upper, stride;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&stride)))
    return llvm::createStringError("an emitted loop has no constant bounds");
  Step step;
  step.op = op;
  step.lower = lower.getSExtValue();
  step.upper = upper.getSExtValue();
  step.stride = stride.getSExtValue();
  if (step.stride <= 0 || (step.upper - step.lower) / step.stride > 64)
    return llvm::createStringError("an emitted loop is not short");
  for (Value init : loop.getInitArgs()) {
    llvm::Expected<Slot> slot = slotOf(init);
    if (!slot)
      return slot.takeError();
    step.operands.push_back(*slot);
  }
  for (Value argument : loop.getBody()->getArguments())
    step.arguments.push_back(define(argument));
  step.width = widthOf(loop.getInductionVar().getType());
  // What the body computes is known in the body only.
  auto knownBefore = known;
  for (Operation &nested : loop.getBody()->without_terminator())
    if (llvm::Error error = compileOp(&nested, step.body))
      return error;
  known = std::move(knownBefore);
  for (Value yielded : loop.getBody()->getTerminator()->getOperands()) {
    llvm::Expected<Slot> slot = slotOf(yielded);
    if (!slot)
      return slot.takeError();
    step.yielded.push_back(*slot);
  }
  for (Value result : op->getResults())
    step.results.push_back(define(result));
  steps.push_back(std::move(step));
  return llvm::Error::success();
}

llvm::MutableArrayRef<uint64_t> EmittedInterpreter::input(unsigned index) {
  return {lanes<uint64_t>(inputSlots[index]), batchSize};
}

llvm::ArrayRef<uint64_t> EmittedInterpreter::output(unsigned index) const {
  return {wideLanes.data() + outputSlots[index].column * batchSize, batchSize};
}

llvm::Error EmittedInterpreter::run(size_t count) {
  return runSteps(*program, count);
}

void EmittedInterpreter::copyLanes(Slot from, Slot to, size_t count) {
  if (from == to)
    return;
  if (from.wide)
    std::copy_n(lanes<uint64_t>(from), count, lanes<uint64_t>(to));
  else
    std::copy_n(lanes<uint32_t>(from), count, lanes<uint32_t>(to));
}

llvm::Error EmittedInterpreter::runSteps(const Steps &steps, size_t count) {
  for (const Step &step : steps) {
    if (step.kind == Step::Kind::Loop) {
      if (llvm::Error error = runLoop(step, count))
        return error;
      continue;
    }
    size_t stopped = runStep(step, count);
    if (stopped == count)
      continue;
    failed = stopped;
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "undefined arithmetic in '" << *step.op << "'";
    return llvm::createStringError(text);
  }
  return llvm::Error::success();
}

llvm::Error EmittedInterpreter::runLoop(const Step &step, size_t count) {
  for (size_t i = 0; i < step.operands.size(); ++i)
    copyLanes(step.operands[i], step.arguments[i + 1], count);
  for (int64_t at = step.lower; at < step.upper; at += step.stride) {
    Slot induction = step.arguments[0];
    if (induction.wide)
      std::fill_n(lanes<uint64_t>(induction), count, uint64_t(at));
    else
      std::fill_n(lanes<uint32_t>(induction), count,
                  uint32_t(truncate(at, step.width)));
    if (llvm::Error error = runSteps(step.body, count))
      return error;
    // A yielded value may be another argument: those are read before any is
    // written.
    std::vector<std::pair<size_t, size_t>> kept;
    for (size_t i = 0; i < step.yielded.size(); ++i) {
      if (!llvm::is_contained(step.arguments, step.yielded[i]))
        continue;
      kept.emplace_back(i, loopLanes.size());
      for (size_t lane = 0; lane < count; ++lane)
        loopLanes.push_back(step.yielded[i].wide
                                ? lanes<uint64_t>(step.yielded[i])[lane]
                                : lanes<uint32_t>(step.yielded[i])[lane]);
    }
    for (size_t i = 0; i < step.yielded.size(); ++i)
      if (!llvm::is_contained(step.arguments, step.yielded[i]))
        copyLanes(step.yielded[i], step.arguments[i + 1], count);
    for (auto [i, start] : kept) {
      const uint64_t *from = loopLanes.data() + start;
      Slot to = step.arguments[i + 1];
      if (to.wide)
        std::copy_n(from, count, lanes<uint64_t>(to));
      else
        std::copy_n(from, count, lanes<uint32_t>(to));
    }
    loopLanes.clear();
  }
  for (size_t i = 0; i < step.results.size(); ++i)
    copyLanes(step.arguments[i + 1], step.results[i], count);
  return llvm::Error::success();
}

} // namespace swizzle
