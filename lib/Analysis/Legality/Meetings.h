//===- Meetings.h - Workgroups that meet, in one reading or another -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes refusals of what readings of a kernel show: the usual one, those of
// other ways through it, and those under other sizes.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_LEGALITY_MEETINGS_H
#define SWIZZLE_LIB_ANALYSIS_LEGALITY_MEETINGS_H

#include "swizzle/Analysis/Legality/Legality.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/ArrayRef.h"

#include <optional>

namespace swizzle {
struct Independence;
} // namespace swizzle

namespace swizzle::analysis {

/// `model` with one workgroup for all those that differ only along axes whose
/// id is not used, if they may do the same; else nullopt.
std::optional<KernelModel> withoutCopies(const KernelModel &model,
                                         llvm::ArrayRef<IdReading> readings);

/// What was found that two workgroups of `model` do to each other, as a refusal.
std::optional<KernelRefusal> refuseWhatMeets(mlir::FunctionOpInterface kernel,
                                             const KernelModel &model,
                                             const Independence &independence);

/// What a kernel does on other ways than that of nominal numbers may refuse it;
/// it proves nothing.
std::optional<KernelRefusal>
refuseElsewhere(mlir::FunctionOpInterface kernel, const KernelReading &reading,
                llvm::ArrayRef<IdReading> readings);

/// Workgroups far apart that meet under sizes that nobody gave may be apart under
/// others; not so if they meet under all, however these differ.
std::optional<KernelRefusal>
refuseForOtherSizes(mlir::FunctionOpInterface kernel,
                    const KernelReading &reading,
                    llvm::ArrayRef<IdReading> readings);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_LEGALITY_MEETINGS_H
