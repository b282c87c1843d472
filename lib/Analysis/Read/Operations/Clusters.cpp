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
//   inttoptr (%own + 64) to <7>            its own
//   inttoptr (%own & 0xfeffffff) to <7>    the same place in a neighbour's memory
//
//===----------------------------------------------------------------------===//

#include "Operations.h"

#include "swizzle/IR/CompiledFor.h"
#include "swizzle/Lowering/KernelMark.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace mlir;

namespace swizzle::analysis {

using llvm::NVPTXAS::ADDRESS_SPACE_SHARED;
using llvm::NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER;

/// The next workgroup's memory begins so many bytes behind the workgroup's own.
static constexpr uint64_t kNeighbour = 1 << 24;

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

/// True if `address`, a pointer or the number of one, is a place in the
/// workgroup's own memory moved by sums alone, as far as `steps` back tell.
static bool isOwnAddress(Value address, unsigned &steps) {
  for (; steps != 0; --steps) {
    Operation *op = address.getDefiningOp();
    bool isCast = isa_and_nonnull<LLVM::AddrSpaceCastOp>(op);
    if (isIn(address, ADDRESS_SPACE_SHARED) &&
        !(isCast && isIn(op->getOperand(0), ADDRESS_SPACE_SHARED_CLUSTER)))
      return true;
    if (APInt number; matchPattern(address, m_ConstantInt(&number)))
      return number.ult(kNeighbour);
    if (isa_and_nonnull<LLVM::AddOp>(op) &&
        isOwnAddress(op->getOperand(1), steps))
      return true;
    if (!isCast &&
        !isa_and_nonnull<LLVM::AddOp, LLVM::GEPOp, LLVM::BitcastOp,
                         LLVM::IntToPtrOp, LLVM::PtrToIntOp, LLVM::TruncOp,
                         LLVM::ZExtOp, LLVM::FreezeOp>(op))
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
    unsigned steps = kMaxSteps;
    return isOfCluster && !isOwnAddress(operand, steps) && isForNvidia(op);
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
