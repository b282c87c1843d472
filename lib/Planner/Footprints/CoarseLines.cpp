//===- CoarseLines.cpp - Who uses the same lines --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sample that the footprint model evaluates orders by: some lines of some
// workgroups spread over the grid, each with all workgroups that touch it.
// Those are found from one of them along the axes, where they are an interval:
//
//   a line of a row of tiles    (3,5): x from 0 to 7 touch it, y 5 alone
//
//===----------------------------------------------------------------------===//

#include "CoarseModel.h"
#include "Constants.h"
#include "swizzle/Support/QuasiRandom.h"

namespace swizzle::planner {

using Constants = FootprintConstants;

/// The largest distance up to `most` at which `touched` holds, by doubling and
/// halving steps; it holds up to some distance and not beyond.
static int64_t furthest(int64_t most,
                        llvm::function_ref<bool(int64_t)> touched) {
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
  return low;
}

bool CoarseModel::touchedBy(LineWalker &walker, unsigned shift, int64_t tile,
                            uint32_t line) {
  auto [found, added] = footprints.try_emplace(tile);
  if (added && walker.work() <= Constants::walkWork)
    found->second = walker.lines(tile, shift);
  return std::binary_search(found->second.begin(), found->second.end(), line);
}

void CoarseModel::findLines(const KernelModel &model,
                            const HardwareSpec &hardware,
                            const Deadline &deadline) {
  LineWalker walker(model, hardware);
  int64_t count = grid.count();
  size_t whole = walker.lines(count / 2, 0).size();
  unsigned shift = 0;
  while (shift < 12 && int64_t(whole >> shift) > Constants::sampledLines)
    ++shift;
  int64_t looked = 0;
  struct Pick {
    int64_t centre;
    uint32_t line;
    double bytes;
    uint32_t waves;
  };
  std::vector<Pick> picks;
  for (int64_t i = 0;
       i < Constants::centres && walker.walked() < Constants::walkBudget / 4 &&
       walker.work() < Constants::walkWork / 4 &&
       (i == 0 || !deadline.passed());
       ++i) {
    int64_t tile = linearise(quasiRandomId(grid, i), grid);
    std::vector<uint32_t> waves;
    const std::vector<uint32_t> &all = footprints[tile] =
        walker.lines(tile, shift, &waves);
    ++looked;
    // Evenly spread over the footprint, from a start that differs.
    int64_t taken = std::min<int64_t>(Constants::linesOfOne, all.size());
    for (int64_t k = 0; k < taken; ++k) {
      size_t at =
          (k * all.size() + i % 7 * all.size() / 7) / taken % all.size();
      picks.push_back(
          {tile, all[at], double(all.size()) / double(taken), waves[at]});
    }
  }
  double scale = std::ldexp(
      lineBytes * double(count) / double(std::max<int64_t>(1, looked)), shift);
  size_t followed = 0;
  for (const Pick &pick : picks) {
    if (walker.walked() > Constants::walkBudget ||
        walker.work() > Constants::walkWork || deadline.passed() ||
        touches.size() > Constants::usesBudget)
      break;
    addLine(walker, shift, pick.centre, pick.line, pick.bytes * scale,
            pick.waves);
    ++followed;
  }
  // They stand for those that were too many, too.
  double more = double(picks.size()) / double(std::max<size_t>(1, followed));
  for (Line &line : lines) {
    line.bytes *= more;
    line.waiting *= more;
  }
  footprints.clear();
  walkWork = walker.work();
}

/// Finds all workgroups that touch `line`. `bytes`: what the lines that this
/// one stands for have, counted once for each workgroup that touches them.
void CoarseModel::addLine(LineWalker &walker, unsigned shift, int64_t centre,
                          uint32_t line, double bytes, uint32_t waves) {
  std::map<int64_t, uint8_t> found{{centre, 0}}; // axes searched
  std::vector<int64_t> open{centre};
  const int64_t strides[3] = {1, grid.x(), grid.x() * grid.y()};
  while (!open.empty() && found.size() <= Constants::usesOfOne) {
    int64_t tile = open.back();
    open.pop_back();
    WorkgroupId id = delinearise(tile, grid);
    const int64_t at[3] = {id.x, id.y, id.z};
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (grid[axis] <= 1 || found[tile] >> axis & 1)
        continue;
      if (scattered[axis]) {
        for (int64_t place = 0; place < grid[axis]; ++place) {
          int64_t other = tile + (place - at[axis]) * strides[axis];
          if (other != tile && !touchedBy(walker, shift, other, line))
            continue;
          auto [entry, added] = found.try_emplace(other, 0);
          entry->second |= uint8_t(1) << axis;
          if (added)
            open.push_back(other);
        }
        continue;
      }
      int64_t reach[2] = {0, 0};
      for (int side : {0, 1})
        reach[side] = furthest(
            side ? grid[axis] - 1 - at[axis] : at[axis], [&](int64_t distance) {
              return touchedBy(
                  walker, shift,
                  tile + (side ? distance : -distance) * strides[axis], line);
            });
      int64_t length = reach[0] + reach[1];
      int64_t every = length > Constants::shortInterval ? length / 2 : 1;
      for (int64_t k = -reach[0]; k <= reach[1]; ++k) {
        int64_t other = tile + k * strides[axis];
        auto [place, added] = found.try_emplace(other, 0);
        place->second |= uint8_t(1) << axis;
        if (added && (k + reach[0]) % every == 0)
          open.push_back(other);
        if (found.size() > Constants::usesOfOne)
          return; // used everywhere: in every cache, all the time
      }
    }
  }
  Line entry;
  entry.first = touches.size();
  entry.bytes = bytes / double(found.size());
  entry.waiting = entry.bytes * waves;
  for (const auto &[tile, axes] : found) {
    auto [place, added] = known.try_emplace(tile, tiles.size());
    if (added)
      tiles.push_back(delinearise(tile, grid));
    touches.push_back(place->second);
  }
  entry.last = touches.size();
  lines.push_back(entry);
}

} // namespace swizzle::planner
