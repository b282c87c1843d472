//===- MemoryLanes.cpp - Masks, gathers and copies ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses of several places at once: vectors under a mask, gathered vectors,
// and copies of a number of bytes.
//
//   masked.load %p, (1, 1, i < n, 0)    read p 8 bytes
//                                       if n - i - 1 >= 0: read p + 8 4 bytes
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"

using namespace mlir;

namespace swizzle::analysis {

void KernelReader::accessLanes(Operation *op, const AbstractValue &view,
                               int64_t elementBytes, ArrayRef<CasesRef> offsets,
                               const AbstractValue &mask, AccessKind kind) {
  if (view.space != MemorySpace::Global) {
    // Of the workgroup's own memory, whole runs of lanes are followed.
    Footprint whole;
    whole.bytes = elementBytes * offsets.size();
    bool isRun = mask.lanes.size() == offsets.size() && !offsets.empty();
    for (size_t lane = 0; isRun && lane < offsets.size(); ++lane) {
      CasesRef step = lane && offsets[lane] && offsets[lane - 1]
                          ? scalars.subtract(offsets[lane], offsets[lane - 1])
                          : nullptr;
      isRun = mask.lanes[lane] && scalars.constantOf(mask.lanes[lane]) == 1 &&
              (!lane || (step && scalars.constantOf(step) == elementBytes));
    }
    return access(op, view, isRun ? offsets[0] : nullptr, kind, whole);
  }
  if (mask.lanes.size() != offsets.size())
    return notModelled(op, view, kind, "a mask that is not affine");
  for (size_t lane = 0; lane < offsets.size(); ++lane)
    if (!mask.lanes[lane] || !offsets[lane])
      return notModelled(op, view, kind,
                         mask.lanes[lane] ? scalars.reason
                                          : "a mask that is not affine");
  // Met is what some lane may touch.
  for (size_t lane = 0; lane < offsets.size();) {
    std::optional<int64_t> on = scalars.constantOf(mask.lanes[lane]);
    if (on == 0) {
      ++lane;
      continue;
    }
    // A run of active lanes at equal distances is one access.
    Footprint footprint;
    footprint.bytes = elementBytes;
    size_t end = lane + 1;
    std::optional<int64_t> stride;
    while (on == 1 && end < offsets.size() &&
           scalars.constantOf(mask.lanes[end]) == 1) {
      CasesRef step = scalars.subtract(offsets[end], offsets[end - 1]);
      std::optional<int64_t> bytes =
          step ? scalars.constantOf(step) : std::nullopt;
      if (!bytes || (stride && *stride != *bytes))
        break;
      stride = bytes;
      ++end;
    }
    if (end - lane > 1 && *stride == elementBytes)
      footprint.bytes *= end - lane;
    else if (end - lane > 1)
      footprint.box.push_back({int64_t(end - lane), *stride});
    auto touch = [&] {
      access(op, view, offsets[lane], kind, footprint);
      return AbstractValues();
    };
    if (on == 1)
      touch();
    else
      guarded(mask.lanes[lane], touch, [] { return AbstractValues(); });
    lane = end;
  }
}

/// Contiguous lanes of `type` at `pointed`, as far as `mask` lets them through.
static void accessMasked(KernelReader &reader, Operation *op, Value pointed,
                         Value mask, VectorType type, AccessKind kind) {
  auto view = reader.pointer(pointed);
  if (!view)
    return reader.notModelled(op, {}, kind, reader.reason);
  Scalars &scalars = reader.scalars;
  int64_t bytes = footprintOf(reader, pointed, type.getElementType()).bytes;
  if (view->space == MemorySpace::Global && !view->single())
    return reader.notModelled(op, view, kind, view->reason);
  SmallVector<CasesRef> offsets;
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane)
    offsets.push_back(
        view->single()
            ? scalars.add(view->single(), scalars.constant(lane * bytes))
            : nullptr);
  reader.accessLanes(op, *view, bytes, offsets, reader.get(mask), kind);
}

void readMaskedLoad(KernelReader &reader, Operation *op) {
  accessMasked(reader, op, op->getOperand(0), op->getOperand(1),
               cast<VectorType>(op->getResult(0).getType()), AccessKind::Read);
  reader.setUnknown(op, kLoaded);
}

void readMaskedStore(KernelReader &reader, Operation *op) {
  accessMasked(reader, op, op->getOperand(1), op->getOperand(2),
               cast<VectorType>(op->getOperand(0).getType()),
               AccessKind::Write);
}

static void accessGathered(KernelReader &reader, Operation *op, Value pointers,
                           Value mask, Type element, AccessKind kind) {
  auto view = reader.pointer(pointers);
  if (!view)
    return reader.notModelled(op, {}, kind, reader.reason);
  if (llvm::is_contained(view->lanes, nullptr))
    return reader.notModelled(op, view, kind, view->reason);
  reader.accessLanes(op, *view, reader.bytesOf(element), view->lanes,
                     reader.get(mask), kind);
}

void readGather(KernelReader &reader, Operation *op) {
  accessGathered(reader, op, op->getOperand(0), op->getOperand(1),
                 getElementTypeOrSelf(op->getResult(0).getType()),
                 AccessKind::Read);
  reader.setUnknown(op, kLoaded);
}

void readScatter(KernelReader &reader, Operation *op) {
  accessGathered(reader, op, op->getOperand(1), op->getOperand(2),
                 getElementTypeOrSelf(op->getOperand(0).getType()),
                 AccessKind::Write);
}

void accessBytes(KernelReader &reader, Operation *op, Value pointed,
                 std::optional<int64_t> bytes, AccessKind kind) {
  auto view = reader.pointer(pointed);
  if (bytes && *bytes == 0)
    return;
  if (!bytes || *bytes < 0)
    return reader.notModelled(op, view, kind,
                              "a copy of a size that is not constant");
  KernelReader::Footprint footprint;
  footprint.bytes = *bytes;
  reader.accessAt(op, pointed, kind, footprint);
}

/// How many bytes a copy or a fill touches, which may be an attribute.
static std::optional<int64_t> lengthOf(KernelReader &reader, Operation *op) {
  if (auto length = op->getAttrOfType<IntegerAttr>("len"))
    return numberOf(length.getValue());
  return reader.scalars.constantOf(reader.scalar(op->getOperand(2)));
}

void readCopy(KernelReader &reader, Operation *op) {
  std::optional<int64_t> bytes = lengthOf(reader, op);
  accessBytes(reader, op, op->getOperand(1), bytes, AccessKind::Read);
  accessBytes(reader, op, op->getOperand(0), bytes, AccessKind::Write);
}

void readFill(KernelReader &reader, Operation *op) {
  accessBytes(reader, op, op->getOperand(0), lengthOf(reader, op),
              AccessKind::Write);
}

} // namespace swizzle::analysis
