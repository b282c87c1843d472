//===- CoarseModel.cpp - Traffic of an order, from when lines are reused --===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who touches a line is found from one workgroup that does: the others lie next
// to it along some axis of the grid, or next to one of those. An axis is
// searched by doubling steps, so that an axis along which all share a line
// costs no more than one along which a few do.
//
//===----------------------------------------------------------------------===//

#include "CoarseModel.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

namespace swizzle {

namespace {

// Stand-ins where a chip's file leaves a number open; only ratios matter here.
constexpr double defaultL2Bytes = 4.0 * (1 << 20);
constexpr double defaultBandwidth = 1e12;

// Workgroups whose lines are looked at, lines of each, and the bounds within
// which that is done: line accesses walked, uses in all, uses of one line.
constexpr int64_t centres = 96;
constexpr int64_t linesOfOne = 8;
constexpr int64_t walkBudget = 24 << 20;
constexpr size_t usesBudget = 48 << 10;
constexpr size_t usesOfOne = 2048;
// Lines that one workgroup's sample should have.
constexpr int64_t sampledLines = 48;
// Intervals along an axis up to this length are followed workgroup by
// workgroup; of longer ones a few stand for all.
constexpr int64_t shortInterval = 16;

/// The id that is dealt position `position`: the inverse of a deal.
int64_t undeal(const LoopNest &nest, int64_t position, int64_t count,
               int64_t dies) {
  if (nest.deal == Deal::None || dies <= 1)
    return position;
  if (nest.deal == Deal::Contiguous) {
    int64_t q = count / dies, r = count % dies;
    int64_t die = position < r * (q + 1)
                      ? position / (q + 1)
                      : r + (position - r * (q + 1)) / std::max<int64_t>(1, q);
    int64_t j = position - (die * q + std::min(die, r));
    return j * dies + die;
  }
  int64_t round = nest.chunk * dies;
  if (position >= count / round * round)
    return position;
  int64_t block = position / round, within = position % round;
  return (block * nest.chunk + within % nest.chunk) * dies +
         within / nest.chunk;
}

/// The position of a tile in the walk of a nest: the inverse of the walk.
int64_t positionOf(const LoopNest &nest, const Grid &grid, WorkgroupId id) {
  int64_t at[3] = {id.x, id.y, id.z};
  int64_t size[3] = {grid.x(), grid.y(), grid.z()};
  int64_t position = 0, outerStep = 0;
  for (const NestLevel &level : nest.levels) {
    unsigned a = level.axis, b = (a + 1) % 3, c = (a + 2) % 3;
    int64_t place = level.tile == 1 ? at[a] : at[a] / level.tile;
    int64_t step =
        level.serpentine && outerStep % 2 ? size[a] - 1 - place : place;
    position += step * level.tile * size[b] * size[c];
    at[a] -= place * level.tile;
    size[a] = std::min(level.tile, size[a] - place * level.tile);
    outerStep = step;
  }
  return position;
}

/// The average footprint of n consecutive workgroups, as a function of n.
class Footprint {
public:
  /// `bytes` are used and used again after `gap` workgroups.
  void add(int64_t gap, double bytes) { gaps.push_back({gap, bytes}); }

  /// The largest n whose footprint fits into `capacity`, of a launch of
  /// `length` workgroups.
  int64_t fitting(double capacity, double length) {
    llvm::sort(gaps);
    double target = capacity * length, shorter = 0, longer = 0;
    for (const auto &[gap, bytes] : gaps)
      longer += bytes;
    // Within one step of the staircase, the footprint grows by `longer`.
    for (const auto &[gap, bytes] : gaps) {
      if (shorter + longer * double(gap) >= target)
        return static_cast<int64_t>((target - shorter) / longer);
      shorter += bytes * double(gap);
      longer -= bytes;
    }
    return INT64_MAX;
  }

private:
  std::vector<std::pair<int64_t, double>> gaps;
};

} // namespace

CoarseModel::CoarseModel(const KernelModel &model, const HardwareSpec &hardware,
                         int64_t residentPerUnit, const Metrics &before)
    : grid(model.grid), dies(std::max<int64_t>(1, hardware.numDies)),
      dispatchChunk(std::max<int64_t>(1, hardware.dispatchChunk)),
      residentPerDie(std::max<int64_t>(1, residentPerUnit) *
                     std::max<int64_t>(1, hardware.unitsPerDie)) {
  l2Bytes =
      hardware.l2.capacity() ? double(*hardware.l2.capacity()) : defaultL2Bytes;
  // What both halves ask for is kept in both.
  copies = hardware.l2.partitions.value_or(1) > 1 ? 1.5 : 1;
  dramBandwidth = hardware.dramBandwidth.value_or(
      hardware.peakDramBandwidth.value_or(defaultBandwidth));
  if (hardware.llc && hardware.llc->capacity().value_or(0) > 0) {
    llcBytes = double(*hardware.llc->capacity());
    llcBandwidth = hardware.llc->bandwidth.value_or(2 * dramBandwidth);
  }
  for (const RooflineTerm &term : before.roofline)
    if (term.bound != Bound::Dram && term.bound != Bound::LastLevel)
      otherSquares += term.timeUs * term.timeUs;
  findLines(model, hardware);
}

bool CoarseModel::touchedBy(LineWalker &walker, unsigned shift, int64_t tile,
                            uint32_t line) {
  auto [found, added] = footprints.try_emplace(tile);
  if (added)
    found->second = walker.lines(tile, shift);
  return std::binary_search(found->second.begin(), found->second.end(), line);
}

void CoarseModel::findLines(const KernelModel &model,
                            const HardwareSpec &hardware) {
  LineWalker walker(model, hardware);
  int64_t count = grid.count();
  size_t whole = walker.lines(count / 2, 0).size();
  unsigned shift = 0;
  while (shift < 12 && int64_t(whole >> shift) > sampledLines)
    ++shift;
  double lineBytes = double(hardware.l2.lineBytes.value_or(128));
  int64_t looked = 0;
  // Centres that are spread evenly along each axis, and in each product of
  // axes: multiples of the three powers of 1 / 1.2207..., modulo 1.
  constexpr double steps[3] = {0.8191725133961645, 0.6710436067037893,
                               0.5497004779019703};
  struct Pick {
    int64_t centre;
    uint32_t line;
    double bytes;
  };
  std::vector<Pick> picks;
  for (int64_t i = 0; i < centres && walker.walked() < walkBudget / 4; ++i) {
    int64_t at[3];
    for (unsigned axis = 0; axis < 3; ++axis) {
      double share = 0.5 + steps[axis] * double(i);
      at[axis] = static_cast<int64_t>((share - std::floor(share)) *
                                      double(grid[axis]));
    }
    int64_t tile = linearise({at[0], at[1], at[2]}, grid);
    auto [found, added] = footprints.try_emplace(tile);
    if (added)
      found->second = walker.lines(tile, shift);
    const std::vector<uint32_t> &all = found->second;
    ++looked;
    // Evenly spread over the footprint, beginning anywhere.
    int64_t taken = std::min<int64_t>(linesOfOne, all.size());
    for (int64_t k = 0; k < taken; ++k)
      picks.push_back(
          {tile,
           all[(k * all.size() + i % 7 * all.size() / 7) / taken % all.size()],
           double(all.size()) / double(taken)});
  }
  double scale = std::ldexp(
      lineBytes * double(count) / double(std::max<int64_t>(1, looked)), shift);
  for (const Pick &pick : picks) {
    if (walker.walked() > walkBudget || touches.size() > usesBudget)
      break;
    addLine(walker, shift, pick.centre, pick.line, pick.bytes * scale);
  }
  footprints.clear();
}

/// Finds all workgroups that touch `line`. `bytes`: what the lines that this
/// one stands for have, counted once for each workgroup that touches them.
void CoarseModel::addLine(LineWalker &walker, unsigned shift, int64_t centre,
                          uint32_t line, double bytes) {
  std::map<int64_t, uint8_t> found{{centre, 0}}; // axes searched
  std::vector<int64_t> open{centre};
  const int64_t strides[3] = {1, grid.x(), grid.x() * grid.y()};
  while (!open.empty() && found.size() <= usesOfOne) {
    int64_t tile = open.back();
    open.pop_back();
    WorkgroupId id = delinearise(tile, grid);
    const int64_t at[3] = {id.x, id.y, id.z};
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (grid[axis] <= 1 || found[tile] >> axis & 1)
        continue;
      // The furthest in each direction, by doubling and halving steps.
      int64_t reach[2] = {0, 0};
      for (int side : {0, 1}) {
        int64_t most = side ? grid[axis] - 1 - at[axis] : at[axis];
        auto touched = [&](int64_t distance) {
          return touchedBy(walker, shift,
                           tile + (side ? distance : -distance) * strides[axis],
                           line);
        };
        int64_t low = 0, high = 1;
        while (high <= most && touched(high)) {
          low = high;
          high = high == most ? most + 1 : std::min(2 * high, most);
        }
        high = std::min(high, most + 1);
        while (high - low > 1) {
          int64_t middle = (low + high) / 2;
          (touched(middle) ? low : high) = middle;
        }
        reach[side] = low;
      }
      int64_t length = reach[0] + reach[1];
      int64_t every = length > shortInterval ? length / 2 : 1;
      for (int64_t k = -reach[0]; k <= reach[1]; ++k) {
        int64_t other = tile + k * strides[axis];
        auto [place, added] = found.try_emplace(other, 0);
        place->second |= uint8_t(1) << axis;
        if (added && (k + reach[0]) % every == 0)
          open.push_back(other);
        if (found.size() > usesOfOne)
          return; // used everywhere: in every cache, all the time
      }
    }
  }
  Line entry;
  entry.first = touches.size();
  entry.bytes = bytes / double(found.size());
  for (const auto &[tile, axes] : found) {
    auto [place, added] = known.try_emplace(tile, tiles.size());
    if (added)
      tiles.push_back(delinearise(tile, grid));
    touches.push_back(place->second);
  }
  entry.last = touches.size();
  lines.push_back(entry);
}

std::vector<int64_t> idsOf(const Order &order, const Grid &grid, int64_t dies,
                           llvm::ArrayRef<WorkgroupId> tiles) {
  std::vector<int64_t> ids;
  ids.reserve(tiles.size());
  int64_t count = grid.count();
  if (order.curve == CurveKind::None) {
    for (WorkgroupId tile : tiles)
      ids.push_back(
          undeal(order.nest, positionOf(order.nest, grid, tile), count, dies));
    return ids;
  }
  SearchSpace space(grid, dies, 1, true);
  std::vector<uint32_t> all = space.tiles(order, 0, count);
  std::vector<uint32_t> inverse(count);
  for (int64_t i = 0; i < count; ++i)
    inverse[all[i]] = i;
  for (WorkgroupId tile : tiles)
    ids.push_back(inverse[linearise(tile, grid)]);
  return ids;
}

CoarseModel::Traffic CoarseModel::evaluate(const Order &order) {
  std::vector<int64_t> ids = swizzle::idsOf(order, grid, dies, tiles);
  double perDie = double(grid.count()) / double(dies);
  auto dieOf = [&](int64_t id) { return id / dispatchChunk % dies; };
  auto timeOnDie = [&](int64_t id) {
    return id / (dispatchChunk * dies) * dispatchChunk + id % dispatchChunk;
  };
  // Uses of each line by die, then by time: sorted once for both levels.
  std::vector<std::pair<int64_t, int64_t>> uses(touches.size()); // die, id
  Footprint near;
  for (const Line &line : lines) {
    auto begin = uses.begin() + line.first, end = uses.begin() + line.last;
    for (uint32_t i = line.first; i < line.last; ++i) {
      int64_t id = ids[touches[i]];
      uses[i] = {dieOf(id), id};
    }
    std::sort(begin, end);
    double kept = line.bytes * (line.last - line.first > 1 ? copies : 1);
    for (auto use = begin; use != end; ++use) {
      bool last = use + 1 == end || (use + 1)->first != use->first;
      // Over all dies together: each sees its part of the bytes.
      near.add(last ? INT64_MAX / 2
                    : timeOnDie((use + 1)->second) - timeOnDie(use->second),
               kept / double(dies));
    }
  }
  int64_t reach = std::max(near.fitting(l2Bytes, perDie), residentPerDie);

  Traffic traffic;
  Footprint far;
  std::vector<int64_t> missed;
  std::vector<uint32_t> ends;
  for (const Line &line : lines) {
    size_t begin = missed.size();
    for (uint32_t i = line.first; i < line.last; ++i)
      if (i == line.first || uses[i - 1].first != uses[i].first ||
          timeOnDie(uses[i].second) - timeOnDie(uses[i - 1].second) >= reach)
        missed.push_back(uses[i].second);
    traffic.llcBytes += line.bytes * double(missed.size() - begin);
    if (llcBytes > 0 && dies > 1)
      std::sort(missed.begin() + begin, missed.end());
    if (llcBytes > 0)
      for (size_t i = begin; i < missed.size(); ++i)
        far.add(i + 1 < missed.size() ? missed[i + 1] - missed[i]
                                      : INT64_MAX / 2,
                line.bytes);
    ends.push_back(missed.size());
  }
  if (llcBytes > 0) {
    int64_t farReach = std::max(far.fitting(llcBytes, double(grid.count())),
                                residentPerDie * dies);
    size_t at = 0;
    for (size_t i = 0; i < lines.size(); ++i) {
      for (size_t first = at; at < ends[i]; ++at)
        if (at == first || missed[at] - missed[at - 1] >= farReach)
          traffic.dramBytes += lines[i].bytes;
    }
  } else {
    traffic.dramBytes = traffic.llcBytes;
    traffic.llcBytes = 0;
  }
  double dram = traffic.dramBytes / dramBandwidth * 1e6;
  double last = llcBytes > 0 ? traffic.llcBytes / llcBandwidth * 1e6 : 0;
  traffic.timeUs = std::sqrt(otherSquares + dram * dram + last * last);
  return traffic;
}

} // namespace swizzle
