//===- ExchangeLoop.cpp - Updates by compare-and-exchange ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matches the loop block by block and use by use. The new value may be any
// function of the old one; the update commutes with itself if it is one
// commutative and associative operation on the old value and something that is
// not made of it.
//
//===----------------------------------------------------------------------===//

#include "Operations.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace swizzle::analysis {

/// The value of `successors[index]`'s argument `argument` on the edge.
static Value passed(Operation *branch, unsigned successor, unsigned argument) {
  return cast<BranchOpInterface>(branch).getSuccessorOperands(
      successor)[argument];
}

static std::string updateBy(Value fresh, BlockArgument old) {
  Operation *combine = withoutCasts(fresh).getDefiningOp();
  if (!combine || combine->getBlock() != old.getOwner() ||
      combine->getNumOperands() != 2)
    return "";
  StringRef name = combine->getName().getStringRef();
  name.consume_front("llvm.");
  name.consume_front("intr.");
  name = name.ends_with("sub") ? "" : commutingUpdate(name);
  bool first = withoutCasts(combine->getOperand(0)) == old;
  bool second = withoutCasts(combine->getOperand(1)) == old;
  if (name.empty() || first == second)
    return "";
  // Nothing in the block but this may be made of the old value.
  Value other = combine->getOperand(first ? 1 : 0);
  SmallVector<Value> work = {other};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (value == old)
      return "";
    Operation *op = value.getDefiningOp();
    if (op && op->getBlock() == old.getOwner() && seen.insert(op).second)
      llvm::append_range(work, op->getOperands());
  }
  return withType(name, combine->getResult(0).getType());
}

/// True if `fresh` is `old` or another float, whichever is greater, or lesser,
/// by a comparison.
static bool selectsFloat(Value fresh, BlockArgument old) {
  using P = LLVM::FCmpPredicate;
  auto select = withoutCasts(fresh).getDefiningOp<LLVM::SelectOp>();
  auto compare =
      select ? select.getCondition().getDefiningOp<LLVM::FCmpOp>() : nullptr;
  if (!compare || !llvm::is_contained({P::olt, P::ole, P::ogt, P::oge, P::ult,
                                       P::ule, P::ugt, P::uge},
                                      compare.getPredicate()))
    return false;
  Value a = withoutCasts(select.getTrueValue());
  Value b = withoutCasts(select.getFalseValue());
  Value left = withoutCasts(compare.getLhs());
  Value right = withoutCasts(compare.getRhs());
  return (a == old) != (b == old) &&
         ((a == left && b == right) || (a == right && b == left));
}

/// True if `test` says whether the exchange took place: what came back of it,
/// `now`, is what was expected. A weak one may fail all the same.
static bool comparesOld(Operation *test, LLVM::AtomicCmpXchgOp exchange,
                        Value old, Value now, bool loopsIfTrue) {
  auto compare = dyn_cast_or_null<LLVM::ICmpOp>(test);
  if (!compare || exchange.getWeak() ||
      compare.getPredicate() !=
          (loopsIfTrue ? LLVM::ICmpPredicate::ne : LLVM::ICmpPredicate::eq))
    return false;
  Value a = withoutCasts(compare.getLhs()), b = withoutCasts(compare.getRhs());
  return (a == old && b == now) || (a == now && b == old);
}

/// The one load of what is exchanged that `old` is when the loop begins, or
/// null.
static LLVM::LoadOp loadBefore(LLVM::AtomicCmpXchgOp exchange,
                               BlockArgument old) {
  Block *block = exchange->getBlock();
  LLVM::LoadOp only;
  for (Block *before : block->getPredecessors()) {
    if (before == block)
      continue;
    Operation *end = before->getTerminator();
    for (unsigned way = 0; way < end->getNumSuccessors(); ++way) {
      if (end->getSuccessor(way) != block)
        continue;
      Value start = passed(end, way, old.getArgNumber());
      auto load =
          start ? withoutCasts(start).getDefiningOp<LLVM::LoadOp>() : nullptr;
      if (!load || load.getAddr() != exchange.getPtr() || only)
        return nullptr;
      only = load;
    }
  }
  return only;
}

std::optional<ExchangeLoop> asExchangeLoop(LLVM::AtomicCmpXchgOp exchange) {
  ExchangeLoop loop;
  Block *block = exchange->getBlock();
  auto branch = dyn_cast<LLVM::CondBrOp>(block->getTerminator());
  auto old = dyn_cast<BlockArgument>(withoutCasts(exchange.getCmp()));
  if (!branch || !old || old.getOwner() != block ||
      (branch.getTrueDest() == block) == (branch.getFalseDest() == block))
    return std::nullopt;
  bool loopsIfTrue = branch.getTrueDest() == block;
  unsigned back = loopsIfTrue ? 0 : 1;
  Operation *test = branch.getCondition().getDefiningOp();
  // The pair (value, success): success decides, or that the value is the old
  // one, and the value goes round.
  Value now;
  bool isTold = false;
  for (Operation *user : exchange->getUsers()) {
    auto extract = dyn_cast<LLVM::ExtractValueOp>(user);
    if (!extract || extract.getPosition().size() != 1)
      return std::nullopt;
    if (extract.getPosition()[0] == 0)
      now = extract;
    else if (extract != test || loopsIfTrue || !extract->hasOneUse())
      return std::nullopt;
    else
      isTold = true;
  }
  Value again = passed(branch, back, old.getArgNumber());
  if (!now || !again || withoutCasts(again) != now ||
      (!isTold && !(test && test->hasOneUse() &&
                    comparesOld(test, exchange, old, now, loopsIfTrue))))
    return std::nullopt;
  // Nothing else is carried: neither how often it was tried, nor what was there
  // before.
  for (BlockArgument argument : block->getArguments())
    if (argument != old &&
        passed(branch, back, argument.getArgNumber()) != argument)
      return std::nullopt;
  // What came back is not used for anything else.
  Operation *user = branch;
  for (Value value = again; value != exchange.getRes();
       user = value.getDefiningOp(), value = user->getOperand(0))
    if (!llvm::all_of(value.getUsers(), [&](Operation *other) {
          return other == user || other == test;
        }))
      return std::nullopt;
  for (Operation &op : *block)
    if (&op != exchange && &op != branch && !isMemoryEffectFree(&op))
      return std::nullopt;
  // The old value starts as what is there.
  loop.start = loadBefore(exchange, old);
  if (!loop.start)
    return std::nullopt;
  // No value of the iteration leaves the loop, not even as one that is handed
  // on; constants may.
  auto isInside = [&](Operation *op) { return op && op->getBlock() == block; };
  for (Value value : loopsIfTrue ? branch.getFalseDestOperands()
                                 : branch.getTrueDestOperands())
    if (value == old || isInside(value.getDefiningOp()))
      return std::nullopt;
  if (!llvm::all_of(old.getUsers(), isInside))
    return std::nullopt;
  for (Operation &op : *block)
    if (!op.hasTrait<OpTrait::ConstantLike>() &&
        !llvm::all_of(op.getUsers(), isInside))
      return std::nullopt;
  loop.update = updateBy(exchange.getVal(), old);
  loop.comparesFloats = selectsFloat(exchange.getVal(), old);
  return loop;
}

std::optional<ExchangeLoop> asExchangeLoop(Block *block) {
  for (auto exchange : block->getOps<LLVM::AtomicCmpXchgOp>())
    return asExchangeLoop(exchange);
  return std::nullopt;
}

bool startsExchangeLoop(LLVM::LoadOp load) {
  Value value = load.getRes();
  while (value.hasOneUse() && isa<LLVM::BitcastOp>(*value.user_begin()))
    value = (*value.user_begin())->getResult(0);
  if (!value.hasOneUse())
    return false;
  Operation *branch = *value.user_begin();
  for (Block *successor : branch->getSuccessors())
    if (std::optional<ExchangeLoop> loop = asExchangeLoop(successor))
      return loop->start == load;
  return false;
}

} // namespace swizzle::analysis
