//===- HotLines.cpp - A few lines that all workgroups use -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See HotLines.h.
//
//===----------------------------------------------------------------------===//

#include "HotLines.h"

#include "Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace swizzle::simulation {

namespace {

/// A table of which a sample takes fewer lines than `kEnough` is copied until
/// it takes `kTaken`, where its caches have room for so many: half a line of
/// these is 3 %.
constexpr int64_t kEnough = 4, kTaken = 16;
/// The part of the shared level that all tables may take there; and the part
/// that one may have of it as it is, to be taken for hot: what is larger,
/// others throw out.
constexpr int64_t kPartOfCache = 16, kPartOfTable = 4;

/// The lines that sites of one buffer touch.
struct Reach {
  uint32_t buffer = 0;
  int64_t first = 0, last = 0; ///< lines
  std::vector<Site *> sites;

  int64_t lines() const { return last - first + 1; }
};

/// Makes one of those that overlap. Buffers do not.
std::vector<Reach> merge(std::vector<Reach> reaches) {
  llvm::sort(reaches,
             [](const Reach &a, const Reach &b) { return a.first < b.first; });
  std::vector<Reach> merged;
  for (Reach &one : reaches) {
    if (merged.empty() || one.first > merged.back().last) {
      merged.push_back(std::move(one));
      continue;
    }
    merged.back().last = std::max(merged.back().last, one.last);
    llvm::append_range(merged.back().sites, one.sites);
  }
  return merged;
}

/// How many slots share a copy of `lines` lines, so that there are at least
/// `least` copies and at most `most`: where copies are about whole groups of
/// lines, of which the sample takes one each, and about the same number of
/// slots has each.
uint64_t slotsOfCopy(uint64_t lines, uint64_t group, uint64_t least,
                     uint64_t most, uint64_t slots) {
  uint64_t best = slots;
  double leastError = HUGE_VAL;
  for (uint64_t perCopy = llvm::divideCeil(slots, std::max<uint64_t>(most, 1));
       perCopy * std::max<uint64_t>(least, 1) <= slots; ++perCopy) {
    double copies = double(slots) / double(perCopy);
    double groups = copies * double(lines) / double(group);
    double error = std::abs(groups - std::round(groups)) / groups;
    if (error >= leastError)
      continue;
    best = perCopy;
    leastError = error;
  }
  return best;
}

} // namespace

/// Finds the tables, and room for copies of them in the gap behind their
/// buffers. What is stored, is stored once: its lines are few, but not hot.
void Program::findHotLines() {
  const int64_t most = std::min<int64_t>(
      kMostHotLines,
      (machine.levels[machine.shared].bytes >> lineShift) / kPartOfTable);
  std::vector<Reach> reaches;
  for (Site &site : sites) {
    const uint32_t buffer = site.access->buffer;
    Interval bytes = reachOf(*site.access);
    if (site.kind == AccessKind::Write || bytes.high <= bytes.low)
      continue;
    reaches.push_back({buffer,
                       (bufferBase[buffer] + bytes.low) >> lineShift,
                       (bufferBase[buffer] + bytes.high - 1) >> lineShift,
                       {&site}});
  }
  reaches = merge(std::move(reaches));
  std::vector<int64_t> linesOf(bufferBase.size());
  for (const Reach &one : reaches)
    if (one.lines() <= most)
      linesOf[one.buffer] += one.lines();

  std::optional<uint32_t> buffer;
  for (const Reach &one : reaches) {
    if (one.lines() > most || linesOf[one.buffer] > most)
      continue;
    if (buffer != one.buffer)
      hotTables.push_back(
          {0, static_cast<uint32_t>(bufferEnd[one.buffer] >> lineShift),
           static_cast<uint32_t>(kBufferGap >> lineShift)});
    buffer = one.buffer;
    HotTable &table = hotTables.back();
    hotRanges.push_back({static_cast<uint32_t>(hotTables.size() - 1),
                         static_cast<uint32_t>(one.first), table.lines});
    table.lines += static_cast<uint32_t>(one.lines());
    for (Site *site : one.sites)
      site->hotRange = static_cast<uint32_t>(hotRanges.size());
  }
}

HotCopies::HotCopies(llvm::ArrayRef<HotTable> tables,
                     llvm::ArrayRef<HotRange> ranges, const Machine &machine,
                     unsigned shift, size_t slots)
    : slots(slots) {
  if (ranges.empty() || shift == 0)
    return;
  const MachineLevel &level = machine.levels[machine.shared];
  int64_t held = level.bytes / machine.lineBytes >> shift;
  int64_t taken = std::clamp<int64_t>(
      held / kPartOfCache / static_cast<int64_t>(tables.size()), 1, kTaken);
  std::vector<uint64_t> perCopy;
  for (const HotTable &table : tables) {
    if (table.lines >= kEnough << shift) {
      perCopy.push_back(slots);
      continue;
    }
    uint64_t least = llvm::divideCeil(taken << shift, table.lines);
    uint64_t most =
        std::min<uint64_t>({2 * least, table.roomLines / table.lines, slots});
    perCopy.push_back(slotsOfCopy(table.lines, uint64_t(1) << shift,
                                  std::min(least, most), most, slots));
  }
  for (const HotRange &range : ranges)
    for (size_t slot = 0; slot < slots; ++slot) {
      const HotTable &table = tables[range.table];
      auto copy = static_cast<uint32_t>(slot / perCopy[range.table]);
      // Where one copy serves all, it is the table itself.
      offsets.push_back(perCopy[range.table] >= slots
                            ? 0
                            : table.room + copy * table.lines + range.place -
                                  range.first);
    }
}

} // namespace swizzle::simulation
