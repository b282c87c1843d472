//===- TuningDatabase.cpp - What was found, for later ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The records in memory: sorted by key, one for each, and an order among
// records of one key that does not depend on who came first. So any number of
// writers, and any order of merges, ends with the same file.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Records/TuningDatabase.h"

#include "swizzle/Formula/Syntax/Catalogue.h"
#include "swizzle/Support/ReadFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <tuple>

using namespace llvm;

namespace swizzle {

static std::optional<double> costOf(const RecordFigures &figures,
                                    Objective objective) {
  switch (objective) {
  case Objective::L2HitRate:
    if (figures.l2HitRate)
      return 1 - *figures.l2HitRate;
    return std::nullopt;
  case Objective::DramBytes:
    return figures.dramBytes;
  case Objective::Energy:
    return figures.energyJoules;
  case Objective::Auto:
  case Objective::Time:
    break;
  }
  return figures.timeUs;
}

std::optional<double> DatabaseRecord::gain() const {
  if (formula.empty())
    return 1;
  std::optional<double> before = costOf(baseline, objective);
  std::optional<double> after = costOf(best, objective);
  if (!before || !after)
    return std::nullopt;
  if (*before == *after)
    return 1; // of nothing, too
  return *after > 0 ? *before / *after : HUGE_VAL;
}

std::string describeGain(double gain) {
  std::string times =
      std::isfinite(gain) ? formatv("{0:f2}", gain).str() : "infinitely many";
  return times + " times as good as";
}

RecordFigures figuresOf(const Metrics &metrics) {
  RecordFigures figures;
  if (metrics.timeUs > 0)
    figures.timeUs = metrics.timeUs;
  figures.l2HitRate = metrics.hitRate("l2");
  if (Count bytes = metrics.dramBytes(); bytes.isCounted())
    figures.dramBytes = bytes;
  figures.energyJoules = metrics.energyJoules;
  return figures;
}

/// What records are sorted by: the grid by its extents, not by its digits.
static auto sortKey(const DatabaseKey &key) {
  std::array<int64_t, 3> extents{0, 0, 0};
  if (Expected<Grid> grid = parseGrid(key.grid))
    extents = grid->extent;
  else
    consumeError(grid.takeError()); // no grid: its text decides
  return std::make_tuple(StringRef(key.kernelHash), extents,
                         StringRef(key.grid), StringRef(key.chip),
                         StringRef(key.toolVersion), StringRef(key.chipHash));
}

/// True if `a` is the better of two records with one key.
static bool isBetter(const DatabaseRecord &a, const DatabaseRecord &b) {
  auto rank = [](const DatabaseRecord &record) {
    return std::make_tuple(record.origin == Origin::Measured,
                           record.objective == Objective::Time, record.gain());
  };
  if (rank(a) != rank(b))
    return rank(a) > rank(b);
  // Anything that is the same for everybody.
  return printRecord(a) < printRecord(b);
}

static bool comesBefore(const DatabaseRecord &record, const DatabaseKey &key) {
  return sortKey(record.key) < sortKey(key);
}

TuningDatabase TuningDatabase::parse(StringRef text, StringRef fileName) {
  TuningDatabase database;
  unsigned number = 0;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    ++number;
    StringRef content = line.trim();
    if (content.empty())
      continue;
    Expected<DatabaseRecord> record = parseRecord(content);
    if (record)
      database.add(std::move(*record));
    else
      database.unreadable.push_back(
          {number,
           (fileName + ":" + Twine(number) + ": ").str() +
               toString(record.takeError()),
           line.str()});
  }
  return database;
}

Expected<TuningDatabase> TuningDatabase::read(StringRef path) {
  auto buffer = readWholeFile(path, kRecordLimit);
  if (!buffer)
    return createStringError("cannot read the tuning database '" + path +
                             "': " + toString(buffer.takeError()));
  return parse((*buffer)->getBuffer(), path);
}

const DatabaseRecord *TuningDatabase::find(const DatabaseKey &key) const {
  auto at = llvm::lower_bound(sorted, key, comesBefore);
  return at != sorted.end() && at->key == key ? &*at : nullptr;
}

bool TuningDatabase::add(DatabaseRecord record) {
  auto at = llvm::lower_bound(sorted, record.key, comesBefore);
  if (at == sorted.end() || !(at->key == record.key)) {
    sorted.insert(at, std::move(record));
    return true;
  }
  if (!isBetter(record, *at))
    return false;
  *at = std::move(record);
  return true;
}

size_t
TuningDatabase::remove(function_ref<bool(const DatabaseRecord &)> unwanted) {
  size_t before = sorted.size();
  erase_if(sorted, unwanted);
  return before - sorted.size();
}

size_t TuningDatabase::dropProblems() {
  size_t dropped = unreadable.size();
  unreadable.clear();
  return dropped;
}

/// How far two grids are apart in size: the ratio of their counts, as a
/// logarithm; large if one is not known.
static double distance(StringRef a, StringRef b) {
  auto count = [](StringRef text) -> double {
    Expected<Grid> grid = parseGrid(text);
    if (!grid) {
      consumeError(grid.takeError()); // no grid: as far as an unknown one
      return 0;
    }
    return grid->isStatic() ? double(std::max<int64_t>(grid->count(), 1)) : 0;
  };
  double first = count(a), second = count(b);
  if (first == 0 || second == 0)
    return 1e3;
  return std::abs(std::log2(first / second));
}

std::vector<const DatabaseRecord *>
TuningDatabase::nearest(const DatabaseKey &key, StringRef signature,
                        size_t limit) const {
  std::vector<const DatabaseRecord *> found;
  for (const DatabaseRecord &record : sorted)
    if (record.signature == signature && !(record.key == key))
      found.push_back(&record);
  auto rank = [&](const DatabaseRecord *record) {
    // Last, the order of the file, in which the records lie.
    return std::make_tuple(record->key.kernelHash != key.kernelHash,
                           record->key.chip != key.chip,
                           distance(record->key.grid, key.grid),
                           record->key.chipHash != key.chipHash, record);
  };
  llvm::sort(found,
             [&](const auto *a, const auto *b) { return rank(a) < rank(b); });
  if (found.size() > limit)
    found.resize(limit);
  return found;
}

std::string TuningDatabase::print() const {
  std::string text;
  for (const DatabaseRecord &record : sorted)
    text += printRecord(record) + "\n";
  for (const DatabaseProblem &problem : unreadable)
    text += problem.text + "\n";
  return text;
}

} // namespace swizzle
