//===- ReadEmitted.cpp - Emitted arith, read back -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the operations that stand in the IR, not the list they were made from.
// `index` counts as 64 bits wide.
//
//===----------------------------------------------------------------------===//

#include "ReadEmitted.h"
#include "swizzle/Transforms/Materialize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

namespace swizzle {

using namespace mlir;

namespace {

using Slot = EmittedProgram::Slot;

class Reader {
public:
  llvm::Expected<EmittedProgram> read(ArrayRef<Value> inputs,
                                      ArrayRef<Value> outputs);

private:
  llvm::Expected<llvm::SmallVector<Operation *>>
  findNeeded(ArrayRef<Value> outputs);
  llvm::Error readOp(Operation *op);
  llvm::Error readLoop(scf::ForOp loop);
  llvm::Expected<Slot> slotOf(Value value);
  llvm::Expected<std::vector<Slot>> slotsOf(ValueRange values);

  static std::string describe(EmittedProgram::Origin origin);

  EmittedProgram program{describe};
  llvm::DenseMap<Value, Slot> slots;
};

} // namespace

static unsigned widthOf(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

static llvm::Error unknownOperation(Operation *op) {
  return llvm::createStringError("'%s' is not an operation that emission makes",
                                 op->getName().getStringRef().str().c_str());
}

std::string Reader::describe(EmittedProgram::Origin origin) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << *static_cast<Operation *>(const_cast<void *>(origin));
  return text;
}

llvm::Expected<Slot> Reader::slotOf(Value value) {
  auto found = slots.find(value);
  if (found == slots.end())
    return llvm::createStringError(
        "an emitted operation depends on a value that is neither an id nor an "
        "extent");
  return found->second;
}

llvm::Expected<std::vector<Slot>> Reader::slotsOf(ValueRange values) {
  std::vector<Slot> result;
  for (Value value : values) {
    llvm::Expected<Slot> slot = slotOf(value);
    if (!slot)
      return slot.takeError();
    result.push_back(*slot);
  }
  return result;
}

/// Whatever the outputs need, in the order of the block.
llvm::Expected<llvm::SmallVector<Operation *>>
Reader::findNeeded(ArrayRef<Value> outputs) {
  llvm::SetVector<Operation *> needed;
  std::vector<Value> stack(outputs.begin(), outputs.end());
  auto need = [&](Value value) {
    if (!slots.count(value))
      stack.push_back(value);
  };
  while (!stack.empty()) {
    Value value = stack.back();
    stack.pop_back();
    Operation *op = value.getDefiningOp();
    if (slots.count(value) || !op || !needed.insert(op))
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
  llvm::SmallVector<Operation *> order(needed.begin(), needed.end());
  for (Operation *op : order)
    if (op->getBlock() != order.front()->getBlock())
      return llvm::createStringError(
          "the emitted operations do not stand in one block");
  std::sort(order.begin(), order.end(),
            [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return order;
}

llvm::Expected<EmittedProgram> Reader::read(ArrayRef<Value> inputs,
                                            ArrayRef<Value> outputs) {
  for (Value input : inputs) {
    if (!input.getType().isIndex())
      return llvm::createStringError("an id or an extent is not an index");
    slots[input] = program.addInput();
  }
  llvm::Expected<llvm::SmallVector<Operation *>> needed = findNeeded(outputs);
  if (!needed)
    return needed.takeError();
  for (Operation *op : *needed)
    if (llvm::Error error = readOp(op))
      return error;
  for (Value output : outputs) {
    llvm::Expected<Slot> slot = slotOf(output);
    if (!slot)
      return slot.takeError();
    if (!output.getType().isIndex())
      return llvm::createStringError("a new id is not an index");
    program.addOutput(*slot);
  }
  program.finish();
  return std::move(program);
}

/// What an operation computes, if it is one that emission makes; conversions
/// between index and integers are named by what they do to the sign.
static std::optional<LoweredKind> kindOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<LoweredKind>>(op)
#define SWIZZLE_WRAPPING(kind, arithOp, llvmOp)                                \
  .Case<arith::arithOp>([](auto) { return LoweredKind::kind; })
#define SWIZZLE_BINARY(kind, arithOp, llvmOp)                                  \
  SWIZZLE_WRAPPING(kind, arithOp, llvmOp)
#define SWIZZLE_EXTREME(kind, arithOp, llvmOp)                                 \
  SWIZZLE_WRAPPING(kind, arithOp, llvmOp)
#define SWIZZLE_CONVERSION(kind, arithOp, llvmOp)                              \
  SWIZZLE_WRAPPING(kind, arithOp, llvmOp)
#include "swizzle/Emit/LoweredOps.def"
      .Case<arith::IndexCastUIOp>([](auto) { return LoweredKind::ZExt; })
      .Case<arith::IndexCastOp>([](auto) { return LoweredKind::SExt; })
      .Case<arith::SelectOp>([](auto) { return LoweredKind::Select; })
      .Default([](Operation *) { return std::nullopt; });
}

/// The kind of a comparison, and whether its operands change places.
static std::pair<LoweredKind, bool> kindOf(arith::CmpIPredicate predicate) {
  switch (predicate) {
#define SWIZZLE_COMPARISON(kind, predicate, llvmOp)                            \
  case arith::CmpIPredicate::predicate:                                        \
    return {LoweredKind::kind, false};
#include "swizzle/Emit/LoweredOps.def"
  case arith::CmpIPredicate::sgt:
    return {LoweredKind::CmpSLt, true};
  case arith::CmpIPredicate::sge:
    return {LoweredKind::CmpSLe, true};
  case arith::CmpIPredicate::ugt:
    return {LoweredKind::CmpULt, true};
  case arith::CmpIPredicate::uge:
    return {LoweredKind::CmpULe, true};
  }
  llvm_unreachable("a predicate that arith does not have");
}

llvm::Error Reader::readOp(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return readLoop(loop);
  if (!isa<arith::ArithDialect>(op->getDialect()) || op->getNumRegions())
    return unknownOperation(op);
  for (Type type : op->getResultTypes())
    if (!type.isIndex() && !type.isSignlessInteger())
      return unknownOperation(op);
  Value result = op->getResult(0);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto attribute = dyn_cast<IntegerAttr>(constant.getValue());
    if (!attribute)
      return unknownOperation(op);
    slots[result] = program.addConstant(widthOf(constant.getType()),
                                        attribute.getValue().getSExtValue());
    return llvm::Error::success();
  }
  llvm::Expected<std::vector<Slot>> operands = slotsOf(op->getOperands());
  if (!operands)
    return operands.takeError();
  unsigned width = widthOf(op->getOperands().back().getType());
  unsigned resultWidth = widthOf(result.getType());
  if (isa<arith::MulUIExtendedOp>(op)) {
    slots[result] =
        program.add(LoweredKind::Mul, width, resultWidth, *operands, {}, op);
    slots[op->getResult(1)] =
        program.add(LoweredKind::UMulHi, width, resultWidth, *operands, {}, op);
    return llvm::Error::success();
  }
  std::optional<LoweredKind> kind = kindOf(op);
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    auto [predicate, turned] = kindOf(compare.getPredicate());
    kind = predicate;
    if (turned)
      std::swap((*operands)[0], (*operands)[1]);
  }
  if (!kind)
    return unknownOperation(op);
  Wrapping wrapping;
  if (auto overflow = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    wrapping = {overflow.hasNoSignedWrap(), overflow.hasNoUnsignedWrap()};
  slots[result] =
      program.add(*kind, width, resultWidth, *operands, wrapping, op);
  return llvm::Error::success();
}

llvm::Error Reader::readLoop(scf::ForOp loop) {
  APInt lower, upper, stride;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&stride)))
    return llvm::createStringError("an emitted loop has no constant bounds");
  llvm::Expected<std::vector<Slot>> inits = slotsOf(loop.getInitArgs());
  if (!inits)
    return inits.takeError();
  llvm::Expected<std::vector<Slot>> arguments = program.beginLoop(
      {lower.getSExtValue(), upper.getSExtValue(), stride.getSExtValue(),
       widthOf(loop.getInductionVar().getType())},
      *inits);
  if (!arguments)
    return arguments.takeError();
  for (auto [argument, slot] :
       llvm::zip_equal(loop.getBody()->getArguments(), *arguments))
    slots[argument] = slot;
  for (Operation &nested : loop.getBody()->without_terminator())
    if (llvm::Error error = readOp(&nested))
      return error;
  llvm::Expected<std::vector<Slot>> yielded =
      slotsOf(loop.getBody()->getTerminator()->getOperands());
  if (!yielded)
    return yielded.takeError();
  for (auto [result, slot] :
       llvm::zip_equal(loop.getResults(), program.endLoop(*yielded)))
    slots[result] = slot;
  return llvm::Error::success();
}

llvm::Expected<EmittedProgram> readEmitted(ArrayRef<Value> inputs,
                                           ArrayRef<Value> outputs) {
  return Reader().read(inputs, outputs);
}

llvm::Error checkEmitted(ArrayRef<Value> results, ArrayRef<Value> ids,
                         ArrayRef<Value> extents,
                         const EmittedExpectation &expected) {
  llvm::SmallVector<Value> inputs(ids);
  inputs.append(extents.begin(), extents.end());
  llvm::Expected<EmittedProgram> program = readEmitted(inputs, results);
  if (!program)
    return program.takeError();
  return compareEmitted(*program, expected);
}

} // namespace swizzle
