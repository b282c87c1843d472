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
// The product is exact where workgroups are all of one size. Others are not
// remapped (`uneven-workgroups`), and no launch of them is described.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "swizzle/Support/GlobalOffset.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"

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

/// What a read of `bits` at `place` yields, in 64 bits; null if it is no size.
static Value makeRead(OpBuilder &builder, Location loc, Place place,
                      unsigned bits) {
  bool inPacket = place.memory == Place::Packet;
  if (bits == 16) {
    auto axis = axisAt(place.offset, inPacket ? 4 : 12, 2);
    return axis ? makeBlockSize(builder, loc, *axis) : nullptr;
  }
  std::optional<unsigned> axis;
  if (bits == 32)
    axis = axisAt(place.offset, inPacket ? 12 : 0, 4);
  if (!axis)
    return nullptr;
  Value workgroups = makeGridSize(builder, loc, *axis);
  if (!inPacket)
    return workgroups;
  // 32 bits times 16 bits do not leave 64 bits.
  return LLVM::MulOp::create(
      builder, loc, workgroups, makeBlockSize(builder, loc, *axis),
      LLVM::IntegerOverflowFlags::nsw | LLVM::IntegerOverflowFlags::nuw);
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
    if (!place || !type.isInteger() ||
        (place->memory == Place::Arguments && !areBehindArguments))
      continue;
    OpBuilder builder(load);
    unsigned bits = type.getIntOrFloatBitWidth();
    Value read = makeRead(builder, load.getLoc(), *place, bits);
    if (!read)
      continue;
    read = LLVM::TruncOp::create(builder, load.getLoc(), type, read);
    load.replaceAllUsesWith(read);
    load.erase();
  }
  eraseUnused(module);
}

} // namespace swizzle::importing
