//===- NativeChip.cpp - The GPU of this machine ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A driver is asked by swizzle-run, in a process of its own. What it does not
// tell (an L1's line, bandwidths, what fits measurements) comes from the
// built-in chip that it is: the same target and as many compute units, and of
// those the one whose L2 is nearest in size. A chip of another size is not
// taken for it.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Hardware/Database.h"

#include "swizzle/Hardware/Schema.h"
#include "swizzle/Support/ChildProcess.h"
#include "swizzle/Support/FindTool.h"

#include "llvm/ADT/StringExtras.h"
#include <cstdlib>

using namespace llvm;

namespace swizzle {

static Expected<HardwareSpec> askDriver() {
  ChildOptions child;
  child.program = findTool("swizzle-run");
  child.arguments = {"--describe-device"};
  child.timeout = std::chrono::seconds(30);
  if (child.program.empty())
    return createStringError(
        "swizzle-run, which asks drivers, is neither beside this program nor "
        "in $PATH");
  ChildResult ended = runChild(child);
  if (ended.status != ChildResult::Exited || ended.code != 0)
    return createStringError(ended.status == ChildResult::NotStarted
                                 ? ended.error
                                 : StringRef(ended.errorTail).trim().str());
  return parseChip(ended.output, "what swizzle-run --describe-device prints");
}

/// The built-in chip that `told` is.
static std::optional<HardwareSpec> findSame(const HardwareSpec &told) {
  auto l2Bytes = [](const HardwareSpec &spec) {
    return spec.sharedLevel().bytes.value_or(0);
  };
  std::optional<HardwareSpec> best;
  for (const std::string &name : listChips()) {
    Expected<HardwareSpec> spec = findChip(name);
    if (!spec) {
      // Not possible: a unit test reads every built-in chip.
      consumeError(spec.takeError());
      continue;
    }
    if (spec->target != told.target || spec->numDies != told.numDies ||
        spec->unitsPerDie != told.unitsPerDie)
      continue;
    auto distance = [&](const HardwareSpec &one) {
      return std::abs(l2Bytes(one) - l2Bytes(told));
    };
    if (!best || distance(*spec) < distance(*best))
      best = std::move(*spec);
  }
  return best;
}

/// The L2's size; what fits measurements of another size goes.
static void takeL2(HardwareSpec &chip, const HardwareSpec &told) {
  CacheLevel *level = chip.find("l2");
  const CacheLevel *from = told.find("l2");
  if (!level || !from || !from->bytes || level->bytes == from->bytes)
    return;
  level->bytes = from->bytes;
  level->effectiveBytes.reset();
  level->ways.reset();
  chip.sources["l2.bytes"] = told.sources.at("l2.bytes");
  chip.sources["l2.effective_bytes"] = chip.sources["l2.ways"] =
      "unknown: the driver tells of another size than " + chip.name + " has";
}

HardwareSpec completeNativeChip(const HardwareSpec &told) {
  HardwareSpec chip = told;
  if (std::optional<HardwareSpec> same = findSame(told)) {
    chip = std::move(*same);
    chip.description = told.description +
                       "; what the driver does not tell is taken from " +
                       chip.name;
    auto take = [&](const char *key, auto &to, const auto &from) {
      if (!from || to == from)
        return;
      to = from;
      chip.sources[key] = told.sources.at(key);
    };
    take("clock_hz", chip.clockHz, told.clockHz);
    take("lds_bytes", chip.workgroupMemoryPerUnit, told.workgroupMemoryPerUnit);
    take("threads_per_cu", chip.threadsPerUnit, told.threadsPerUnit);
    take("workgroups_per_cu", chip.workgroupsPerUnit, told.workgroupsPerUnit);
    take("registers_per_cu", chip.registersPerUnit, told.registersPerUnit);
    takeL2(chip, told);
    forgetDispatchOrder(chip); // which units are fused off differs by chip
  }
  chip.name = "native";
  chip.defaultForTarget = false;
  return chip;
}

Expected<HardwareSpec> findNativeChip() {
  Expected<HardwareSpec> told = askDriver();
  if (told && told->vendor != "amd")
    return completeNativeChip(*told);
  Expected<HardwareSpec> topology = readKfdTopology();
  if (!told && !topology)
    return createStringError(
        "this machine's GPU cannot be asked: " + toString(told.takeError()) +
        "; " + toString(topology.takeError()));
  if (!told) {
    consumeError(told.takeError()); // no driver answers; the topology does
    return topology;
  }
  // AMD's topology tells more of a GPU than its driver.
  if (topology && topology->numDies == told->numDies &&
      topology->unitsPerDie == told->unitsPerDie)
    return topology;
  if (!topology)
    consumeError(topology.takeError()); // not shown; the driver answered
  return completeNativeChip(*told);
}

} // namespace swizzle
