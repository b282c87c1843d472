//===- Completion.cpp - What stands in for unknown numbers ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The usual chips are the files of hardware/usual, embedded by the build, and
// read by the reader of all descriptions. A unit test reads each.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Hardware/Completion.h"

#include "swizzle/Hardware/ChipJSON.h"
#include "swizzle/Hardware/FittedConstants.h"
#include "swizzle/Hardware/Schema.h"

#include <algorithm>
#include <cassert>

namespace swizzle {

namespace {

struct UsualFile {
  std::string_view vendor, text;
};

constexpr UsualFile kUsualFiles[] = {
#include "UsualFiles.inc"
};

constexpr std::string_view kOthers = "other";

/// Fills in what is open, and tells it.
class Completer {
public:
  Completer(const HardwareSpec &given, CompleteChip &result)
      : chip(result.chip), assumed(result.assumed),
        usual(usualChip(given.vendor)) {
    chip = given;
    if (!given.knownDispatchChunk())
      note("dispatch_chunk", std::to_string(chip.dispatchChunk), "usual");
    chip.sources.clear();
  }

  void complete() {
    if (chip.sharedIndex() == chip.levels.size())
      // A reader refuses such a description; one made by hand gets an L2.
      chip.levels.push_back(HardwareSpec::usualLevels().back());
    if (!chip.hitDefinition) {
      chip.hitDefinition = usual.hitDefinition;
      note("hit_definition", std::string(toString(*chip.hitDefinition)),
           sourceOf("hit_definition"));
    }
    completeLines();
    completeCaches();
    take(chip.workgroupMemoryPerUnit, usual.workgroupMemoryPerUnit,
         "lds_bytes");
    take(chip.threadsPerUnit, usual.threadsPerUnit, "threads_per_cu");
    take(chip.workgroupsPerUnit, usual.workgroupsPerUnit, "workgroups_per_cu");
    take(chip.registersPerUnit, usual.registersPerUnit, "registers_per_cu");
    completeConstants();
    take(chip.clockHz, usual.clockHz, "clock_hz");
    take(chip.dramBandwidth, usual.dramBandwidth, "dram_bandwidth");
    completeRates();
  }

private:
  void note(const std::string &name, const std::string &value,
            const std::string &why) {
    assumed.push_back(name + " of " + chip.name + " unknown: " + value +
                      " assumed (" + why + ")");
  }

  std::string sourceOf(const std::string &key) const {
    auto found = usual.sources.find(key);
    return found == usual.sources.end() ? "usual" : found->second;
  }

  template <typename T>
  void put(std::optional<T> &value, T other, const std::string &name,
           const std::string &why) {
    if (value)
      return;
    value = other;
    note(name, std::to_string(static_cast<int64_t>(other)), why);
  }

  /// A field that the usual chip has.
  template <typename T>
  void take(std::optional<T> &value, const std::optional<T> &other,
            const std::string &name) {
    assert(other && "a unit test reads all usual chips");
    put(value, *other, name, sourceOf(name));
  }

  /// A sector like another's, but no larger than the line.
  void putSector(CacheLevel &level, int64_t other, const std::string &why) {
    int64_t line = *level.lineBytes;
    put(level.sectorBytes, std::min(line, other),
        flatKey(level.name, "sector_bytes"),
        other <= line ? why
                      : "a whole line; " + why + ", it would be " +
                            std::to_string(other));
  }

  /// Lines and sectors of the shared level, and of those before it. What is
  /// behind it is asked for what a miss of the shared level lacks.
  void completeLines() {
    size_t sharedIndex = chip.sharedIndex();
    CacheLevel &shared = chip.levels[sharedIndex];
    const CacheLevel &other = usual.sharedLevel();
    put(shared.lineBytes, *completeLine(chip, sharedIndex),
        flatKey(shared.name, "line_bytes"), sourceOf("l2.line_bytes"));
    putSector(shared, other.sectorBytes.value_or(*shared.lineBytes),
              "as in its vendor's family");
    for (size_t i = 0; i < sharedIndex; ++i) {
      CacheLevel &level = chip.levels[i];
      put(level.lineBytes, *completeLine(chip, i),
          flatKey(level.name, "line_bytes"), "as the L2's");
      putSector(level, *shared.sectorBytes, "as the L2's");
    }
  }

  /// Sizes and ways. A level of unknown size that has no usual one is left out.
  void completeCaches() {
    const CacheLevel *unit = chip.unitLevel(), *shared = &chip.sharedLevel();
    std::vector<CacheLevel> kept;
    for (CacheLevel &level : chip.levels) {
      bool isShared = &level == shared, isUnit = &level == unit && !isShared;
      const CacheLevel &other =
          isUnit ? *usual.unitLevel() : usual.sharedLevel();
      if (!level.capacity()) {
        bool isKnown = isShared || isUnit;
        level.effectiveBytes = isKnown ? *other.bytes : 0;
        note(flatKey(level.name, "bytes"),
             std::to_string(*level.effectiveBytes),
             isKnown ? sourceOf(other.name + ".bytes")
                     : "left out of the simulation");
      }
      put(level.ways, *other.ways, flatKey(level.name, "ways"),
          sourceOf(other.name + ".ways"));
      if (isShared)
        put(level.partitions, int64_t(1), flatKey(level.name, "partitions"),
            "none are published");
      if (*level.capacity() > 0)
        kept.push_back(level);
    }
    chip.levels = std::move(kept);
  }

  void completeConstants() {
    bool hasBehind = chip.lastLevel() != nullptr;
    for (const FittedConstant &constant : fittedConstants()) {
      std::string key(constant.key);
      if (chip.fitted.count(key))
        continue;
      auto found = usual.fitted.find(key);
      bool isUsual = found != usual.fitted.end();
      double value = chip.fitted[key] =
          isUsual ? found->second : constant.neutral;
      if (!isUsual || (key == "last_level_delay" && !hasBehind))
        continue;
      std::string text = std::to_string(value);
      text.erase(text.find_last_not_of('0') + 1);
      if (text.back() == '.')
        text.pop_back();
      note(key, text, "no measurements of this chip were fitted");
    }
  }

  /// What follows from the chip's other numbers: one line per compute unit and
  /// clock from what only reads fill, half a line from the shared level, which
  /// GPUs of the last ten years have had within a factor of two; arithmetic as
  /// the usual chip has in a unit and clock.
  void completeRates() {
    const double unitClocks = *chip.clockHz * double(chip.numUnits());
    const double lines = unitClocks * double(*chip.sharedLevel().lineBytes);
    const size_t sharedIndex = chip.sharedIndex();
    for (size_t i = 0; i < chip.levels.size(); ++i) {
      CacheLevel &level = chip.levels[i];
      std::string name = flatKey(level.name, "bandwidth");
      if (i < sharedIndex)
        put(level.bandwidth, lines, name, "a line per unit and clock");
      else if (i == sharedIndex)
        put(level.bandwidth, lines / 2, name, "half a line per unit and clock");
      else
        put(level.bandwidth, 2 * *chip.dramBandwidth, name,
            "twice the memory's");
    }
    const double usualClocks = *usual.clockHz * double(usual.numUnits());
    put(chip.vectorFlops, unitClocks * (*usual.vectorFlops / usualClocks),
        "vector_flops", sourceOf("vector_flops"));
    put(chip.tensorFlops, *chip.vectorFlops, "tensor_flops",
        "as the vector units");
  }

  HardwareSpec &chip;
  std::vector<std::string> &assumed;
  const HardwareSpec &usual;
};

std::vector<HardwareSpec> readUsualChips() {
  std::vector<HardwareSpec> chips;
  for (const UsualFile &file : kUsualFiles) {
    [[maybe_unused]] std::string wrong =
        readUsualHardware(file.text, chips.emplace_back());
    assert(wrong.empty() && "a unit test reads all usual chips");
  }
  return chips;
}

} // namespace

const HardwareSpec &usualChip(std::string_view vendor) {
  static const std::vector<HardwareSpec> chips = readUsualChips();
  auto of = [&](std::string_view one) {
    return std::find_if(
        chips.begin(), chips.end(),
        [&](const HardwareSpec &chip) { return chip.vendor == one; });
  };
  auto found = of(vendor);
  return found != chips.end() ? *found : *of(kOthers);
}

std::optional<int64_t> completeLine(const HardwareSpec &chip, size_t index) {
  size_t shared = chip.sharedIndex();
  if (index > shared || chip.levels[index].lineBytes)
    return chip.levels[index].lineBytes;
  if (chip.sharedLevel().lineBytes)
    return chip.sharedLevel().lineBytes;
  return usualChip(chip.vendor).sharedLevel().lineBytes;
}

CompleteChip completeChip(const HardwareSpec &chip) {
  CompleteChip result;
  Completer(chip, result).complete();
  return result;
}

CacheLevel completeSharedLevel(const HardwareSpec &chip) {
  return completeChip(chip).chip.sharedLevel();
}

} // namespace swizzle
