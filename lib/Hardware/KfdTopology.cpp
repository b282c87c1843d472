//===- KfdTopology.cpp - The chip of this machine -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace swizzle {

namespace {

constexpr StringLiteral kSource = "KFD topology";

/// Bit of a cache's `type`: it holds data.
constexpr int64_t kDataCache = 1;

using Properties = std::map<std::string, int64_t>;

/// The lines "name number" of one file. Lines whose value is not a number from
/// 0 on that fits (64-bit identifiers) are left out; of a list of siblings,
/// "1,1,0,0", those that are set are counted.
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
    if (name == "sibling_map")
      properties[name.str()] = int64_t(text.count('1'));
    else if (!text.trim().getAsInteger(10, value) && value >= 0)
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

/// One GPU node: its properties, and of each level the data cache that is
/// shared by the fewest. RDNA has a second one of level 1, larger and for
/// several compute units; the driver gives it no level of its own.
struct Node {
  int number = 0;
  std::string path;
  Properties properties;
  std::map<int64_t, Properties> caches;
  Properties between; ///< that second cache; empty if there is none
};

/// True if cache `a` is nearer to a compute unit than `b`, of the same level.
bool isNearer(const Properties &a, const Properties &b) {
  auto key = [](const Properties &cache) {
    return std::pair(valueOr(cache, "sibling_map", 1),
                     -valueOr(cache, "size", 0));
  };
  return b.empty() || key(a) < key(b);
}

Error readCaches(Node &node) {
  for (int number : numberedEntries(node.path + "/caches")) {
    Expected<Properties> cache =
        readProperties(node.path + "/caches/" + Twine(number) + "/properties");
    if (!cache)
      return cache.takeError();
    if (!(valueOr(*cache, "type", 0) & kDataCache))
      continue;
    if (valueOr(*cache, "size", 0) == 0)
      continue;
    int64_t level = valueOr(*cache, "level", 0);
    Properties &best = node.caches[level];
    if (level == 1 &&
        valueOr(*cache, "size", 0) > valueOr(node.between, "size", 0))
      node.between = *cache;
    if (isNearer(*cache, best))
      best = *cache;
  }
  // The scalar cache, which is shared as well, is not between.
  if (valueOr(node.between, "size", 0) <= valueOr(node.caches[1], "size", 0))
    node.between.clear();
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
  std::string hidden;
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
      hidden += "; " + toString(properties.takeError());
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
                           " nodes is a GPU" + hidden +
                           ". Name the chip instead "
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
      // Not possible: a unit test reads every built-in chip.
      consumeError(spec.takeError());
      continue;
    }
    if (matches(*spec))
      return std::move(*spec);
  }
  return base;
}

/// Product of two numbers from 0 on; saturates, so that the schema's limits
/// catch what makes no sense.
int64_t product(int64_t a, int64_t b) {
  int64_t result = 0;
  return MulOverflow(a, b, result) ? INT64_MAX : result;
}

/// What the driver tells, by field name.
using Told = std::map<std::string, int64_t>;

/// `names` are the fields for size and line.
void tellCache(Told &told, const Properties &entry,
               std::pair<const char *, const char *> names) {
  if (int64_t kib = valueOr(entry, "size", 0))
    told[names.first] = product(kib, 1024);
  if (int64_t line = valueOr(entry, "cache_line_size", 0))
    told[names.second] = line;
}

Told tell(const Node &node, int64_t dies, int64_t unitsPerDie,
          int64_t simdPerUnit, const HardwareSpec &base) {
  const Properties &properties = node.properties;
  Told told = {{"num_xcds", dies}, {"cus_per_xcd", unitsPerDie}};
  int64_t wave = valueOr(properties, "wave_front_size", base.waveSize);
  told["wave_size"] = wave;
  if (int64_t lds = valueOr(properties, "lds_size_in_kb", 0))
    told["lds_bytes"] = product(lds, 1024);
  if (int64_t megahertz = valueOr(properties, "max_engine_clk_fcompute", 0))
    told["clock_hz"] = product(megahertz, 1000000);
  if (int64_t waves = valueOr(properties, "max_waves_per_simd", 0))
    told["threads_per_cu"] = product(product(waves, simdPerUnit), wave);
  for (auto &[level, entry] : node.caches) {
    if (level == 1)
      tellCache(told, entry, {"l1_bytes", "l1_line_bytes"});
    else if (level == 2)
      tellCache(told, entry, {"l2_bytes", "line_bytes"});
    else if (level == 3 && valueOr(entry, "size", 0))
      tellCache(told, entry, {"llc_bytes", "llc_line_bytes"});
  }
  // Some kernel versions report the sum of all L2s.
  auto it = told.find("l2_bytes");
  std::optional<int64_t> l2Bytes = base.sharedLevel().bytes;
  if (it != told.end() && l2Bytes && it->second == product(*l2Bytes, dies))
    it->second = *l2Bytes;
  return told;
}

/// Drops geometry of the base chip that the told sizes do not agree with.
void forgetStale(CacheLevel &cache, std::optional<int64_t> bytes,
                 std::optional<int64_t> line) {
  int64_t newBytes = bytes.value_or(cache.bytes.value_or(0));
  int64_t newLine = line.value_or(cache.lineBytes.value_or(1));
  if (newBytes != cache.bytes.value_or(newBytes))
    cache.effectiveBytes.reset();
  if (newLine != cache.lineBytes.value_or(newLine))
    cache.sectorBytes.reset();
  if (cache.ways && (newBytes % newLine || newBytes / newLine % *cache.ways))
    cache.ways.reset();
}

/// Takes over what was told, with the schema's checks.
Error apply(HardwareSpec &spec, const Told &told, StringRef where) {
  auto look = [&](const std::string &key) -> std::optional<int64_t> {
    auto it = told.find(key);
    if (it == told.end() || it->second < 1)
      return std::nullopt;
    return it->second;
  };
  for (CacheLevel &level : spec.levels)
    forgetStale(level, look(flatKey(level.name, "bytes")),
                look(flatKey(level.name, "line_bytes")));
  for (const ChipField &field : chipFields()) {
    auto it = told.find(std::string(field.key));
    if (it == told.end())
      continue;
    if (std::string wrong = setChipField(spec, field, it->second);
        !wrong.empty())
      return createStringError(where + ": " + wrong);
    spec.sources[sourceKey(field)] = kSource.str();
  }
  if (std::string wrong = checkChip(spec, Spelling::Flat); !wrong.empty())
    return createStringError(where + ": " + wrong);
  return Error::success();
}

} // namespace

Expected<HardwareSpec> readKfdTopology(StringRef root, int wanted) {
  Expected<Node> node =
      findNode(root.empty() ? kfdTopologyFolder() : root.str(), wanted);
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
  std::optional<int64_t> baseUnits;
  if (std::optional<HardwareSpec> base = findBase(target, dies, units / dies)) {
    spec = std::move(*base);
    remark = "; what the driver does not tell is taken from " + spec.name;
    baseUnits = spec.numUnits();
    forgetDispatchOrder(spec); // units of another chip of the kind
  }
  spec.name = "native";
  spec.vendor = "amd";
  spec.target = target;
  spec.defaultForTarget = false;
  Told told = tell(*node, dies, units / dies, simdPerUnit, spec);
  if (Error error = apply(spec, told, where))
    return std::move(error);
  if (baseUnits)
    scaleToUnits(spec, *baseUnits);
  if (!node->between.empty())
    remark += formatv("; a cache of {0} KiB for {1} compute units, between the "
                      "first level and the second, is left out",
                      valueOr(node->between, "size", 0),
                      valueOr(node->between, "sibling_map", 1))
                  .str();
  if (units % dies != 0)
    remark +=
        formatv("; {0} compute units on {1} dies are uneven, {2} a die are "
                "assumed",
                units, dies, units / dies)
            .str();
  spec.description = formatv("{0}, {1} dies of {2} compute units, node {3}{4}",
                             target, dies, units / dies, node->number, remark)
                         .str();
  return spec;
}

} // namespace swizzle
