//===- CoarseModel.h - Traffic of an order, footprint by footprint *- C++ -*-=//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Narrows the search before anything is simulated. Works on whole footprints,
// not lines: a workgroup's footprint of a buffer is named by the coordinates of
// the axes that the buffer is not shared along. It costs nothing if the same
// footprint was used by a workgroup that runs at the same time, or recently
// enough to be cached still; a neighbour's footprint saves what overlaps. Good
// for telling promising orders from hopeless ones, not for figures.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_PLANNER_COARSEMODEL_H
#define SWIZZLE_LIB_PLANNER_COARSEMODEL_H

#include "swizzle/Hardware/HardwareSpec.h"
#include "swizzle/Kernel/Reuse.h"
#include "llvm/ADT/ArrayRef.h"

namespace swizzle {

class CoarseModel {
public:
  CoarseModel(const KernelModel &model, const HardwareSpec &hardware,
              const ReuseTable &reuse, int64_t residentPerUnit);

  /// Seconds that the traffic behind the L2s takes for the workgroups that are
  /// dispatched first, of which `order` names the tiles.
  double evaluate(llvm::ArrayRef<uint32_t> order);

  /// Table look-ups that one workgroup costs.
  int64_t lookupsPerWorkgroup() const { return lookups; }
  /// Workgroups that run at the same time on the chip.
  int64_t resident() const { return residentPerDie * dies; }

private:
  struct BufferInfo {
    double bytes = 0;
    std::array<bool, 3> shared{};    ///< axes that do not name the footprint
    std::array<double, 3> overlap{}; ///< with the neighbour along other axes
  };
  struct Entry {
    uint64_t key = ~uint64_t(0);
    int64_t turn = 0;   ///< of the die (or chip) when it was used last
    double fetched = 0; ///< bytes fetched until then
  };
  struct Cache {
    double capacity = 0;
    int64_t concurrent = 0;
  };

  bool present(const std::vector<Entry> &table, uint64_t key, int64_t turn,
               double fetched, const Cache &cache) const;

  Grid grid;
  int64_t dies, dispatchChunk, residentPerDie, lookups = 0;
  Cache l2;
  bool hasLast = false;
  Cache last;
  double lastBandwidth = 0, dramBandwidth = 0;
  std::vector<BufferInfo> buffers;
  std::vector<Entry> nearTable, farTable;
};

} // namespace swizzle

#endif // SWIZZLE_LIB_PLANNER_COARSEMODEL_H
