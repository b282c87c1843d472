//===- Vendor.cpp - The vendors' own accesses ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrix fragments, asynchronous copies, buffer resources and tensor maps: the
// accesses to global memory that have an instruction of their own.
//
//   nvvm.wmma.load %p, %ld {m = 16, k = 16, a, row, f16}
//     read p 32 bytes x 16 at 2*ld per subgroup
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"

#include "swizzle/IR/HardwareAttr.h"
#include "swizzle/Lowering/WorkgroupIds.h"

#include "mlir/Dialect/AMDGPU/Utils/Chipset.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;

namespace swizzle::analysis {

/// True for the call of an intrinsic that has the name of an operation: what
/// its operands are is not known.
static bool isForeign(KernelReader &reader, Operation *op) {
  if (!isa<LLVM::CallIntrinsicOp>(op))
    return false;
  reader.setUnknown(op, kLoaded);
  reader.notModelled(op, {}, classify(op).access,
                     "an intrinsic that is not known");
  return true;
}

/// Rows of 16 bytes, one for each of the first eight lanes of every matrix.
void readMatrixRows(KernelReader &reader, Operation *op) {
  AccessKind kind = classify(op).access;
  KernelReader::Footprint rows;
  rows.bytes = 16;
  int64_t matrices = 4;
  if (auto load = dyn_cast<NVVM::LdMatrixOp>(op))
    matrices = load.getNum();
  else if (auto store = dyn_cast<NVVM::StMatrixOp>(op))
    matrices = store.getSources().size();
  else // the intrinsic, "nvvm.ldmatrix.sync.aligned.m8n8.x4.b16"
    for (int64_t count : {1, 2, 4})
      if (StringRef(canonicalName(op))
              .contains((".x" + Twine(count) + ".").str()))
        matrices = count;
  rows.lanes = 8 * matrices;
  reader.accessAt(op, op->getOperand(0), kind, rows);
  reader.setUnknown(op, kLoaded);
}

/// What a copy does to `memory` of the workgroup's own.
static void touchWorkgroup(KernelReader &reader, Operation *op, Value memory,
                           AccessKind kind,
                           const KernelReader::Footprint &footprint) {
  auto view = reader.pointer(memory);
  if (view && view->space == MemorySpace::Workgroup)
    reader.access(op, *view, view->single(), kind, footprint);
}

/// Bytes from `start` on, as many as `count` says; one guarded access for each
/// 4 bytes if that is no constant.
void readAsyncCopy(KernelReader &reader, Operation *op) {
  if (isForeign(reader, op))
    return;
  auto copy = cast<NVVM::CpAsyncOp>(op);
  Scalars &scalars = reader.scalars;
  int64_t most = copy.getSize();
  auto view = reader.pointer(copy.getSrc());
  CasesRef count = copy.getCpSize() ? reader.scalar(copy.getCpSize())
                                    : scalars.constant(most);
  if (!view)
    return reader.notModelled(op, {}, AccessKind::Read, reader.reason);
  if (!count)
    return reader.notModelled(op, view, AccessKind::Read, scalars.reason);
  if (view->space == MemorySpace::Global && !view->single())
    return reader.notModelled(op, view, AccessKind::Read, view->reason);
  KernelReader::Footprint whole;
  whole.bytes = most;
  touchWorkgroup(reader, op, copy.getDst(), AccessKind::Write, whole);
  if (scalars.range(count).high <= 0)
    reader.noteUnreached(op);
  if (scalars.range(count).low >= most)
    return reader.access(op, *view, view->single(), AccessKind::Read, whole);
  constexpr int64_t unit = 4;
  SmallVector<CasesRef> offsets;
  AbstractValue mask = AbstractValue::of(std::vector<CasesRef>());
  for (int64_t at = 0; at < most; at += unit) {
    offsets.push_back(view->single()
                          ? scalars.add(view->single(), scalars.constant(at))
                          : nullptr);
    mask.lanes.push_back(
        scalars.compare(Comparison::Less, scalars.constant(at), count));
  }
  reader.accessLanes(op, *view, unit, offsets, mask, AccessKind::Read);
}

/// A number that an intrinsic has as an attribute or, called by its name, as an
/// operand.
static std::optional<int64_t> immediate(KernelReader &reader, Operation *op,
                                        StringRef name, unsigned operand) {
  if (auto number = op->getAttrOfType<IntegerAttr>(name))
    return numberOf(number.getValue());
  if (op->getNumOperands() <= operand)
    return std::nullopt;
  return reader.scalars.constantOf(reader.scalar(op->getOperand(operand)));
}

/// What a copy of `size` bytes by each lane writes to workgroup memory.
static void fillLaneByLane(KernelReader &reader, Operation *op, Value to,
                           int64_t size, int64_t further) {
  Scalars &scalars = reader.scalars;
  // Lane after lane, from an address that a subgroup has in common. Less than a
  // word is widened to one.
  KernelReader::Footprint footprint;
  footprint.bytes = std::max<int64_t>(size, 4);
  auto base = reader.pointer(to);
  if (base && base->space == MemorySpace::Workgroup) {
    CasesRef offset = base->single();
    if (offset)
      offset = scalars.add(scalars.add(offset, scalars.constant(further)),
                           scalars.scale(laneOf(reader), footprint.bytes));
    reader.access(op, *base, offset, AccessKind::Write, footprint);
  }
}

/// A lane's bytes. The offset counts for both addresses.
void readLoadToWorkgroup(KernelReader &reader, Operation *op) {
  Scalars &scalars = reader.scalars;
  std::optional<int64_t> size = immediate(reader, op, "size", 2);
  std::optional<int64_t> further = immediate(reader, op, "offset", 3);
  auto view = reader.pointer(op->getOperand(0));
  reader.setUnknown(op, kLoaded);
  if (!view || !view->single())
    return reader.notModelled(op, view, AccessKind::Read,
                              view ? view->reason : reader.reason);
  // Into a resource, an offset wraps around in 32 bits.
  bool inResource = cast<LLVM::LLVMPointerType>(op->getOperand(0).getType())
                        .getAddressSpace() == 7;
  if (!size || *size < 1 || !further || (inResource && *further))
    return reader.notModelled(op, view, AccessKind::Read,
                              "a size or an offset that is not constant, or an "
                              "offset into a resource");
  KernelReader::Footprint footprint;
  footprint.bytes = *size;
  auto moved = [&](const CasesRef &offset) {
    return scalars.add(offset, scalars.constant(*further));
  };
  reader.access(op, *view, moved(view->single()), AccessKind::Read, footprint);
  fillLaneByLane(reader, op, op->getOperand(1), *size, *further);
}

//===----------------------------------------------------------------------===//
// Buffer resources
//===----------------------------------------------------------------------===//

/// True if the kernel is for a chip on which only the highest bit of a stride
/// puts neighbours apart: the one below it swizzles the cache up to gfx10.
static bool hasOneSwizzleBit(KernelReader &reader) {
  std::optional<ChipChoice> chip = knownChip(reader.kernel);
  if (!chip)
    return false;
  FailureOr<amdgpu::Chipset> version =
      amdgpu::Chipset::parse(chip->hardware.target);
  return succeeded(version) && version->majorVersion < 11;
}

/// True if a resource may be swizzled (the bits above the 14 of the stride), or
/// add the thread's number times some stride (bit 23 of the flags).
static bool mayScatter(KernelReader &reader, Operation *op) {
  CasesRef stride = reader.scalar(op->getOperand(1));
  std::optional<int64_t> flags =
      reader.scalars.constantOf(reader.scalar(op->getOperand(3)));
  if (!stride || !flags)
    return true;
  Interval range = reader.scalars.range(stride);
  return range.low < 0 || (*flags >> 23 & 1) ||
         (range.high >= 1 << 14 && !hasOneSwizzleBit(reader));
}

/// True if what lies beyond a resource of so many bytes is not touched. From
/// gfx10 on, bits 28 and 29 of the flags may let it through. The flags of
/// gfx1250 have no other bits than these four.
static bool checksBytes(KernelReader &reader, Operation *op) {
  std::optional<int64_t> flags =
      reader.scalars.constantOf(reader.scalar(op->getOperand(3)));
  int64_t select = flags.value_or(0) >> 28 & 3;
  return flags && *flags >> 4 != 0 && (select == 0 || select == 3);
}

/// A pointer, a stride, a number of bytes (with a stride of 0), flags.
void readMakeResource(KernelReader &reader, Operation *op) {
  auto base = reader.pointer(op->getOperand(0));
  if (!base)
    return reader.setUnknown(op, reader.reason);
  base->maybePoison = false;
  base->checked = checksBytes(reader, op);
  if (mayScatter(reader, op)) {
    base->lanes.assign(1, nullptr);
    base->reason = "a resource that puts neighbours apart, or adds the number "
                   "of the thread";
  }
  base->start = base->single();
  base->records = nullptr;
  if (reader.scalars.constantOf(reader.scalar(op->getOperand(1))) == 0)
    base->records = reader.scalar(op->getOperand(2));
  // All numbers of bytes that there are: nothing is out of bounds. A negative
  // number is one of the largest for the hardware; where there may be one, all
  // accesses count.
  if (base->records) {
    int64_t least = reader.scalars.range(base->records).low;
    if (least < 0 || least >= int64_t(UINT32_MAX))
      base->checked = false;
  }
  reader.set(op->getResult(0), *base);
}

/// The index of the resource among the operands of a buffer access.
static std::optional<unsigned> resourceOf(Operation *op) {
  for (auto [index, operand] : llvm::enumerate(op->getOperands()))
    if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(operand.getType()))
      if (pointer.getAddressSpace() == 8)
        return index;
  return std::nullopt;
}

namespace {
/// How many bytes an access touches, and where in its resource.
struct BufferPlace {
  int64_t bytes = 0;
  CasesRef inside;  ///< is compared with the size of the resource
  CasesRef further; ///< is not
};
} // namespace

/// Of an access whose resource is operand `at`. A copy to workgroup memory has
/// a pointer there and a size before its offsets, and a constant offset behind
/// them.
static std::optional<BufferPlace> placeOf(KernelReader &reader, Operation *op,
                                          unsigned at, StringRef name) {
  if (!name.contains("lds")) {
    Type type = op->getNumResults() ? op->getResult(0).getType()
                                    : op->getOperand(0).getType();
    if (classify(op).access != AccessKind::Read)
      type = op->getOperand(0).getType();
    return BufferPlace{reader.bytesOf(type),
                       reader.scalar(op->getOperand(at + 1)),
                       reader.scalar(op->getOperand(at + 2))};
  }
  std::optional<int64_t> size = immediate(reader, op, "size", at + 2);
  std::optional<int64_t> constant = immediate(reader, op, "offset", at + 5);
  if (!size || *size < 1 || !constant || name.contains("struct") ||
      op->getNumOperands() < at + 5)
    return std::nullopt;
  fillLaneByLane(reader, op, op->getOperand(at + 1), *size, *constant);
  return BufferPlace{*size,
                     reader.scalars.add(reader.scalar(op->getOperand(at + 3)),
                                        reader.scalars.constant(*constant)),
                     reader.scalar(op->getOperand(at + 4))};
}

/// Where in memory the access `op` begins whose resource is operand `at`.
static std::optional<AbstractValue> placeInMemory(KernelReader &reader,
                                                  Operation *op, unsigned at) {
  std::optional<AbstractValue> place = reader.pointer(op->getOperand(at));
  if (!place || !place->isGlobal() || !place->single())
    return std::nullopt;
  CasesRef inside = reader.scalar(op->getOperand(at + 1)),
           further = reader.scalar(op->getOperand(at + 2));
  place->lanes[0] =
      inside && further
          ? reader.scalars.add(place->single(),
                               reader.scalars.add(inside, further))
          : nullptr;
  return place;
}

std::optional<AbstractValue> placeOfBufferLoad(KernelReader &reader,
                                               Operation *op) {
  std::optional<unsigned> at = resourceOf(op);
  if (!at || op->getNumOperands() < *at + 3 || op->getNumResults() != 1 ||
      !StringRef(canonicalName(op)).contains("raw.ptr.buffer.load"))
    return std::nullopt;
  return placeInMemory(reader, op, *at);
}

/// Emits an access of which it is not known where in its resource, operand `at`,
/// it goes, as an assumed one, if that can be told.
static bool assumeBufferAccess(KernelReader &reader, Operation *op, unsigned at,
                               AccessKind kind,
                               const KernelReader::Footprint &footprint) {
  if (!StringRef(canonicalName(op)).contains("raw.ptr.buffer."))
    return false;
  Value offsets[] = {op->getOperand(at + 1), op->getOperand(at + 2)};
  auto read = [&] {
    return placeInMemory(reader, op, at)
        .value_or(AbstractValue::unknown("a place in no buffer"));
  };
  return assumeAccess(reader, op, {offsets, read}, kind, footprint);
}

/// Why the update of `footprint` at `offset` may be two of half of it: what one
/// does that is not aligned to its width, AMD's manuals leave open. Null if it is
/// one. That 64 bits are aligned may hang on a size, which is noted.
static const char *whyHalved(KernelReader &reader, Operation *op,
                             const CasesRef &offset,
                             const KernelReader::Footprint &footprint) {
  if (!isAligned(reader, offset, footprint.bytes))
    return "an update that may not be aligned to its width";
  if (footprint.bytes > 4 && !reader.model.assumed.empty())
    reader.noteUnreached(op, "words that are not aligned by ");
  return nullptr;
}

void readBufferAccess(KernelReader &reader, Operation *op) {
  OperationEffect effect = classify(op);
  AccessKind kind = effect.access;
  std::optional<unsigned> at = resourceOf(op);
  bool load = kind == AccessKind::Read;
  reader.setUnknown(op, load ? kLoaded : "old value of an atomic");
  std::string update = updateOf(op);
  std::optional<AbstractValue> view;
  if (at)
    view = reader.pointer(op->getOperand(*at));
  if (!at)
    reader.reason = "a resource that is no pointer";
  if (!view || op->getNumOperands() < *at + 3)
    return reader.notModelled(op, {}, kind, reader.reason, update);
  Scalars &scalars = reader.scalars;
  std::string name = canonicalName(op);
  std::optional<BufferPlace> place = placeOf(reader, op, *at, name);
  if (!place)
    return reader.notModelled(op, view, kind,
                              "a copy of a buffer to workgroup memory", update);
  if (StringRef(name).contains(".format"))
    return reader.notModelled(
        op, view, kind, "which bytes are touched depends on a format", update);
  KernelReader::Footprint footprint;
  footprint.bytes = place->bytes;
  footprint.update = update;
  if (!view->single())
    return reader.notModelled(op, view, kind, view->reason, update);
  // What is compared with the size of the resource, and what is not.
  CasesRef inside = place->inside, further = place->further;
  CasesRef offset = scalars.add(view->single(), scalars.add(inside, further));
  if (!offset) {
    std::string why = reader.whyHere(scalars.reason);
    bool assumed = assumeBufferAccess(reader, op, *at, kind, footprint);
    return reader.notModelled(op, view, kind, why, update, assumed);
  }
  if (const char *why = kind == AccessKind::Atomic
                            ? whyHalved(reader, op, offset, footprint)
                            : nullptr)
    return reader.notModelled(op, view, kind, why);
  auto touch = [&] {
    reader.access(op, *view, offset, kind, footprint);
    return AbstractValues();
  };
  // For the hardware, a negative offset is one of about 2^32.
  bool negative = scalars.range(inside).low < 0;
  if (scalars.range(further).low < 0)
    return reader.notModelled(op, view, kind, "an offset that may be negative",
                              update);
  int64_t most = view->checked && view->records
                     ? scalars.range(view->records).high
                     : int64_t(UINT32_MAX);
  if (negative && most > int64_t(INT32_MAX))
    return reader.notModelled(op, view, kind, "an offset that may be negative",
                              update);
  if (!view->checked) {
    touch();
    return;
  }
  if (!view->records) {
    reader.assume("no buffer access of " +
                  reader.model.buffers[view->buffer].name +
                  " is out of bounds");
    touch();
    return;
  }
  // Out of bounds means no access.
  CasesRef within = scalars.select(
      scalars.compare(Comparison::LessEqual, scalars.constant(0), inside),
      scalars.compare(Comparison::Less, inside, view->records),
      scalars.constant(0));
  if (!within)
    return reader.notModelled(op, view, kind,
                              "the size of a buffer is not affine", update);
  reader.guarded(within, touch, [] { return AbstractValues(); });
}

/// A copy of a number of bytes between global and workgroup memory.
void readBulkCopy(KernelReader &reader, Operation *op) {
  if (isForeign(reader, op))
    return;
  auto load = dyn_cast<NVVM::CpAsyncBulkGlobalToSharedClusterOp>(op);
  auto store = dyn_cast<NVVM::CpAsyncBulkSharedCTAToGlobalOp>(op);
  Value size = load ? load.getSize() : store.getSize();
  std::optional<int64_t> bytes = reader.scalars.constantOf(reader.scalar(size));
  accessBytes(reader, op, load ? load.getSrcMem() : store.getDstMem(), bytes,
              load ? AccessKind::Read : AccessKind::Write);
  KernelReader::Footprint footprint;
  footprint.issuer = Issuer::Workgroup;
  footprint.bytes = bytes.value_or(0);
  if (bytes && *bytes > 0)
    touchWorkgroup(reader, op, load ? load.getDstMem() : store.getSrcMem(),
                   load ? AccessKind::Write : AccessKind::Read, footprint);
}

} // namespace swizzle::analysis
