//===- Result.cpp - Rows of results ---------------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Results are read as carefully as jobs: they come from another machine.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Bundle/Job.h"

#include "Reader.h"

#include "swizzle/Metrics/MetricsJSON.h"

#include <cstdio>

using nlohmann::json;
using swizzle::bundle::Reader;
using Json = nlohmann::ordered_json;

namespace swizzle {

namespace {

void readNumber(Reader &reader, const char *key, double &out) {
  const json *value = reader.take(key, false);
  if (value && !value->is_number())
    reader.fail(key, *value, "a number");
  else if (value)
    out = value->get<double>();
}

void readInteger(Reader &reader, const char *key, std::optional<int64_t> &out) {
  const json *value = reader.take(key, false);
  if (!value || value->is_null())
    return;
  if (!Reader::isInteger(*value, INT64_MIN, INT64_MAX))
    return reader.fail(key, *value, "an integer or null");
  out = value->get<int64_t>();
}

std::string readSamples(const json &tree, const std::string &path,
                        TimeSamples &out) {
  Reader reader(tree, path);
  reader.number("median_us", out.median);
  reader.number("p20_us", out.p20);
  reader.number("p80_us", out.p80);
  reader.number("noise", out.noise);
  reader.list(
      "samples_us", 0,
      [&](const json &one, const std::string &where) -> std::string {
        if (!one.is_number())
          return where + ": " + plain::show(one) +
                 " is not allowed; it must be a number";
        out.samples.push_back(one.get<double>());
        return "";
      },
      false);
  return reader.finish();
}

std::string readMeasurement(const json &tree, Measurement &out) {
  Reader reader(tree, "measurement");
  reader.text("driver", out.driver, false);
  reader.text("date", out.date, false);
  reader.text("outputs", out.outputs);
  if (reader.wrong.empty() && out.outputs != kIdentical &&
      out.outputs != kWithinTolerance && out.outputs != kNotCompared)
    reader.fail("outputs", out.outputs,
                "\"identical\", \"within tolerance\" or \"not compared\"");
  readNumber(reader, "drift", out.drift);
  reader.positive("original_us", out.originalUs);
  readInteger(reader, "clock_low_mhz", out.clockLowMegahertz);
  readInteger(reader, "clock_high_mhz", out.clockHighMegahertz);
  readInteger(reader, "temperature", out.temperature);
  for (auto [key, samples] :
       {std::pair("cold", &out.cold), std::pair("warm", &out.warm)})
    if (const json *value = reader.take(key, false))
      reader.wrong = readSamples(*value, reader.at(key), *samples);
  return reader.finish();
}

/// Refuses what must not decide: figures of another origin, times that are
/// none. A noise that nobody tells is as large as the figure.
std::string checkMeasured(const json &tree, Metrics &metrics) {
  Reader reader(tree, "metrics");
  std::string origin;
  reader.text("origin", origin);
  if (reader.wrong.empty() && metrics.from.origin != Origin::Measured)
    reader.fail("origin", origin, "\"measured\"");
  reader.positive("time_us", metrics.timeUs);
  double noise = 1;
  if (metrics.noise)
    reader.number("noise", noise);
  metrics.noise = noise;
  return reader.wrong;
}

Json treeOf(const TimeSamples &samples) {
  return {{"median_us", samples.median},
          {"p20_us", samples.p20},
          {"p80_us", samples.p80},
          {"noise", samples.noise},
          {"samples_us", samples.samples}};
}

Json orNull(const std::optional<int64_t> &value) {
  return value ? Json(*value) : Json(nullptr);
}

Json treeOf(const Measurement &measurement) {
  return {{"driver", measurement.driver},
          {"date", measurement.date},
          {"outputs", measurement.outputs},
          {"original_us", measurement.originalUs},
          {"drift", measurement.drift},
          {"clock_low_mhz", orNull(measurement.clockLowMegahertz)},
          {"clock_high_mhz", orNull(measurement.clockHighMegahertz)},
          {"temperature", orNull(measurement.temperature)},
          {"cold", treeOf(measurement.cold)},
          {"warm", treeOf(measurement.warm)}};
}

/// FNV-1a of 64 bits (G. Fowler, L. C. Noll, K.-P. Vo, RFC 9923). The length
/// keeps two texts apart from another two that read the same in a row.
uint64_t mix(uint64_t hash, std::string_view text) {
  auto add = [&](unsigned char byte) { hash = (hash ^ byte) * 0x100000001b3u; };
  for (size_t length = text.size(), i = 0; i < 8; ++i)
    add(static_cast<unsigned char>(length >> (8 * i)));
  for (char byte : text)
    add(static_cast<unsigned char>(byte));
  return hash;
}

} // namespace

std::string fingerprint(const Job &job, std::string_view original,
                        std::string_view variant) {
  Job same = job;
  same.name = same.chip = same.lastLevel = "";
  same.variants.clear();
  uint64_t hash = mix(0xcbf29ce484222325u, writeJob(same));
  hash = mix(mix(hash, original), variant);
  char text[32];
  std::snprintf(text, sizeof(text), "fnv1a:%016llx",
                static_cast<unsigned long long>(hash));
  return text;
}

std::string readResult(std::string_view line, JobResult &result) {
  result = JobResult();
  json tree;
  if (std::string wrong = plain::parse(line, tree); !wrong.empty())
    return wrong;
  Reader reader(tree, "");
  std::string schema;
  reader.text("schema", schema);
  if (reader.wrong.empty() && schema != kResultSchema)
    return "schema: " + plain::show(schema) +
           " is not allowed; this version reads \"" +
           std::string(kResultSchema) + "\": measure the bundle again";
  reader.name("variant", result.variant);
  reader.text("of", result.of, /*required=*/false);
  reader.text("failure", result.failure, /*required=*/false);
  const json *metrics = reader.take("metrics", result.failure.empty());
  if (metrics && !result.failure.empty())
    reader.fail("metrics", *metrics, "absent where there is a failure");
  if (metrics && reader.wrong.empty()) {
    std::string wrong = readMetrics(*metrics, result.metrics);
    reader.wrong = wrong.empty() ? checkMeasured(*metrics, result.metrics)
                                 : "metrics." + wrong;
  }
  if (const json *how = reader.take("measurement", result.failure.empty()))
    reader.wrong = readMeasurement(*how, result.measurement.emplace());
  return reader.finish();
}

std::string writeResult(const JobResult &result) {
  Json tree = {{"schema", kResultSchema}, {"variant", result.variant}};
  if (!result.of.empty())
    tree["of"] = result.of;
  if (result.failure.empty())
    tree["metrics"] = metricsToTree(result.metrics);
  else
    tree["failure"] = result.failure;
  if (result.measurement)
    tree["measurement"] = treeOf(*result.measurement);
  return plain::printLine(tree) + "\n";
}

} // namespace swizzle
