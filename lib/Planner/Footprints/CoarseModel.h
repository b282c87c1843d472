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
// used and used again, over the whole launch, however long it is: no access is
// simulated and no cache starts empty.
//
// A line of a row of 4 tiles, on one die: row by row it is used at times 0, 1,
// 2 and 3, with one workgroup's data between two uses; column by column at
// times 0, 4, 8 and 12, with that of four. It stays in the L2 if that much
// fits.
//
// From the times of reuse follows how much data lies between two uses that are
// n workgroups apart: the average footprint of n consecutive workgroups, which
// is the mean over all uses of min(time until the next use, n) (P. J. Denning,
// The working set model, CACM 1968; X. Xiang et al., HOTL, ASPLOS 2013). A
// cache holds what is reused within as many workgroups as its capacity is the
// footprint of (the stack distance of R. L. Mattson et al., IBM Systems Journal
// 1970, on average), or within one generation: workgroups that start together
// go through their data together, however much that is; the next one begins all
// over. What the L2s miss is, in the same way, what the last-level cache sees.
//
// A use that follows so soon on a miss that the line is still on its way waits
// for it, and holds its slot: of the workgroups that run together, the sooner
// one starts after the first that asked, the likelier. Where it asks from the
// same cluster of compute units, its request is one with the other, and costs
// the L2 nothing.
//
// Workgroups that share a compute unit, those whose places on a die are a
// multiple of its units apart, may find each other's lines in its first-level
// cache, if they go through their data together: the L2 is then asked once for
// all of them. Whether they do, only a simulation tells; so there are two
// times, without this and with it.
//
// Of an L2 in two halves, what is fetched crosses from one to the other if its
// home is not with who asks: half of what is used once, and the more likely all
// of it the more workgroups use it.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_PLANNER_FOOTPRINTS_COARSEMODEL_H
#define SWIZZLE_LIB_PLANNER_FOOTPRINTS_COARSEMODEL_H

#include "../Orders/SearchSpace.h"
#include "swizzle/Hardware/HardwareSpec.h"
#include "swizzle/Simulation/Lines.h"
#include "swizzle/Simulation/Scatter.h"
#include "swizzle/Simulation/Simulator.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <map>

namespace swizzle::planner {

class CoarseModel {
public:
  /// Looks at fewer lines if `deadline` passes.
  CoarseModel(const KernelModel &model, const HardwareSpec &hardware,
              int64_t residentPerUnit, const Deadline &deadline = {});

  /// `before`: the kernel as it is, simulated; its time that no order changes
  /// counts for every order from now on.
  void setUnchanged(const Metrics &before);

  struct Traffic {
    double llcBytes = 0; ///< asked of the first level behind the L2s, if any
    double dramBytes = 0, timeUs = 0;
    double waitingBytes = 0; ///< asked of the L2s while on its way from memory
    double lateBytes = 0;   ///< that whoever asks for them waits for memory for
    double mergedBytes = 0; ///< asked with another request that was on its way
    double crossingBytes = 0; ///< between the partitions of an L2
    double unitBytes =
        0; ///< what compute units use, once for all workgroups of one
    double sharingUs =
        0; ///< the time if the L2s are asked for no more than that
  };
  /// The time with what memory spends besides, these shares of its own time.
  double timeWith(const Traffic &traffic, ScatterModel::Shares shares) const;
  /// Several orders, a few at a time.
  std::vector<Traffic> evaluate(llvm::ArrayRef<Order> orders);

  /// False if workgroups may use a line together that was not looked for: where
  /// numbers from memory lead to it, along an axis of many places.
  bool seesAll() const { return !unseen; }
  /// True if the kernel as it is is: only then is it looked at which lines are
  /// late in which order.
  bool isBoundByLatency() const { return waits; }
  /// Uses of lines that one evaluation goes through.
  int64_t uses() const { return touches.size(); }
  /// Work units that finding lines took.
  double work() const { return walkWork; }

private:
  struct Line {
    uint32_t first = 0, last = 0; ///< of `touches`
    double bytes = 0;             ///< of all lines that this one stands for
    double waiting = 0; ///< the same, for each wave that waits for one
    uint32_t nearRank = 0, farRank = 0; ///< of its weight, for L2 and behind
  };
  /// What one evaluation needs beside its result, kept for the next.
  struct Scratch {
    std::vector<int64_t> ids;
    std::vector<uint64_t> uses, missed, gaps, spare;
    std::vector<uint32_t> times, ends;
    /// By compute unit of a die: the last group of workgroups that used a line
    /// there.
    std::vector<uint64_t> users;
  };
  Traffic evaluate(const Order &order, Scratch &scratch) const;
  void collectGaps(llvm::function_ref<bool(size_t)> sameDie,
                   Scratch &scratch) const;
  double unitBytesOf(llvm::function_ref<bool(size_t)> sameDie,
                     Scratch &scratch) const;
  double mergeProbability(double since) const;
  /// The sum of squares of all times but those of the L2s and behind them.
  double squaresOf(const Order &order, const Traffic &traffic) const;
  /// The time, with what workgroups wait for; `squares`: the sum of those of all
  /// other times.
  double withLatency(const Traffic &traffic, double squares) const;
  /// The share of a line that is late for a workgroup which starts `since`
  /// workgroups after the one that memory was asked by.
  double lateShare(double since) const;
  /// What looking up and delivering takes the L2s; `sharing`: see `sharingUs`.
  double nearUs(const Traffic &traffic, bool sharing) const;
  /// What memory takes, and the fabric between the partitions of an L2.
  double memoryUs(const Traffic &traffic) const {
    double crossing =
        rates.fabric > 0 ? traffic.crossingBytes / rates.fabric : 0;
    return std::max(traffic.dramBytes / dramBandwidth, crossing) * 1e6;
  }
  void idsOf(const Order &order, std::vector<int64_t> &ids) const;
  /// A level behind the shared one.
  struct Behind {
    std::string name;
    double bytes = 0, bandwidth = 0;
  };
  /// Leaves in `missed` (and `ends`, by line) the uses that `level` does not
  /// answer either; returns their bytes. `count`: workgroups.
  double passBehind(const Behind &level, double count, unsigned idBits,
                    Scratch &scratch) const;
  int64_t fitting(Scratch &scratch, const std::vector<double> &weights,
                  double capacity, double length) const;
  /// The time until the next use of what is not used again.
  int64_t never() const { return grid.count() + 1; }
  void rankLines();
  void findLines(const KernelModel &model, const HardwareSpec &hardware,
                 const Deadline &deadline);
  void addLine(LineWalker &walker, unsigned shift, int64_t centre,
               uint32_t line, double bytes, uint32_t waves);
  bool touchedBy(LineWalker &walker, unsigned shift, int64_t tile,
                 uint32_t line);

  Grid grid;
  /// Axes along which those that touch a line are no interval.
  bool scattered[3] = {};
  bool unseen = false; ///< one of them has too many places to look at each
  int64_t dies, dispatchChunk, residentPerDie, unitsPerDie;
  bool hasUnitCache = false;
  double l2Bytes = 0, copies = 1;
  std::vector<Behind> behind;
  double writtenBytes = 0; ///< to memory, by the kernel as it is
  double dramBandwidth = 0, otherSquares = 0, walkWork = 0;
  /// What the L2s take to look all up that is asked of them, and to deliver it;
  /// what they are spared for a byte that is merged.
  double sharedUs = 0, deliveryUs = 0, mergedUs = 0;
  /// Of what is asked of the L2s, the share that is read; of the kernel as it
  /// is, `unitBytes`.
  double readShare = 0, unitBytesBefore = 0;
  /// What starting the workgroups takes; how many waves wait for a byte that
  /// waits, as a share of all; how much longer it takes if all do.
  double launchUs = 0, waitsOfByte = 0, waitingUs = 0;
  /// What workgroups wait in any order, and for a byte that is late; and at most
  /// for all of them.
  double latencyUs = 0, latencyOfByte = 0, mostLateUs = 0;
  bool waits = false; ///< the kernel as it is, for most of its time
  /// Of the accesses, the share that loops make after their first iteration.
  double loopShare = 0;
  double lineBytes = 128;
  ReadsOnTheWay onTheWay;
  /// Workgroups that start on a die while a line is on its way from memory.
  double inFlight = 0;
  SharedRates rates;
  /// What issuing the kernel's instructions takes, and one more of each wave.
  double issueUs = 0, instructionUs = 0, waves = 0;
  /// Accesses of all workgroups if each makes every access once.
  double firstAccesses = 0;
  std::string sharedName;
  std::vector<Line> lines;
  /// Different weights of lines, ascending.
  std::vector<double> nearWeights, farWeights;
  unsigned rankBits = 0;
  std::vector<uint32_t> touches;     ///< indices into `tiles`
  std::vector<WorkgroupId> tiles;    ///< each once
  std::map<int64_t, uint32_t> known; ///< index in `tiles`
  std::map<int64_t, std::vector<uint32_t>> footprints;
  std::map<CurveKind, std::vector<uint32_t>> curves; ///< places by tile
  std::vector<Scratch> scratches;                    ///< one a thread
};

} // namespace swizzle::planner

#endif // SWIZZLE_LIB_PLANNER_FOOTPRINTS_COARSEMODEL_H
