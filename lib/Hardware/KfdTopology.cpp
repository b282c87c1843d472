//===- KfdTopology.cpp - The chip of this machine -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.TXT for license information. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The AMD kernel driver describes each device in a tree of small text files,
// which needs no GPU runtime to read and shows partitions (CPX, NPS4) and
// harvested parts as what they are. It tells dies, compute units and cache
// sizes; bandwidths and cache geometry it does not tell, and they are taken
// from the built-in chip of the same compiler target, scaled to the number of
// compute units where they are the sum over compute units. The description says
// which chip that was.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Hardware/Database.h"
#include "swizzle/Hardware/Schema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace swizzle {

namespace {

constexpr StringLiteral kDefaultRoot = "/sys/class/kfd/kfd/topology";
constexpr StringLiteral kSource = "KFD topology";

/// Bit of a cache's `type`: it holds data.
constexpr int64_t kDataCache = 1;

using Properties = std::map<std::string, int64_t>;

/// The lines "name number" of one file. Lines whose value is not a number that
/// fits (bit masks of siblings) are left out.
Expected<Properties> readProperties(const Twine &path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return createStringError(
        path + ": cannot be read: " + buffer.getError().message());
  Properties properties;
  SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    auto [name, text] = line.trim().split(' ');
    int64_t value = 0;
    if (!text.trim().getAsInteger(10, value))
      properties[name.str()] = value;
  }
  return properties;
}

int64_t valueOr(const Properties &properties, StringRef key, int64_t fallback) {
  auto it = properties.find(key.str());
  return it == properties.end() ? fallback : it->second;
}

/// The numbered subdirectories of `directory`, in order of their numbers.
std::vector<int> numberedEntries(const Twine &directory) {
  std::vector<int> numbers;
  std::error_code error;
  for (sys::fs::directory_iterator it(directory, error), end;
       it != end && !error; it.increment(error)) {
    int number = 0;
    if (!sys::path::filename(it->path()).getAsInteger(10, number) &&
        number >= 0)
      numbers.push_back(number);
  }
  llvm::sort(numbers);
  return numbers;
}

/// 90402 to "gfx942": major, minor and stepping in two decimal digits each; the
/// target writes the last two in hexadecimal.
std::string targetName(int64_t version) {
  return formatv("gfx{0}{1:x-}{2:x-}", version / 10000, version / 100 % 100,
                 version % 100);
}

/// One GPU node: its properties and the largest data cache of each level.
struct Node {
  int number = 0;
  std::string path;
  Properties properties;
  std::map<int64_t, Properties> caches;
};

Error readCaches(Node &node) {
  for (int number : numberedEntries(node.path + "/caches")) {
    Expected<Properties> cache =
        readProperties(node.path + "/caches/" + Twine(number) + "/properties");
    if (!cache)
      return cache.takeError();
    if (!(valueOr(*cache, "type", 0) & kDataCache))
      continue;
    Properties &best = node.caches[valueOr(*cache, "level", 0)];
    if (valueOr(*cache, "size", 0) > valueOr(best, "size", 0))
      best = *cache;
  }
  return Error::success();
}

/// The first GPU node below `root`, or the one that `wanted` names.
Expected<Node> findNode(StringRef root, int wanted) {
  std::string nodes = (root + "/nodes").str();
  std::vector<int> numbers = numberedEntries(nodes);
  if (numbers.empty())
    return createStringError(
        nodes + ": no such topology; the amdgpu driver is not loaded here. "
                "Name the chip instead (chip=mi300x, hardware-file=...)");
  for (int number : numbers) {
    if (wanted >= 0 && number != wanted)
      continue;
    Node node;
    node.number = number;
    node.path = (nodes + "/" + Twine(number)).str();
    Expected<Properties> properties = readProperties(node.path + "/properties");
    if (!properties) {
      // Without the right to look at a device the driver hides its node.
      if (wanted >= 0)
        return properties.takeError();
      consumeError(properties.takeError());
      continue;
    }
    node.properties = std::move(*properties);
    bool isGpu = valueOr(node.properties, "simd_count", 0) > 0 &&
                 valueOr(node.properties, "gfx_target_version", 0) > 0;
    if (isGpu) {
      if (Error error = readCaches(node))
        return std::move(error);
      return node;
    }
    if (wanted >= 0)
      return createStringError(node.path + ": node " + Twine(wanted) +
                               " is not a GPU");
  }
  if (wanted >= 0)
    return createStringError(nodes + ": there is no node " + Twine(wanted));
  return createStringError(nodes + ": none of the " + Twine(numbers.size()) +
                           " nodes is a GPU. Name the chip instead "
                           "(chip=mi300x, hardware-file=...)");
}

/// The built-in chip to take from what the driver does not tell: of the same
/// target, with the same dies and compute units if there is one, else the
/// target's default.
std::optional<HardwareSpec> findBase(StringRef target, int64_t dies,
                                     int64_t unitsPerDie) {
  std::optional<HardwareSpec> base = findChipForTarget(target);
  auto matches = [&](const HardwareSpec &spec) {
    return spec.target == target && spec.numDies == dies &&
           spec.unitsPerDie == unitsPerDie;
  };
  if (base && matches(*base))
    return base;
  for (const std::string &name : listChips()) {
    Expected<HardwareSpec> spec = findChip(name);
    if (!spec) {
      consumeError(spec.takeError());
      continue;
    }
    if (matches(*spec))
      return std::move(*spec);
  }
  return base;
}

/// Fills `cache` from one entry of the driver, whose sizes are in KiB; geometry
/// that no longer fits the reported size is dropped.
void applyCache(CacheSpec &cache, const Properties &entry, int64_t bytes) {
  if (bytes != cache.bytes.value_or(0)) {
    cache.effectiveBytes.reset();
    cache.bytes = bytes;
  }
  if (int64_t line = valueOr(entry, "cache_line_size", 0)) {
    if (line != cache.lineBytes.value_or(line))
      cache.sectorBytes.reset();
    cache.lineBytes = line;
  }
  if (cache.ways && cache.lineBytes &&
      (bytes % *cache.lineBytes || bytes / *cache.lineBytes % *cache.ways))
    cache.ways.reset();
}

} // namespace

Expected<HardwareSpec> readKfdTopology(StringRef root, int wanted) {
  Expected<Node> node =
      findNode(root.empty() ? StringRef(kDefaultRoot) : root, wanted);
  if (!node)
    return node.takeError();
  const Properties &properties = node->properties;
  std::string where = node->path + "/properties";

  int64_t dies = valueOr(properties, "num_xcc", 1);
  int64_t simdPerUnit = valueOr(properties, "simd_per_cu", 0);
  if (dies < 1)
    return createStringError(where + ": num_xcc: " + Twine(dies) +
                             " is not allowed; it must be at least 1");
  if (simdPerUnit < 1)
    return createStringError(where + ": simd_per_cu: " + Twine(simdPerUnit) +
                             " is not allowed; it must be at least 1");
  int64_t units = valueOr(properties, "simd_count", 0) / simdPerUnit;
  if (units < dies)
    return createStringError(where + ": " + Twine(units) +
                             " compute units (simd_count / simd_per_cu) cannot "
                             "be spread over num_xcc = " +
                             Twine(dies) + " dies");

  std::string target = targetName(properties.at("gfx_target_version"));
  HardwareSpec spec;
  std::string remark;
  int64_t baseUnits = units;
  if (std::optional<HardwareSpec> base = findBase(target, dies, units / dies)) {
    spec = std::move(*base);
    remark = "; what the driver does not tell is taken from " + spec.name;
    baseUnits = spec.numUnits();
  }
  spec.name = "native";
  spec.vendor = "amd";
  spec.target = target;
  spec.defaultForTarget = false;
  std::map<std::string, FieldValue> told = {{"num_xcds", dies},
                                            {"cus_per_xcd", units / dies}};
  if (int64_t wave = valueOr(properties, "wave_front_size", 0))
    told["wave_size"] = wave;
  if (int64_t lds = valueOr(properties, "lds_size_in_kb", 0))
    told["lds_bytes"] = lds * 1024;
  if (int64_t clock = valueOr(properties, "max_engine_clk_fcompute", 0))
    told["clock_hz"] = double(clock) * 1e6;
  for (const ChipField &field : chipFields()) {
    auto it = told.find(field.key.str());
    if (it == told.end())
      continue;
    if (Error error = setChipField(spec, field, it->second, where))
      return std::move(error);
    spec.sources[field.key.str()] = kSource.str();
  }
  scaleToUnits(spec, baseUnits);
  if (int64_t waves = valueOr(properties, "max_waves_per_simd", 0))
    spec.threadsPerUnit = waves * simdPerUnit * spec.waveSize;

  for (auto &[level, entry] : node->caches) {
    int64_t bytes = valueOr(entry, "size", 0) * 1024;
    if (level == 1) {
      applyCache(spec.l1, entry, bytes);
    } else if (level == 2) {
      // Some kernel versions report the sum over the dies.
      if (dies > 1 && spec.l2.bytes && bytes == *spec.l2.bytes * dies)
        bytes = *spec.l2.bytes;
      applyCache(spec.l2, entry, bytes);
    } else if (level == 3 && bytes > 0) {
      if (!spec.llc)
        spec.llc.emplace();
      applyCache(*spec.llc, entry, bytes);
    }
  }
  if (units % dies != 0)
    remark +=
        formatv("; {0} compute units on {1} dies are uneven, {2} a die are "
                "assumed",
                units, dies, units / dies)
            .str();
  spec.description = formatv("{0}, {1} dies of {2} compute units, node {3}{4}",
                             target, dies, units / dies, node->number, remark)
                         .str();
  if (Error error = checkChip(spec, where))
    return std::move(error);
  return spec;
}

} // namespace swizzle
