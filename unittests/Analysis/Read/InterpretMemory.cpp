//===- InterpretMemory.cpp - Runs one thread of a kernel: memory ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Views, accesses and vectors; and the enumeration of a model, to compare with.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace swizzle::test {

void Interpreter::touch(const Datum &memref, ArrayRef<int64_t> indices,
                        AccessKind kind) {
  if (memref.buffer < 0)
    return;
  int64_t element = memref.offset;
  for (auto [index, stride] : llvm::zip(indices, memref.strides))
    element += index * stride;
  touches.push_back({memref.buffer, element * memref.elementBytes, kind});
}

void Interpreter::touchBlock(const Datum &memref, std::vector<int64_t> indices,
                             ArrayRef<int64_t> shape, AccessKind kind) {
  if (memref.buffer < 0)
    return;
  if (shape.empty())
    return touch(memref, indices, kind);
  size_t dim = indices.size() - shape.size();
  for (int64_t i = 0; i < shape[0]; ++i) {
    touchBlock(memref, indices, shape.drop_front(), kind);
    ++indices[dim];
  }
}

bool Interpreter::runView(Operation *op) {
  if (op->getNumResults() == 0)
    return false;
  Value result = op->getResult(0);
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    set(result, data[dim.getSource()].sizes[number(dim.getIndex())]);
    return true;
  }
  if (isa<memref::AllocOp, memref::AllocaOp>(op)) {
    data[result] = Datum();
    return true;
  }
  if (auto meta = dyn_cast<memref::ExtractStridedMetadataOp>(op)) {
    Datum source = data[meta.getSource()], base = source;
    base.offset = 0;
    base.sizes.clear();
    base.strides.clear();
    data[meta.getBaseBuffer()] = base;
    set(meta.getOffset(), source.offset);
    for (size_t i = 0; i < source.sizes.size(); ++i) {
      set(meta.getSizes()[i], source.sizes[i]);
      set(meta.getStrides()[i], source.strides[i]);
    }
    return true;
  }
  if (op->getNumOperands() == 0 ||
      !isa<MemRefType>(op->getOperand(0).getType()) ||
      !isa<MemRefType>(result.getType()))
    return false;
  Datum source = data[op->getOperand(0)];
  Datum view = source;
  if (auto slice = dyn_cast<memref::SubViewOp>(op)) {
    auto offsets = numbers(slice.getMixedOffsets());
    auto sizes = numbers(slice.getMixedSizes());
    auto steps = numbers(slice.getMixedStrides());
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    view.sizes.clear();
    view.strides.clear();
    for (size_t i = 0; i < offsets.size(); ++i) {
      view.offset += offsets[i] * source.strides[i];
      if (dropped.test(i))
        continue;
      view.sizes.push_back(sizes[i]);
      view.strides.push_back(steps[i] * source.strides[i]);
    }
  } else if (auto recast = dyn_cast<memref::ReinterpretCastOp>(op)) {
    view.offset = numbers(recast.getMixedOffsets())[0];
    view.sizes = numbers(recast.getMixedSizes());
    view.strides = numbers(recast.getMixedStrides());
  } else if (auto collapse = dyn_cast<memref::CollapseShapeOp>(op)) {
    view.sizes.clear();
    view.strides.clear();
    for (const ReassociationIndices &group :
         collapse.getReassociationIndices()) {
      int64_t size = 1, stride = source.strides[group.back()];
      for (int64_t dim : group) {
        if (source.sizes[dim] != 1)
          stride = source.strides[dim];
        size *= source.sizes[dim];
      }
      view.sizes.push_back(size);
      view.strides.push_back(stride);
    }
  } else if (auto expand = dyn_cast<memref::ExpandShapeOp>(op)) {
    view.sizes = numbers(expand.getMixedOutputShape());
    view.strides.assign(view.sizes.size(), 0);
    for (auto [i, group] : llvm::enumerate(expand.getReassociationIndices())) {
      int64_t stride = source.strides[i];
      for (int64_t dim : llvm::reverse(group)) {
        view.strides[dim] = stride;
        stride *= view.sizes[dim];
      }
    }
  } else if (auto transpose = dyn_cast<memref::TransposeOp>(op)) {
    for (size_t i = 0; i < view.sizes.size(); ++i) {
      unsigned from = transpose.getPermutation().getDimPosition(i);
      view.sizes[i] = source.sizes[from];
      view.strides[i] = source.strides[from];
    }
  } else if (auto typed = dyn_cast<memref::ViewOp>(op)) {
    view.elementBytes =
        typed.getType().getElementType().getIntOrFloatBitWidth() / 8;
    view.offset =
        (source.offset * source.elementBytes + number(typed.getByteShift())) /
        view.elementBytes;
    view.sizes.clear();
    size_t next = 0;
    for (int64_t size : typed.getType().getShape())
      view.sizes.push_back(ShapedType::isDynamic(size)
                               ? number(typed.getSizes()[next++])
                               : size);
    view.strides.assign(view.sizes.size(), 1);
    for (size_t i = view.sizes.size(); i-- > 1;)
      view.strides[i - 1] = view.strides[i] * view.sizes[i];
  } else if (!isa<memref::CastOp, memref::MemorySpaceCastOp,
                  memref::AssumeAlignmentOp>(op)) {
    return false;
  }
  data[result] = view;
  return true;
}

bool Interpreter::runAccess(Operation *op) {
  auto shapeOf = [](Type type, Value memref) -> std::vector<int64_t> {
    auto vector = dyn_cast<VectorType>(type);
    if (!vector || cast<MemRefType>(memref.getType()).getElementType() == type)
      return {};
    return vector.getShape().vec();
  };
  auto load = [&](Value memref, std::vector<int64_t> indices) {
    touchBlock(data[memref], indices,
               shapeOf(op->getResult(0).getType(), memref), AccessKind::Read);
    set(op->getResult(0), 0);
    return true;
  };
  auto store = [&](Value memref, std::vector<int64_t> indices, Value value) {
    touchBlock(data[memref], indices, shapeOf(value.getType(), memref),
               AccessKind::Write);
    return true;
  };
  if (auto access = dyn_cast<memref::LoadOp>(op))
    return load(access.getMemref(), numbers(access.getIndices()));
  if (auto access = dyn_cast<vector::LoadOp>(op))
    return load(access.getBase(), numbers(access.getIndices()));
  if (auto access = dyn_cast<affine::AffineLoadOp>(op))
    return load(access.getMemRef(),
                apply(access.getAffineMap(), access.getMapOperands()));
  if (auto access = dyn_cast<affine::AffineVectorLoadOp>(op))
    return load(access.getMemRef(),
                apply(access.getAffineMap(), access.getMapOperands()));
  if (auto access = dyn_cast<memref::StoreOp>(op))
    return store(access.getMemref(), numbers(access.getIndices()),
                 access.getValue());
  if (auto access = dyn_cast<vector::StoreOp>(op))
    return store(access.getBase(), numbers(access.getIndices()),
                 access.getValueToStore());
  if (auto access = dyn_cast<affine::AffineStoreOp>(op))
    return store(access.getMemRef(),
                 apply(access.getAffineMap(), access.getMapOperands()),
                 access.getValue());
  if (auto access = dyn_cast<affine::AffineVectorStoreOp>(op))
    return store(access.getMemRef(),
                 apply(access.getAffineMap(), access.getMapOperands()),
                 access.getValue());
  if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op)) {
    touch(data[atomic.getMemref()], numbers(atomic.getIndices()),
          AccessKind::Atomic);
    return true;
  }
  if (auto atomic = dyn_cast<memref::GenericAtomicRMWOp>(op)) {
    touch(data[atomic.getMemref()], numbers(atomic.getIndices()),
          AccessKind::Atomic);
    return true;
  }
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    Datum source = data[copy.getSource()], target = data[copy.getTarget()];
    const std::vector<int64_t> &shape =
        source.sizes.empty() ? target.sizes : source.sizes;
    std::vector<int64_t> zeros(shape.size(), 0);
    touchBlock(source, zeros, shape, AccessKind::Read);
    touchBlock(target, zeros, shape, AccessKind::Write);
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

namespace {
struct Enumerator {
  const KernelModel &model;
  bool firstOfSubgroup, firstOfWorkgroup;
  std::vector<int64_t> values;
  std::vector<Touch> touches;

  int64_t at(const AffineForm &form) {
    evaluateDerived(model, values);
    return evaluate(form, values);
  }
  void run(const std::vector<Statement> &body) {
    for (const Statement &statement : body)
      std::visit([&](const auto &node) { run(node); }, statement.node);
  }
  void run(const Access &access) {
    if ((access.issuer == Issuer::Subgroup && !firstOfSubgroup) ||
        (access.issuer == Issuer::Workgroup && !firstOfWorkgroup))
      return;
    repeat(access, at(access.address), 0);
  }
  void repeat(const Access &access, int64_t address, size_t dim) {
    if (dim < access.box.size()) {
      for (int64_t i = 0; i < access.box[dim].count; ++i)
        repeat(access, address + i * access.box[dim].stride, dim + 1);
      return;
    }
    const Buffer &buffer = model.buffers[access.buffer];
    for (int64_t i = 0; i < access.bytes; i += buffer.elementBytes)
      touches.push_back({buffer.argument, address + i, access.kind});
  }
  void run(const WorkgroupAccess &) {}
  void run(const Issue &) {}
  void run(const Compute &) {}
  void run(const Barrier &) {}
  void run(const Loop &loop) {
    int64_t trip = INT64_MAX;
    for (const AffineForm &form : loop.tripCounts)
      trip = std::min(trip, at(form));
    for (int64_t i = 0; i < trip; ++i) {
      values[loop.counter] = i;
      run(loop.body);
    }
  }
  void run(const Guard &guard) {
    bool holds = true;
    for (const Condition &condition : guard.conditions) {
      int64_t value = at(condition.form);
      holds &= condition.equality ? value == 0 : value >= 0;
    }
    run(holds ? guard.body : guard.otherwise);
  }
};
} // namespace

std::vector<Touch> enumerate(const KernelModel &model,
                             std::array<int64_t, 3> workgroup,
                             std::array<int64_t, 3> thread,
                             int64_t subgroupSize) {
  int64_t linear =
      (thread[2] * model.block.y() + thread[1]) * model.block.x() + thread[0];
  Enumerator enumerator{model,
                        linear % subgroupSize == 0,
                        linear == 0,
                        std::vector<int64_t>(model.variables.size(), 0),
                        {}};
  for (unsigned axis = 0; axis < 3; ++axis) {
    enumerator.values[axis] = workgroup[axis];
    enumerator.values[kThreadIdX + axis] = thread[axis];
  }
  enumerator.run(model.body);
  return enumerator.touches;
}

} // namespace swizzle::test
