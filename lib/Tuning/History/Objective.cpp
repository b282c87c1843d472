//===- Objective.cpp - What counts as better ------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `auto` takes the time: a hit rate may rise, and bytes of one level may fall,
// while the kernel gets slower. It says which memory term of the baseline's
// roofline can shrink: DRAM's where more is moved than what the kernel touches,
// or that of a cache.
//
//===----------------------------------------------------------------------===//

#include "Objective.h"

#include "swizzle/Bundle/Compare.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace llvm;

namespace swizzle::tuning {

/// True unless DRAM moves no more than each byte of each buffer once.
static bool dramCanShrink(const AgentContext &context, const Metrics &metrics) {
  constexpr double nearly = 1.02;
  double least = 0;
  for (const BufferReuse &reuse : context.reuse.buffers) {
    int64_t bytes = context.model.buffers[reuse.buffer].bytes;
    if (bytes < 0)
      return true;
    least += double(bytes) * (double(reuse.read) + double(reuse.written));
  }
  Count moved = metrics.dramBytes();
  return !moved.isCounted() || moved > nearly * least;
}

/// True if more than a little of what workgroups wait for comes from memory.
static bool restsOnMemory(const RooflineTerm &latency) {
  constexpr double little = 1.02;
  return latency.rate <= 0 ||
         latency.timeUs > little * 1e6 * latency.work / latency.rate;
}

/// The longest term of the roofline that an order of workgroups can shorten.
static const RooflineTerm *findTerm(const AgentContext &context,
                                    const Metrics &metrics) {
  for (const RooflineTerm &term : metrics.roofline)
    if (term.bound.isCache() || term.bound.kind == BoundKind::Delivery ||
        (term.bound.kind == BoundKind::Latency && restsOnMemory(term)) ||
        term.bound.isFabric() ||
        (term.bound.isDram() && dramCanShrink(context, metrics)))
      return &term;
  return nullptr;
}

static ObjectiveChoice chooseTime(const AgentContext &context,
                                  const Metrics &baseline, double margin) {
  ObjectiveChoice choice;
  choice.bailOut =
      whyNoOrderHelps(context.model, context.reuse, baseline, margin);
  const RooflineTerm *term = findTerm(context, baseline);
  if (!term) {
    choice.reason = "time; the profiler names no memory term that can shrink";
    return choice;
  }
  choice.reason = formatv(
      "time; the longest memory term that can shrink is {0} ({1:F1} of {2:F1} "
      "us)",
      toString(term->bound), term->timeUs, baseline.timeUs);
  return choice;
}

Expected<ObjectiveChoice> chooseObjective(Objective wanted,
                                          const AgentContext &context,
                                          const Metrics &baseline,
                                          double margin) {
  ObjectiveChoice choice;
  choice.objective = wanted;
  if (wanted == Objective::Auto)
    choice = chooseTime(context, baseline, margin);
  if (costOf(baseline, choice.objective))
    return choice;
  if (wanted == Objective::Auto && choice.bailOut)
    return choice;
  std::string advice =
      wanted == Objective::Energy
          ? "; it needs a profiler that measures energy, which the simulator "
            "does not"
          : "";
  return createStringError("the objective " + toString(choice.objective) +
                           " cannot be told by this profiler for this kernel" +
                           advice);
}

std::optional<double> gainOf(const Metrics &candidate, const Metrics &incumbent,
                             Objective objective) {
  if (candidate.from != incumbent.from)
    return std::nullopt;
  std::optional<double> now = costOf(candidate, objective);
  std::optional<double> before = costOf(incumbent, objective);
  if (!now || !before)
    return std::nullopt;
  if (*before <= 0)
    return *now > *before ? -1.0 : 0.0;
  return *now > 0 ? *before / *now - 1 : HUGE_VAL;
}

double noiseBetween(const Metrics &a, const Metrics &b) {
  double noise = std::hypot(a.noise.value_or(0), b.noise.value_or(0));
  return a.from.origin == Origin::Measured ? kSigmas * noise : noise;
}

bool isSlower(const Metrics &candidate, const Metrics &baseline,
              double margin) {
  std::optional<double> loss = gainOf(baseline, candidate, Objective::Time);
  return loss && *loss > std::max(margin, noiseBetween(candidate, baseline));
}

} // namespace swizzle::tuning
