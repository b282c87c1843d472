//===- Oracle.h - A simulator that is obviously right --------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One compute unit with one workgroup at a time: no interleaving to argue
// about. Threads are run one by one from the model's own definition, caches are
// lists in the order of use. Slow, and short enough to be checked by reading.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_SIMULATION_ORACLE_H
#define SWIZZLE_UNITTESTS_SIMULATION_ORACLE_H

#include "swizzle/Hardware/HardwareSpec.h"
#include "swizzle/Kernel/KernelModel.h"

namespace swizzle::oracle {

struct Counts {
  int64_t lineAccesses = 0;
  int64_t l1Lookups = 0, l1Hits = 0;     ///< sectors
  int64_t l2Lookups = 0, l2Hits = 0;     ///< sectors
  int64_t dramReads = 0, dramWrites = 0; ///< sectors
};

/// The chip that the oracle stands for: one unit, one workgroup at a time,
/// caches of one set, least recently used out first.
HardwareSpec makeChip(int64_t l1Lines, int64_t l2Lines, int64_t sectorBytes,
                      int64_t waveSize);

/// Runs all workgroups in order. Accesses are issued by threads, without box,
/// and move at most 16 bytes.
Counts run(const KernelModel &model, int64_t l1Lines, int64_t l2Lines,
           int64_t sectorBytes, int64_t waveSize);

} // namespace swizzle::oracle

#endif // SWIZZLE_UNITTESTS_SIMULATION_ORACLE_H
