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
static bool forEachSource(Value value,
                          llvm::function_ref<Operands(Operation *op)> visit) {
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    auto argument = dyn_cast<BlockArgument>(values[i]);
    if (i == kMostValues)
      return false;
    if (!op && argument.getOwner()->isEntryBlock() &&
        isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
      continue; // the same for all
    if (!op)
      return false;
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

bool isDecidedByData(KernelReader &reader, Value condition) {
  bool isLoaded = false;
  return forEachSource(condition,
                       [&](Operation *op) {
                         std::optional<MemoryInstruction> load =
                             asMemoryInstruction(op);
                         if (load && load->kind == AccessKind::Read) {
                           auto view = reader.pointer(load->pointer);
                           isLoaded |= view && view->isGlobal();
                           return view && view->isGlobal() ? Operands::NotAsked
                                                           : Operands::Unclear;
                         }
                         bool isPure =
                             reader.effectOf(op).kind == OperationKind::Pure &&
                             !readsId(op) && !isa<CallOpInterface>(op);
                         return isPure ? Operands::Asked : Operands::Unclear;
                       }) &&
         isLoaded;
}

bool isSameForAll(KernelReader &reader, Value value) {
  return forEachSource(value, [&](Operation *op) {
    bool isPure = reader.effectOf(op).kind == OperationKind::Pure &&
                  !readsId(op) && !asMemoryInstruction(op);
    return isPure ? Operands::Asked : Operands::Unclear;
  });
}

} // namespace swizzle::analysis
