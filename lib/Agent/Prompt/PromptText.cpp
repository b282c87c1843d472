//===- PromptText.cpp - Facts in the words of a prompt --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers carry their unit and, where they were obtained by running something,
// their origin. Nothing here depends on the time, the machine or an address.
//
//===----------------------------------------------------------------------===//

#include "PromptText.h"

#include "swizzle/Hardware/Schema.h"
#include "swizzle/Records/TuningDatabase.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <functional>

using namespace llvm;

namespace swizzle::agent {

std::string quoteInline(StringRef text, size_t cap) {
  std::string result = "\"";
  raw_string_ostream os(result);
  for (unsigned char c : text.take_front(cap)) {
    if (c == '"' || c == '\\')
      os << '\\' << c;
    else if (c >= 0x20 && c < 0x7f)
      os << c;
    else
      os << format("\\x%02x", unsigned(c));
  }
  if (text.size() > cap)
    os << "...";
  os << '"';
  return result;
}

std::string quoteBlock(StringRef text, size_t cap) {
  std::string valid = json::isUTF8(text) ? text.str() : json::fixUTF8(text);
  StringRef rest = StringRef(valid).rtrim();
  size_t whole = rest.size();
  if (rest.size() > cap) {
    // Cut between lines where there are lines, never within a character.
    size_t end = rest.take_front(cap).rfind('\n');
    if (end == StringRef::npos)
      for (end = cap; end && (rest[end] & 0xc0) == 0x80;)
        --end;
    rest = rest.take_front(end);
  }
  size_t shown = rest.size();
  std::string result;
  raw_string_ostream os(result);
  while (!rest.empty()) {
    auto [line, next] = rest.split('\n');
    rest = next;
    os << "| ";
    for (unsigned char c : line)
      if (c == '\t' || (c >= 0x20 && c != 0x7f))
        os << c;
      else
        os << format("\\x%02x", unsigned(c));
    if (!rest.empty())
      os << '\n';
  }
  if (shown < whole)
    os << "\n| (cut: " << whole - shown << " of " << whole << " bytes)";
  return result;
}

std::string formatBytes(double bytes) {
  static const char *units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  unsigned unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(units)) {
    bytes /= 1024;
    ++unit;
  }
  if (bytes == std::floor(bytes))
    return formatv("{0:f0} {1}", bytes, units[unit]);
  return formatv("{0:f1} {1}", bytes, units[unit]);
}

std::string formatRate(double rate) {
  if (rate >= 1e12)
    return formatv("{0:f1} TB/s", rate / 1e12);
  return formatv("{0:f0} GB/s", rate / 1e9);
}

std::string formatMicroseconds(double us) {
  if (us >= 1e4)
    return formatv("{0:f2} ms", us / 1e3);
  return formatv("{0:f1} us", us);
}

/// What a formula may read of the hardware and that has a number.
static std::vector<std::pair<std::string, int64_t>>
knownConstants(const AgentContext &context) {
  HardwareConstants constants = context.environment.hardware;
  if (constants.empty())
    constants = context.hardware.formulaConstants();
  std::vector<std::pair<std::string, int64_t>> known;
  for (const auto &[name, value] : constants)
    if (value)
      known.emplace_back(name, *value);
  return known;
}

static std::string meaningOf(StringRef name) {
  if (const ChipField *field = findChipField(name))
    return std::string(field->meaning);
  if (name == "num_cus")
    return "compute units of the chip";
  return "";
}

std::string describeHardwareNames(const AgentContext &context) {
  std::string names;
  for (const auto &[name, value] : knownConstants(context))
    names += (names.empty() ? "" : ", ") + name;
  return names;
}

/// How workgroups reach dies and units, in one or two sentences.
static std::string describeDispatch(const HardwareSpec &hardware) {
  if (hardware.numDies == 1)
    return "Workgroups start in the linear order i = (z * gy + y) * gx + x. "
           "There is one die: all compute units share its L2, and each has a "
           "first-level cache of its own. What counts is which workgroups run "
           "at the same time, and which follow each other.";
  std::string turn = hardware.dispatchChunk == 1
                         ? "i % num_xcds"
                         : "i // dispatch_chunk % num_xcds";
  return "Workgroups start in the linear order i = (z * gy + y) * gx + x; "
         "workgroup i goes to die " +
         turn +
         ". Each die has an L2 of its own that the others do not see; a line "
         "that two dies read is fetched twice from beyond L2.";
}

/// "L2s", "gl1 caches": all caches of a level.
static std::string describeCaches(StringRef level) {
  return levelTitle(level) + "s";
}

/// "An L2", "The last-level cache", "A gl1 cache": one cache of a level.
static std::string describeOneCache(StringRef level) {
  if (level == "l2")
    return "An L2";
  return (level == "llc" ? "The " : "A ") + levelTitle(level);
}

/// A level that has no name of its own in the formula language, in one line.
static std::string describeOtherLevel(const CacheLevel &level) {
  std::string text = levelTitle(level.name) + ": one for ";
  if (level.scope == CacheScope::Cluster)
    text += std::to_string(level.unitsPerCluster.value_or(1)) +
            " neighbouring compute units";
  else
    text += level.scope == CacheScope::Die      ? "each die"
            : level.scope == CacheScope::Device ? "the whole chip"
                                                : "each compute unit";
  if (level.bytes)
    text += ", " + formatBytes(double(*level.bytes));
  return text;
}

std::string describeHardware(const AgentContext &context) {
  const HardwareSpec &hardware = context.hardware;
  std::string text;
  raw_string_ostream os(text);
  os << "Chip: " << quoteInline(hardware.name);
  if (!hardware.description.empty())
    os << ", " << quoteInline(hardware.description);
  os << "\n"
     << describeDispatch(hardware) << "\n"
     << describeResidency(context) << "\n";
  for (const auto &[name, value] : knownConstants(context)) {
    os << name << " = " << value;
    if (StringRef(name).ends_with("_bytes") && value >= 1024)
      os << " (" << formatBytes(double(value)) << ")";
    std::string meaning = meaningOf(name);
    os << (meaning.empty() ? "" : ": ") << meaning << "\n";
  }
  for (const CacheLevel &cache : hardware.levels)
    if (&cache != hardware.unitLevel() && &cache != &hardware.sharedLevel() &&
        &cache != hardware.lastLevel())
      os << describeOtherLevel(cache) << "\n";
  for (const CacheLevel &cache : hardware.levels)
    if (cache.effectiveBytes && cache.effectiveBytes != cache.bytes)
      os << describeOneCache(cache.name) << " holds about "
         << formatBytes(double(*cache.effectiveBytes))
         << ", as far as measurements tell\n";
  for (const CacheLevel &cache : hardware.levels)
    if (cache.partitions.value_or(1) > 1)
      os << describeOneCache(cache.name) << " has " << *cache.partitions
         << " parts that keep copies of each other's lines\n";
  auto bandwidth = [&](const std::optional<double> &rate, const Twine &what) {
    if (rate)
      os << what << ": " << formatRate(*rate) << "\n";
  };
  for (const CacheLevel &cache : hardware.levels)
    if (cache.scope == CacheScope::Device)
      bandwidth(cache.bandwidth, describeOneCache(cache.name) + " delivers");
    else if (cache.scope != CacheScope::ComputeUnit)
      bandwidth(cache.bandwidth,
                "All " + describeCaches(cache.name) + " together deliver");
  bandwidth(hardware.dramBandwidth, "The memory delivers");
  return StringRef(text).rtrim().str();
}

std::string describeReuse(const KernelModel &model, const ReuseTable &reuse) {
  std::string text;
  raw_string_ostream os(text);
  for (const BufferReuse &one : reuse.buffers) {
    os << quoteInline(model.buffers[one.buffer].name) << " ("
       << (one.read && one.written ? "read and written"
           : one.written           ? "written"
                                   : "read")
       << "): " << formatBytes(double(one.bytesPerWorkgroup))
       << " a workgroup; shared with the neighbour along";
    const char *separator = " ";
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (one.axis[axis] == AxisReuse::Absent)
        continue;
      os << separator << "xyz"[axis] << ": "
         << formatv("{0:f0} %", 100 * one.sharedFraction[axis]);
      separator = ", ";
    }
    if (*separator == ' ')
      os << " no axis: there is one workgroup";
    os << "\n";
  }
  return StringRef(text).rtrim().str();
}

std::string describeModelNotes(const KernelModel &model) {
  constexpr size_t most = 12;
  std::vector<std::string> notes;
  for (const std::string &assumed : describeAssumptions(model))
    notes.push_back("assumed: " + assumed);
  for (const NotModelled *one : model.unseen())
    notes.push_back("not modelled: " + one->what + ": " + one->reason);
  std::string text;
  for (size_t i = 0; i < std::min(notes.size(), most); ++i)
    text += notes[i] + "\n";
  if (notes.size() > most)
    text += "and " + std::to_string(notes.size() - most) + " more\n";
  return text.empty() ? text : quoteBlock(text);
}

std::string describeOrigin(const Metrics &measurement, bool nameDevice) {
  std::string text = std::string(toString(measurement.from.origin));
  if (nameDevice && !measurement.from.device.empty())
    text += " on " + quoteInline(measurement.from.device);
  return text;
}

std::string describeError(const Metrics &measurement) {
  if (measurement.noise.value_or(0) <= 0)
    return "";
  return formatv(", error {0:f1} %", 100 * *measurement.noise);
}

namespace {
/// One figure of a measurement, and how it is shown.
struct Figure {
  std::string name;
  std::function<std::optional<double>(const Metrics &)> get;
  std::string (*show)(double);
  bool rate; ///< changes are given in points, not in per cent
};
} // namespace

static std::string showPercent(double rate) {
  return formatv("{0:f1} %", 100 * rate);
}

static std::optional<double> ifCounted(const Count &count) {
  if (count.isCounted())
    return count;
  return std::nullopt;
}

static std::string showJoules(double joules) {
  return formatv("{0:f4} J", joules);
}

/// "L1", "L2", "last-level cache": how figures call a level.
static std::string figureTitle(StringRef level) {
  return level == "l1" ? "L1" : levelTitle(level);
}

/// "L2", "the last-level cache": what was asked.
static std::string askedTitle(StringRef level) {
  return (level == "l2" ? "" : "the ") + levelTitle(level);
}

/// What there is to say of a measurement, in the order in which it is said.
static std::vector<Figure> listFigures(const Metrics &metrics) {
  std::vector<Figure> figures = {{"time",
                                  [](const Metrics &m) {
                                    return m.timeUs > 0
                                               ? std::optional<double>(m.timeUs)
                                               : std::nullopt;
                                  },
                                  formatMicroseconds, false}};
  for (const LevelMetrics &level : metrics.levels)
    figures.push_back(
        {figureTitle(level.name) + " hit rate",
         [name = level.name](const Metrics &m) { return m.hitRate(name); },
         showPercent, true});
  for (const LevelMetrics &level : metrics.levels)
    if (level.name != "l1")
      figures.push_back({"asked of " + askedTitle(level.name),
                         [name = level.name](const Metrics &m) {
                           return ifCounted(m.bytes(name));
                         },
                         formatBytes, false});
  figures.push_back(
      {"read from DRAM",
       [](const Metrics &m) { return ifCounted(m.dramReadBytes); }, formatBytes,
       false});
  figures.push_back(
      {"written to DRAM",
       [](const Metrics &m) { return ifCounted(m.dramWriteBytes); },
       formatBytes, false});
  figures.push_back({"energy", [](const Metrics &m) { return m.energyJoules; },
                     showJoules, false});
  return figures;
}

std::string describeMetrics(const Metrics &measurement,
                            const Metrics *baseline) {
  std::string text;
  raw_string_ostream os(text);
  for (const Figure &figure : listFigures(measurement)) {
    std::optional<double> value = figure.get(measurement);
    if (!value)
      continue;
    os << figure.name << ": ";
    std::optional<double> before;
    if (baseline && baseline->from.origin == measurement.from.origin)
      before = figure.get(*baseline);
    if (before)
      os << figure.show(*before) << " -> ";
    os << figure.show(*value);
    if (before && figure.rate)
      os << formatv(" ({0}{1:f1} points)", *value < *before ? "-" : "+",
                    100 * std::abs(*value - *before));
    else if (before && *before > 0)
      os << formatv(" ({0}{1:f1} %)", *value < *before ? "-" : "+",
                    100 * std::abs(*value / *before - 1));
    os << "\n";
  }
  return StringRef(text).rtrim().str();
}

std::string describeParams(const ParamValues &params) {
  std::string text;
  for (const auto &[name, value] : params)
    text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  return text;
}

std::string describeNearest(ArrayRef<NearRecord> records) {
  std::string text;
  raw_string_ostream os(text);
  for (const NearRecord &record : records) {
    os << "Kernel " << quoteInline(record.kernel) << " on a grid of "
       << quoteInline(record.grid) << " on " << quoteInline(record.chip);
    if (record.gain)
      os << ", " << describeGain(*record.gain) << " its baseline";
    if (!record.origin.empty())
      os << " (" << quoteInline(record.origin) << ")";
    if (record.formula.empty()) {
      os << ": the order as it is was best\n";
      continue;
    }
    os << ":\n" << quoteBlock(record.formula, 2048) << "\n";
    if (!record.params.empty())
      os << "with " << quoteInline(describeParams(record.params)) << "\n";
  }
  return StringRef(text).rtrim().str();
}

} // namespace swizzle::agent
