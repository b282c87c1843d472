//===- InferContents.cpp - Numbers that kernels use as indices ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows loaded numbers forward through casts and arithmetic.
//
//===----------------------------------------------------------------------===//

#include "InferContents.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <algorithm>

using namespace mlir;

namespace swizzle::host {

namespace {

class Inference {
public:
  Inference(FunctionOpInterface kernel,
            llvm::ArrayRef<llvm::SmallVector<int64_t>> shapes)
      : kernel(kernel), shapes(shapes) {}

  void follow(Value value, bool exact);

  bool isIndex = false, isBound = false;
  int64_t limit = INT64_MAX; ///< indices are below

private:
  void visit(Operation *user, Value value, bool exact);
  void indexes(Value memref, ValueRange indices, Value value, bool exact);

  FunctionOpInterface kernel;
  llvm::ArrayRef<llvm::SmallVector<int64_t>> shapes;
  llvm::SmallPtrSet<void *, 32> seen;
};

void Inference::indexes(Value memref, ValueRange indices, Value value,
                        bool exact) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type)
    return;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    if (index != value || int64_t(dim) >= type.getRank())
      continue;
    isIndex = true;
    int64_t extent = type.getDimSize(dim);
    if (auto argument = dyn_cast<BlockArgument>(memref))
      if (argument.getOwner() == &kernel.getFunctionBody().front() &&
          argument.getArgNumber() < shapes.size())
        extent = shapes[argument.getArgNumber()][dim];
    // After arithmetic, the smallest numbers are the safest guess.
    limit = std::min<int64_t>(
        limit, !exact || ShapedType::isDynamic(extent) ? 2 : extent);
  }
}

void Inference::visit(Operation *user, Value value, bool exact) {
  if (auto load = dyn_cast<memref::LoadOp>(user))
    return indexes(load.getMemRef(), load.getIndices(), value, exact);
  if (auto store = dyn_cast<memref::StoreOp>(user))
    return indexes(store.getMemRef(), store.getIndices(), value, exact);
  if (auto load = dyn_cast<vector::LoadOp>(user))
    return indexes(load.getBase(), load.getIndices(), value, false);
  if (auto store = dyn_cast<vector::StoreOp>(user))
    return indexes(store.getBase(), store.getIndices(), value, false);
  if (auto atomic = dyn_cast<memref::AtomicRMWOp>(user))
    return indexes(atomic.getMemref(), atomic.getIndices(), value, exact);
  if (auto loop = dyn_cast<scf::ForOp>(user)) {
    if (value == loop.getLowerBound() || value == loop.getUpperBound()) {
      isBound = true;
      follow(loop.getInductionVar(), true);
    }
    return;
  }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp,
          arith::ExtSIOp, arith::TruncIOp>(user))
    return follow(user->getResult(0), exact);
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::SelectOp,
          arith::MinUIOp, arith::MinSIOp, arith::MaxUIOp, arith::MaxSIOp>(user))
    return follow(user->getResult(0), false);
}

void Inference::follow(Value value, bool exact) {
  if (!seen.insert(value.getAsOpaquePointer()).second)
    return;
  for (Operation *user : value.getUsers())
    visit(user, value, exact);
}

} // namespace

void inferContents(FunctionOpInterface kernel, unsigned argument,
                   llvm::ArrayRef<llvm::SmallVector<int64_t>> shapes,
                   Contents &contents) {
  Inference inference(kernel, shapes);
  for (Operation *user : kernel.getArgument(argument).getUsers())
    if (isa<memref::LoadOp>(user))
      inference.follow(user->getResult(0), true);
  if (!inference.isIndex && !inference.isBound)
    return;
  contents.kind =
      inference.isBound ? Contents::Kind::Ramp : Contents::Kind::Range;
  contents.low = 0;
  int64_t limit = inference.isIndex ? inference.limit : 64;
  // Half-open; the end of the last row is the number of elements itself.
  contents.high = std::max<int64_t>(limit, 1) + (inference.isBound ? 1 : 0);
}

} // namespace swizzle::host
