//===- TensorMaps.cpp - Copies of boxes by a tensor map -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor map says which memory a box is copied from or to. Where the host
// code that makes the map is in the module, and the map comes to the kernel as
// an argument, the box is an access like any other:
//
//   host    %m = nvgpu.tma.create.descriptor %a box[64, 32]   512 x 256 of f16
//   kernel  tma.async.load %m[%k, %row]    read a[512*row + 2*k] 64 bytes
//                                          x 64 at 512
//
// Else somebody who launches the kernel may say what the map is of.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "swizzle/Analysis/Describe/ReadFacts.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;

namespace swizzle::analysis {

using TensorMap = KernelReader::TensorMap;

namespace {
/// The operands that copies by a map have in common.
struct BoxCopy {
  Value map, memory, predicate;
  OperandRange coordinates;
  bool isTile = true; ///< a box at coordinates, and nothing else
};
} // namespace

static std::optional<BoxCopy> boxCopyOf(Operation *op) {
  if (auto load = dyn_cast<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(op))
    return BoxCopy{load.getTmaDescriptor(), load.getDstMem(),
                   load.getPredicate(), load.getCoordinates(),
                   load.getMode() == NVVM::TMALoadMode::TILE &&
                       load.getIm2colOffsets().empty()};
  if (auto store = dyn_cast<NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp>(op))
    return BoxCopy{store.getTmaDescriptor(), store.getSrcMem(),
                   store.getPredicate(), store.getCoordinates(),
                   store.getMode() == NVVM::TMAStoreMode::TILE};
  if (auto reduce = dyn_cast<NVVM::CpAsyncBulkTensorReduceOp>(op))
    return BoxCopy{reduce.getTmaDescriptor(), reduce.getSrcMem(), Value(),
                   reduce.getCoordinates(),
                   reduce.getMode() == NVVM::TMAStoreMode::TILE};
  if (auto ahead = dyn_cast<NVVM::CpAsyncBulkTensorPrefetchOp>(op))
    return BoxCopy{ahead.getTmaDescriptor(), Value(), Value(),
                   ahead.getCoordinates(),
                   ahead.getMode() == NVVM::TMALoadMode::TILE &&
                       ahead.getIm2colOffsets().empty()};
  return std::nullopt; // an intrinsic by its name
}

/// Reads `create`, as far as all of it is known.
static std::optional<TensorMap> tensorMapOf(nvgpu::TmaCreateDescriptorOp create,
                                            HostValues &host) {
  auto cast = create.getTensor().getDefiningOp<memref::CastOp>();
  auto type =
      cast ? dyn_cast<MemRefType>(cast.getSource().getType()) : MemRefType();
  TensorMap map;
  int64_t offset = 0;
  if (!type || !type.getElementType().isIntOrFloat() ||
      failed(type.getStridesAndOffset(map.strides, offset)) || offset != 0 ||
      create.getBoxDimensions().size() != size_t(type.getRank()) ||
      create.getTensorMap().getType().getInterleave() !=
          nvgpu::TensorMapInterleaveKind::INTERLEAVE_NONE)
    return std::nullopt;
  map.element = type.getElementType();
  map.elementBytes = type.getElementTypeBitWidth() / 8;
  map.memory = cast.getSource();
  for (Value extent : create.getBoxDimensions()) {
    std::optional<HostValue> known = host.evaluate(extent);
    if (!known || known->nominal || known->value < 1)
      return std::nullopt;
    map.box.push_back(known->value);
  }
  int64_t contiguous = 1;
  map.extents.assign(type.getRank(), 0);
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    HostValue extent = host.dimension(map.memory, dim);
    if (extent.nominal)
      return std::nullopt;
    map.extents[dim] = extent.value;
    if (ShapedType::isDynamic(map.strides[dim])) {
      if (!type.getLayout().isIdentity())
        return std::nullopt;
      map.strides[dim] = contiguous;
    }
    if (__builtin_mul_overflow(map.strides[dim], map.extents[dim],
                               &contiguous) ||
        contiguous >= (int64_t(1) << 50) || map.strides[dim] < 1)
      return std::nullopt;
  }
  if (map.strides.empty() || map.strides.back() != 1 ||
      type.getElementTypeBitWidth() % 8 != 0)
    return std::nullopt;
  return map;
}

std::optional<unsigned> KernelReader::argumentOfMap(Value map) const {
  auto argument = dyn_cast<BlockArgument>(withoutSpace(map));
  if (!argument ||
      argument.getOwner() != &lowered.function.getFunctionBody().front())
    return std::nullopt;
  return lowered.arguments[argument.getArgNumber()].argument;
}

Operation *KernelReader::findTensorMap(Value map) {
  std::optional<unsigned> index = argumentOfMap(map);
  Value passed =
      index
          ? launchOperand(kernel.getFunctionBody().getArgument(*index), *index)
          : Value();
  return passed ? passed.getDefiningOp() : nullptr;
}

/// What somebody claims that the map in argument `index` is of. What may be
/// launched with anything is not claimed of.
static std::optional<TensorMap> claimedMap(KernelReader &reader,
                                           unsigned index) {
  auto claim = reader.kernel.getArgAttrOfType<DenseI64ArrayAttr>(
      index, kClaimedTensorMap);
  if (!claim || claim.size() % 3 != 1 || reader.sizes.everyGrid)
    return std::nullopt;
  ArrayRef<int64_t> numbers = claim.asArrayRef();
  if (llvm::any_of(numbers, [](int64_t number) { return number < 1; }))
    return std::nullopt;
  size_t rank = numbers.size() / 3;
  TensorMap map;
  map.elementBytes = numbers.front();
  auto take = [&](size_t which) {
    ArrayRef<int64_t> part = numbers.slice(1 + which * rank, rank);
    return SmallVector<int64_t>(part);
  };
  map.isClaimed = true;
  map.extents = take(0);
  map.strides = take(1);
  map.box = take(2);
  return map;
}

/// The map, its memory, and for each dimension its extent, its stride in bytes
/// and its box: what swizzle/Import says of maps that the kernel makes.
void readMadeMap(KernelReader &reader, Operation *op) {
  OperandRange operands = op->getOperands();
  if (operands.size() < 5 || operands.size() % 3 != 2)
    return; // not one that swizzle/Import writes
  Value key = withoutSpace(operands.front());
  reader.madeMaps.erase(key);
  TensorMap map;
  map.base = reader.pointer(operands[1]);
  SmallVector<int64_t> numbers;
  for (Value operand : operands.drop_front(2)) {
    std::optional<int64_t> number =
        reader.scalars.constantOf(reader.scalar(operand));
    if (!number || *number < 1)
      return;
    numbers.push_back(*number);
  }
  size_t rank = numbers.size() / 3;
  map.elementBytes = numbers[2 * rank - 1];
  for (size_t dim = 0; dim < rank; ++dim) {
    map.extents.push_back(numbers[dim]);
    map.strides.push_back(numbers[rank + dim] / map.elementBytes);
    map.box.push_back(numbers[2 * rank + dim]);
    if (numbers[rank + dim] % map.elementBytes != 0)
      return;
  }
  // Rows that overlap are none: strides may have been set in other units.
  for (size_t dim = 0; dim + 1 < rank; ++dim)
    if (map.strides[dim] < map.extents[dim + 1] * map.strides[dim + 1] ||
        numbers[rank + dim] % 16 != 0)
      return;
  // One thread makes the map, and others use it.
  if (map.base && map.base->isGlobal() && map.base->single() &&
      !dependsOnThread(reader.domain, map.base->single()))
    reader.madeMaps[key] = std::move(map);
}

/// The buffer that a map is of.
static uint32_t bufferOf(KernelReader &reader, const TensorMap &map,
                         const BoxCopy &copy, unsigned index) {
  if (map.base)
    return map.base->buffer;
  if (map.memory)
    return reader.tensorBuffer(map.memory, copy.map);
  int64_t last = 0;
  for (auto [extent, stride] : llvm::zip(map.extents, map.strides))
    last += (extent - 1) * stride;
  return reader.claimedBuffer(index, map.elementBytes,
                              (last + 1) * map.elementBytes);
}

/// Lists what is not known of a map: who else launches the kernel, or what is
/// not set in it.
static void assumeMap(KernelReader &reader, const TensorMap &map,
                      uint32_t buffer, unsigned index) {
  const std::string &name = reader.model.buffers[buffer].name;
  if (map.base)
    return reader.assume("the tensor map that the kernel makes of " + name +
                             " is not interleaved",
                         /*isLaunched=*/true);
  // Others may pass other maps, or another one is launched than is claimed.
  if (map.isClaimed || reader.sizes.isVisible)
    reader.assume("the tensor map of " +
                      (map.memory ? name : "arg" + std::to_string(index)) +
                      " (from the launch)",
                  /*isLaunched=*/!map.memory);
}

/// The access at `coordinates`, innermost first; false with `reader.reason` if
/// it is not known.
static bool accessBox(KernelReader &reader, Operation *op, const TensorMap &map,
                      const BoxCopy &copy, KernelReader::Footprint footprint,
                      uint32_t buffer) {
  Scalars &scalars = reader.scalars;
  int64_t rank = map.box.size(), element = footprint.bytes;
  CasesRef offset = map.base ? map.base->single() : scalars.constant(0);
  for (int64_t dim = 0; dim < rank; ++dim) {
    CasesRef at = reader.scalar(copy.coordinates[rank - 1 - dim]);
    if (at) // beyond the tensor, less than the box is copied
      at = scalars.requireRange(at, {0, map.extents[dim] - map.box[dim]},
                                "a box that may reach beyond the tensor");
    if (!at) {
      reader.reason = scalars.reason;
      return false;
    }
    offset = scalars.add(offset, scalars.scale(at, map.strides[dim] * element));
    if (dim + 1 < rank && map.box[dim] > 1)
      footprint.box.push_back({map.box[dim], map.strides[dim] * element});
  }
  footprint.bytes = map.box.back() * element;
  AbstractValue view =
      AbstractValue::pointer(MemorySpace::Global, buffer, offset);
  auto touch = [&] {
    reader.access(op, view, offset, classify(op).access, footprint);
    return AbstractValues();
  };
  CasesRef condition = scalars.constant(1);
  if (copy.predicate)
    condition = reader.scalar(copy.predicate);
  reader.reason = "a predicate that is not affine";
  if (condition)
    reader.guarded(condition, touch, [] { return AbstractValues(); });
  return bool(condition);
}

/// A map that lies in a buffer is read from there, wherever it points to.
static void readStoredMap(KernelReader &reader, Operation *op, Value map) {
  constexpr int64_t kMapBytes = 128;
  std::optional<AbstractValue> stored = reader.pointer(map);
  if (!stored || stored->space != MemorySpace::Global)
    return;
  KernelReader::Footprint footprint;
  footprint.bytes = kMapBytes;
  footprint.issuer = Issuer::Workgroup;
  reader.accessAt(op, map, AccessKind::Read, footprint);
}

void readTensorMap(KernelReader &reader, Operation *op) {
  reader.setUnknown(op, kLoaded);
  AccessKind kind = classify(op).access;
  KernelReader::Footprint footprint;
  footprint.update = updateOf(op);
  std::optional<BoxCopy> copy = boxCopyOf(op);
  auto create = dyn_cast_if_present<nvgpu::TmaCreateDescriptorOp>(
      copy && copy->isTile ? reader.findTensorMap(copy->map) : nullptr);
  std::optional<TensorMap> map =
      create ? tensorMapOf(create, reader.host) : std::nullopt;
  std::optional<unsigned> index =
      copy && copy->isTile ? reader.argumentOfMap(copy->map) : std::nullopt;
  if (!create && index)
    map = claimedMap(reader, *index);
  if (auto made = copy && copy->isTile
                      ? reader.madeMaps.find(withoutSpace(copy->map))
                      : reader.madeMaps.end();
      made != reader.madeMaps.end())
    map = made->second;
  std::optional<AbstractValue> view;
  reader.reason = "a tensor-map copy, whose descriptor is not known";
  bool modelled = false;
  if (map && map->box.size() == copy->coordinates.size()) {
    footprint.bytes = map->elementBytes;
    if (!footprint.update.empty() && map->element)
      footprint.update = tensorUpdate(op, map->element);
    uint32_t buffer = bufferOf(reader, *map, *copy, index.value_or(0));
    view = AbstractValue::pointer(MemorySpace::Global, buffer, nullptr);
    assumeMap(reader, *map, buffer, index.value_or(0));
    modelled = accessBox(reader, op, *map, *copy, footprint, buffer);
    for (int64_t extent : map->box)
      footprint.bytes *= extent;
  } else {
    footprint.bytes = 0;
  }
  // A prefetch changes nothing: what is not known of it may go.
  if (!modelled && !isa<NVVM::CpAsyncBulkTensorPrefetchOp>(op))
    reader.notModelled(op, view, kind, reader.reason, footprint.update);
  if (copy)
    readStoredMap(reader, op, copy->map);
  footprint.box.clear();
  footprint.issuer = Issuer::Workgroup;
  std::optional<AbstractValue> local;
  if (copy && copy->memory)
    local = reader.pointer(copy->memory);
  if (local && local->space == MemorySpace::Workgroup)
    reader.accessWorkgroup(op, *local, local->single(),
                           kind == AccessKind::Read ? AccessKind::Write
                                                    : AccessKind::Read,
                           footprint);
}

} // namespace swizzle::analysis
