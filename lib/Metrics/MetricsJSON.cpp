//===- MetricsJSON.cpp - Metrics as JSON ----------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading judges the type and the range of every field that is there; what is
// not there stays unknown, because no profiler tells everything. What is
// unknown is written as null.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Metrics/MetricsJSON.h"

#include "swizzle/Support/PlainJson.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using nlohmann::json;
using Json = nlohmann::ordered_json;

namespace swizzle {

namespace {

/// The levels of which files without `levels` speak.
constexpr std::string_view kUsual[] = {"l1", "l2", "llc"};

/// What rounding may add to a hit rate: a part of a launch is counted for the
/// whole.
constexpr double kRounding = 1e-3;

/// What only a vendor's profiler counts; left out where it was not asked.
constexpr std::pair<const char *, std::optional<double> Metrics::*> kCounted[] =
    {{"instructions", &Metrics::instructions},
     {"bank_conflicts", &Metrics::bankConflicts},
     {"counted_time_us", &Metrics::countedTimeUs}};

Json orNull(const std::optional<double> &value) {
  return value ? Json(*value) : Json(nullptr);
}

Json orNull(const Count &count) {
  return count.isCounted() ? Json(double(count)) : Json(nullptr);
}

/// Reads members of one object; the first that does not fit is kept.
class Reader {
public:
  explicit Reader(const json &object) : object(object) {}

  std::optional<double> number(const std::string &key) {
    const json *value = get(key);
    if (!value)
      return std::nullopt;
    if (value->is_number() && value->get<double>() >= 0)
      return value->get<double>();
    fail(key, *value, "a number from 0");
    return std::nullopt;
  }
  std::optional<double> rate(const std::string &key) {
    std::optional<double> value = number(key);
    if (value && *value > 1 + kRounding)
      fail(key, *get(key), "a number from 0 to 1");
    return value ? std::min(*value, 1.0) : value;
  }
  void read(const char *key, double &out) { out = number(key).value_or(out); }
  Count count(const std::string &key) {
    std::optional<double> value = number(key);
    return value ? Count(*value) : Count();
  }
  void read(const char *key, bool &out) {
    const json *value = get(key);
    if (value && !value->is_boolean())
      fail(key, *value, "true or false");
    else if (value)
      out = value->get<bool>();
  }
  void read(const char *key, std::string &out) {
    const json *value = get(key);
    if (value && !value->is_string())
      fail(key, *value, "a text");
    else if (value)
      out = value->get<std::string>();
  }
  void read(const char *key, std::vector<std::string> &out) {
    const json *value = get(key);
    if (!value)
      return;
    bool fits = value->is_array() &&
                std::all_of(value->begin(), value->end(),
                            [](const json &one) { return one.is_string(); });
    if (!fits)
      return fail(key, *value, "a list of texts");
    out = value->get<std::vector<std::string>>();
  }
  /// The value at `key`, or nullptr if there is none or it is null.
  const json *get(const std::string &key) {
    auto it = object.find(key);
    return it == object.end() || it->is_null() ? nullptr : &*it;
  }
  void fail(const std::string &key, const json &value,
            const std::string &allowed) {
    if (wrong.empty())
      wrong = key + ": " + plain::show(value) + " is not allowed; it must be " +
              allowed;
  }

  std::string wrong;

private:
  const json &object;
};

void readLevels(Reader &reader, Metrics &metrics) {
  std::vector<std::string> names(std::begin(kUsual), std::end(kUsual));
  bool listed = reader.get("levels");
  if (listed)
    reader.read("levels", names);
  for (const std::string &name : names) {
    LevelMetrics level;
    level.name = name;
    level.bytes = reader.count(name + "_bytes");
    level.hitRate = reader.rate(name + "_hit_rate");
    level.logicalHitRate = reader.rate(name + "_logical_hit_rate");
    if (listed || level.bytes.isCounted() || level.hitRate)
      metrics.levels.push_back(std::move(level));
  }
}

/// Earlier versions wrote 0 where nobody had counted, and lines of every launch
/// that was measured: nobody counts those on a device.
void forgetZeros(Metrics &metrics) {
  bool isOlder = metrics.from.origin == Origin::Measured &&
                 metrics.lineAccesses.isCounted() && metrics.lineAccesses == 0;
  if (!isOlder)
    return;
  metrics.lineAccesses = Count();
  if (metrics.dramBytes() == 0)
    metrics.dramReadBytes = metrics.dramWriteBytes = Count();
  for (LevelMetrics &level : metrics.levels)
    if (level.bytes == 0)
      level.bytes = Count();
}

void readRoofline(Reader &reader, Metrics &metrics) {
  const json *terms = reader.get("roofline");
  if (!terms)
    return;
  if (!terms->is_array())
    return reader.fail("roofline", *terms, "a list of terms");
  for (const json &value : *terms) {
    if (!value.is_object() || !value.contains("bound") ||
        !value.contains("time_us"))
      return reader.fail("roofline", value,
                         "a list of objects with bound and time_us");
    Reader term(value);
    std::string bound;
    double time = 0;
    term.read("bound", bound);
    term.read("time_us", time);
    double work = 0, rate = 0;
    term.read("work", work);
    term.read("rate", rate);
    if (reader.wrong.empty() && !term.wrong.empty())
      reader.wrong = "roofline." + term.wrong;
    metrics.roofline.push_back({readBound(bound), time, work, rate});
  }
}

void readSensitivity(Reader &reader, Metrics &metrics) {
  const json *value = reader.get("sensitivity");
  if (!value)
    return;
  if (!value->is_object())
    return reader.fail("sensitivity", *value, "an object or null");
  Reader inner(*value);
  Sensitivity spread;
  inner.read("dram_bytes_low", spread.dramBytesLow);
  inner.read("dram_bytes_high", spread.dramBytesHigh);
  spread.l2HitLow = inner.rate("l2_hit_rate_low").value_or(0);
  spread.l2HitHigh = inner.rate("l2_hit_rate_high").value_or(0);
  inner.read("uncertain", spread.uncertain);
  if (reader.wrong.empty() && !inner.wrong.empty())
    reader.wrong = "sensitivity." + inner.wrong;
  metrics.sensitivity = spread;
}

} // namespace

Json metricsToTree(const Metrics &metrics) {
  Json tree = {{"origin", toString(metrics.from.origin)},
               {"device", metrics.from.device},
               {"levels", Json::array()}};
  // Usual levels that the chip does not have are null.
  for (std::string_view name : kUsual)
    if (!metrics.find(name)) {
      tree[std::string(name) + "_hit_rate"] = nullptr;
      tree[std::string(name) + "_bytes"] = nullptr;
    }
  for (const LevelMetrics &level : metrics.levels) {
    tree["levels"].push_back(level.name);
    tree[level.name + "_hit_rate"] = orNull(level.hitRate);
    tree[level.name + "_bytes"] = orNull(level.bytes);
    if (level.logicalHitRate || level.name == "l2")
      tree[level.name + "_logical_hit_rate"] = orNull(level.logicalHitRate);
  }
  bool simulated = metrics.from.origin == Origin::Simulated;
  tree["line_accesses"] = orNull(metrics.lineAccesses);
  tree["dram_read_bytes"] = orNull(metrics.dramReadBytes);
  tree["dram_write_bytes"] = orNull(metrics.dramWriteBytes);
  if (simulated)
    tree["die_imbalance"] = metrics.dieImbalance;
  if (metrics.busyUnits < 1)
    tree["busy_units"] = metrics.busyUnits;
  if (metrics.scatterUs > 0)
    tree["scatter_us"] = metrics.scatterUs;
  tree["time_us"] = metrics.timeUs;
  tree["bottleneck"] = describeBottleneck(metrics).text;
  tree["roofline"] = Json::array();
  for (const RooflineTerm &term : metrics.roofline)
    tree["roofline"].push_back({{"bound", boundKey(term.bound)},
                                {"time_us", term.timeUs},
                                {"work", term.work},
                                {"rate", term.rate}});
  if (simulated)
    tree["error"] = metrics.samplingError;
  tree["noise"] = orNull(metrics.noise);
  tree["energy_joules"] = orNull(metrics.energyJoules);
  for (const auto &[key, member] : kCounted)
    if (metrics.*member)
      tree[key] = *(metrics.*member);
  tree["sensitivity"] = nullptr;
  if (const std::optional<Sensitivity> &spread = metrics.sensitivity)
    tree["sensitivity"] = {{"dram_bytes_low", spread->dramBytesLow},
                           {"dram_bytes_high", spread->dramBytesHigh},
                           {"l2_hit_rate_low", spread->l2HitLow},
                           {"l2_hit_rate_high", spread->l2HitHigh},
                           {"uncertain", spread->uncertain}};
  return tree;
}

std::string writeMetrics(const Metrics &metrics) {
  return plain::printLine(metricsToTree(metrics));
}

std::string readMetrics(const json &tree, Metrics &metrics) {
  metrics = Metrics();
  if (!tree.is_object())
    return "metrics: " + plain::show(tree) +
           " is not allowed; it must be an object";
  Reader reader(tree);
  std::string origin;
  reader.read("origin", origin);
  std::optional<Origin> known = readOrigin(origin);
  if (!known)
    return "origin: expected simulated or measured";
  metrics.from.origin = *known;
  reader.read("device", metrics.from.device);
  readLevels(reader, metrics);
  metrics.lineAccesses = reader.count("line_accesses");
  metrics.dramReadBytes = reader.count("dram_read_bytes");
  metrics.dramWriteBytes = reader.count("dram_write_bytes");
  forgetZeros(metrics);
  reader.read("die_imbalance", metrics.dieImbalance);
  metrics.busyUnits = reader.number("busy_units").value_or(1);
  metrics.scatterUs = reader.number("scatter_us").value_or(0);
  reader.read("time_us", metrics.timeUs);
  reader.read("error", metrics.samplingError);
  metrics.noise = reader.number("noise");
  metrics.energyJoules = reader.number("energy_joules");
  for (const auto &[key, member] : kCounted)
    metrics.*member = reader.number(key);
  reader.read("defaults", metrics.defaults);
  readRoofline(reader, metrics);
  readSensitivity(reader, metrics);
  return reader.wrong;
}

std::string readMetrics(std::string_view text, Metrics &metrics) {
  json tree;
  if (std::string wrong = plain::parse(text, tree); !wrong.empty())
    return wrong;
  return readMetrics(tree, metrics);
}

} // namespace swizzle
