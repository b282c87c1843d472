//===- FootprintSearch.h - Orders that are worth simulating -----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lowest fidelities of the search: the footprint model scores hundreds of
// orders (CoarseModel.h) and climbs from the best of them; of the best few of
// each shape it is looked at how they use memory
// (swizzle/Simulation/Scatter.h), where something is known of that.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_PLANNER_FOOTPRINTSEARCH_H
#define SWIZZLE_LIB_PLANNER_FOOTPRINTSEARCH_H

#include "Footprints/CoarseModel.h"
#include "Orders/SearchSpace.h"
#include "swizzle/Simulation/Scatter.h"

#include <map>
#include <string>
#include <vector>

namespace swizzle::planner {

struct Scored {
  Order order;
  double score = 0;
  std::string name;
  CoarseModel::Traffic traffic;
  size_t size = 0;    ///< loops, of equal orders the shorter is taken,
  int64_t pieces = 1; ///< and that with the smaller pieces
};

/// Of `scored`, best first, `count` that differ. First of each way to walk
/// within pieces the order with the fewest loops of those that are about as
/// good as its best, unless that is far from the best of all; then of each
/// shape the best order and the best one of powers of two. Others of a shape
/// differ little from its best. `smallest`: of orders of one walk that are as
/// plain and about as good, the one with the smallest pieces comes first. The
/// best one only just fits the caches, which shows where workgroups wait for
/// whoever falls behind.
std::vector<Order> bestOfShapes(llvm::ArrayRef<Scored> scored, size_t count,
                                bool smallest = false);

class FootprintSearch {
public:
  /// All must outlive this.
  FootprintSearch(const KernelModel &model, const HardwareSpec &hardware,
                  const SearchSpace &space, CoarseModel &coarse,
                  const Deadline &deadline);

  /// Scores the starts, then climbs; the orders that are left, best first.
  const std::vector<Scored> &run();

  /// Of the orders of `run`, a few of different shapes that are about as good
  /// as its best, and better if workgroups of one compute unit find each
  /// other's lines in its cache.
  std::vector<Order> sharing() const { return sharingUnits; }

  /// Some orders with their scores, best first.
  std::vector<Scored> score(llvm::ArrayRef<Order> orders);

  /// Work units that looking at memory took.
  double work() const;

private:
  void add(llvm::ArrayRef<Order> orders);
  std::vector<Scored> evaluate(llvm::ArrayRef<Order> orders);
  void addScatter(std::vector<Scored> &scored);
  void findSharing();

  const SearchSpace &space;
  CoarseModel &coarse;
  const Deadline &deadline;
  int64_t spent = 0;
  std::map<std::string, CoarseModel::Traffic> known; ///< by name
  std::vector<ScatterModel> scatters;                ///< one a thread
  std::map<std::string, ScatterModel::Shares> lost;  ///< to scatter, by name
  std::vector<Scored> all;
  std::vector<Order> sharingUnits;
};

} // namespace swizzle::planner

#endif // SWIZZLE_LIB_PLANNER_FOOTPRINTSEARCH_H
