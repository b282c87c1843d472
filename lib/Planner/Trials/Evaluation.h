//===- Evaluation.h - Simulated trials under a budget -----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simulates orders under a budget, and says which is to be preferred.
//
// The fastest prediction would be a random choice: many orders take nearly the
// same time, and another sample of lines puts another one first. A difference
// counts only if it is larger than a margin, which is wider between two orders
// than between an order and the kernel as it is. Of all orders that are no
// slower than the fastest by that measure, those that lose least to latency are
// kept, of these those with the least DRAM traffic, both by a like measure, and
// of these the one with the cheapest arithmetic, the fewest loops, and the
// first name is preferred. What decides last does not depend on what was
// sampled, and no finer simulation changes it as long as it finds the same
// orders equal.
//
// A prediction is no better than its inputs: the capacity of caches, which is
// fitted, and how far workgroups are out of step. So orders on which the choice
// depends, and the kernel as it is, are simulated again with
// caches 10 % smaller and larger and with another skew. A difference lies
// inside this sensitivity, and does not count, if its mean over all of these is
// no more than its standard deviation. Whether one of them alone turns it
// around is no measure: of two orders that differ by 15 %, but for -1 % under
// the worst skew, the slower one would be taken because its arithmetic is
// cheaper.
//
// The choice depends on the fastest, on those that are slower by more than the
// margin but cheaper, which the sensitivity may make its equals, and on the one
// that is taken, whose gain has to be certain.
//
// The budget is counted in orders of the same price, so that it does not depend
// on what was found. A search in full detail judges all orders that the sampled
// search went through, each as the sampled search judges its last few.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_PLANNER_TRIALS_EVALUATION_H
#define SWIZZLE_LIB_PLANNER_TRIALS_EVALUATION_H

#include "../Orders/SearchSpace.h"
#include "Constants.h"
#include "Sampling.h"
#include "swizzle/Planner/Planner.h"

#include <set>

namespace swizzle::planner {

/// What is simulated, for each variation of its inputs: variant 0 is the
/// prediction, if there are others.
struct Forecast {
  double timeUs = 0, dramBytes = 0;
  /// What is lost to latency: rows of memory that are opened, and lines that
  /// others asked memory for.
  double latencyUs = 0;
  std::vector<double> times, drams; ///< of the variants, simulated alike
};

struct Trial {
  Order order;
  std::string name;
  int64_t cost = 0;       ///< scalar instructions of the remap
  bool unchanged = false; ///< other words for the kernel's own order
  Metrics metrics;
  Forecast forecast;
  bool final = false; ///< took part in the last round
  bool taken = false; ///< in the end
};

/// What decides between equals: one that costs less, has fewer loops or smaller
/// pieces (what is used again comes sooner), or comes first by name.
bool comesFirst(const Trial *trial, const Trial *other);
/// One that takes less time, or comes first.
bool isQuicker(const Trial *trial, const Trial *other);

/// Relative gain of a kernel that does `metrics` if it had no traffic behind
/// the first-level caches and, where its workgroups differ, no unit were idle.
double possibleGain(const Metrics &metrics);

class Evaluation {
public:
  Evaluation(const KernelModel &model, const HardwareSpec &hardware,
             const PlannerOptions &options, const SearchSpace &space);

  /// Chooses sampling and prefix, and simulates the kernel as it is.
  llvm::Error baseline(const ReuseTable &reuse);
  /// Simulates some orders, except those that were, until the search's part of
  /// the budget is used up.
  llvm::Error simulate(llvm::ArrayRef<Order> orders);
  /// Simulates the kernel and the best orders in as much detail as the budget
  /// allows, and takes one of them or none.
  llvm::Error finish();

  /// True if the gain is what is asked for, whether it is certain or not.
  bool isLarge(const Trial &trial) const;
  /// True if the gain, as it was simulated last, is more than what was left out
  /// may feign.
  bool isWorthIt(const Trial &trial) const;
  /// The preferred one of those that were simulated so far and are worth it,
  /// without a last round. Null if there is none.
  const Trial *bestSoFar() const;
  /// The grid as far as it is known, and the chip's numbers.
  Environment environmentOf() const;

  /// What simulates trials.
  Sampling &simulations() { return sampling; }
  /// How trials were simulated last.
  const SimulationOptions &detail() const { return lastDetail; }

  /// All trials, fastest first; those of the last round before the others.
  const std::vector<Trial> &ranked() const { return trials; }
  /// Of some trials, the one that is taken. Null if there is none.
  const Trial *preferred(llvm::ArrayRef<const Trial *> among) const;
  /// What was taken in the last round: the preferred one of those that are
  /// better than the kernel as it is. Null if there is none.
  const Trial *chosen() const;
  /// Of the orders about as fast as the one that was taken, the first among
  /// equals, if that is another one: the search may have misjudged it by as
  /// much. Null if there is none.
  const Trial *rival() const;
  /// True if figures of two orders that were looked at closely do not tell that
  /// the first is slower, or loses more to latency.
  bool isNoSlower(const Metrics &metrics, const Metrics &other) const;
  /// Why nothing was taken in the last round.
  std::string whyNone() const;
  bool exhausted() const { return int64_t(trials.size()) >= searchTrials(); }
  const Metrics &before() const { return sampling.before(); }
  /// Work units that all simulations took so far.
  double work() const { return sampling.work(); }
  /// Relative gain in simulated time of an order.
  double gain(const Trial &trial) const;

private:
  std::vector<uint32_t> tilesOf(const Order &order) const;
  int64_t costOf(const Order &order) const;
  bool isProvable(const Trial &trial) const;
  void leaveProvable(std::vector<Trial *> &better);
  /// Windows hold a little more or less of the work: all do the same in the
  /// end. `like`: the kernel as it is, in the same window.
  static Forecast forecastOf(const Metrics &metrics, const Metrics &like);
  bool isFaster(const Forecast &forecast, const Forecast &other,
                double margins) const;
  bool isLeaner(const Forecast &forecast, const Forecast &other) const;
  bool losesMore(const Forecast &forecast, const Forecast &other) const;
  bool mayBeEqual(const Trial &fastest, const Trial &trial) const;
  bool isBetterThanBefore(const Trial &trial) const;
  int64_t searchTrials() const;
  std::vector<Trial *> finalists();
  llvm::Error take(llvm::ArrayRef<Trial *> last, double orders);
  llvm::Expected<std::vector<const Trial *>>
  equalsOfFastest(std::vector<Trial *> &better, double &orders);
  llvm::Expected<bool> vary(Trial &trial, double &orders);
  llvm::Expected<bool> refine(std::vector<Trial *> &some, double accesses);
  std::vector<Sampling::Job> jobsOf(llvm::ArrayRef<Trial *> some,
                                    bool andKernel) const;
  void setBefore(Metrics metrics);
  void rank();

  const KernelModel &model;
  const HardwareSpec &hardware;
  const PlannerOptions &options;
  const SearchSpace &space;
  Sampling sampling;
  double affordable = 0; ///< simulations, in all
  Forecast unchanged;
  SimulationOptions lastDetail;
  bool unproved = false;
  std::set<uint64_t> seen;
  std::vector<Trial> trials;
};

/// The gain that an order must show: `margin`, or more if it is there for
/// scattered memory alone.
double marginFor(double margin, const Metrics &before, const Metrics &after);
/// The gain that an order must show for that to be certain: a window may feign
/// some, and so may steps that were left out, and lines.
double leastGain(double margin, const SimulationOptions &detail,
                 const Metrics &before, const Metrics &after);
/// A gain that is less than that, in words: "1.2%, less than 3.0%, which ...".
std::string tooLittle(double gain, double margin,
                      const SimulationOptions &detail, const Metrics &before,
                      const Metrics &after);

} // namespace swizzle::planner

#endif // SWIZZLE_LIB_PLANNER_TRIALS_EVALUATION_H
