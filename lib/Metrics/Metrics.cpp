//===- Metrics.cpp - What a profiler says of a kernel ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows by name, comparisons, and the names of what limits a kernel.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Metrics/Metrics.h"

#include <algorithm>
#include <cmath>

namespace swizzle {

namespace {

/// The spellings of the bounds that are no caches.
struct BoundName {
  BoundKind kind;
  std::string_view key, title;
};
constexpr BoundName kBounds[] = {
    {BoundKind::Launch, "launch", "launch"},
    {BoundKind::Issue, "issue", "instruction issue"},
    {BoundKind::Vector, "vector", "vector arithmetic"},
    {BoundKind::Tensor, "tensor", "matrix units"},
    {BoundKind::WorkgroupMemory, "lds", "workgroup memory"},
    {BoundKind::Delivery, "delivery", "delivery to compute units"},
    {BoundKind::Latency, "latency", "latency of caches and memory"},
    {BoundKind::Fabric, "fabric", "fabric between caches"},
    {BoundKind::Dram, "dram", "DRAM"},
};

} // namespace

const char *toString(Origin origin) {
  constexpr const char *names[] = {"simulated", "measured"};
  return names[size_t(origin)];
}

std::optional<Origin> readOrigin(std::string_view word) {
  for (Origin origin : {Origin::Simulated, Origin::Measured})
    if (word == toString(origin))
      return origin;
  return std::nullopt;
}

const char *toString(Fidelity fidelity) {
  constexpr const char *names[] = {"search", "decide", "confirm"};
  return names[static_cast<uint8_t>(fidelity)];
}

std::optional<Fidelity> readFidelity(std::string_view word) {
  for (Fidelity fidelity :
       {Fidelity::Search, Fidelity::Decide, Fidelity::Confirm})
    if (word == toString(fidelity))
      return fidelity;
  return std::nullopt;
}

std::string levelTitle(std::string_view name) {
  if (name == "l1")
    return "first-level cache";
  if (name == "l2")
    return "L2";
  if (name == "llc")
    return "last-level cache";
  return std::string(name) + " cache";
}

std::string toString(const Bound &bound) {
  for (const BoundName &one : kBounds)
    if (one.kind == bound.kind)
      return std::string(one.title);
  return levelTitle(bound.level);
}

std::string boundKey(const Bound &bound) {
  for (const BoundName &one : kBounds)
    if (one.kind == bound.kind)
      return std::string(one.key);
  return bound.level;
}

Bound readBound(std::string_view key) {
  for (const BoundName &one : kBounds)
    if (one.key == key)
      return {one.kind, ""};
  return {BoundKind::Cache, std::string(key)};
}

const LevelMetrics *Metrics::find(std::string_view name) const {
  for (const LevelMetrics &level : levels)
    if (level.name == name)
      return &level;
  return nullptr;
}

LevelMetrics &Metrics::level(std::string_view name) {
  for (LevelMetrics &level : levels)
    if (level.name == name)
      return level;
  LevelMetrics added;
  added.name = name;
  return levels.emplace_back(std::move(added));
}

std::optional<double> Metrics::hitRate(std::string_view name) const {
  const LevelMetrics *level = find(name);
  return level ? level->hitRate : std::nullopt;
}

Count Metrics::bytes(std::string_view name) const {
  const LevelMetrics *level = find(name);
  return level ? level->bytes : Count();
}

Count Metrics::dramBytes() const {
  if (!dramReadBytes.isCounted() || !dramWriteBytes.isCounted())
    return Count();
  return dramReadBytes + dramWriteBytes;
}

double timeWithLatency(double othersUs, double latencyUs) {
  if (latencyUs <= 0)
    return othersUs;
  return std::cbrt(othersUs * othersUs * othersUs +
                   latencyUs * latencyUs * latencyUs);
}

double timeTogether(const std::vector<RooflineTerm> &terms) {
  double squares = 0, latency = 0;
  for (const RooflineTerm &term : terms)
    if (term.bound.kind == BoundKind::Latency)
      latency += term.timeUs;
    else
      squares += term.timeUs * term.timeUs;
  return timeWithLatency(std::sqrt(squares), latency);
}

double factorOfPhases(const Metrics &metrics) {
  double together = timeTogether(metrics.roofline) + metrics.scatterUs;
  return together > 0 ? std::max(1.0, metrics.timeUs / together) : 1;
}

bool dependsOnOrder(const Metrics &metrics, const Bound &bound) {
  if (bound.kind == BoundKind::Delivery || bound.kind == BoundKind::Latency ||
      bound.isFabric() || bound.isDram())
    return true;
  if (!bound.isCache())
    return false;
  return metrics.levels.empty() || metrics.levels.front().name != bound.level;
}

bool isBoundByLatency(const Metrics &metrics) {
  return !metrics.roofline.empty() &&
         metrics.roofline.front().bound.kind == BoundKind::Latency;
}

bool asksLess(const Metrics &a, const Metrics &b) {
  size_t rows = std::max(a.levels.size(), b.levels.size());
  for (size_t i = rows; i-- > 1;) {
    double ofA = i < a.levels.size() ? a.levels[i].bytes : Count();
    double ofB = i < b.levels.size() ? b.levels[i].bytes : Count();
    if (ofA != ofB)
      return ofA < ofB;
  }
  return false;
}

Bottleneck describeBottleneck(const Metrics &metrics) {
  Bottleneck result;
  if (metrics.roofline.empty()) {
    result.text = "unknown: nothing was simulated";
    return result;
  }
  result.bound = metrics.roofline.front().bound;
  result.memoryBound = dependsOnOrder(metrics, result.bound);
  result.text = std::string(result.memoryBound ? "memory-bound: "
                                               : "not memory-bound: ") +
                toString(result.bound);
  return result;
}

} // namespace swizzle
