//===- Ncu.cpp - What NVIDIA's ncu counts ---------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ncu prints one line of names, one of units, and one for each launch. A sector
// is 32 bytes on all GPUs that ncu knows (NVIDIA, Nsight Compute documentation,
// memory tables). The L2's hit rate counts look-ups in both partitions, as
// chips of that definition are simulated. Hits per sector that compute units
// asked for are told where ncu knows what came over the fabric between the
// partitions: a read that finds its sector in the other one is a miss here and
// a hit there, and a write that belongs to the other one is a hit here and
// there, and is counted once.
//
//   5 M sectors asked for, 3 M hits in the nearest partition; over the fabric 2 M hits,
//   of them 0.5 M writes: 3 + 2 - 0.5 of 5 M, 90 %
//
//===----------------------------------------------------------------------===//

#include "swizzle/Measure/Counters/Counters.h"

#include "Csv.h"

#include <algorithm>

namespace swizzle {

using namespace measuring;

namespace {

constexpr char kHitRate[] = "lts__t_sector_hit_rate.pct";
constexpr char kSectors[] = "lts__t_sectors.sum";
constexpr char kRead[] = "dram__bytes_read.sum";
constexpr char kWritten[] = "dram__bytes_write.sum";
// Not on all GPUs.
constexpr char kAsked[] = "lts__t_sectors_srcunit_tex.sum";
constexpr char kAskedHits[] = "lts__t_sectors_srcunit_tex_lookup_hit.sum";
constexpr char kFabricHits[] =
    "lts__t_sectors_srcunit_ltcfabric_lookup_hit.sum";
constexpr char kWrites[] = "lts__t_sectors_op_write.sum";
constexpr char kAskedWrites[] = "lts__t_sectors_srcunit_tex_op_write.sum";
constexpr char kInstructions[] = "smsp__inst_executed.sum";
constexpr char kConflicts[] =
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum";
constexpr char kTime[] = "gpu__time_duration.sum";
constexpr double kSectorBytes = 32;

/// What a unit is of bytes, seconds or ones; 0 if it is not known.
double scaleOf(std::string_view unit) {
  static const std::map<std::string_view, double> scales = {
      {"", 1},           {"%", 1},          {"sector", 1},     {"inst", 1},
      {"warp", 1},       {"byte", 1},       {"Kbyte", 1e3},    {"Mbyte", 1e6},
      {"Gbyte", 1e9},    {"Tbyte", 1e12},   {"ns", 1e-9},      {"us", 1e-6},
      {"nsecond", 1e-9}, {"usecond", 1e-6}, {"msecond", 1e-3}, {"ms", 1e-3},
      {"s", 1},          {"second", 1}};
  auto found = scales.find(unit);
  return found == scales.end() ? 0 : found->second;
}

CountedLaunch readLaunch(const std::vector<std::string> &names,
                         const std::vector<std::string> &units,
                         const std::vector<std::string> &cells) {
  CountedLaunch launch;
  for (size_t i = 0; i < cells.size(); ++i) {
    double number = 0, scale = scaleOf(units[i]);
    if (names[i] == "Kernel Name")
      launch.kernel = cells[i];
    else if (scale && readCsvNumber(cells[i], number))
      launch.counters[names[i]] = number * scale;
  }
  return launch;
}

} // namespace

std::string ncuMetrics(bool all) {
  std::string metrics;
  for (const char *name : {kHitRate, kSectors, kRead, kWritten})
    metrics += std::string(metrics.empty() ? "" : ",") + name;
  if (all)
    for (const char *name : {kAsked, kAskedHits, kFabricHits, kWrites,
                             kAskedWrites, kInstructions, kConflicts, kTime})
      metrics += std::string(",") + name;
  return metrics;
}

std::string ncuErrors(std::string_view output) {
  std::string errors;
  for (size_t at = 0; at < output.size();) {
    size_t end = std::min(output.find('\n', at), output.size());
    std::string_view line = output.substr(at, end - at), mark = "==ERROR== ";
    at = end + 1;
    if (line.substr(0, mark.size()) == mark)
      errors += "; " + std::string(line.substr(mark.size()));
  }
  return errors;
}

std::string readNcu(std::string_view text,
                    std::vector<CountedLaunch> &launches) {
  std::vector<std::string> names, units;
  launches.clear();
  for (size_t at = 0, number = 1; at < text.size(); ++number) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (names.empty() && line.substr(0, 4) != "\"ID\"")
      continue; // what ncu, or the program, says before the table
    if (line.substr(0, 1) != "\"")
      continue; // ... and between its lines
    std::vector<std::string> cells = splitCsvLine(line);
    if (names.empty()) {
      names = std::move(cells);
      continue;
    }
    if (cells.size() != names.size())
      return "line " + std::to_string(number) + " has " +
             std::to_string(cells.size()) + " cells, the first one has " +
             std::to_string(names.size());
    if (units.empty())
      units = std::move(cells);
    else
      launches.push_back(readLaunch(names, units, cells));
  }
  if (names.empty())
    return "there is no table in what ncu printed; it begins with \"ID\"";
  return launches.empty() ? "ncu saw no launch" : "";
}

/// The sum over all launches; nullopt if one of them does not have it.
static std::optional<double> sumOf(const std::vector<CountedLaunch> &launches,
                                   const char *name) {
  double sum = 0;
  for (const CountedLaunch &launch : launches) {
    auto found = launch.counters.find(name);
    if (found == launch.counters.end())
      return std::nullopt;
    sum += found->second;
  }
  return sum;
}

/// Hits of the L2 per sector that compute units asked for; nullopt where one of
/// the counters is missing. ncu may count in several runs of a kernel, which
/// differ a little: never more than all.
static std::optional<double>
logicalHitRate(const std::vector<CountedLaunch> &launches) {
  auto asked = sumOf(launches, kAsked), hits = sumOf(launches, kAskedHits),
       fabric = sumOf(launches, kFabricHits), writes = sumOf(launches, kWrites),
       askedWrites = sumOf(launches, kAskedWrites);
  if (!asked || !hits || !fabric || !writes || !askedWrites || *asked <= 0)
    return std::nullopt;
  double forwarded = std::max(*writes - *askedWrites, 0.0);
  return std::clamp((*hits + *fabric - forwarded) / *asked, 0.0, 1.0);
}

std::string addNcuCounters(const std::vector<CountedLaunch> &launches,
                           Metrics &metrics) {
  double sectors = 0, hits = 0, read = 0, written = 0;
  for (const CountedLaunch &launch : launches) {
    for (const char *name : {kHitRate, kSectors, kRead, kWritten})
      if (!launch.counters.count(name))
        return "counter " + std::string(name) + " is missing";
    double own = launch.counters.at(kSectors);
    sectors += own;
    hits += own * launch.counters.at(kHitRate) / 100;
    read += launch.counters.at(kRead);
    written += launch.counters.at(kWritten);
  }
  LevelMetrics &l2 = metrics.level("l2");
  l2.bytes = sectors * kSectorBytes;
  if (sectors > 0)
    l2.hitRate = hits / sectors;
  l2.logicalHitRate = logicalHitRate(launches);
  metrics.instructions = sumOf(launches, kInstructions);
  metrics.bankConflicts = sumOf(launches, kConflicts);
  if (auto seconds = sumOf(launches, kTime))
    metrics.countedTimeUs = *seconds * 1e6;
  metrics.dramReadBytes = read;
  metrics.dramWriteBytes = written;
  return "";
}

} // namespace swizzle
