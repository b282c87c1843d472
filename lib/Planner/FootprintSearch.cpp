//===- FootprintSearch.cpp - Orders that are worth simulating -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See FootprintSearch.h.
//
//===----------------------------------------------------------------------===//

#include "FootprintSearch.h"

#include "Constants.h"
#include "swizzle/Support/Parallel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <array>
#include <set>
#include <tuple>

namespace swizzle::planner {

using Constants = SearchConstants;

static bool better(const Scored &a, const Scored &b) {
  return std::tie(a.score, a.size, a.pieces, a.name) <
         std::tie(b.score, b.size, b.pieces, b.name);
}

static Scored scoredOf(const Order &order, std::string name,
                       const CoarseModel::Traffic &traffic) {
  return {order,   traffic.timeUs,           std::move(name),
          traffic, order.nest.levels.size(), order.sizeOfPieces()};
}

/// True if all pieces are powers of two, by which it is cheapest to divide.
static bool hasPowersOfTwo(const Order &order) {
  return llvm::all_of(order.nest.levels, [](const NestLevel &level) {
    return llvm::isPowerOf2_64(level.tile);
  });
}

/// Of each way to walk, best first, the plainest of those that are about as
/// good; with `smallest`, of these the one with the smallest pieces.
static llvm::SmallVector<const Scored *>
plainestOfWalks(llvm::ArrayRef<Scored> scored, bool smallest) {
  std::vector<std::pair<double, const Scored *>> plainest;
  std::map<std::string, size_t> places;
  for (const Scored &one : scored) {
    if (one.score > (1 + Constants::farFromBest) * scored.front().score)
      break;
    auto [place, added] = places.try_emplace(one.order.walk(), plainest.size());
    if (added)
      plainest.push_back({one.score, &one});
    auto &[best, kept] = plainest[place->second];
    bool isPlainer =
        one.size < kept->size ||
        (smallest && one.size == kept->size && one.pieces < kept->pieces);
    if (isPlainer && one.score <= (1 + Constants::aboutAsGood) * best)
      kept = &one;
  }
  return llvm::to_vector(llvm::make_second_range(plainest));
}

std::vector<Order> bestOfShapes(llvm::ArrayRef<Scored> scored, size_t count,
                                bool smallest) {
  std::vector<std::array<const Scored *, 2>> best;
  std::map<std::string, size_t> places;
  for (const Scored &one : scored) {
    auto [place, added] = places.try_emplace(one.order.shape(), best.size());
    if (added)
      best.push_back({&one, nullptr});
    const Scored *&cheap = best[place->second][1];
    if (!cheap && hasPowersOfTwo(one.order))
      cheap = &one;
  }
  llvm::SetVector<const Scored *> picked;
  picked.insert_range(plainestOfWalks(scored, smallest));
  for (auto [first, cheap] : best) {
    picked.insert(first);
    if (cheap)
      picked.insert(cheap);
  }
  std::vector<Order> orders;
  for (const Scored *one :
       llvm::ArrayRef(picked.getArrayRef()).take_front(count))
    orders.push_back(one->order);
  return orders;
}

FootprintSearch::FootprintSearch(const KernelModel &model,
                                 const HardwareSpec &hardware,
                                 const SearchSpace &space, CoarseModel &coarse,
                                 const Deadline &deadline)
    : space(space), coarse(coarse), deadline(deadline) {
  for (size_t i = 0; i < kMostThreads; ++i)
    scatters.emplace_back(model, hardware);
}

const std::vector<Scored> &FootprintSearch::run() {
  std::vector<Order> orders = space.starts();
  llvm::append_range(orders, space.customary());
  add(orders);
  std::set<std::string> expanded;
  while (spent < Constants::usesBudget && !deadline.passed()) {
    llvm::sort(all, better);
    // The best few of different shapes that were not expanded yet.
    std::vector<Order> from;
    std::map<std::string, int> shapes;
    for (const Scored &scored : all) {
      if (from.size() == 3)
        break;
      if (shapes[scored.order.shape()]++ ||
          !expanded.insert(scored.name).second)
        continue;
      from.push_back(scored.order);
    }
    if (from.empty())
      break;
    std::vector<Order> next;
    for (const Order &order : from)
      llvm::append_range(next, space.neighbours(order));
    add(next);
  }
  llvm::sort(all, better);
  findSharing();
  addScatter(all);
  return all;
}

void FootprintSearch::findSharing() {
  if (all.empty())
    return;
  double most = (1 - Constants::worthSharing) * all.front().traffic.sharingUs;
  std::vector<const Scored *> found;
  for (const Scored &one : all)
    if (one.traffic.sharingUs <= most &&
        one.score <= (1 + Constants::aboutAsGood) * all.front().score)
      found.push_back(&one);
  llvm::sort(found, [](const Scored *a, const Scored *b) {
    return std::tie(a->traffic.sharingUs, a->name) <
           std::tie(b->traffic.sharingUs, b->name);
  });
  std::set<std::string> shapes;
  for (const Scored *one : found)
    if (sharingUnits.size() < Constants::sharingOrders &&
        shapes.insert(one->order.shape()).second)
      sharingUnits.push_back(one->order);
}

std::vector<Scored> FootprintSearch::score(llvm::ArrayRef<Order> orders) {
  std::vector<Order> fresh;
  std::vector<std::string> names;
  for (const Order &order : orders) {
    names.push_back(order.describe());
    if (known.try_emplace(names.back()).second)
      fresh.push_back(order);
  }
  evaluate(fresh);
  std::vector<Scored> scored;
  for (auto [order, name] : llvm::zip_equal(orders, names))
    scored.push_back(scoredOf(order, name, known.at(name)));
  llvm::sort(scored, better);
  addScatter(scored);
  return scored;
}

double FootprintSearch::work() const {
  double sum = 0;
  for (const ScatterModel &scatter : scatters)
    sum += scatter.work();
  return sum;
}

/// Looks at those that were not looked at yet, while the budget lasts.
void FootprintSearch::add(llvm::ArrayRef<Order> orders) {
  std::vector<Order> fresh;
  for (const Order &order : orders) {
    if (spent >= Constants::usesBudget)
      break;
    if (!known.try_emplace(order.describe()).second)
      continue;
    spent += coarse.uses() + Constants::usesOfOrder;
    fresh.push_back(order);
  }
  for (Scored &scored : evaluate(fresh))
    all.push_back(std::move(scored));
}

std::vector<Scored> FootprintSearch::evaluate(llvm::ArrayRef<Order> orders) {
  std::vector<Scored> scored;
  for (auto [order, traffic] :
       llvm::zip_equal(orders, coarse.evaluate(orders))) {
    std::string name = order.describe();
    known[name] = traffic;
    scored.push_back(scoredOf(order, std::move(name), traffic));
  }
  return scored;
}

/// Adds what memory spends on scattered data to the scores of the best few of
/// each shape and the plainest of each walk, and leaves these alone: others are
/// no better by what was known.
void FootprintSearch::addScatter(std::vector<Scored> &scored) {
  if (!scatters.front().isKnown() || deadline.passed())
    return;
  std::map<std::string, size_t> places;
  std::set<const Scored *> plainest;
  for (const Scored *one : plainestOfWalks(scored, coarse.isBoundByLatency()))
    plainest.insert(one);
  std::vector<Scored> kept;
  for (Scored &one : scored)
    if (plainest.count(&one) ||
        (places[one.order.shape()]++ < Constants::scatteredOfShape &&
         kept.size() < Constants::scatteredOrders))
      kept.push_back(std::move(one));
  std::vector<std::pair<const Scored *, ScatterModel::Shares *>> fresh;
  for (const Scored &one : kept)
    if (auto [place, added] = lost.try_emplace(one.name); added)
      fresh.push_back({&one, &place->second});
  forEachInParallel(fresh.size(), [&](size_t i, size_t thread) {
    const Order &order = fresh[i].first->order;
    *fresh[i].second = scatters[thread].of([&](int64_t first, int64_t count) {
      return space.tiles(order, first, count);
    });
  });
  for (Scored &one : kept)
    one.score = coarse.timeWith(one.traffic, lost.at(one.name));
  llvm::sort(kept, better);
  scored = std::move(kept);
}

} // namespace swizzle::planner
