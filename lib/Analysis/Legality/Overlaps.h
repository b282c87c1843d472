//===- Overlaps.h - Which buffers must not overlap -------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a proof assumes of buffers that may be one memory.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_LEGALITY_OVERLAPS_H
#define SWIZZLE_LIB_ANALYSIS_LEGALITY_OVERLAPS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "swizzle/Kernel/KernelModel.h"
#include <string>
#include <vector>

namespace swizzle::analysis {

/// Pairs of buffers that may overlap, of which one is written: one phrase for
/// each that is written. `isVisible`: others may launch the kernel, too.
std::vector<std::string> assumeNoAliasing(mlir::FunctionOpInterface kernel,
                                          const KernelModel &model,
                                          bool isVisible);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_LEGALITY_OVERLAPS_H
