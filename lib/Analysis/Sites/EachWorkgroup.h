//===- EachWorkgroup.h - Accesses compared one by one -----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A proof for orders of workgroups that no formula about two of them settles,
// such as one that is dealt out over dies and taken in groups afterwards: the
// workgroups of a known grid are gone through, and what each touches is written
// down.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_SITES_EACHWORKGROUP_H
#define SWIZZLE_LIB_ANALYSIS_SITES_EACHWORKGROUP_H

#include "AccessSites.h"

namespace swizzle::analysis {

/// True if no two workgroups of the model's grid touch one byte, as far as
/// `sites`, of one buffer, go and conflict. False: they may, or there are too
/// many, or the budget, in steps of a few nanoseconds, does not suffice.
bool stayApartOneByOne(const KernelModel &model,
                       llvm::ArrayRef<const AccessSite *> sites,
                       WorkBudget &budget);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_SITES_EACHWORKGROUP_H
