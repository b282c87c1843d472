//===- DecidedByData.cpp - Who does what, if memory says so ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where nothing but numbers from memory, or what nobody knows of the arguments,
// decides whether a workgroup writes, two may, and of what differs the last one
// counts:
//
//   if (a[i] < 0) last[0] = i;          any may
//   if (a[i] != 0) last[0] = i;         any may
//   if (a[i] & 1) last[0] = i;          any may: of few values, none is rare
//   if (most of a's row < 0) last[0] = i;   any may
//   if (alpha == 0.0f) last[0] = i;     all do, or none
//   if (block == a[0]) last[0] = i;     one does
//   if (rank[i] == k) kth[0] = a[i];    one may, if no two are equal
//   if (a[i] < 0) any[0] = 1;           any may, and all write the same
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "../KernelReader.h"
#include "Sources.h"

#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace swizzle::analysis {

/// A number of so many bits has few values: of any, several workgroups have it.
static constexpr unsigned kFewBits = 8;

/// True for the outcome of a vote, or how many voted for it.
static bool isVote(Operation *op) {
  return isa<LLVM::CtPopOp>(op) ||
         matches("nvvm.vote* rocdl.ballot nvvm.barrier0.* nvvm.barrier*red*",
                 canonicalName(op));
}

/// True for what threads tell each other: a vote, a shuffle.
static bool exchangesLanes(Operation *op) {
  return isVote(op) ||
         matches("nvvm.shfl* nvvm.redux* nvvm.match* "
                 "rocdl.readlane rocdl.readfirstlane rocdl.update.dpp "
                 "rocdl.permlane* rocdl.ds_bpermute rocdl.ds.bpermute "
                 "rocdl.ds_swizzle rocdl.ds.swizzle",
                 canonicalName(op));
}

/// True for a number of few values: of few bits, masked, the rest of a division
/// by little, or the upper few bits of one.
static bool hasFewValues(Value number) {
  if (Operation *op = number.getDefiningOp(); op && isVote(op))
    return true;
  auto type = dyn_cast<IntegerType>(number.getType());
  if (type && type.getWidth() <= kFewBits)
    return true;
  Operation *op = number.getDefiningOp();
  if (isa_and_nonnull<LLVM::ZExtOp, LLVM::SExtOp>(op))
    return hasFewValues(op->getOperand(0));
  APInt by;
  if (!type || !op || op->getNumOperands() < 2 ||
      !matchPattern(op->getOperand(1), m_ConstantInt(&by)))
    return false;
  if (isa<LLVM::AndOp>(op))
    return by.popcount() <= kFewBits;
  if (isa<LLVM::URemOp, LLVM::SRemOp>(op))
    return by.abs().ule(1u << kFewBits);
  return isa<LLVM::LShrOp, LLVM::AShrOp>(op) && by.ult(type.getWidth()) &&
         type.getWidth() - by.getZExtValue() <= kFewBits;
}

/// True for a test that one number of many may pass: that it is equal to another
/// one, or lies between two. `fails`: that it is not.
static bool mayPickOne(Operation *op, bool fails) {
  if (auto compares = dyn_cast<LLVM::ICmpOp>(op))
    return compares.getPredicate() ==
               (fails ? LLVM::ICmpPredicate::ne : LLVM::ICmpPredicate::eq) &&
           !hasFewValues(compares.getLhs());
  if (auto compares = dyn_cast<LLVM::FCmpOp>(op))
    return compares.getPredicate() ==
           (fails ? LLVM::FCmpPredicate::une : LLVM::FCmpPredicate::oeq);
  return false;
}

namespace {
/// How tests are put together.
struct Logic {
  bool asksAll = false, asksAny = false, turns = false;

  void note(Operation *op) {
    if (!op->getNumResults() || !op->getResult(0).getType().isInteger(1))
      return;
    auto select = dyn_cast<LLVM::SelectOp>(op);
    bool isAny = select && matchPattern(select.getTrueValue(), m_Constant());
    asksAny |= isAny || isa<LLVM::OrOp>(op);
    asksAll |= (select && !isAny) || isa<LLVM::AndOp>(op);
    turns |= isa<LLVM::XOrOp>(op);
  }
  /// True if few numbers may pass all that is asked, or if it `fails`: none.
  bool mayPickOne(bool fails) const {
    return turns ? asksAll || asksAny : fails ? asksAny : asksAll;
  }
};
} // namespace

/// The two of `a && b`, or, where that fails, of `a || b`.
static std::optional<std::pair<Value, Value>> partsOf(Value condition,
                                                      bool fails) {
  Operation *op = condition.getDefiningOp();
  if (!condition.getType().isInteger(1))
    return std::nullopt;
  if (fails ? isa_and_nonnull<LLVM::OrOp>(op)
            : isa_and_nonnull<LLVM::AndOp>(op))
    return std::pair(op->getOperand(0), op->getOperand(1));
  auto select = dyn_cast_or_null<LLVM::SelectOp>(op);
  if (!select ||
      !matchPattern(fails ? select.getTrueValue() : select.getFalseValue(),
                    m_Constant()))
    return std::nullopt;
  return std::pair(select.getCondition(),
                   fails ? select.getFalseValue() : select.getTrueValue());
}

namespace {
/// What decides on a condition that is not known: something else, data that
/// workgroups read each for itself, or what is the same for all of them.
enum class DecidedBy : uint8_t { Unclear, OwnData, SharedData };
} // namespace

/// True for a place in global memory, wherever it lies in its buffer.
static bool pointsToGlobal(KernelReader &reader, Value pointer) {
  auto view = reader.pointer(pointer);
  for (auto at = pointer.getDefiningOp<LLVM::GEPOp>(); !view && at;
       at = at.getBase().getDefiningOp<LLVM::GEPOp>())
    view = reader.pointer(at.getBase());
  return view && view->isGlobal();
}

/// What decides on a condition without parts that is not known.
static DecidedBy decidesOn(KernelReader &reader, Value condition, bool fails,
                           const CFGLoopInfo &loops) {
  auto isOpenArgument = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner()->isEntryBlock() &&
           reader.get(value).isUnknown();
  };
  Logic logic;
  bool differs = false, isOpen = false, picks = false;
  auto visit = [&](Operation *op) {
    std::optional<MemoryInstruction> load = asMemoryInstruction(op);
    if (load && load->kind == AccessKind::Read) {
      bool isGlobal = pointsToGlobal(reader, load->pointer);
      bool isSame = isGlobal && isSameForAll(reader, load->pointer);
      isOpen |= isSame;
      differs |= isGlobal && !isSame;
      return isGlobal ? Operands::NotAsked : Operands::Unclear;
    }
    bool isPure = exchangesLanes(op) ||
                  (reader.effectOf(op).kind == OperationKind::Pure &&
                   !axisOfId(op) && !isa<CallOpInterface>(op));
    picks |= mayPickOne(op, fails && op == condition.getDefiningOp());
    logic.note(op);
    for (Value operand : op->getOperands())
      isOpen |= isOpenArgument(operand);
    return isPure ? Operands::Asked : Operands::Unclear;
  };
  isOpen = isOpenArgument(condition);
  if (!forEachSource(reader, condition, &loops, visit) ||
      (differs ? picks || logic.mayPickOne(fails) : !isOpen))
    return DecidedBy::Unclear;
  return differs ? DecidedBy::OwnData : DecidedBy::SharedData;
}

bool isDecidedByData(KernelReader &reader, Value condition, bool fails,
                     bool knownIsGuard, const CFGLoopInfo &loops) {
  constexpr size_t mostParts = 16;
  SmallVector<Value> parts = {condition};
  size_t own = 0, shared = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i == mostParts)
      return false;
    if (auto both = partsOf(parts[i], fails)) {
      parts.append({both->first, both->second});
      continue;
    }
    const AbstractValue part = reader.get(parts[i]);
    if (part.isNumber() && part.single() && !part.maybePoison) {
      if (!knownIsGuard)
        return false;
      continue;
    }
    DecidedBy what = decidesOn(reader, parts[i], fails, loops);
    own += what == DecidedBy::OwnData;
    shared += what == DecidedBy::SharedData;
    // Of two of its own, one number may pass both.
    if (what == DecidedBy::Unclear || own > 1)
      return false;
  }
  return own + shared > 0;
}

bool isSameForAll(KernelReader &reader, Value value) {
  return forEachSource(reader, value, /*loops=*/nullptr, [&](Operation *op) {
    bool isPure = reader.effectOf(op).kind == OperationKind::Pure &&
                  !axisOfId(op) && !asMemoryInstruction(op);
    return isPure ? Operands::Asked : Operands::Unclear;
  });
}

} // namespace swizzle::analysis
