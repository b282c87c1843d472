//===- Emit.h - A lowered formula as LLVM IR ------------------ -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second emitter of lowered operations, and the check of what it wrote. Ids
// and extents are integers of 32 or 64 bits, as the target's intrinsics yield.
//
//   %x = call i32 @llvm.amdgcn.workgroup.id.x()     return gx - 1 - x, y
//   %1 = sub nuw nsw i32 63, %x                     on 64x64
//
//   llvmpass::LaunchValues launch{{x, y, z}, {}};
//   auto results = llvmpass::emit(builder, lowered, launch);
//   if (Error error = llvmpass::checkEmitted(results, launch, expectation))
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LLVMPASS_EMIT_H
#define SWIZZLE_LLVMPASS_EMIT_H

#include "swizzle/Emit/CompareEmitted.h"
#include "llvm/IR/IRBuilder.h"

namespace swizzle::llvmpass {

/// What a kernel knows of its launch when it starts.
struct LaunchValues {
  std::array<llvm::Value *, 3> ids;
  /// Of the grid; empty where nothing asks for them.
  llvm::SmallVector<llvm::Value *, 3> extents;
};

using RemappedIds = std::array<llvm::Value *, 3>;

/// Writes `lowered` at the builder's insertion point, which stands after the
/// launch values. Curves end the block: the builder then stands in a later one.
/// Returns the new x, y, z, of the ids' types.
RemappedIds emit(llvm::IRBuilderBase &builder, const LoweredFormula &lowered,
                 const LaunchValues &launch);

/// Makes `results` the identity unless the launch has the extents of `grid`.
void guardGrid(llvm::IRBuilderBase &builder, const Grid &grid,
               const LaunchValues &launch, RemappedIds &results);

/// Reads the instructions that define `outputs` back, starting from `inputs`.
/// Fails on an instruction that emission does not make.
llvm::Expected<EmittedProgram>
readEmitted(llvm::ArrayRef<llvm::Value *> inputs,
            llvm::ArrayRef<llvm::Value *> outputs);

/// Evaluates the instructions that define `results` and compares them with what
/// is expected.
llvm::Error checkEmitted(const RemappedIds &results, const LaunchValues &launch,
                         const EmittedExpectation &expected);

} // namespace swizzle::llvmpass

#endif // SWIZZLE_LLVMPASS_EMIT_H
