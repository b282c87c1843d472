//===- Patch.h - Gives a kernel another order of workgroups ---- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is left of a decision when it has become instructions.
//
//   %x = call i32 @llvm.amdgcn.workgroup.id.x()      and its like
//   %x2, %y2, %z2 = the remap of %x, %y, %z          where the grid is the claimed one
//   ...  every other use of the ids is one of %x2, %y2, %z2
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_LLVMPASS_PATCH_H
#define SWIZZLE_LIB_LLVMPASS_PATCH_H

#include "PlanFunctions.h"

namespace swizzle::llvmpass {

/// Rewrites the kernel of `planned`, which has a remap. With `tag`, an
/// attribute keeps the formulas. Fails if what would be inserted is not what was
/// proved, or what reads ids cannot be inlined; the kernel computes what it did
/// then.
llvm::Error applyRemaps(const PlannedFunction &planned, bool tag);

} // namespace swizzle::llvmpass

#endif // SWIZZLE_LIB_LLVMPASS_PATCH_H
