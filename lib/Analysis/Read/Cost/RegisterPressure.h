//===- RegisterPressure.h - Registers that a thread needs -------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many workgroups a compute unit holds at a time decides what an order of
// them is worth, and registers often decide that. Before a back end has run,
// the values that live at the same time are the best that is known of them.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_COST_REGISTERPRESSURE_H
#define SWIZZLE_LIB_ANALYSIS_READ_COST_REGISTERPRESSURE_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace swizzle::analysis {

/// The most 32-bit registers that the data of one thread of `kernel` fills
/// before or after any operation: vectors, matrix fragments (shared out over
/// `subgroupSize` lanes, which is asked for only if there are any) and
/// floating-point numbers. Ids, addresses and counters are left to the chip, as
/// back ends rematerialise them. What loads bring ahead of their use, and loops
/// that a back end unrolls, is not foreseen: of the suite's kernels on sm_90
/// the estimate is off by a third in the root mean square.
int64_t estimateDataRegisters(mlir::FunctionOpInterface kernel,
                              llvm::function_ref<int64_t()> subgroupSize);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_READ_COST_REGISTERPRESSURE_H
