//===- LaunchSizes.cpp - Sizes of a launch on AMD -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From version 5 of the code object on, the loader puts the sizes of a launch
// behind the arguments of the kernel:
//
//   bytes 0, 4, 8      workgroups along x, y and z        (32 bits)
//   bytes 12, 14, 16   threads of a workgroup             (16 bits)
//   bytes 18, 20, 22   threads of the last, shorter one   (16 bits)
//
// and where the ids of an OpenCL launch begin, of 64 bits each, in bytes 40, 48
// and 56; in bytes 0, 8 and 16 before. Those reads stay, and are marked.
//
// In any version they stand in the packet that the host launches the kernel by:
//
//   bytes 4, 6, 8      threads of a workgroup             (16 bits)
//   bytes 12, 16, 20   threads of the grid                (32 bits)
//
// Sources: LLVM, "User Guide for AMDGPU Backend", Code Object V5 Kernel Argument
// Metadata (hidden_block_count_*, hidden_group_size_*, hidden_remainder_*); HSA,
// "Runtime Programmer's Reference Manual", hsa_kernel_dispatch_packet_t.
//
//   %p = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
//   %n = load i32, ptr addrspace(4) %p           rocdl.grid.dim.x
//   %d = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
//   %g = getelementptr i8, ptr addrspace(4) %d, i64 12
//   %t = load i32, ptr addrspace(4) %g           rocdl.grid.dim.x *
//                                                rocdl.workgroup.dim.x
//
// Where LLVM reads several at once, as a vector or as one wide number, each is
// taken out of that.
//
// The product is exact where workgroups are all of one size. Others are not
// remapped (`uneven-workgroups`), and no launch of them is described.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "swizzle/Support/GlobalOffset.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace swizzle::importing {

namespace {
/// A constant distance from memory that the loader fills.
struct Place {
  enum Memory { Arguments, Packet };

  Memory memory;
  int64_t offset;
};
} // namespace

/// Where `pointer` points, if it is a constant distance from such memory.
static std::optional<Place> placeOf(Value pointer) {
  Operation *op = pointer.getDefiningOp();
  if (auto call = dyn_cast_or_null<LLVM::CallIntrinsicOp>(op)) {
    if (call.getIntrin() == "llvm.amdgcn.implicitarg.ptr")
      return Place{Place::Arguments, 0};
    if (call.getIntrin() == "llvm.amdgcn.dispatch.ptr")
      return Place{Place::Packet, 0};
    return std::nullopt;
  }
  auto step = dyn_cast_or_null<LLVM::GEPOp>(op);
  if (!step || !step.getElemType().isInteger(8) ||
      step.getRawConstantIndices().size() != 1)
    return std::nullopt;
  std::optional<Place> base = placeOf(step.getBase());
  APInt bytes;
  if (!base)
    return std::nullopt;
  if (step.getDynamicIndices().empty())
    return Place{base->memory, base->offset + step.getRawConstantIndices()[0]};
  if (!matchPattern(step.getDynamicIndices().front(), m_ConstantInt(&bytes)))
    return std::nullopt;
  return Place{base->memory, base->offset + bytes.getSExtValue()};
}

/// Erases the addresses that nothing is read from any more.
static void eraseUnused(ModuleOp module) {
  SmallVector<Operation *> addresses;
  module.walk([&](Operation *op) {
    if (op->getNumResults() == 1 && placeOf(op->getResult(0)))
      addresses.push_back(op);
  });
  for (Operation *address : llvm::reverse(addresses))
    if (address->use_empty())
      address->erase();
}

/// One of the operations for x, y and z. It yields 64 bits, as the function that
/// it becomes does.
template <typename X, typename Y, typename Z>
static Value makeSize(OpBuilder &builder, Location loc, unsigned axis) {
  Type i64 = builder.getI64Type();
  if (axis == 0)
    return X::create(builder, loc, i64);
  if (axis == 1)
    return Y::create(builder, loc, i64);
  return Z::create(builder, loc, i64);
}

/// The number of workgroups along an axis, and that of a workgroup's threads.
static constexpr auto makeGridSize =
    makeSize<ROCDL::GridDimXOp, ROCDL::GridDimYOp, ROCDL::GridDimZOp>;
static constexpr auto makeBlockSize =
    makeSize<ROCDL::BlockDimXOp, ROCDL::BlockDimYOp, ROCDL::BlockDimZOp>;

/// The axis of the field at `offset`, of three fields of `bytes` from `first`
/// on.
static std::optional<unsigned> axisAt(int64_t offset, int64_t first,
                                      int64_t bytes) {
  int64_t distance = offset - first;
  if (distance < 0 || distance % bytes != 0 || distance / bytes > 2)
    return std::nullopt;
  return distance / bytes;
}

/// The axis of the threads of a workgroup, in 16 bits at `place`.
static std::optional<unsigned> blockAxis(Place place) {
  return axisAt(place.offset, place.memory == Place::Packet ? 4 : 12, 2);
}

/// The axis of the grid, of which `place` has the extent in 32 bits.
static std::optional<unsigned> gridAxis(Place place) {
  return axisAt(place.offset, place.memory == Place::Packet ? 12 : 0, 4);
}

/// True if `bits` bits at `place` are a size.
static bool isSize(Place place, unsigned bits) {
  return (bits == 16 && blockAxis(place)) || (bits == 32 && gridAxis(place));
}

/// What a read of such a size yields, in 64 bits.
static Value makeSizeAt(OpBuilder &builder, Location loc, Place place,
                        unsigned bits) {
  if (bits == 16)
    return makeBlockSize(builder, loc, *blockAxis(place));
  unsigned axis = *gridAxis(place);
  Value workgroups = makeGridSize(builder, loc, axis);
  if (place.memory != Place::Packet)
    return workgroups;
  // 32 bits times 16 bits do not leave 64 bits.
  return LLVM::MulOp::create(
      builder, loc, workgroups, makeBlockSize(builder, loc, axis),
      LLVM::IntegerOverflowFlags::nsw | LLVM::IntegerOverflowFlags::nuw);
}

/// How many bits each size has of those that are read together as `bits` bits
/// at `place`; 0 if anything else is there.
static unsigned bitsOfEach(Place place, unsigned bits) {
  for (unsigned each : {32u, 16u}) {
    auto isOne = [&](unsigned i) {
      return isSize({place.memory, place.offset + i * each / 8}, each);
    };
    unsigned count = bits / each;
    if (bits <= 64 && bits % each == 0 && count > 0 &&
        llvm::all_of(llvm::seq(count), isOne))
      return each;
  }
  return 0;
}

/// What a read of the integer `type` at `place` yields: a size, or several that
/// LLVM reads together. Null if it is anything else.
static Value makeRead(OpBuilder &builder, Location loc, Place place,
                      IntegerType type) {
  unsigned bits = type.getWidth(), each = bitsOfEach(place, bits);
  if (each == 0)
    return nullptr;
  Value whole;
  for (unsigned bit = 0; bit < bits; bit += each) {
    Value size =
        makeSizeAt(builder, loc, {place.memory, place.offset + bit / 8}, each);
    if (bit > 0)
      size = LLVM::ShlOp::create(
          builder, loc, size,
          LLVM::ConstantOp::create(builder, loc, size.getType(), bit));
    whole = whole ? LLVM::OrOp::create(builder, loc, whole, size) : size;
  }
  return bits == 64 ? whole : LLVM::TruncOp::create(builder, loc, type, whole);
}

/// The same for a vector of integers, some of which may be no sizes and are
/// read on; null if none is one.
static Value makeReads(OpBuilder &builder, LLVM::LoadOp load, Place place,
                       VectorType type) {
  auto element = dyn_cast<IntegerType>(type.getElementType());
  if (!element || type.isScalable() || element.getWidth() % 8 ||
      load.getVolatile_())
    return nullptr;
  Location loc = load.getLoc();
  int64_t bytes = element.getWidth() / 8;
  auto placeOfLane = [&](int64_t lane) {
    return Place{place.memory, place.offset + lane * bytes};
  };
  auto lanes = llvm::seq(type.getNumElements());
  if (llvm::none_of(lanes, [&](int64_t lane) {
        return bitsOfEach(placeOfLane(lane), element.getWidth());
      }))
    return nullptr;
  Value whole = LLVM::PoisonOp::create(builder, loc, type);
  for (int64_t lane : lanes) {
    Value read = makeRead(builder, loc, placeOfLane(lane), element);
    if (!read)
      read = LLVM::LoadOp::create(
          builder, loc, element,
          LLVM::GEPOp::create(builder, loc, load.getAddr().getType(),
                              builder.getI8Type(), load.getAddr(),
                              LLVM::GEPArg(int32_t(lane * bytes))),
          /*alignment=*/1);
    whole = LLVM::InsertElementOp::create(
        builder, loc, whole, read,
        LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), lane));
  }
  return whole;
}

/// The version of the code object, in hundreds, that the module is compiled to;
/// 0 if it does not say.
static int64_t codeObjectVersion(ModuleOp module) {
  int64_t version = 0;
  module.walk([&](LLVM::ModuleFlagsOp flags) {
    for (auto flag : flags.getFlags().getAsRange<LLVM::ModuleFlagAttr>())
      if (flag.getKey() == "amdhsa_code_object_version")
        if (auto number = dyn_cast<IntegerAttr>(flag.getValue()))
          version = number.getInt();
  });
  return version;
}

/// The axis of which the launch's offset is read at `place`.
static std::optional<unsigned> offsetAxis(Place place, Type type,
                                          int64_t version) {
  if (place.memory != Place::Arguments || !type.isInteger(64) || version == 0)
    return std::nullopt;
  return axisAt(place.offset, version >= 500 ? 40 : 0, 8);
}

void nameLaunchSizes(ModuleOp module) {
  int64_t version = codeObjectVersion(module);
  bool areBehindArguments = version >= 500;
  SmallVector<LLVM::LoadOp> loads;
  module.walk([&](LLVM::LoadOp load) { loads.push_back(load); });
  for (LLVM::LoadOp load : loads) {
    Type type = load.getType();
    std::optional<Place> place = placeOf(load.getAddr());
    if (auto axis = place ? offsetAxis(*place, type, version) : std::nullopt)
      load->setAttr(kGlobalOffsetAttr,
                    Builder(load.getContext()).getI32IntegerAttr(*axis));
    if (!place || (place->memory == Place::Arguments && !areBehindArguments))
      continue;
    OpBuilder builder(load);
    Value read;
    if (auto integer = dyn_cast<IntegerType>(type))
      read = makeRead(builder, load.getLoc(), *place, integer);
    else if (auto vector = dyn_cast<VectorType>(type))
      read = makeReads(builder, load, *place, vector);
    if (!read)
      continue;
    load.replaceAllUsesWith(read);
    load.erase();
  }
  eraseUnused(module);
}

} // namespace swizzle::importing
