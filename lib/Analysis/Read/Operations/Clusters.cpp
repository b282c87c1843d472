//===- Clusters.cpp - What works with other workgroups of a cluster -------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workgroups of a cluster reach each other's memory and barriers. Some
// operations exist for nothing else and have a row of their own; here are those
// that most kernels use within a workgroup, and that tell by an operand, an
// attribute, a part of their name or an address whether they leave it.
//
// A launch may make clusters of a kernel that says nothing of them, and to
// NVIDIA's space 7, the memory of a whole cluster, every address of workgroup
// memory belongs:
//
//   addrspacecast %own to <7>              the workgroup's own
//   inttoptr (%own + 64 * %t) to <7>       its own, if no 15 MiB are added
//   inttoptr (%own & 0xfeffffff) to <7>    the same place in a neighbour's memory
//
//===----------------------------------------------------------------------===//

#include "CounterBounds.h"
#include "Operations.h"

#include "swizzle/IR/CompiledFor.h"
#include "swizzle/Lowering/KernelMark.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace mlir;

namespace swizzle::analysis {

using llvm::NVPTXAS::ADDRESS_SPACE_SHARED;
using llvm::NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER;

/// The next workgroup's memory begins so many bytes behind the workgroup's own,
/// and neither is larger than the other number.
static constexpr uint64_t kNeighbour = 1 << 24, kLargest = 1 << 18;

/// Addresses of workgroup memory, and of that of a cluster, have so many bits.
static constexpr unsigned kAddressBits = 32;

/// How far an address is followed back: compilers leave a handful of steps.
static constexpr unsigned kMaxSteps = 256;

/// Barriers are told apart by numbers, where -3 and -4 are those of a cluster,
/// or by the memory that they lie in.
static bool isClusterBarrier(Operation *op, StringRef name) {
  if (name.starts_with("nvvm.mbarrier."))
    return name.contains(".space.cluster");
  if (!name.starts_with("rocdl.s.barrier.") &&
      name != "rocdl.s.get.barrier.state")
    return false;
  APInt id(32, 0);
  if (auto number = op->getAttrOfType<IntegerAttr>("id"))
    id = number.getValue();
  else if (op->getNumOperands() > 0)
    matchPattern(op->getOperand(0), m_ConstantInt(&id));
  return id.slt(-2);
}

/// Tensor units that work for two workgroups, or that signal to several: said
/// by the name of an intrinsic or by an operand, of products the last but one.
static bool isPairIntrinsic(Operation *op, StringRef name) {
  if (!isa<LLVM::CallIntrinsicOp>(op) || !name.starts_with("nvvm.tcgen05."))
    return false;
  if (name.contains(".cg2") || name.contains(".mc."))
    return true;
  if (!name.starts_with("nvvm.tcgen05.mma") || name.contains(".ws") ||
      name.contains(".cg1"))
    return false;
  APInt group;
  return op->getNumOperands() < 2 ||
         !matchPattern(op->getOperand(op->getNumOperands() - 2),
                       m_ConstantInt(&group)) ||
         group != 1;
}

/// Copies and signals to several workgroups of one cluster hide in an optional
/// operand or in an attribute.
static bool reachesSeveral(Operation *op, StringRef name) {
  if (auto copy = dyn_cast<NVVM::CpAsyncBulkGlobalToSharedClusterOp>(op))
    return bool(copy.getMulticastMask());
  if (auto copy = dyn_cast<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(op))
    if (copy.getMulticastMask())
      return true;
  if (auto commit = dyn_cast<NVVM::Tcgen05CommitOp>(op))
    if (commit.getMulticastMask())
      return true;
  return isPairIntrinsic(op, name) ||
         llvm::any_of(op->getAttrs(), [](NamedAttribute attribute) {
           auto group = dyn_cast<NVVM::CTAGroupKindAttr>(attribute.getValue());
           return group && group.getValue() == NVVM::CTAGroupKind::CTA_2;
         });
}

static bool isIn(Value value, unsigned space) {
  auto pointer =
      dyn_cast<LLVM::LLVMPointerType>(getElementTypeOrSelf(value.getType()));
  return pointer && pointer.getAddressSpace() == space;
}

/// How far an address is followed: what is added on the way, and what is left
/// of both.
struct Budget {
  unsigned steps = kMaxSteps;
  uint64_t bytes = kNeighbour - kLargest;

  bool spend(std::optional<uint64_t> more) {
    if (!more || *more > bytes)
      return false;
    bytes -= *more;
    return true;
  }
};

/// True if `value` is certainly no negative number, as a few steps tell.
static bool isNonNegative(Value value, unsigned steps = 8) {
  if (APInt number; matchPattern(value, m_ConstantInt(&number)))
    return number.isNonNegative();
  Operation *op = value.getDefiningOp();
  if (!op || steps == 0)
    return false;
  auto is = [&](unsigned operand) {
    return isNonNegative(op->getOperand(operand), steps - 1);
  };
  if (isa<LLVM::AndOp>(op))
    return is(0) || is(1);
  if (isa<LLVM::URemOp, LLVM::LShrOp, LLVM::UDivOp, LLVM::AddOp, LLVM::MulOp>(
          op)) // of few bytes each: nothing wraps around
    return is(0) && is(1);
  return isa<LLVM::ZExtOp>(op) ||
         op->getName().getStringRef().starts_with("nvvm.read.ptx.sreg.");
}

/// What the magnitude of `value` is at most; nullopt: any.
static std::optional<uint64_t> mostOf(Value value, unsigned &steps) {
  if (APInt number; matchPattern(value, m_ConstantInt(&number)))
    return number.abs().getLimitedValue();
  Operation *op = value.getDefiningOp();
  if (!op)
    return mostOfCounter(cast<BlockArgument>(value));
  if (steps == 0)
    return std::nullopt;
  --steps;
  StringRef name = op->getName().getStringRef();
  if (name.starts_with("nvvm.read.ptx.sreg.tid.") ||
      name.starts_with("nvvm.read.ptx.sreg.ntid."))
    return 1024;
  if (name == "nvvm.read.ptx.sreg.laneid")
    return 31;
  auto most = [&](unsigned operand) {
    return mostOf(op->getOperand(operand), steps);
  };
  auto ofBoth = [&](auto join) -> std::optional<uint64_t> {
    std::optional<uint64_t> one = most(0), other = most(1);
    if (!one || !other)
      return std::nullopt;
    return join(*one, *other);
  };
  APInt number;
  bool isByConstant = op->getNumOperands() == 2 &&
                      matchPattern(op->getOperand(1), m_ConstantInt(&number)) &&
                      number.isNonNegative();
  if (isa<LLVM::SExtOp, LLVM::TruncOp, LLVM::FreezeOp>(op))
    return most(0);
  // What is negative is a large number there.
  if (isa<LLVM::ZExtOp, LLVM::LShrOp, LLVM::UDivOp>(op))
    return isNonNegative(op->getOperand(0)) ? most(0) : std::nullopt;
  if (isa<LLVM::ICmpOp>(op))
    return 1;
  if (isa<LLVM::AndOp, LLVM::URemOp, LLVM::SRemOp>(op) && isByConstant)
    return number.getLimitedValue();
  if (isa<LLVM::AShrOp, LLVM::SDivOp>(op))
    return most(0);
  if (isa<LLVM::ShlOp>(op) && isByConstant && number.ult(24))
    return ofBoth([](uint64_t one, uint64_t by) {
      return llvm::SaturatingMultiply(one, uint64_t(1) << by);
    });
  if (isa<LLVM::MulOp>(op))
    return ofBoth([](uint64_t one, uint64_t other) {
      return llvm::SaturatingMultiply(one, other);
    });
  if (isa<LLVM::AddOp, LLVM::SubOp, LLVM::OrOp, LLVM::XOrOp>(op))
    return ofBoth([](uint64_t one, uint64_t other) {
      return llvm::SaturatingAdd(one, other);
    });
  if (auto select = dyn_cast<LLVM::SelectOp>(op)) {
    std::optional<uint64_t> one = most(1), other = most(2);
    if (one && other)
      return std::max(*one, *other);
  }
  return std::nullopt;
}

/// What a step from one element to another moves an address by. That it stays
/// within its variable is a rule of LLVM's, so only constants are looked at.
static uint64_t constantOffset(LLVM::GEPOp gep) {
  uint64_t bytes = 0;
  DataLayout layout = DataLayout::closest(gep);
  Type type = gep.getElemType();
  for (auto [position, index] : llvm::enumerate(gep.getIndices())) {
    APInt number;
    if (auto constant = dyn_cast<IntegerAttr>(index))
      number = constant.getValue();
    else if (!matchPattern(cast<Value>(index), m_ConstantInt(&number)))
      number = APInt(64, 0);
    if (position > 0) {
      auto array = dyn_cast<LLVM::LLVMArrayType>(type);
      if (!array)
        break; // a part of a structure is as near as its size says
      type = array.getElementType();
    }
    bytes = llvm::SaturatingMultiplyAdd(
        number.abs().getLimitedValue(),
        layout.getTypeSize(type).getFixedValue(), bytes);
  }
  return bytes;
}

/// By how much `op` may move an address down of which it clears bits; nullopt if
/// that is not what it does.
static std::optional<uint64_t> clearedBits(Operation *op) {
  APInt mask;
  if (!isa_and_nonnull<LLVM::AndOp>(op) ||
      !matchPattern(op->getOperand(1), m_ConstantInt(&mask)) ||
      mask.getBitWidth() < kAddressBits)
    return std::nullopt;
  return (~mask).trunc(kAddressBits).getZExtValue();
}

/// True if `address`, a pointer or the number of one, is a place in the
/// workgroup's own memory moved by sums alone, as far as `left` tells.
static bool isOwnAddress(Value address, Budget &left) {
  for (; left.steps != 0; --left.steps) {
    Operation *op = address.getDefiningOp();
    bool isCast = isa_and_nonnull<LLVM::AddrSpaceCastOp>(op);
    auto gep = dyn_cast_or_null<LLVM::GEPOp>(op);
    if (gep && !left.spend(constantOffset(gep)))
      return false;
    if (isIn(address, ADDRESS_SPACE_SHARED) && !gep &&
        !(isCast && isIn(op->getOperand(0), ADDRESS_SPACE_SHARED_CLUSTER)))
      return true;
    // A number with fewer bits has lost who the workgroup is.
    Type type = address.getType();
    if (type.isInteger() && type.getIntOrFloatBitWidth() < kAddressBits)
      return false;
    if (isa_and_nonnull<LLVM::AddOp>(op)) {
      Budget other = left;
      if (isOwnAddress(op->getOperand(1), other) &&
          other.spend(mostOf(op->getOperand(0), other.steps))) {
        left = other;
        return true;
      }
      if (!left.spend(mostOf(op->getOperand(1), left.steps)))
        return false;
    } else if (std::optional<uint64_t> down = clearedBits(op)) {
      if (!left.spend(down))
        return false;
    } else if (!isCast && !gep &&
               !isa_and_nonnull<LLVM::BitcastOp, LLVM::IntToPtrOp,
                                LLVM::PtrToIntOp, LLVM::TruncOp, LLVM::ZExtOp,
                                LLVM::FreezeOp>(op)) {
      return false;
    }
    if (left.steps == 0)
      return false;
    address = op->getOperand(0);
  }
  return false;
}

static bool isForNvidia(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  return vendorOf(op) == "nvidia" ||
         (function && vendorOfMark(function) == GpuVendor::NVIDIA);
}

/// True if an operand of `op` is an address that may be in another workgroup's
/// memory.
static bool reachesByAddress(Operation *op) {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    auto cast = operand.getDefiningOp<LLVM::AddrSpaceCastOp>();
    bool isOfCluster =
        isIn(operand, ADDRESS_SPACE_SHARED_CLUSTER) ||
        (cast && isIn(cast.getArg(), ADDRESS_SPACE_SHARED_CLUSTER));
    Budget left;
    return isOfCluster && !isOwnAddress(operand, left) && isForNvidia(op);
  });
}

std::string whyCluster(Operation *op, StringRef name, OperationKind kind) {
  bool touches = kind != OperationKind::Pure;
  StringRef what = isClusterBarrier(op, name)        ? "waits for"
                   : reachesSeveral(op, name)        ? "works with"
                   : touches && reachesByAddress(op) ? "may reach the memory of"
                                                     : "";
  if (what.empty())
    return "";
  std::string who = name.starts_with("swizzle.ptx.")
                        ? "a copy or signal of inline PTX"
                        : "'" + name.str() + "'";
  return who + " " + what.str() + " other workgroups of a cluster";
}

} // namespace swizzle::analysis
