//===- NearOrders.cpp - What to try next, given times ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times tell which orders are good, the simulator which of their neighbours may
// be better: wrong by a factor for a kernel, it is often right about two orders
// that differ in one number. Because it is not always, every other neighbour is
// taken without asking it.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Planner/NearOrders.h"

#include "SearchSpace.h"
#include "swizzle/Formula/Lowering/Lowering.h"
#include "swizzle/Planner/OrderSimulator.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace swizzle {

using namespace planner;

namespace {

/// Line accesses that simulating one order may cost: a quarter of what a search
/// for the planner's own sake spends.
constexpr double kAccesses = SimulatorEffort().search / 4;
/// A walk whose fastest order takes this much longer than the fastest of all
/// has no turn of its own.
constexpr double kFarBehind = 1.25;
/// Neighbours of a seed that is not the fastest: the best by simulation, the
/// closest.
constexpr size_t kPlacesOfOther = 2;
/// How many neighbours are simulated for each one that is asked for.
constexpr size_t kSimulatedPerPlace = 4;
constexpr double kUnknown = std::numeric_limits<double>::infinity();

/// A timed order, from which to go on.
struct Seed {
  Order order;
  double timeUs;
};

/// `count` of them, evenly spaced.
template <typename T>
std::vector<T> spread(const std::vector<T> &all, size_t count) {
  if (all.size() <= count)
    return all;
  std::vector<T> some;
  for (size_t i = 0; i < count; ++i)
    some.push_back(all[i * all.size() / count]);
  return some;
}

class NearOrders {
public:
  NearOrders(const NearOrdersQuestion &question, size_t count)
      : question(question), count(count),
        space(question.model, question.hardware),
        simulator(question.model, question.hardware, kAccesses) {
    simulator.setDeadline(question.deadline);
  }

  std::vector<NearOrder> run() {
    readTried();
    addShapes(seeds.size() > 1 ? (count + 1) / 2 : count);
    addNeighboursOf(0, (count - found.size() + 1) / 2);
    for (size_t seed : otherSeeds())
      addNeighboursOf(seed, kPlacesOfOther);
    for (size_t seed = 0; seed < seeds.size() && found.size() < count; ++seed)
      addNeighboursOf(seed, count);
    return std::move(found);
  }

private:
  std::string textOf(const Order &order) const {
    return order.toFormula(question.model.grid).print();
  }

  /// The seeds, fastest first; among them the kernel as it is.
  void readTried() {
    seeds.push_back({{LoopNest::rowMajor()}, question.timeUs});
    known.insert(textOf(seeds.front().order));
    for (const TriedOrder &tried : question.tried) {
      known.insert(tried.formula);
      auto formula = Formula::parse(tried.formula);
      if (!formula) {
        llvm::consumeError(formula.takeError()); // was tried all the same
        continue;
      }
      Environment environment = question.environment;
      environment.params = tried.params;
      std::optional<LoopNest> nest = recogniseNest(*formula, environment);
      if (!nest)
        continue;
      Order order{*nest};
      known.insert(textOf(order));
      shapes.insert(order.shape());
      if (tried.timeUs)
        seeds.push_back({order, *tried.timeUs});
    }
    llvm::sort(seeds, [](const Seed &a, const Seed &b) {
      return a.timeUs != b.timeUs ? a.timeUs < b.timeUs
                                  : a.order.describe() < b.order.describe();
    });
  }

  /// Seeds but the fastest, in turns the fastest of another walk and the next
  /// fastest of all: the fastest few are often one order in other words, and
  /// what is best with other numbers is behind them.
  std::vector<size_t> otherSeeds() const {
    std::vector<size_t> leaders, others, turns;
    std::set<std::string> walks{seeds.front().order.walk()};
    for (size_t i = 1; i < seeds.size(); ++i)
      (seeds[i].timeUs <= kFarBehind * seeds.front().timeUs &&
               walks.insert(seeds[i].order.walk()).second
           ? leaders
           : others)
          .push_back(i);
    for (size_t i = 0; i < std::max(leaders.size(), others.size()); ++i)
      for (const std::vector<size_t> *some : {&leaders, &others})
        if (i < some->size())
          turns.push_back((*some)[i]);
    return turns;
  }

  /// Simulated time; infinite where it cannot be told.
  double simulate(const Order &order) {
    std::string text = textOf(order);
    auto [place, added] = simulated.try_emplace(text, kUnknown);
    if (!added || question.deadline.passed())
      return place->second;
    auto lowered =
        lower(order.toFormula(question.model.grid), question.environment);
    double cost = lowered ? double(estimateCost(*lowered)) : 0;
    if (!lowered)
      llvm::consumeError(lowered.takeError()); // then it is not counted
    llvm::Expected<Metrics> metrics = simulator.simulate(
        [&](int64_t first, int64_t size) {
          return space.tiles(order, first, size);
        },
        cost);
    if (metrics)
      return place->second = metrics->timeUs;
    llvm::consumeError(metrics.takeError()); // stays unknown
    return kUnknown;
  }

  /// Indices of the orders, the ones simulated to be fastest first.
  std::vector<size_t> rank(const std::vector<Order> &orders) {
    std::vector<std::pair<double, size_t>> ranked;
    for (auto [index, order] : llvm::enumerate(orders))
      ranked.push_back({simulate(order), index});
    llvm::sort(ranked);
    std::vector<size_t> indices;
    for (auto [timeUs, index] : ranked)
      indices.push_back(index);
    return indices;
  }

  void add(const Order &order) {
    std::string text = textOf(order);
    if (found.size() < count && known.insert(text).second)
      found.push_back({order.describe(), std::move(text)});
  }

  void addShapes(size_t places) {
    std::vector<Order> orders;
    for (const auto &some : {space.customary(), space.starts()})
      llvm::copy_if(some, std::back_inserter(orders), [&](const Order &order) {
        return !shapes.count(order.shape()) && !known.count(textOf(order));
      });
    for (size_t index : rank(orders))
      if (found.size() < places && shapes.insert(orders[index].shape()).second)
        add(orders[index]);
  }

  /// Neighbours that were not tried, those with the same loops first.
  std::vector<Order> freshNeighbours(const Seed &seed) const {
    std::vector<Order> same, others;
    std::string shape = seed.order.shape();
    for (const Order &order : space.neighbours(seed.order))
      if (!known.count(textOf(order)))
        (order.shape() == shape ? same : others).push_back(order);
    llvm::append_range(same, others);
    return same;
  }

  /// Fills up to `places` places with neighbours of a seed, if there is one.
  void addNeighboursOf(size_t index, size_t places) {
    places = std::min(places, count - found.size());
    if (index >= seeds.size() || !places)
      return;
    const Seed &seed = seeds[index];
    std::vector<Order> close = freshNeighbours(seed);
    std::vector<Order> quick = spread(close, kSimulatedPerPlace * places);
    std::vector<size_t> ranked = rank(quick);
    size_t end = found.size() + places,
           most = std::max(close.size(), ranked.size());
    for (size_t i = 0; i < most && found.size() < end; ++i) {
      if (i < ranked.size())
        add(quick[ranked[i]]);
      if (i < close.size() && found.size() < end)
        add(close[i]);
    }
  }

  const NearOrdersQuestion &question;
  const size_t count;
  SearchSpace space;
  OrderSimulator simulator;
  std::vector<Seed> seeds;
  std::set<std::string> known;  ///< texts that were tried or are proposed
  std::set<std::string> shapes; ///< likewise
  std::map<std::string, double> simulated;
  std::vector<NearOrder> found;
};

} // namespace

std::vector<NearOrder> proposeNearOrders(const NearOrdersQuestion &question,
                                         size_t count) {
  if (question.model.grid.count() <= 1)
    return {};
  return NearOrders(question, count).run();
}

} // namespace swizzle
