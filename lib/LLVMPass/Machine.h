//===- Machine.h - How a target reads its launch --------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The intrinsics of the two vendors for the numbers of a launch, by axis.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_LLVMPASS_MACHINE_H
#define SWIZZLE_LIB_LLVMPASS_MACHINE_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include <optional>

namespace swizzle::llvmpass {

/// True if `kernel` is one for AMD. Its calling convention says so; a target
/// triple need not be there.
bool isForAmd(const llvm::Function &kernel);

/// The axis whose workgroup id `instruction` reads.
std::optional<unsigned> readsId(const llvm::Instruction &instruction);

/// The axis whose thread id within the workgroup `instruction` reads.
std::optional<unsigned> readsThread(const llvm::Instruction &instruction);

/// Reads the id of the workgroup along `axis`, of 32 bits.
llvm::Value *readId(llvm::IRBuilderBase &builder, bool amd, unsigned axis);

/// Reads how many workgroups a launch has along `axis`, of 32 bits.
llvm::Value *readGrid(llvm::IRBuilderBase &builder, bool amd, unsigned axis);

/// Reads how many threads a workgroup has along `axis`, of 32 bits.
llvm::Value *readBlock(llvm::IRBuilderBase &builder, bool amd, unsigned axis);

/// True if `kernel` can read the sizes of its launch: AMD's loader tells them
/// from version 5 of the code object on.
bool canReadSizes(const llvm::Function &kernel);

/// Takes back what `kernel` promises about launch numbers that it does not read
/// and now does.
void allowReads(llvm::Function &kernel);

} // namespace swizzle::llvmpass

#endif // SWIZZLE_LIB_LLVMPASS_MACHINE_H
