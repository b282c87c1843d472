//===- Print.cpp - Simulated figures for people and programs --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text and JSON of a simulation.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Simulation/Print.h"

#include "swizzle/Metrics/MetricsJSON.h"
#include "swizzle/Support/GridText.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

namespace swizzle {

namespace {

std::string percent(std::optional<double> rate) {
  return rate ? llvm::formatv("{0:f1} %", *rate * 100).str() : "-";
}

/// Three or four significant digits and a unit.
std::string quantity(double bytes) {
  static constexpr const char *units[] = {"B", "KB", "MB", "GB", "TB", "PB"};
  size_t unit = 0;
  while (std::abs(bytes) >= 1000 && unit + 1 < std::size(units)) {
    bytes /= 1000;
    ++unit;
  }
  if (unit == 0)
    return llvm::formatv("{0:f0} B", bytes);
  return bytes < 10 ? llvm::formatv("{0:f3} {1}", bytes, units[unit]).str()
                    : llvm::formatv("{0:f1} {1}", bytes, units[unit]).str();
}

std::string duration(double us) {
  return us >= 1000 ? llvm::formatv("{0:f3} ms", us / 1000).str()
                    : llvm::formatv("{0:f1} us", us).str();
}

/// Left-aligned name, then right-aligned columns.
class Table {
public:
  Table(const SimulationReport &report, llvm::raw_ostream &os)
      : report(report), os(os) {}

  template <typename Fn> void row(const llvm::Twine &name, Fn cell) {
    os << llvm::formatv("  {0,-26}", name.str());
    // What is longer than its column still stands apart.
    for (const auto *metrics : {&report.original, &report.remapped})
      if (*metrics)
        os << ' ' << llvm::formatv("{0,22}", cell(**metrics));
    os << '\n';
  }

  void head() {
    os << llvm::formatv("  {0,-26}", "simulated");
    if (report.original)
      os << llvm::formatv("{0,23}", report.remapped ? "before" : "as it is");
    if (report.remapped)
      os << llvm::formatv("{0,23}", report.original ? "after" : "remapped");
    os << '\n';
  }

private:
  const SimulationReport &report;
  llvm::raw_ostream &os;
};

std::string describeMode(const SimulationReport &report) {
  const SimulationOptions &options = report.options;
  std::string mode;
  if (options.sampleShift)
    mode = llvm::formatv("one line in {0}", 1u << options.sampleShift);
  if (options.prefix < 1)
    mode += llvm::formatv(
        "{0}{1}{2:f1} % of the workgroups", mode.empty() ? "" : ", ",
        report.isWithin ? "" : "the first ", options.prefix * 100);
  if (options.depth < 1)
    mode += llvm::formatv("{0}a part of the steps", mode.empty() ? "" : ", ");
  if (mode.empty())
    mode = "full detail";
  if (options.launches > 1)
    mode += llvm::formatv(", launch {0} in a row", options.launches);
  return mode;
}

/// "L2", "last level": the first words of a level's rows.
std::string rowTitle(llvm::StringRef name) {
  return name == "llc" ? "last level" : levelTitle(name);
}

/// What was simulated, and under which formula.
void printTitle(const SimulationReport &report, llvm::raw_ostream &os) {
  os << "kernel @";
  if (!report.module.empty())
    os << report.module << "::@";
  os << report.kernel << ", grid " << toString(report.grid) << ", block "
     << toString(report.block) << ", on " << report.chip;
  if (!report.chipDescription.empty())
    os << " (" << report.chipDescription << ")";
  os << ": " << describeMode(report) << ", " << report.residentWorkgroups
     << " workgroups a compute unit\n";
  if (report.formula.empty())
    return;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(report.formula).trim().split(lines, '\n');
  for (llvm::StringRef line : lines)
    os << "  | " << line << '\n';
  for (const auto &[name, value] : report.params)
    os << "  | " << name << " = " << value << '\n';
  if (report.remapInstructions)
    os << "  which costs a wave " << *report.remapInstructions
       << " scalar instructions\n";
}

/// The order under the formula, else the one as it is, if either was simulated.
const Metrics *shownOf(const SimulationReport &report) {
  return report.remapped   ? &*report.remapped
         : report.original ? &*report.original
                           : nullptr;
}

/// True if `has` is, of either order.
bool any(const SimulationReport &report,
         llvm::function_ref<bool(const Metrics &)> has) {
  return (report.original && has(*report.original)) ||
         (report.remapped && has(*report.remapped));
}

void printLevels(const SimulationReport &report, Table &table) {
  const Metrics *shown = shownOf(report);
  for (const LevelMetrics &level :
       shown ? shown->levels : std::vector<LevelMetrics>()) {
    const std::string &name = level.name;
    bool counted = any(
        report, [&](const Metrics &m) { return m.hitRate(name).has_value(); });
    if (!counted && name != "l2")
      continue;
    table.row(rowTitle(name) + ", hits",
              [&](const Metrics &m) { return percent(m.hitRate(name)); });
    // What is asked of the nearest caches is the same in every order.
    if (name != "l1")
      table.row(rowTitle(name) + ", bytes",
                [&](const Metrics &m) { return quantity(m.bytes(name)); });
  }
}

void printSensitivity(Table &table) {
  auto range = [](const Metrics &m, bool low) -> std::string {
    if (!m.sensitivity)
      return "-";
    return quantity(low ? m.sensitivity->dramBytesLow
                        : m.sensitivity->dramBytesHigh);
  };
  table.row("DRAM bytes, at least",
            [&](const Metrics &m) { return range(m, true); });
  table.row("DRAM bytes, at most",
            [&](const Metrics &m) { return range(m, false); });
  table.row("", [](const Metrics &m) {
    return m.sensitivity && m.sensitivity->uncertain ? "uncertain" : "certain";
  });
}

/// Memory and time.
void printTotals(const SimulationReport &report, Table &table) {
  table.row("DRAM, bytes read",
            [](const Metrics &m) { return quantity(m.dramReadBytes); });
  table.row("DRAM, bytes written",
            [](const Metrics &m) { return quantity(m.dramWriteBytes); });
  if (any(report, [](const Metrics &m) { return m.dieImbalance > 1.005; }))
    table.row("busiest die over the mean", [](const Metrics &m) {
      return llvm::formatv("{0:f2}", m.dieImbalance).str();
    });
  if (any(report, [](const Metrics &m) { return m.busyUnits < 0.995; }))
    table.row("compute units busy",
              [](const Metrics &m) { return percent(m.busyUnits); });
  table.row("time, at least",
            [](const Metrics &m) { return duration(m.timeUs); });
  table.row("set by", [](const Metrics &m) {
    return m.roofline.empty() ? std::string("-")
                              : toString(m.roofline.front().bound);
  });
  if (any(report, [](const Metrics &m) { return m.samplingError > 0; }))
    table.row("DRAM bytes, error", [](const Metrics &m) {
      return llvm::formatv("{0:f1} %", m.samplingError * 100).str();
    });
  if (any(report, [](const Metrics &m) { return m.noise.has_value(); }))
    table.row("time, error", [](const Metrics &m) { return percent(m.noise); });
  if (any(report, [](const Metrics &m) { return m.sensitivity.has_value(); }))
    printSensitivity(table);
}

} // namespace

/// True if lines, workgroups or steps were left out.
static bool isPart(const SimulationOptions &options) {
  return options.sampleShift || options.prefix < 1 || options.depth < 1;
}

/// True if the first level answers enough for its hits to matter.
static bool hitsNearby(const Metrics &metrics) {
  constexpr double enough = 0.2;
  return metrics.levels.size() > 1 &&
         metrics.levels.front().hitRate.value_or(0) >= enough;
}

void printReport(const SimulationReport &report, llvm::raw_ostream &os) {
  printTitle(report, os);
  Table table(report, os);
  table.head();
  printLevels(report, table);
  printTotals(report, table);
  const Metrics *shown = shownOf(report);
  if (shown && !shown->roofline.empty()) {
    os << "  " << describeBottleneck(*shown).text << " (";
    for (size_t i = 0; i < shown->roofline.size(); ++i)
      os << (i ? ", " : "") << toString(shown->roofline[i].bound) << " "
         << duration(shown->roofline[i].timeUs);
    if (shown->scatterUs > 0)
      os << "; opening rows of memory " << duration(shown->scatterUs);
    os << ")\n";
    if (double more = factorOfPhases(*shown) - 1; more >= kLeastOfPhases)
      os << llvm::formatv("  {0:P1} more, since not all of it overlaps: phases "
                          "of the launch ask for different things\n",
                          more);
  }
  if (shown && isPart(report.options) && hitsNearby(*shown))
    os << "  no error tells how much more or less than a part the whole launch "
          "finds in its first-level caches\n";
  for (const std::string &line : report.notModelled)
    os << "  left out: " << line << '\n';
  for (const std::string &line : report.assumed)
    os << "  assumed: " << line << '\n';
  if (shown)
    for (const std::string &line : shown->defaults)
      os << "  default: " << line << '\n';
}

llvm::json::Object toJSON(const SimulationReport &report) {
  // Names in them are the user's, in whatever encoding.
  auto readable = [](const std::vector<std::string> &lines) {
    llvm::json::Array array;
    for (const std::string &line : lines)
      array.push_back(llvm::json::fixUTF8(line));
    return array;
  };
  auto metrics = [](const std::optional<Metrics> &one) -> llvm::json::Value {
    // What the writer prints is JSON.
    return one ? llvm::cantFail(llvm::json::parse(writeMetrics(*one)))
               : llvm::json::Value(nullptr);
  };
  llvm::json::Object params;
  for (const auto &[name, value] : report.params)
    params[name] = value;
  const auto &any = report.remapped ? report.remapped : report.original;
  return llvm::json::Object{
      {"module", llvm::json::fixUTF8(report.module)},
      {"name", llvm::json::fixUTF8(report.kernel)},
      {"chip", report.chip},
      {"chip_source", report.chipSource},
      {"grid", toString(report.grid)},
      {"block", toString(report.block)},
      {"resident_workgroups", report.residentWorkgroups},
      {"mode", describeMode(report)},
      {"sample", int64_t(1) << report.options.sampleShift},
      {"prefix", report.options.prefix},
      {"depth", report.options.depth},
      {"formula", report.formula.empty() ? llvm::json::Value(nullptr)
                                         : llvm::json::Value(report.formula)},
      {"params", std::move(params)},
      {"remap_instructions", report.remapInstructions},
      {"before", metrics(report.original)},
      {"after", metrics(report.remapped)},
      {"not_modelled", readable(report.notModelled)},
      {"assumed", readable(report.assumed)},
      {"defaults",
       any ? llvm::json::Array(any->defaults) : llvm::json::Array()}};
}

} // namespace swizzle
