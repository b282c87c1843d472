//===- Machine.cpp - How a target reads its launch ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On AMD the sizes stand in memory behind the kernel's arguments (layout: LLVM,
// "User Guide for AMDGPU Backend", Code Object V5 Kernel Argument Metadata). A
// kernel that promised not to look there gets no such memory, so that promises
// are taken back wherever something is read.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace swizzle::llvmpass {

namespace {
/// One number of a launch, along x, y and z.
struct Numbers {
  Intrinsic::ID nvidia[3];
  Intrinsic::ID amd[3];
};
} // namespace

static constexpr Numbers kIds = {{Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                                  Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                  Intrinsic::nvvm_read_ptx_sreg_ctaid_z},
                                 {Intrinsic::amdgcn_workgroup_id_x,
                                  Intrinsic::amdgcn_workgroup_id_y,
                                  Intrinsic::amdgcn_workgroup_id_z}};

static constexpr Numbers kThreads = {
    {Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y,
     Intrinsic::nvvm_read_ptx_sreg_tid_z},
    {Intrinsic::amdgcn_workitem_id_x, Intrinsic::amdgcn_workitem_id_y,
     Intrinsic::amdgcn_workitem_id_z}};

static std::optional<unsigned> axisIn(const Numbers &numbers,
                                      const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call)
    return std::nullopt;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (call->getIntrinsicID() == numbers.nvidia[axis] ||
        call->getIntrinsicID() == numbers.amd[axis])
      return axis;
  return std::nullopt;
}

bool isForAmd(const Function &kernel) {
  return kernel.getCallingConv() == CallingConv::AMDGPU_KERNEL;
}

std::optional<unsigned> readsId(const Instruction &instruction) {
  return axisIn(kIds, instruction);
}

std::optional<unsigned> readsThread(const Instruction &instruction) {
  return axisIn(kThreads, instruction);
}

Value *readId(IRBuilderBase &builder, bool amd, unsigned axis) {
  return builder.CreateIntrinsic(amd ? kIds.amd[axis] : kIds.nvidia[axis], {});
}

/// Loads `bits` at `offset` behind the arguments, as 32 bits.
static Value *loadImplicit(IRBuilderBase &builder, unsigned bits,
                           uint64_t offset) {
  Value *base = builder.CreateIntrinsic(Intrinsic::amdgcn_implicitarg_ptr, {});
  Value *address =
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
  LoadInst *load = builder.CreateAlignedLoad(builder.getIntNTy(bits), address,
                                             Align(bits / 8));
  MDNode *none = MDNode::get(builder.getContext(), {});
  load->setMetadata(LLVMContext::MD_invariant_load, none);
  load->setMetadata(LLVMContext::MD_noundef, none);
  return builder.CreateZExt(load, builder.getInt32Ty());
}

Value *readGrid(IRBuilderBase &builder, bool amd, unsigned axis) {
  if (amd)
    return loadImplicit(builder, 32, 4 * axis);
  static constexpr Intrinsic::ID kCounts[3] = {
      Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
      Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
      Intrinsic::nvvm_read_ptx_sreg_nctaid_z};
  return builder.CreateIntrinsic(kCounts[axis], {});
}

Value *readBlock(IRBuilderBase &builder, bool amd, unsigned axis) {
  if (amd)
    return loadImplicit(builder, 16, 12 + 2 * axis);
  static constexpr Intrinsic::ID kCounts[3] = {
      Intrinsic::nvvm_read_ptx_sreg_ntid_x,
      Intrinsic::nvvm_read_ptx_sreg_ntid_y,
      Intrinsic::nvvm_read_ptx_sreg_ntid_z};
  return builder.CreateIntrinsic(kCounts[axis], {});
}

bool canReadSizes(const Function &kernel) {
  if (!isForAmd(kernel))
    return true;
  auto *version = mdconst::extract_or_null<ConstantInt>(
      kernel.getParent()->getModuleFlag("amdhsa_code_object_version"));
  // The grid and the block lie in the first 18 bytes; fewer may be passed.
  constexpr uint64_t kBytesOfSizes = 18;
  return version && version->getZExtValue() >= 500 &&
         kernel.getFnAttributeAsParsedInteger("amdgpu-implicitarg-num-bytes",
                                              kBytesOfSizes) >= kBytesOfSizes;
}

void allowReads(Function &kernel) {
  static constexpr std::pair<Intrinsic::ID, StringLiteral> kPromises[] = {
      {Intrinsic::amdgcn_workgroup_id_x, "amdgpu-no-workgroup-id-x"},
      {Intrinsic::amdgcn_workgroup_id_y, "amdgpu-no-workgroup-id-y"},
      {Intrinsic::amdgcn_workgroup_id_z, "amdgpu-no-workgroup-id-z"},
      {Intrinsic::amdgcn_implicitarg_ptr, "amdgpu-no-implicitarg-ptr"}};
  for (BasicBlock &block : kernel)
    for (Instruction &instruction : block) {
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      if (!call)
        continue;
      for (const auto &[id, promise] : kPromises)
        if (call->getIntrinsicID() == id)
          kernel.removeFnAttr(promise);
      MemoryEffects effects =
          kernel.getMemoryEffects() | MemoryEffects::readOnly();
      if (call->getIntrinsicID() == Intrinsic::amdgcn_implicitarg_ptr &&
          effects != kernel.getMemoryEffects())
        kernel.setMemoryEffects(effects);
    }
}

} // namespace swizzle::llvmpass
