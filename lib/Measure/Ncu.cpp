//===- Ncu.cpp - What NVIDIA's ncu counts ---------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ncu prints one line of names, one of units, and one for each launch. A sector is 32
// bytes on all GPUs that ncu knows (NVIDIA, Nsight Compute documentation, memory
// tables). The L2's hit rate counts look-ups in both partitions, as chips of that
// definition are simulated.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Measure/Counters.h"

#include "Csv.h"

#include <algorithm>

namespace swizzle {

namespace {

constexpr char kHitRate[] = "lts__t_sector_hit_rate.pct";
constexpr char kSectors[] = "lts__t_sectors.sum";
constexpr char kRead[] = "dram__bytes_read.sum";
constexpr char kWritten[] = "dram__bytes_write.sum";
constexpr double kSectorBytes = 32;

/// What a unit is of bytes, seconds or ones; 0 if it is not known.
double scaleOf(std::string_view unit) {
  static const std::map<std::string_view, double> scales = {
      {"", 1},       {"%", 1},        {"sector", 1},  {"inst", 1},
      {"warp", 1},   {"byte", 1},     {"Kbyte", 1e3}, {"Mbyte", 1e6},
      {"Gbyte", 1e9}, {"Tbyte", 1e12}, {"ns", 1e-9},   {"us", 1e-6},
      {"nsecond", 1e-9}, {"usecond", 1e-6}, {"msecond", 1e-3}, {"ms", 1e-3},
      {"s", 1},      {"second", 1}};
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

std::string ncuMetrics() {
  return std::string(kHitRate) + "," + kSectors + "," + kRead + "," + kWritten;
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
  metrics.dramReadBytes = read;
  metrics.dramWriteBytes = written;
  return "";
}

} // namespace swizzle
