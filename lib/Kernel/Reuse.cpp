//===- Reuse.cpp - Which grid axes share a buffer -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares the footprints, in cache lines, of consecutive workgroups along each
// axis, around the middle of the grid: neighbours in pairs, because every
// second, third or fourth may start something new (query heads that share a key
// head). Where no neighbours share anything, workgroups farther apart may: rows
// that a dilated stencil skips, or the same place of the next period.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Kernel/Reuse.h"
#include "Footprint.h"
#include "swizzle/Support/IntegerMath.h"
#include "swizzle/Support/Parallel.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <set>

namespace swizzle {

using namespace kernel;

namespace {

/// Neighbours that are compared: as many pairs as a line has words, so that
/// each place within a line comes once; fewer where going through what they
/// touch takes more steps than this, along an axis.
constexpr int64_t mostNeighbours = 33, leastNeighbours = 5;
constexpr int64_t maxSteps = int64_t(1) << 22;

/// The lines that the bytes lie in; buffers start on a line.
std::vector<Interval> toLines(std::vector<Interval> bytes, int64_t lineBytes) {
  for (Interval &interval : bytes)
    interval = {floorDiv(interval.low, lineBytes),
                floorDiv(interval.high, lineBytes)};
  normalise(bytes);
  return bytes;
}

int64_t size(const std::vector<Interval> &set) {
  int64_t sum = 0;
  for (Interval interval : set)
    sum += interval.high - interval.low + 1;
  return sum;
}

int64_t common(const std::vector<Interval> &a, const std::vector<Interval> &b) {
  int64_t sum = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    int64_t low = std::max(a[i].low, b[j].low);
    int64_t high = std::min(a[i].high, b[j].high);
    sum += std::max<int64_t>(0, high - low + 1);
    if (a[i].high < b[j].high)
      ++i;
    else
      ++j;
  }
  return sum;
}

/// Looks for workgroups that share lines along axes whose neighbours do not.
class DistantSharing {
public:
  using Footprints = std::vector<BufferFootprint>;
  using Position = std::array<int64_t, 3>;

  DistantSharing(const KernelModel &model,
                 std::function<Footprints(Position)> linesAt,
                 std::vector<BufferReuse> &all)
      : model(model), linesAt(std::move(linesAt)), all(all) {}

  /// Compares those around `middle`, `most` pairs along each axis.
  void find(Position middle, int64_t most) {
    for (unsigned axis = 0; axis < 3; ++axis) {
      int64_t extent = model.grid[axis], left = most;
      for (int64_t distance : distancesAlong(axis)) {
        if (distance >= extent || left-- <= 0)
          break;
        Position near = middle, far = middle;
        near[axis] = std::clamp<int64_t>(middle[axis] - distance / 2, 0,
                                         extent - 1 - distance);
        far[axis] = near[axis] + distance;
        compare(axis, distance, linesAt(near), linesAt(far));
      }
    }
  }

private:
  /// Notes the buffers in which two workgroups have lines in common.
  void compare(unsigned axis, int64_t distance, const Footprints &a,
               const Footprints &b) {
    for (BufferReuse &one : all)
      if (one.distance[axis] == 0 &&
          common(a[one.buffer].bytes, b[one.buffer].bytes) > 0)
        one.distance[axis] = distance;
  }

  /// Small ones, powers of two, and after how many workgroups a remainder is
  /// the same; in order.
  std::set<int64_t> distancesAlong(unsigned axis) const {
    std::set<int64_t> distances{2, 3, 5, 6, 7};
    for (int64_t power = 2; power < model.grid[axis]; power *= 2)
      distances.insert(power);
    for (const Variable &variable : model.variables)
      if (variable.kind == VariableKind::Quotient)
        for (const Term &term : variable.numerator.terms)
          if (term.variable == kWorkgroupIdX + axis)
            distances.insert(variable.divisor /
                             std::gcd(variable.divisor, term.coefficient));
    distances.erase(1);
    return distances;
  }

  const KernelModel &model;
  std::function<Footprints(Position)> linesAt;
  std::vector<BufferReuse> &all;
};

/// True if no neighbours share anything, along any axis.
bool sharesNothing(const std::vector<BufferReuse> &all) {
  return std::all_of(all.begin(), all.end(), [](const BufferReuse &one) {
    return std::all_of(one.axis.begin(), one.axis.end(), [](AxisReuse axis) {
      return axis == AxisReuse::None || axis == AxisReuse::Absent;
    });
  });
}

} // namespace

ReuseTable analyseReuse(const KernelModel &model, int64_t lineBytes) {
  ReuseTable table;
  table.lineBytes = lineBytes;
  std::array<int64_t, 3> middle;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (model.grid[axis] < 1)
      return table;
    middle[axis] = model.grid[axis] / 2;
  }
  auto linesAt = [&](std::array<int64_t, 3> at, int64_t *steps = nullptr) {
    std::vector<BufferFootprint> prints =
        footprint(model, {at[0], at[1], at[2]}, steps);
    for (BufferFootprint &print : prints)
      print.bytes = toLines(std::move(print.bytes), lineBytes);
    return prints;
  };

  // A grid may be larger than the part of it that has work: its first
  // workgroups have, if any.
  int64_t steps = 0;
  std::vector<BufferFootprint> centre = linesAt(middle, &steps);
  auto idle = [](const BufferFootprint &print) { return print.bytes.empty(); };
  while (std::all_of(centre.begin(), centre.end(), idle) &&
         middle != std::array<int64_t, 3>{0, 0, 0}) {
    for (int64_t &position : middle)
      position /= 2;
    steps = 0;
    centre = linesAt(middle, &steps);
  }
  const int64_t consecutive = std::clamp(maxSteps / std::max<int64_t>(steps, 1),
                                         leastNeighbours, mostNeighbours);
  std::vector<BufferReuse> all(model.buffers.size());
  for (size_t b = 0; b < all.size(); ++b) {
    all[b].buffer = b;
    all[b].bytesPerWorkgroup = size(centre[b].bytes) * lineBytes;
    all[b].read = centre[b].read;
    all[b].written = centre[b].written;
  }

  for (unsigned axis = 0; axis < 3; ++axis) {
    int64_t extent = model.grid[axis];
    if (extent < 2)
      continue;
    int64_t count = std::min(extent, consecutive);
    int64_t first =
        std::clamp<int64_t>(middle[axis] - count / 2, 0, extent - count);
    std::vector<int64_t> lines(all.size()), shared(all.size());
    std::vector<std::vector<BufferFootprint>> prints(count);
    forEachInParallel(prints.size(), [&](size_t i, size_t) {
      std::array<int64_t, 3> at = middle;
      at[axis] = first + int64_t(i);
      prints[i] = at[axis] == middle[axis] ? centre : linesAt(at);
    });
    for (int64_t i = 0; i < count; ++i) {
      for (size_t b = 0; b < all.size(); ++b) {
        const BufferFootprint &here = prints[i][b];
        all[b].read |= here.read;
        all[b].written |= here.written;
        if (i == 0)
          continue;
        const BufferFootprint &before = prints[i - 1][b];
        lines[b] += std::max(size(before.bytes), size(here.bytes));
        shared[b] += common(before.bytes, here.bytes);
      }
    }
    for (size_t b = 0; b < all.size(); ++b) {
      all[b].sharedFraction[axis] =
          lines[b] ? double(shared[b]) / double(lines[b]) : 0;
      all[b].axis[axis] = shared[b] == 0          ? AxisReuse::None
                          : shared[b] == lines[b] ? AxisReuse::Shared
                                                  : AxisReuse::Overlap;
    }
  }
  if (sharesNothing(all))
    DistantSharing(model, linesAt, all).find(middle, 2 * consecutive);
  for (const BufferReuse &reuse : all)
    if (reuse.read || reuse.written)
      table.buffers.push_back(reuse);
  return table;
}

std::string describe(const KernelModel &model, const BufferReuse &reuse) {
  char size[32];
  double bytes = double(reuse.bytesPerWorkgroup);
  if (bytes >= 1024 * 1024)
    std::snprintf(size, sizeof size, "%.1f MiB", bytes / (1024 * 1024));
  else if (bytes >= 1024)
    std::snprintf(size, sizeof size, "%.1f KiB", bytes / 1024);
  else
    std::snprintf(size, sizeof size, "%.0f B", bytes);
  std::string text =
      model.buffers[reuse.buffer].name + ": " + size + " per workgroup";
  auto axes = [&](AxisReuse kind) {
    std::string names;
    for (unsigned axis = 0; axis < 3; ++axis)
      if (reuse.axis[axis] == kind)
        names += (names.empty() ? "" : " and ") + std::string(1, "xyz"[axis]);
    return names;
  };
  std::string shared = axes(AxisReuse::Shared),
              overlap = axes(AxisReuse::Overlap);
  if (!shared.empty())
    text += "; shared along " + shared;
  if (!overlap.empty())
    text +=
        (shared.empty() ? "; overlaps along " : ", overlaps along ") + overlap;
  bool isShared = !shared.empty() || !overlap.empty();
  for (unsigned axis = 0; axis < 3; ++axis)
    if (reuse.distance[axis]) {
      text += isShared ? ", " : "; ";
      text += std::string("overlaps along ") + "xyz"[axis] +
              " at a distance of " + std::to_string(reuse.distance[axis]);
      isShared = true;
    }
  if (!isShared)
    text += "; shared along no axis";
  return text;
}

} // namespace swizzle
