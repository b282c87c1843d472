//===- History.cpp - What was tried and what came of it -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The figure that an objective compares, and the names that reports, journals
// and prompts use.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Records/History.h"

#include "llvm/Support/ErrorHandling.h"

namespace swizzle {

TriedSet describeSet(const ParamValues &params, const Metrics &metrics,
                     Fidelity fidelity) {
  TriedSet set;
  set.params = params;
  set.fidelity = fidelity;
  set.timeUs = metrics.timeUs;
  if (Count bytes = metrics.dramBytes(); bytes.isCounted())
    set.dramBytes = bytes;
  set.l2HitRate = metrics.hitRate("l2");
  set.noise = metrics.noise;
  if (!metrics.roofline.empty())
    set.bound = boundKey(metrics.roofline.front().bound);
  return set;
}

std::optional<double> costOf(const Metrics &metrics, Objective objective) {
  switch (objective) {
  case Objective::Auto:
    break;
  case Objective::Time:
    if (metrics.timeUs > 0)
      return metrics.timeUs;
    return std::nullopt;
  case Objective::L2HitRate:
    if (std::optional<double> rate = metrics.hitRate("l2"))
      return 1 - *rate;
    return std::nullopt;
  case Objective::DramBytes:
    if (Count bytes = metrics.dramBytes(); bytes.isCounted())
      return bytes;
    return std::nullopt;
  case Objective::Energy:
    return metrics.energyJoules;
  }
  llvm_unreachable("`auto` is resolved before anything is compared");
}

llvm::StringRef toString(Objective objective) {
  switch (objective) {
  case Objective::Auto:
    return "auto";
  case Objective::Time:
    return "time";
  case Objective::L2HitRate:
    return "l2-hit-rate";
  case Objective::DramBytes:
    return "dram-bytes";
  case Objective::Energy:
    return "energy";
  }
  llvm_unreachable("unknown objective");
}

llvm::StringRef toString(AttemptStatus status) {
  switch (status) {
  case AttemptStatus::NoAnswer:
    return "no-answer";
  case AttemptStatus::Unreadable:
    return "unreadable";
  case AttemptStatus::Illegal:
    return "illegal";
  case AttemptStatus::Infeasible:
    return "infeasible";
  case AttemptStatus::Duplicate:
    return "duplicate";
  case AttemptStatus::BuildFailed:
    return "build-failed";
  case AttemptStatus::CheckFailed:
    return "check-failed";
  case AttemptStatus::RunFailed:
    return "run-failed";
  case AttemptStatus::Profiled:
    return "profiled";
  }
  llvm_unreachable("unknown status");
}

} // namespace swizzle
