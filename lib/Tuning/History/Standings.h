//===- Standings.h - Which attempt is the best ------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All attempts that were profiled, and the one of them to take. It is chosen
// among all of them anew after each: were each compared with the best so far
// alone, small steps within the noise would add up to a large one backwards.
//
//   noise 1 %   time    DRAM
//   #1          100 us  9 GB    the least time
//   #2          100.5   5 GB    the best: as fast as #1 can be told, and leaner
//   #3          101.3   4 GB    slower than #1 by more than the noise
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_TUNING_HISTORY_STANDINGS_H
#define SWIZZLE_LIB_TUNING_HISTORY_STANDINGS_H

#include "Objective.h"

namespace swizzle::tuning {

/// True if `a` costs less than `b`, or the same by `objective` and less by what
/// breaks ties: bytes of DRAM where times are equal, else the time.
bool isPreferred(const Metrics &a, const Metrics &b, Objective objective);

class Standings {
public:
  struct Entry {
    unsigned attempt = 0;
    Metrics metrics;
    bool confirmed = false; ///< by Fidelity::Confirm
    Variant variant;
    std::string notes; ///< what is said of the attempt beside its verdict
  };

  Standings() = default;
  Standings(Objective objective, double margin, Metrics baseline)
      : objective(objective), margin(margin), baseline(std::move(baseline)) {}

  void add(Entry entry) { entries.push_back(std::move(entry)); }
  bool empty() const { return entries.empty(); }

  /// The entry to take; null: leave the kernel as it is. Once some entries are
  /// confirmed, it is one of those.
  const Entry *best() const;

  /// Entries that are not confirmed, the most promising first, without those
  /// that are slower than the kernel as it is, by more than the noise.
  std::vector<const Entry *> open() const;
  /// The first of `open` that would be preferred to the best of the confirmed
  /// ones (or, without one, might gain enough) by the figures that there are;
  /// null: no entry would.
  const Entry *contender() const;

  /// Takes finer figures of the kernel as it is (attempt 0) or of an attempt.
  void confirm(unsigned attempt, Metrics metrics);
  /// Goes back to the figures from before any was confirmed.
  void forgetConfirmed();

  /// The kernel as it is, in the detail of the attempt's figures.
  const Metrics &baselineOf(const Entry &entry) const {
    return entry.confirmed ? *finerBaseline : baseline;
  }
  const Entry *find(unsigned attempt) const;
  llvm::ArrayRef<Entry> all() const { return entries; }
  /// Of the kernel as it is, once entries are confirmed; or null.
  const Metrics *confirmedBaseline() const {
    return finerBaseline ? &*finerBaseline : nullptr;
  }

  /// Code and sentence for an entry.
  std::pair<std::string, std::string> verdictOf(const Entry &entry) const;

private:
  bool gainsEnough(const Entry &entry) const;

  Objective objective = Objective::Time;
  double margin = 0;
  Metrics baseline;
  std::optional<Metrics> finerBaseline;
  std::vector<Entry> entries;
  std::vector<Metrics> decided; ///< of each entry, once some are confirmed
};

} // namespace swizzle::tuning

#endif // SWIZZLE_LIB_TUNING_HISTORY_STANDINGS_H
