//===- JobReader.cpp - Jobs and results from JSON -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bundles travel between machines, so that nothing in them is taken on trust:
// every field has a type and limits, keys that mean nothing are refused, and a
// file lies inside of the bundle's folder. Functions return what is wrong with
// the path of the field, "launches[0].grid: ...", and "" if nothing is.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Bundle/Job.h"

#include "Reader.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

using nlohmann::json;
using swizzle::bundle::Reader;

namespace swizzle {

namespace {

/// No job comes near these; they bound the work on a wrong file.
constexpr size_t kMaxJobBytes = size_t(16) << 20;
constexpr int64_t kMaxBytes = int64_t(1) << 46;
constexpr int64_t kMaxExtent = (int64_t(1) << 31) - 1;
constexpr int64_t kMaxRuns = 1000000;
constexpr int64_t kMaxDynamicBytes = int64_t(1) << 30;

/// True for a path that stays in the folder it starts from.
bool staysInside(const std::string &file) {
  if (file.empty() || file[0] == '/' || file.find('\\') != file.npos ||
      file.find(':') != file.npos || file.find('\0') != file.npos)
    return false;
  for (size_t at = 0; at <= file.size();) {
    size_t end = std::min(file.find('/', at), file.size());
    std::string part = file.substr(at, end - at);
    if (part.empty() || part == "." || part == "..")
      return false;
    at = end + 1;
  }
  return true;
}

std::string readVariant(const json &tree, const std::string &path,
                        JobVariant &variant) {
  Reader reader(tree, path);
  reader.name("name", variant.name);
  reader.name("file", variant.artifact.file);
  if (reader.wrong.empty() && !staysInside(variant.artifact.file))
    reader.fail("file", variant.artifact.file,
                "a path inside of the bundle's folder");
  reader.text("format", variant.artifact.format);
  const std::string &format = variant.artifact.format;
  if (reader.wrong.empty() && format != "ptx" && format != "cubin" &&
      format != "hsaco")
    reader.fail("format", format, "\"ptx\", \"cubin\" or \"hsaco\"");
  reader.name("target", variant.artifact.target);
  reader.text("formula", variant.formula, /*required=*/false);
  const json *params = reader.take("params", /*required=*/false);
  if (params && !params->is_object())
    reader.fail("params", *params, "an object of integers");
  else if (params)
    for (auto it = params->begin(); it != params->end(); ++it) {
      if (!Reader::isInteger(*it, INT64_MIN, INT64_MAX))
        reader.fail("params." + it.key(), *it, "an integer");
      else
        variant.params[it.key()] = it->get<int64_t>();
    }
  return reader.finish();
}

constexpr const char *kTypes =
    "\"unknown\", \"i8\", \"i16\", \"i32\", \"i64\", \"f16\", \"bf16\", "
    "\"f32\" or \"f64\"";

/// A list of sizes or strides, if there is one.
void readCounts(Reader &reader, const char *key, std::vector<int64_t> &out) {
  reader.list(
      key, 1,
      [&](const json &one, const std::string &where) -> std::string {
        if (!Reader::isInteger(one, 0, kMaxBytes))
          return where + ": " + plain::show(one) +
                 " is not allowed; it must be an integer from 0 to " +
                 std::to_string(kMaxBytes);
        out.push_back(one.get<int64_t>());
        return "";
      },
      /*required=*/false);
}

void readBuffer(Reader &reader, BufferArgument &buffer) {
  reader.integer("bytes", buffer.bytes, 0, kMaxBytes);
  reader.word("type", buffer.type, readElementType, kTypes);
  if (buffer.type == ElementType::Unknown)
    reader.integer("element_bytes", buffer.elementBytes, 1, 1024);
  reader.word("direction", buffer.direction, readDirection,
              "\"in\", \"out\" or \"inout\"");
  reader.word("fill", buffer.fill.kind, readFillKind,
              "\"zeros\" or \"random\"");
  if (buffer.fill.kind == FillKind::Random)
    reader.integer("seed", buffer.fill.seed, 0, INT64_MAX);
  readCounts(reader, "sizes", buffer.sizes);
  readCounts(reader, "strides", buffer.strides);
  if (reader.wrong.empty() && buffer.sizes.size() != buffer.strides.size())
    reader.fail("strides", buffer.strides, "as many integers as sizes has");
}

void readScalar(Reader &reader, ScalarArgument &scalar) {
  reader.word("type", scalar.type, readElementType, kTypes);
  const json *value = reader.take("value");
  if (!value)
    return;
  if (scalar.type == ElementType::Unknown)
    return reader.fail("type", "unknown", "a type; a scalar's must be known");
  bool isFloat = scalar.type >= ElementType::F16;
  if (isFloat && value->is_number())
    scalar.value = value->get<double>();
  else if (!isFloat && Reader::isInteger(*value, INT64_MIN, INT64_MAX))
    scalar.value = value->get<int64_t>();
  else
    reader.fail("value", *value, isFloat ? "a number" : "an integer");
}

std::string readArgument(const json &tree, const std::string &path,
                         LaunchArgument &argument) {
  Reader reader(tree, path);
  std::string kind;
  reader.name("name", argument.name);
  reader.text("kind", kind);
  if (kind == "buffer") {
    readBuffer(reader, argument.value.emplace<BufferArgument>());
  } else if (kind == "scalar") {
    readScalar(reader, argument.value.emplace<ScalarArgument>());
  } else if (reader.wrong.empty()) {
    reader.fail("kind", kind, "\"buffer\" or \"scalar\"");
  }
  return reader.finish();
}

void readExtents(Reader &reader, const char *key,
                 std::array<int64_t, 3> &extents) {
  const json *value = reader.take(key);
  if (!value)
    return;
  bool fits = value->is_array() && value->size() == 3;
  for (size_t i = 0; fits && i < 3; ++i)
    fits = Reader::isInteger((*value)[i], 1, kMaxExtent);
  if (!fits)
    return reader.fail(key, *value,
                       "a list of three integers from 1 to " +
                           std::to_string(kMaxExtent));
  extents = value->get<std::array<int64_t, 3>>();
}

std::string readLaunch(const json &tree, const std::string &path,
                       LaunchDescription &launch) {
  Reader reader(tree, path);
  reader.name("kernel", launch.kernel);
  readExtents(reader, "grid", launch.grid);
  readExtents(reader, "block", launch.block);
  reader.integer("dynamic_workgroup_bytes", launch.dynamicWorkgroupBytes, 0,
                 kMaxDynamicBytes, /*required=*/false);
  reader.list("arguments", 0, [&](const json &one, const std::string &where) {
    return readArgument(one, where, launch.arguments.emplace_back());
  });
  return reader.finish();
}

std::string readTree(const json &tree, Job &job) {
  Reader reader(tree, "");
  std::string schema;
  reader.text("schema", schema);
  if (reader.wrong.empty() && schema != kJobSchema)
    return "schema: " + plain::show(schema) +
           " is not allowed; this version reads \"" + std::string(kJobSchema) +
           "\": make the bundle again with this version, or measure it with "
           "the version that made it";
  reader.text("name", job.name);
  reader.text("chip", job.chip, /*required=*/false);
  reader.text("last_level", job.lastLevel, /*required=*/false);
  std::set<std::string> names;
  reader.list("variants", 1, [&](const json &one, const std::string &where) {
    JobVariant &variant = job.variants.emplace_back();
    std::string wrong = readVariant(one, where, variant);
    if (wrong.empty() && !names.insert(variant.name).second)
      wrong = where + ".name: \"" + variant.name +
              "\" is not allowed; another variant has this name";
    return wrong;
  });
  reader.list("launches", 1, [&](const json &one, const std::string &where) {
    return readLaunch(one, where, job.launches.emplace_back());
  });
  if (const json *measure = reader.take("measure", /*required=*/false)) {
    Reader inner(*measure, "measure");
    inner.integer("warm_ups", job.measure.warmUps, 0, kMaxRuns, false);
    inner.integer("repeats", job.measure.repeats, 1, kMaxRuns, false);
    inner.integer("most_repeats", job.measure.mostRepeats, 0, kMaxRuns, false);
    inner.number("max_seconds", job.measure.maxSeconds, kMostSeconds);
    inner.number("energy_seconds", job.measure.energySeconds, kMostSeconds);
    inner.truth("cold", job.measure.cold);
    reader.wrong = inner.finish();
  }
  if (const json *check = reader.take("check", /*required=*/false)) {
    Reader inner(*check, "check");
    inner.truth("compare", job.check.compare);
    inner.number("relative", job.check.relative, kMostTolerance);
    inner.number("absolute", job.check.absolute);
    reader.wrong = inner.finish();
  }
  if (job.check.compare && !writesAnything(job.launches))
    reader.fail("check.compare", true,
                "false where the launches write no buffer: nothing could be "
                "compared");
  return reader.finish();
}

} // namespace

std::string readJob(std::string_view text, Job &job) {
  job = Job();
  if (text.size() > kMaxJobBytes)
    return "the file has " + std::to_string(text.size()) +
           " bytes; a job has at most " + std::to_string(kMaxJobBytes);
  json tree;
  if (std::string wrong = plain::parse(text, tree); !wrong.empty())
    return wrong;
  try {
    return readTree(tree, job);
  } catch (const std::exception &error) {
    return error.what();
  }
}

} // namespace swizzle
