//===- EveryGrid.h - Independence whatever the grid -------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a kernel with a known block is independent on every grid.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_LEGALITY_EVERYGRID_H
#define SWIZZLE_LIB_ANALYSIS_LEGALITY_EVERYGRID_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "swizzle/Kernel/KernelModel.h"
#include "swizzle/Kernel/LaunchSizes.h"

#include <optional>

namespace swizzle {
struct KernelReading;
class ModuleFacts;
} // namespace swizzle

namespace swizzle::analysis {

/// True if two workgroups may do all that `model` says of one of them: each
/// writes the same values, as they only read what nobody writes, or their
/// updates commute.
bool mayBeDoneTwice(const KernelModel &model);

/// What `kernel` does on the largest grid, if its workgroups stay apart on
/// every grid of blocks as in `sizes`, unless buffers overlap. `launched`: the
/// kernel as its launches have it. Nullopt: not proved, or the grid is known.
std::optional<KernelModel> proveOnEveryGrid(mlir::FunctionOpInterface kernel,
                                            LaunchSizes sizes,
                                            const KernelReading &launched,
                                            const ModuleFacts &module);

/// What `kernel` does whatever is passed for the sizes that nobody gave: what
/// depends on one of them is not modelled, or, with `anyWay`, done whenever it
/// may be (`LaunchSizes::anyWay`). Nullopt if the grid, the block or something
/// else that is no argument would be assumed all the same.
std::optional<KernelModel> readForAllArguments(mlir::FunctionOpInterface kernel,
                                               LaunchSizes sizes,
                                               const ModuleFacts &module,
                                               bool anyWay);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_LEGALITY_EVERYGRID_H
