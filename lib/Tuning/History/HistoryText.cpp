//===- HistoryText.cpp - What is said about an attempt --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Units are chosen once for both figures, so that they can be compared at a
// glance.
//
//===----------------------------------------------------------------------===//

#include "HistoryText.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace swizzle::tuning {

static std::string change(double before, double after) {
  if (before <= 0)
    return "";
  return formatv(" ({0}{1:F1} %)", after > before ? "+" : "",
                 100 * (after / before - 1));
}

static std::string bytes(double before, double after) {
  static constexpr struct {
    double factor;
    const char *name;
  } units[] = {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}};
  double largest = std::max(before, after);
  for (const auto &unit : units)
    if (largest >= unit.factor || unit.factor == 1)
      return formatv("{0:F2} -> {1:F2} {2}", before / unit.factor,
                     after / unit.factor, unit.name);
  return "";
}

std::string describeChange(const Metrics &before, const Metrics &after) {
  const Metrics &a = before, &b = after;
  std::string text;
  auto add = [&](std::string part) {
    text += (text.empty() ? "" : ", ") + std::move(part);
  };
  if (a.timeUs > 0 && b.timeUs > 0)
    add(formatv("time {0:F1} -> {1:F1} us{2}", a.timeUs, b.timeUs,
                change(a.timeUs, b.timeUs)));
  Count dramA = a.dramBytes(), dramB = b.dramBytes();
  if (dramA.isCounted() && dramB.isCounted())
    add("DRAM " + bytes(dramA, dramB) + change(dramA, dramB));
  std::optional<double> hitA = a.hitRate("l2"), hitB = b.hitRate("l2");
  if (hitA && hitB)
    add(formatv("L2 hit {0:F1} -> {1:F1} %", 100 * *hitA, 100 * *hitB));
  if (before.energyJoules && after.energyJoules)
    add(formatv("energy {0:F3} -> {1:F3} J{2}", *before.energyJoules,
                *after.energyJoules,
                change(*before.energyJoules, *after.energyJoules)));
  add(std::string(toString(after.from.origin)));
  return text;
}

std::string nameAttempt(unsigned number) {
  return number ? "#" + std::to_string(number) : "the kernel as it is";
}

std::string nameOrder(const KnownOrder &order) {
  std::string text = nameAttempt(order.attempt);
  if (order.attempt && !order.params.empty())
    text += " with " + describeParams(order.params);
  return text;
}

std::string describeParams(const ParamValues &params) {
  std::string text;
  for (const auto &[name, value] : params)
    text += (text.empty() ? "" : ", ") + name + "=" + std::to_string(value);
  return text;
}

} // namespace swizzle::tuning
