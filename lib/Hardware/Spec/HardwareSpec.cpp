//===- HardwareSpec.cpp - What the passes know of a chip ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Levels by name and by role, and the view of a chip that formulas have.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Hardware/HardwareSpec.h"

#include <algorithm>
#include <utility>

namespace swizzle {

namespace {

std::optional<int64_t> reportedBytes(const CacheLevel *level) {
  return level ? level->bytes : std::optional<int64_t>(0);
}

} // namespace

std::vector<CacheLevel> HardwareSpec::usualLevels() {
  CacheLevel l1, l2;
  l1.name = "l1";
  l2.name = "l2";
  l2.scope = CacheScope::Die;
  l2.policy = CachePolicy::WriteBack;
  return {l1, l2};
}

const CacheLevel *HardwareSpec::find(std::string_view name) const {
  for (const CacheLevel &level : levels)
    if (level.name == name)
      return &level;
  return nullptr;
}

CacheLevel *HardwareSpec::find(std::string_view name) {
  return const_cast<CacheLevel *>(std::as_const(*this).find(name));
}

const CacheLevel *HardwareSpec::unitLevel() const {
  bool own = !levels.empty() && levels[0].scope == CacheScope::ComputeUnit;
  return own ? &levels[0] : nullptr;
}

size_t HardwareSpec::sharedIndex() const {
  auto writesBack = [](const CacheLevel &level) {
    return level.policy == CachePolicy::WriteBack;
  };
  return std::find_if(levels.begin(), levels.end(), writesBack) -
         levels.begin();
}

const CacheLevel &HardwareSpec::sharedLevel() const {
  static const CacheLevel unknown;
  size_t index = sharedIndex();
  return index < levels.size() ? levels[index] : unknown;
}

const CacheLevel *HardwareSpec::lastLevel() const {
  return sharedIndex() + 1 < levels.size() ? &levels.back() : nullptr;
}

std::optional<int64_t> HardwareSpec::knownDispatchChunk() const {
  auto source = sources.find("dispatch_chunk");
  bool isStated =
      source != sources.end() && source->second.rfind(kUnknownSource, 0) != 0;
  if (numDies == 1 || isStated || dispatchChunk != 1)
    return dispatchChunk;
  return std::nullopt;
}

std::map<std::string, std::optional<int64_t>>
HardwareSpec::formulaConstants() const {
  const HardwareSpec &spec = *this;
  return {
#define SWIZZLE_HARDWARE_NAME(NAME, VALUE)                                     \
  {#NAME, std::optional<int64_t>(VALUE)},
#include "swizzle/Support/HardwareNames.def"
  };
}

std::optional<int64_t> waveSizeOfTarget(std::string_view target) {
  if (target.substr(0, 3) == "sm_")
    return 32;
  bool isOld = target.substr(0, 3) == "gfx" && target.size() == 6;
  return isOld ? std::optional<int64_t>(64) : std::nullopt;
}

} // namespace swizzle
