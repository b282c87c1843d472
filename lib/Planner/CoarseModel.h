//===- CoarseModel.h - Traffic of an order, from when lines are reused ------=//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Narrows the search before anything is simulated. The idea: take some lines
// from all over the kernel's data, and find all workgroups that touch each.
// That is done once. An order then says on which die, and when, each line is
// used and used again, over the whole launch, however long it is: nothing is
// replayed and no cache starts empty.
//
// From the times of reuse follows how much data lies between two uses that are
// n workgroups apart: the average footprint of n consecutive workgroups, which
// is the mean over all uses of min(time until the next use, n) (P. J. Denning,
// The working set model, 1968; X. Xiang et al., HOTL, ASPLOS 2013). A cache
// holds what is reused within as many workgroups as its capacity is the
// footprint of, or what is used by workgroups that run at the same time. What
// the L2s miss is, in the same way, what the last-level cache sees.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_PLANNER_COARSEMODEL_H
#define SWIZZLE_LIB_PLANNER_COARSEMODEL_H

#include "SearchSpace.h"
#include "swizzle/Hardware/HardwareSpec.h"
#include "swizzle/Simulation/Lines.h"
#include "swizzle/Simulation/Simulator.h"

#include <map>

namespace swizzle {

class CoarseModel {
public:
  /// `before`: the kernel as it is, simulated; its time that no order changes
  /// counts for every order.
  CoarseModel(const KernelModel &model, const HardwareSpec &hardware,
              int64_t residentPerUnit, const Metrics &before);

  struct Traffic {
    double llcBytes = 0, dramBytes = 0, timeUs = 0;
  };
  Traffic evaluate(const Order &order);

  /// Uses of lines that one evaluation goes through.
  int64_t uses() const { return touches.size(); }

private:
  struct Line {
    uint32_t first = 0, last = 0; ///< of `touches`
    double bytes = 0;             ///< of all lines that this one stands for
  };
  void findLines(const KernelModel &model, const HardwareSpec &hardware);
  void addLine(LineWalker &walker, unsigned shift, int64_t centre,
               uint32_t line, double bytes);
  bool touchedBy(LineWalker &walker, unsigned shift, int64_t tile,
                 uint32_t line);

  Grid grid;
  int64_t dies, dispatchChunk, residentPerDie;
  double l2Bytes = 0, llcBytes = 0, copies = 1;
  double llcBandwidth = 0, dramBandwidth = 0, otherSquares = 0;
  std::vector<Line> lines;
  std::vector<uint32_t> touches;     ///< indices into `tiles`
  std::vector<WorkgroupId> tiles;    ///< each once
  std::map<int64_t, uint32_t> known; ///< index in `tiles`
  std::map<int64_t, std::vector<uint32_t>> footprints;
};

/// The linear id that is dispatched to work on each of `tiles` under `order`.
std::vector<int64_t> idsOf(const Order &order, const Grid &grid, int64_t dies,
                           llvm::ArrayRef<WorkgroupId> tiles);

} // namespace swizzle

#endif // SWIZZLE_LIB_PLANNER_COARSEMODEL_H
