//===- ReadVectors.cpp - Vectors of indices and masks ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectors of integers lane by lane, as far as gathers and masks need them.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

using namespace mlir;

namespace swizzle {

static constexpr int64_t kMaxLanes = 256;

bool KernelReader::readVector(Operation *op) {
  if (auto mask = dyn_cast<vector::CreateMaskOp>(op)) {
    AbstractValue value;
    value.kind = AbstractValue::Kind::Vector;
    for (const CasesRef &extent : scalars(mask.getOperands())) {
      if (!extent) {
        setUnknown(op, scalars_.reason);
        return true;
      }
      value.prefix.push_back(extent);
    }
    set(op->getResult(0), value);
    return true;
  }
  if (auto mask = dyn_cast<vector::ConstantMaskOp>(op)) {
    AbstractValue value;
    value.kind = AbstractValue::Kind::Vector;
    for (int64_t extent : mask.getMaskDimSizes())
      value.prefix.push_back(scalars_.constant(extent));
    set(op->getResult(0), value);
    return true;
  }
  if (auto extract = dyn_cast<vector::ExtractOp>(op)) {
    AbstractValue source = get(extract.getSource());
    auto positions = extract.getMixedPosition();
    auto type = extract.getSourceVectorType();
    if (source.lanes.size() == size_t(type.getNumElements()) &&
        positions.size() == size_t(type.getRank())) {
      int64_t lane = 0;
      bool known = true;
      for (auto [dim, position] : llvm::enumerate(positions)) {
        std::optional<int64_t> at = scalars_.constantOf(scalar(position));
        known &= at.has_value();
        lane = lane * type.getDimSize(dim) + at.value_or(0);
      }
      if (known && lane >= 0 && lane < int64_t(source.lanes.size())) {
        set(op->getResult(0), source.lanes[lane]);
        return true;
      }
    }
    setUnknown(op, originOf(op, "an element of a vector"));
    return true;
  }
  if (op->getNumResults() != 1)
    return false;
  auto type = dyn_cast<VectorType>(op->getResult(0).getType());
  if (!type || !type.getElementType().isIntOrIndex() || type.isScalable() ||
      type.getNumElements() > kMaxLanes)
    return false;
  int64_t count = type.getNumElements();
  std::vector<CasesRef> lanes;
  if (isa<vector::StepOp>(op)) {
    for (int64_t lane = 0; lane < count; ++lane)
      lanes.push_back(scalars_.constant(lane));
  } else if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
    AbstractValue source = get(broadcast.getSource());
    if (source.isScalar())
      lanes.assign(count, source.scalar);
    else if (!source.lanes.empty() && count % source.lanes.size() == 0 &&
             cast<VectorType>(broadcast.getSource().getType()).getShape() ==
                 type.getShape().take_back(
                     cast<VectorType>(broadcast.getSource().getType())
                         .getRank()))
      for (int64_t lane = 0; lane < count; ++lane)
        lanes.push_back(source.lanes[lane % source.lanes.size()]);
  } else if (isa<vector::ShapeCastOp>(op)) {
    lanes = get(op->getOperand(0)).lanes;
  } else if (isa<vector::FromElementsOp>(op)) {
    for (const CasesRef &lane : scalars(op->getOperands()))
      lanes.push_back(lane);
  } else if (auto insert = dyn_cast<vector::InsertOp>(op)) {
    AbstractValue target = get(insert.getDest());
    auto positions = insert.getMixedPosition();
    std::optional<int64_t> at;
    if (type.getRank() == 1 && positions.size() == 1)
      at = scalars_.constantOf(scalar(positions[0]));
    if (at && *at >= 0 && *at < int64_t(target.lanes.size())) {
      lanes = target.lanes;
      lanes[*at] = scalar(insert.getValueToStore());
    }
  } else {
    return false;
  }
  if (int64_t(lanes.size()) == count && !llvm::is_contained(lanes, nullptr))
    set(op->getResult(0), AbstractValue::of(std::move(lanes)));
  else
    setUnknown(op, originOf(op, "lanes of a vector that are not affine"));
  return true;
}

} // namespace swizzle
