//===- UnitWork.h - What compute units do besides asking memory -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions that waves issue, and passes that the banks of workgroup memory
// make for them. Both are the same in every order of workgroups, so they are
// counted once, apart from the caches:
//
//   a workgroup of 64 threads,    loop i < 4
//   2 waves:                        write tile[128*tx]    32 passes: one bank
//                                   issue 2
//
//   2 * 4 * 2 = 16 instructions, 2 * 4 * 32 = 256 passes
//
// Waves are walked with the lanes that are active, as the hardware does it: a
// body is issued if any lane is in it, and idle lanes ask no bank. Where that
// depends on the workgroup, some workgroups stand for all; of a loop whose
// iterations are not alike, some iterations.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_MACHINE_UNITWORK_H
#define SWIZZLE_LIB_SIMULATION_MACHINE_UNITWORK_H

#include "Machine.h"

namespace swizzle::simulation {

/// Of a launch.
struct UnitWork {
  double instructions = 0; ///< each counted once for each wave that issues it
  double bankPasses = 0;   ///< 0 where the machine's banks are not known
};

/// Counts what `model` says. An access to workgroup memory whose address is not
/// known counts the passes that its bytes take at least.
UnitWork countUnitWork(const KernelModel &model, const Machine &machine);

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_MACHINE_UNITWORK_H
