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

/// How many lines a cache of each level has, from the unit to memory; `reads`
/// of them are filled by reads alone.
struct Chain {
  std::vector<int64_t> lines;
  size_t reads = 1;
};

constexpr int64_t kBanks = 8, kBankBytes = 4;

struct Counts {
  int64_t lineAccesses = 0;
  std::vector<int64_t> lookups, hits;    ///< sectors, by level
  int64_t dramReads = 0, dramWrites = 0; ///< sectors
  double instructions = 0;               ///< issued by waves
  int64_t bankPasses = 0; ///< of `kBanks` banks of `kBankBytes` bytes
};

/// The chip that the oracle stands for: one unit, one workgroup at a time,
/// caches of one set, least recently used out first.
HardwareSpec makeChip(const Chain &chain, int64_t sectorBytes,
                      int64_t waveSize);

/// Runs all workgroups in order. Accesses are issued by threads, without box,
/// and move at most 16 bytes. Lines that are thrown out dirty reach the next
/// level at once; the simulator lets some time pass, so that counts behind the
/// first level that writes back agree for kernels that only read.
Counts run(const KernelModel &model, const Chain &chain, int64_t sectorBytes,
           int64_t waveSize);

} // namespace swizzle::oracle

#endif // SWIZZLE_UNITTESTS_SIMULATION_ORACLE_H
