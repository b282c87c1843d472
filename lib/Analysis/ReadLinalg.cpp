//===- ReadLinalg.cpp - linalg operations on memrefs ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A linalg operation inside a kernel is a loop nest over its iteration domain
// that reads its inputs, computes, and writes its outputs at the places that
// the indexing maps name.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace swizzle {

bool KernelReader::readLinalg(Operation *op) {
  auto generic = dyn_cast<linalg::LinalgOp>(op);
  if (!generic)
    return false;
  setUnknown(op, "result of " + op->getName().getStringRef().str());
  auto refuse = [&](const std::string &why) {
    for (OpOperand &operand : op->getOpOperands()) {
      auto view = isa<BaseMemRefType>(operand.get().getType())
                      ? memory(operand.get())
                      : nullptr;
      if (view && view->space == MemorySpace::Global)
        notModelled(op, view.get(),
                    generic.isDpsInit(&operand) ? AccessKind::Write
                                                : AccessKind::Read,
                    why);
    }
    return true;
  };
  if (!generic.hasPureBufferSemantics())
    return refuse("an operation on tensors");
  // Extents of the iteration domain, from those of the operands.
  SmallVector<CasesRef> extents;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type)
      continue;
    auto view = memory(operand.get());
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      CasesRef extent;
      if (!type.isDynamicDim(dim))
        extent = scalars_.constant(type.getDimSize(dim));
      else if (view && size_t(dim) < view->sizes.size())
        extent = view->sizes[dim];
      extents.push_back(extent ? extent
                               : scalars_.fail("a size that is not known"));
    }
  }
  AffineMap shapesToLoops = generic.getShapesToLoopsMap();
  if (!shapesToLoops)
    return refuse("an iteration domain that the operands do not give");
  SmallVector<CasesRef> counters;
  std::function<void()> innermost = [&] {
    auto touch = [&](OpOperand &operand, AccessKind kind) {
      if (!isa<MemRefType>(operand.get().getType()))
        return;
      SmallVector<CasesRef> indices;
      AffineMap map = generic.getMatchingIndexingMap(&operand);
      for (AffineExpr expr : map.getResults())
        indices.push_back(evaluateExpr(expr, map.getNumDims(), counters));
      accessAt(op, operand.get(), indices,
               cast<MemRefType>(operand.get().getType()).getElementType(),
               kind);
    };
    for (OpOperand *input : generic.getDpsInputOperands())
      if (generic.payloadUsesValueFromOperand(input))
        touch(*input, AccessKind::Read);
    for (OpOperand &output : generic.getDpsInitsMutable())
      if (generic.payloadUsesValueFromOperand(&output))
        touch(output, AccessKind::Read);
    for (auto [index, argument] :
         llvm::enumerate(generic.getBlock()->getArguments()))
      set(argument, AbstractValue::unknown(kLoaded));
    for (Operation &inner : generic.getBlock()->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(inner))
        set(index, counters[index.getDim()]);
      else
        readOperation(&inner);
    }
    for (OpOperand &output : generic.getDpsInitsMutable())
      touch(output, AccessKind::Write);
  };
  std::function<bool(unsigned)> nest = [&](unsigned depth) -> bool {
    if (depth == shapesToLoops.getNumResults()) {
      innermost();
      return true;
    }
    CasesRef extent = evaluateExpr(shapesToLoops.getResult(depth),
                                   shapesToLoops.getNumDims(), extents);
    if (!extent)
      return false;
    bool done = true;
    auto run = [&](const std::vector<AffineForm> &trips) {
      emitLoop(trips, [&](const CasesRef &i) {
        counters.push_back(i);
        done &= nest(depth + 1);
        counters.pop_back();
      });
      return AbstractValues();
    };
    if (auto trips = scalars_.asMinimum(extent))
      run(*trips);
    else
      forEachCase(extent, [&](const AffineForm &trip) { return run({trip}); });
    return done;
  };
  if (!nest(0))
    return refuse(scalars_.reason);
  return true;
}

} // namespace swizzle
