//===- DecidedByData.cpp - Who does what, if memory says so ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where nothing but numbers from memory decides whether a workgroup writes, two
// may, and of what differs the last one counts:
//
//   if (a[i] < 0) last[0] = i;          any may
//   if (block == a[0]) last[0] = i;     one does
//   if (rank[i] == k) kth[0] = a[i];    one may, if no two are equal
//   if (a[i] < 0) any[0] = 1;           any may, and all write the same
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "../KernelReader.h"

#include "swizzle/Lowering/WorkgroupIds.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace swizzle::analysis {

/// Values that are gone through.
static constexpr size_t kMostValues = 64;

namespace {
/// What becomes of the operands of an operation.
enum class Operands : uint8_t { NotAsked, Asked, Unclear };
} // namespace

/// Goes through what `value` is computed from; false if `visit` finds something
/// unclear, or it is too much.
static bool forEachSource(KernelReader &reader, Value value,
                          llvm::function_ref<Operands(Operation *op)> visit) {
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    if (i == kMostValues)
      return false;
    Operation *op = values[i].getDefiningOp();
    if (!op) {
      // What the launch passes is the same for all; what a call does may not be.
      Block *block = cast<BlockArgument>(values[i]).getOwner();
      if (!block->isEntryBlock() ||
          block->getParentOp() != reader.lowered.function)
        return false;
      continue;
    }
    Operands operands = visit(op);
    if (operands == Operands::Unclear)
      return false;
    if (operands == Operands::Asked)
      values.insert(op->operand_begin(), op->operand_end());
  }
  return true;
}

/// True for a reading of a workgroup id.
static bool readsId(Operation *op) {
  return StringRef(canonicalName(op)).starts_with(kIdMarker);
}

/// True for a test that one number of many may pass: that it is equal to another
/// one, or lies between two.
static bool mayPickOne(Operation *op) {
  auto compares = dyn_cast<LLVM::ICmpOp>(op);
  return (compares && compares.getPredicate() == LLVM::ICmpPredicate::eq) ||
         (isa<LLVM::AndOp, LLVM::OrOp, LLVM::SelectOp>(op) &&
          op->getResult(0).getType().isInteger(1)) ||
         (isa<LLVM::FCmpOp>(op) &&
          cast<LLVM::FCmpOp>(op).getPredicate() == LLVM::FCmpPredicate::oeq);
}

bool isDecidedByData(KernelReader &reader, Value condition) {
  bool isLoaded = false;
  auto visit = [&](Operation *op) {
    std::optional<MemoryInstruction> load = asMemoryInstruction(op);
    if (load && load->kind == AccessKind::Read) {
      auto view = reader.pointer(load->pointer);
      bool isGlobal = view && view->isGlobal();
      isLoaded |= isGlobal;
      return isGlobal ? Operands::NotAsked : Operands::Unclear;
    }
    bool isPure = reader.effectOf(op).kind == OperationKind::Pure &&
                  !readsId(op) && !isa<CallOpInterface>(op);
    return isPure && !mayPickOne(op) ? Operands::Asked : Operands::Unclear;
  };
  return forEachSource(reader, condition, visit) && isLoaded;
}

bool isSameForAll(KernelReader &reader, Value value) {
  return forEachSource(reader, value, [&](Operation *op) {
    bool isPure = reader.effectOf(op).kind == OperationKind::Pure &&
                  !readsId(op) && !asMemoryInstruction(op);
    return isPure ? Operands::Asked : Operands::Unclear;
  });
}

} // namespace swizzle::analysis
