//===- LineSample.cpp - Which lines are simulated -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See LineSample.h.
//
//===----------------------------------------------------------------------===//

#include "LineSample.h"

#include "Machine/Cache.h"

#include <algorithm>
#include <numeric>

namespace swizzle::simulation {

LineSample::LineSample(unsigned shift) : shift(shift) {
  // Every place within a group is sampled equally often, in no order: the
  // groups are ranked by a hash.
  std::vector<uint32_t> byHash(kPeriod);
  std::iota(byHash.begin(), byHash.end(), 0);
  std::sort(byHash.begin(), byHash.end(), [](uint32_t a, uint32_t b) {
    LineHash scatter(32);
    return scatter(a + 1) < scatter(b + 1);
  });
  taken.resize(kPeriod);
  for (uint32_t rank = 0; rank < kPeriod; ++rank)
    taken[byHash[rank]] = rank & ((1u << shift) - 1);
}

std::vector<uint16_t> LineSample::linesOf(const Pattern &pattern,
                                          uint32_t baseLine) const {
  std::vector<uint16_t> lines;
  uint32_t mask = (1u << shift) - 1;
  for (size_t i = 0; i < pattern.line.size(); ++i) {
    uint32_t line = baseLine + pattern.line[i];
    if ((line & mask) == taken[(line >> shift) % kPeriod])
      lines.push_back(static_cast<uint16_t>(i));
  }
  return lines;
}

/// The entry for `lines`.
static uint64_t makeEntry(SampledLines &known, std::vector<uint16_t> lines) {
  uint64_t entry = lines.size();
  if (lines.size() <= SampledLines::kFew) {
    for (size_t i = 0; i < lines.size(); ++i)
      entry |= uint64_t(lines[i]) << (16 * (i + 1));
  } else {
    entry |= uint64_t(known.lists.size()) << 16;
    known.lists.push_back(std::move(lines));
  }
  return entry;
}

/// Works out which lines of `pattern` are taken.
uint64_t LineSample::find(const Pattern &pattern, uint32_t baseLine,
                          uint32_t place) const {
  SampledLines &known = pattern.sample;
  if (known.shift == shift && known.entry.size() >= SampledLines::kMost)
    return SampledLines::kFull;
  if (known.shift != shift) {
    if (known.first.shift != shift) {
      known = SampledLines();
      uint64_t entry = makeEntry(known, linesOf(pattern, baseLine));
      known.first = {shift, place, entry};
      return entry;
    }
    if (known.first.place == place)
      return known.first.entry;
    known.shift = shift;
    known.place.assign(kPeriod << shift, SampledLines::kUnknown);
    known.entry = {0, known.first.entry};
    known.numbers[{}] = SampledLines::kNone;
    known.place[known.first.place] =
        known.first.entry == 0 ? SampledLines::kNone : SampledLines::kNone + 1;
  }
  std::vector<uint16_t> lines = linesOf(pattern, baseLine);
  auto [found, added] = known.numbers.try_emplace(
      lines, static_cast<uint16_t>(known.entry.size() + 1));
  known.place[place] = found->second;
  if (!added)
    return known.entry[found->second - 1];
  known.entry.push_back(makeEntry(known, std::move(lines)));
  return known.entry.back();
}

} // namespace swizzle::simulation
