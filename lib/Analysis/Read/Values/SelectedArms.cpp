//===- SelectedArms.cpp - What makes sense only where it is selected ------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An arm of a select may have no form but under the condition that selects it:
//
//   a == 0 ? 0 : (a - 1) udiv 4 + 1      for a = 0, a - 1 is a large number
//
// So an arm that is not known is read again where the condition is. Selects in
// it have arms that are read again as well, within one budget.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "../KernelReader.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace swizzle::analysis {

/// What an arm may take of the domain. Selects in it have arms that are read
/// again as well, so that a chain of them has no end; a hundredth is enough.
static constexpr uint64_t kMostToReadAgain = 20'000;

/// Reads `value` again where it is known more than when it was computed: an arm
/// of a select may only make sense where it is selected, as in
/// `a == 0 ? 0 : (a - 1) udiv 4 + 1`. What is read again goes to `changed`.
static void readAgain(KernelReader &reader, Value value, Operation *around,
                      SmallVector<Value> &changed, unsigned depth = 8) {
  Operation *op = value.getDefiningOp();
  if (!reader.get(value).isUnknown() || !op || depth == 0 ||
      op->getBlock() != around->getBlock() || !isIntegerArithmetic(op) ||
      reader.domain.work() > reader.readAgainUntil)
    return;
  for (Value operand : op->getOperands())
    readAgain(reader, operand, around, changed, depth - 1);
  reader.readInteger(op);
  if (!reader.get(value).isUnknown())
    changed.push_back(value);
}

AbstractValue readArm(KernelReader &reader, Operation *select,
                      const CasesRef &condition, bool truth) {
  Value arm = select->getOperand(truth ? 1 : 2);
  AbstractValue value = reader.get(arm);
  bool single = condition && !condition->isLeaf() && condition->yes->isLeaf() &&
                condition->no->isLeaf();
  if (!value.isUnknown() || !single || reader.readAgainLeft == 0)
    return value;
  Domain::Scope scope(reader.domain);
  reader.domain.assume(condition->condition,
                       reader.scalars.constantOf(condition->yes) ==
                           int64_t(truth));
  llvm::SaveAndRestore until(reader.readAgainUntil);
  uint64_t before = reader.domain.work();
  bool isOutermost = reader.readAgainUntil == 0;
  if (isOutermost)
    reader.readAgainUntil =
        before + std::min(kMostToReadAgain, reader.readAgainLeft);
  SmallVector<Value> changed;
  readAgain(reader, arm, select, changed);
  if (isOutermost)
    reader.readAgainLeft -=
        std::min(reader.readAgainLeft, reader.domain.work() - before);
  value = reader.get(arm);
  // Elsewhere none of it is known.
  for (Value part : changed)
    reader.set(part, AbstractValue::unknown("a value that makes sense only "
                                            "where it is selected"));
  return value;
}

} // namespace swizzle::analysis
