//===- Normalize.cpp - linalg in one form ---------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiling fuses values, not buffers, and takes the last loop for the one whose
// neighbours are neighbours in memory.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace swizzle::schedule {

/// The value that `op` writes into its only memref, as a tensor.
static void useTensors(RewriterBase &rewriter, linalg::LinalgOp op,
                       llvm::DenseMap<Value, Value> &written) {
  Location location = op.getLoc();
  rewriter.setInsertionPoint(op);
  SmallVector<Value> operands;
  SmallVector<Type> results;
  for (OpOperand &operand : op->getOpOperands()) {
    Value buffer = operand.get();
    auto type = dyn_cast<MemRefType>(buffer.getType());
    if (!type) {
      operands.push_back(buffer);
      continue;
    }
    Type tensor = memref::getTensorTypeFromMemRefType(type);
    if (op.isDpsInit(&operand))
      results.push_back(tensor);
    if (Value value = written.lookup(buffer)) {
      operands.push_back(value);
      continue;
    }
    operands.push_back(bufferization::ToTensorOp::create(
        rewriter, location, tensor, buffer, /*restrict=*/true,
        /*writable=*/true));
  }
  Operation *onTensors = mlir::clone(rewriter, op, results, operands);
  written.clear();
  for (auto [operand, result] :
       llvm::zip(op.getDpsInitsMutable(), onTensors->getResults())) {
    auto store = bufferization::MaterializeInDestinationOp::create(
        rewriter, location, result, operand.get());
    store.setRestrict(true);
    store.setWritable(true);
    written[operand.get()] = result;
  }
  rewriter.eraseOp(op);
}

void useTensors(FunctionOpInterface function) {
  IRRewriter rewriter(function->getContext());
  SmallVector<linalg::LinalgOp> ops;
  function->walk([&](linalg::LinalgOp op) {
    if (op.hasPureBufferSemantics())
      ops.push_back(op);
  });
  // A value is handed on only to the very next operation, and only if that
  // overwrites the same buffer: memrefs may overlap in any other way.
  llvm::DenseMap<Value, Value> written;
  Operation *next = nullptr;
  for (linalg::LinalgOp op : ops) {
    bool overwrites =
        op.getOperation() == next && written.size() == 1 &&
        op.getNumDpsInits() == 1 && written.count(op.getDpsInits()[0]) &&
        !llvm::is_contained(op.getDpsInputs(), op.getDpsInits()[0]);
    next = op->getNextNode();
    if (!overwrites) {
      written.clear();
    } else {
      Operation *store = op->getPrevNode();
      rewriter.eraseOp(store);
    }
    useTensors(rewriter, op, written);
  }
}

/// Replaces what stands for several operations, such as a softmax, by them.
static void decompose(RewriterBase &rewriter, FunctionOpInterface function) {
  SmallVector<linalg::AggregatedOpInterface> ops;
  function->walk([&](linalg::AggregatedOpInterface op) { ops.push_back(op); });
  for (linalg::AggregatedOpInterface op : ops) {
    rewriter.setInsertionPoint(op);
    FailureOr<SmallVector<Value>> parts = op.decomposeOperation(rewriter);
    if (succeeded(parts))
      rewriter.replaceOp(op, *parts);
  }
}

void normalizeLoops(FunctionOpInterface function) {
  IRRewriter rewriter(function->getContext());
  decompose(rewriter, function);
  SmallVector<linalg::LinalgOp> named;
  function->walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()))
      named.push_back(op);
  });
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    (void)linalg::generalizeNamedOp(rewriter, op);
  }

  SmallVector<linalg::GenericOp> generic;
  function->walk([&](linalg::GenericOp op) { generic.push_back(op); });
  for (linalg::GenericOp op : generic) {
    if (op.getNumDpsInits() == 0)
      continue;
    SmallVector<unsigned> order, parallel, reductions;
    AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    op.getParallelDims(parallel);
    op.getReductionDims(reductions);
    for (AffineExpr expr : result.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        if (llvm::is_contained(parallel, dim.getPosition()) &&
            !llvm::is_contained(order, dim.getPosition()))
          order.push_back(dim.getPosition());
    for (unsigned loop : parallel)
      if (!llvm::is_contained(order, loop))
        order.insert(order.begin(), loop);
    llvm::append_range(order, reductions);
    if (order.size() != op.getNumLoops() || llvm::is_sorted(order))
      continue;
    rewriter.setInsertionPoint(op);
    (void)linalg::interchangeGenericOp(rewriter, op, order);
  }
}

} // namespace swizzle::schedule
