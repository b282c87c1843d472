//===- Planner.cpp - Offline search for a workgroup order -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three sieves, each finer and dearer than the one before: the footprint model
// looks at hundreds of orders, sampled simulation at a dozen and at neighbours
// of the best while the budget lasts, a longer simulation at the last few. The
// budget counts simulated accesses, never time, so that the same input gives
// the same plan on every machine.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Planner/Planner.h"

#include "CoarseModel.h"
#include "Evaluation.h"
#include "SearchSpace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <map>
#include <set>

namespace swizzle {

namespace {

// Footprint look-ups of the first sieve, in all and for one order.
constexpr int64_t lookupBudget = 40000000;
constexpr int64_t coarseOrders = 400;
// Orders that go on to simulation, and to the last round.
constexpr size_t simulatedOrders = 10;
constexpr size_t finalists = 3;

struct Scored {
  Order order;
  double score = 0;
  std::string name;
  size_t size = 0; ///< loops, of equal orders the shorter is taken
};

bool better(const Scored &a, const Scored &b) {
  return std::tie(a.score, a.size, a.name) < std::tie(b.score, b.size, b.name);
}

/// The shape of an order without its numbers.
std::string shapeOf(const Order &order) {
  std::string shape(1, char('0' + int(order.nest.deal)));
  shape += char('0' + int(order.curve));
  for (const NestLevel &level : order.nest.levels)
    shape += "xyzXYZ"[level.axis + (level.tile > 1 ? 3 : 0)];
  return shape;
}

/// First sieve: scores the starts, then climbs from the best of them.
std::vector<Scored> sieve(const SearchSpace &space, CoarseModel &coarse,
                          const Grid &grid) {
  int64_t perOrder =
      lookupBudget / (coarseOrders * coarse.lookupsPerWorkgroup());
  int64_t count =
      std::min(grid.count(), std::max(perOrder, 2 * coarse.resident()));
  int64_t budget = lookupBudget;
  std::vector<Scored> all;
  std::set<std::string> seen;
  auto consider = [&](const Order &order) {
    std::string name = order.describe();
    if (budget <= 0 || !seen.insert(name).second)
      return;
    budget -= count * coarse.lookupsPerWorkgroup();
    double score = coarse.evaluate(space.window(order, count));
    all.push_back({order, score, std::move(name), order.nest.levels.size()});
  };
  for (const Order &order : space.starts())
    consider(order);
  std::set<std::string> expanded;
  while (budget > 0) {
    llvm::sort(all, better);
    // The best few of different shapes that were not expanded yet.
    std::vector<Order> from;
    std::map<std::string, int> shapes;
    for (const Scored &scored : all) {
      if (from.size() == 3)
        break;
      if (shapes[shapeOf(scored.order)]++ ||
          !expanded.insert(scored.name).second)
        continue;
      from.push_back(scored.order);
    }
    if (from.empty())
      break;
    for (const Order &order : from)
      for (const Order &next : space.neighbours(order))
        consider(next);
  }
  llvm::sort(all, better);
  return all;
}

/// True if orders can matter at all: some buffer is shared or overlaps along an
/// axis, or has fewer bytes than its workgroups ask for together.
bool hasReuse(const KernelModel &model, const ReuseTable &reuse) {
  for (const BufferReuse &buffer : reuse.buffers) {
    for (AxisReuse axis : buffer.axis)
      if (axis == AxisReuse::Shared || axis == AxisReuse::Overlap)
        return true;
    int64_t bytes = model.buffers[buffer.buffer].bytes;
    if (bytes > 0 &&
        double(buffer.bytesPerWorkgroup) * double(model.grid.count()) >
            1.05 * double(bytes))
      return true;
  }
  return false;
}

class Search {
public:
  Search(const KernelModel &model, const HardwareSpec &hardware,
         const PlannerOptions &options)
      : model(model), hardware(hardware), options(options),
        space(model.grid, hardware.numDies, hardware.dispatchChunk,
              model.gridKnown == std::array<bool, 3>{true, true, true}),
        evaluation(model, hardware, options, space) {}

  llvm::Expected<Plan> run() {
    result.reuse = analyseReuse(model, hardware.l2.lineBytes.value_or(128));
    if (result.reuse.buffers.empty())
      return keep("nothing-modelled", "no access to global memory is modelled");
    if (llvm::Error error = evaluation.baseline(result.reuse))
      return std::move(error);
    result.before = result.after = evaluation.before();
    result.simulation = evaluation.simulation();
    if (std::optional<Hopeless> hopeless = whyNoOrderHelps(
            model, result.reuse, result.before, options.margin))
      return keep(hopeless->code, std::move(hopeless->reason));
    return search();
  }

private:
  llvm::Expected<Plan> keep(std::string code, std::string reason) {
    result.reasonCode = std::move(code);
    result.reason = std::move(reason);
    return std::move(result);
  }

  llvm::Expected<Plan> search() {
    CoarseModel coarse(model, hardware, result.reuse,
                       std::max<int64_t>(1, occupancy(model, hardware)));
    std::vector<Scored> scored = sieve(space, coarse, model.grid);
    std::map<std::string, double> scores;
    for (const Scored &s : scored)
      scores[s.name] = s.score;

    // Second sieve: the best of each shape and what is customary, then
    // neighbours of the best.
    std::map<std::string, int> shapes;
    std::vector<Order> chosenOrders;
    for (const Scored &s : scored)
      if (chosenOrders.size() < simulatedOrders &&
          shapes[shapeOf(s.order)]++ < 2)
        chosenOrders.push_back(s.order);
    std::vector<Order> customary = space.customary();
    chosenOrders.insert(chosenOrders.begin() +
                            std::min<size_t>(2, chosenOrders.size()),
                        customary.begin(), customary.end());
    for (const Order &order : chosenOrders) {
      if (evaluation.exhausted())
        break;
      if (llvm::Error error = evaluation.simulate(order))
        return std::move(error);
    }
    std::set<std::string> expanded;
    while (!evaluation.exhausted()) {
      const Trial *best = nullptr;
      for (const Trial &trial : evaluation.ranked())
        if (!expanded.count(trial.name)) {
          best = &trial;
          break;
        }
      if (!best || expanded.size() == 6)
        break;
      expanded.insert(best->name);
      std::vector<Scored> next;
      for (const Order &order : space.neighbours(best->order)) {
        std::string name = order.describe();
        auto it = scores.find(name);
        double score =
            it != scores.end()
                ? it->second
                : scores[name] = coarse.evaluate(space.window(
                      order, std::min<int64_t>(model.grid.count(),
                                               4 * coarse.resident())));
        next.push_back({order, score, name, order.nest.levels.size()});
      }
      llvm::sort(next, better);
      for (const Scored &s : llvm::ArrayRef(next).take_front(12)) {
        if (evaluation.exhausted())
          break;
        if (llvm::Error error = evaluation.simulate(s.order))
          return std::move(error);
      }
    }

    // Last round, longer.
    if (llvm::Error error = evaluation.finish(finalists))
      return std::move(error);
    result.before = result.after = evaluation.before();
    result.simulation = evaluation.simulation();
    for (const Trial &trial : evaluation.ranked())
      result.candidates.push_back({trial.name,
                                   trial.order.toFormula(model.grid).print(),
                                   {},
                                   trial.cost,
                                   trial.metrics});
    const Trial *chosen = evaluation.chosen();
    double gain = chosen ? evaluation.gain(*chosen) : 0;
    if (!chosen || gain < options.margin)
      return keep("no-gain",
                  llvm::formatv("none of {0} simulated orders is predicted to "
                                "be no slower and to load all levels together "
                                "{1:P1} less; the best one that is no slower "
                                "saves {2:P1}",
                                evaluation.ranked().size(), options.margin,
                                std::max(0.0, gain)));
    result.formula = chosen->order.toFormula(model.grid);
    result.description = chosen->name;
    result.after = chosen->metrics;
    result.reasonCode = "improved";
    result.reason = llvm::formatv(
        "{0}: {1:P1} less load over all levels, time {2:F1} -> {3:F1} us "
        "(predicted); best of {4} simulated orders",
        chosen->name, gain / (1 + gain), result.before.timeUs,
        result.after.timeUs, evaluation.ranked().size());
    return std::move(result);
  }

  const KernelModel &model;
  const HardwareSpec &hardware;
  const PlannerOptions &options;
  SearchSpace space;
  Evaluation evaluation;
  Plan result;
};

} // namespace

std::optional<Hopeless> whyNoOrderHelps(const KernelModel &model,
                                        const ReuseTable &reuse,
                                        const Metrics &metrics, double margin) {
  if (model.grid.count() <= 1)
    return Hopeless{"single-workgroup", "the grid has a single workgroup"};
  if (!hasReuse(model, reuse))
    return Hopeless{"no-reuse", "no two workgroups touch the same lines"};
  if (metrics.roofline.empty())
    return std::nullopt;
  double possible = possibleGain(metrics);
  if (possible >= margin)
    return std::nullopt;
  return Hopeless{"not-memory-bound",
                  llvm::formatv("even without any traffic the kernel would be "
                                "only {0:P1} faster",
                                possible)};
}

llvm::Expected<Plan> plan(const KernelModel &model,
                          const HardwareSpec &hardware,
                          const PlannerOptions &options) {
  return Search(model, hardware, options).run();
}

} // namespace swizzle
