//===- CheckChip.cpp - What must hold between fields ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each field of a description has its own limits (Schema.cpp); here is what one
// field says about another, and what a list of cache levels must look like for
// the simulator to walk it: read-only levels, then one that all compute units
// of a die share and that writes back, then levels of the whole device.
//
//===----------------------------------------------------------------------===//

#include "Stated.h"
#include "swizzle/Hardware/Completion.h"

#include <algorithm>
#include <set>

namespace swizzle {

namespace {

std::string text(int64_t number) { return std::to_string(number); }

/// "l2_ways" or "l2.ways": how a description calls a field of a level.
std::string keyOf(const CacheLevel &level, std::string field, Spelling keys) {
  return keys == Spelling::Flat ? flatKey(level.name, field)
                                : level.name + "." + field;
}

/// What does not fit within one level, or "".
std::string checkNumbers(const CacheLevel &cache, Spelling keys) {
  auto key = [&](const char *field) { return keyOf(cache, field, keys); };
  if (cache.bytes && cache.effectiveBytes.value_or(0) > *cache.bytes)
    return key("effective_bytes") + ": " + text(*cache.effectiveBytes) +
           " is more than " + key("bytes") + " (" + text(*cache.bytes) +
           "); what fits measurements is a part of what is there";
  if (!cache.lineBytes)
    return "";
  int64_t line = *cache.lineBytes;
  std::string lineIs = key("line_bytes") + " (" + text(line) + ")";
  if (cache.sectorBytes && line % *cache.sectorBytes != 0)
    return key("sector_bytes") + ": " + text(*cache.sectorBytes) +
           " does not divide " + lineIs +
           "; a line holds a whole number of sectors";
  for (auto [bytes, name] :
       {std::pair(cache.bytes, "bytes"),
        std::pair(cache.effectiveBytes, "effective_bytes")}) {
    if (bytes && *bytes % line != 0)
      return key(name) + ": " + text(*bytes) + " is not a multiple of " +
             lineIs;
    if (bytes && cache.partitions && *bytes / line % *cache.partitions != 0)
      return key(name) + ": " + text(*bytes / line) +
             " lines cannot be split evenly into " + text(*cache.partitions) +
             " " + key("partitions");
  }
  if (cache.ways && cache.bytes && *cache.bytes / line % *cache.ways != 0)
    return key("ways") + ": " + text(*cache.ways) + " does not divide the " +
           text(*cache.bytes / line) + " lines of " + text(line) +
           " bytes that " + key("bytes") + " (" + text(*cache.bytes) +
           ") holds";
  return "";
}

/// The refusal of a shared level that has too few of them.
std::string needsPartitions(const CacheLevel &shared, Spelling keys) {
  return "hit_definition: \"" +
         std::string(toString(HitDefinition::BothPartitions)) + "\" needs " +
         keyOf(shared, "partitions", keys) + " to be at least 2";
}

/// What a bound of the roofline is called that is no cache, or what of it is
/// counted ("dram_read_bytes").
constexpr std::string_view kReserved[] = {
    "dram",   "dram_read", "dram_write", "fabric", "delivery", "latency",
    "launch", "vector",    "tensor",     "issue",  "lds"};

/// True of names by which figures of something else are told; "x_logical" is
/// one, as a level has an "x_logical_hit_rate", too.
bool isReserved(std::string_view name) {
  constexpr std::string_view logical = "_logical";
  return std::find(std::begin(kReserved), std::end(kReserved), name) !=
             std::end(kReserved) ||
         (name.size() >= logical.size() &&
          name.substr(name.size() - logical.size()) == logical);
}

/// What is wrong with the list of levels, or "".
std::string checkLevels(const HardwareSpec &spec) {
  if (spec.levels.size() > kMaxLevels)
    return "levels: " + text(int64_t(spec.levels.size())) +
           " are given; at most " + text(kMaxLevels) + " can be simulated";
  size_t shared = spec.sharedIndex();
  if (shared == spec.levels.size())
    return "levels: none has the policy \"write_back\"; what is written needs "
           "a level that keeps it, of scope \"die\" or \"device\"";
  std::set<std::string> names;
  for (size_t i = 0; i < spec.levels.size(); ++i) {
    const CacheLevel &level = spec.levels[i];
    const std::string &name = level.name;
    if (!names.insert(name).second)
      return "levels: the name " + name + " is given twice";
    if (isReserved(name))
      return "levels: " + name +
             " is no name for a cache; figures call something else so";
    if (i && level.scope < spec.levels[i - 1].scope)
      return name + ".scope: \"" + std::string(toString(level.scope)) +
             "\" stands behind \"" +
             std::string(toString(spec.levels[i - 1].scope)) +
             "\"; levels are listed from the compute units to memory";
    if (i > shared && level.policy != CachePolicy::WriteBack)
      return name + ".policy: \"write_through\" behind " +
             spec.levels[shared].name +
             ", which writes back; levels behind it must write back too";
    if (i > shared && level.scope != CacheScope::Device)
      return name + ".scope: \"" + std::string(toString(level.scope)) +
             "\" is not allowed behind " + spec.levels[shared].name +
             "; it must be \"device\"";
    if (i != shared && level.partitions.value_or(1) != 1)
      return name + ".partitions: " + text(*level.partitions) +
             " is not allowed; only the first level that writes back can have "
             "more than one";
    bool cluster = level.scope == CacheScope::Cluster;
    if (cluster != level.unitsPerCluster.has_value())
      return name + ".cus_per_cluster: " +
             (cluster ? "missing; a level of scope \"cluster\" needs it"
                      : "given, but the level's scope is \"" +
                            std::string(toString(level.scope)) + "\"");
    if (cluster && spec.unitsPerDie % *level.unitsPerCluster != 0)
      return name + ".cus_per_cluster: " + text(*level.unitsPerCluster) +
             " does not divide cus_per_xcd (" + text(spec.unitsPerDie) + ")";
  }
  if (spec.levels[shared].scope < CacheScope::Die)
    return spec.levels[shared].name + ".scope: \"" +
           std::string(toString(spec.levels[shared].scope)) +
           "\" is not allowed for the first level that writes back; it must "
           "be \"die\" or \"device\"";
  return "";
}

/// Each compute unit stands once in the order, if there is one.
std::string checkOrder(const HardwareSpec &spec) {
  if (spec.dispatchOrder.empty())
    return "";
  auto refuse = [&](const std::string &what) {
    return std::string(kDispatchOrder) + ": " + what +
           "; each compute unit from 0 to " + text(spec.numUnits() - 1) +
           " (num_xcds times cus_per_xcd of them) stands there once";
  };
  std::vector<bool> seen(size_t(spec.numUnits()));
  for (int64_t unit : spec.dispatchOrder) {
    if (unit < 0 || unit >= spec.numUnits())
      return refuse("there is no compute unit " + text(unit));
    if (seen[size_t(unit)])
      return refuse("compute unit " + text(unit) + " is listed twice");
    seen[size_t(unit)] = true;
  }
  if (spec.dispatchOrder.size() != seen.size())
    return refuse(text(int64_t(spec.dispatchOrder.size())) + " are listed");
  return "";
}

/// What does not agree with a number that stands in for an open one, or "".
/// What stands in for sizes and ways is not judged: the simulator rounds it.
std::string checkAssumed(const HardwareSpec &spec, Spelling keys) {
  for (size_t i = 0; i < spec.levels.size(); ++i) {
    CacheLevel level = spec.levels[i];
    if (level.lineBytes)
      continue;
    level.lineBytes = completeLine(spec, i);
    if (std::string wrong = checkNumbers(level, keys); !wrong.empty())
      return wrong + "; " + keyOf(level, "line_bytes", keys) +
             " is not given, and " + text(*level.lineBytes) + " is assumed";
  }
  const CacheLevel &shared = spec.sharedLevel();
  if (spec.hitDefinition == HitDefinition::BothPartitions && !shared.partitions)
    return needsPartitions(shared, keys) +
           "; that is not given, and 1 is assumed";
  return "";
}

} // namespace

std::string checkChip(const HardwareSpec &spec, Spelling keys) {
  std::string wrong = checkStated(spec, keys);
  return wrong.empty() ? checkAssumed(spec, keys) : wrong;
}

std::string checkStated(const HardwareSpec &spec, Spelling keys) {
  if (std::string wrong = checkLevels(spec); !wrong.empty())
    return wrong;
  for (const CacheLevel &level : spec.levels)
    if (std::string wrong = checkNumbers(level, keys); !wrong.empty())
      return wrong;
  if (std::string wrong = checkOrder(spec); !wrong.empty())
    return wrong;
  if (spec.peakDramBandwidth &&
      spec.dramBandwidth.value_or(0) > *spec.peakDramBandwidth)
    return "effective_dram_bandwidth: more than dram_bandwidth, the peak as "
           "the vendor states it";
  const CacheLevel &shared = spec.sharedLevel();
  if (spec.hitDefinition == HitDefinition::BothPartitions &&
      shared.partitions.value_or(2) < 2)
    return needsPartitions(shared, keys);
  // Other vendors call their targets as they like.
  if (std::optional<int64_t> wave = waveSizeOfTarget(spec.target);
      wave && *wave != spec.waveSize && spec.vendor != "other")
    return "wave_size: " + text(spec.waveSize) + " is not allowed; code for " +
           spec.target + " has waves of " + text(*wave);
  if (spec.threadsPerUnit && *spec.threadsPerUnit % spec.waveSize != 0)
    return "threads_per_cu: " + text(*spec.threadsPerUnit) +
           " is not a multiple of wave_size (" + text(spec.waveSize) + ")";
  return "";
}

namespace {

/// Insertions, deletions and replacements that turn one word into the other.
size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j < row.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

} // namespace

std::string nearestSpelling(std::string_view word,
                            const std::vector<std::string> &candidates) {
  // Of a short word, two changes leave little: "base" is not "name".
  size_t limit = word.size() < 5 ? 1 : std::max<size_t>(2, word.size() / 3);
  std::string best;
  // Of two as near, the one that goes on: "mi300" is "mi300x" sooner than
  // "mi100".
  auto goesOn = [&](const std::string &candidate) {
    return candidate.compare(0, word.size(), word) == 0;
  };
  for (const std::string &candidate : candidates) {
    size_t distance = editDistance(word, candidate);
    bool isNearer = best.empty() || distance < limit ||
                    (goesOn(candidate) && !goesOn(best));
    if (distance <= limit && isNearer) {
      best = candidate;
      limit = distance;
    }
  }
  return best;
}

} // namespace swizzle
