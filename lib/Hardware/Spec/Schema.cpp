//===- Schema.cpp - The fields of a chip's description --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table row per field: its name, its limits, and where it goes. Everything
// that reads descriptions walks these tables, so a field is added in one place.
// Without LLVM: a program that measures reads and writes descriptions too.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Hardware/Schema.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace swizzle {

namespace {

/// Sanity limits: larger than on any device, so small that products of two
/// fields cannot overflow.
constexpr int64_t kMaxDies = 1024;
constexpr int64_t kMaxUnits = int64_t(1) << 16;
constexpr int64_t kMaxBytes = int64_t(1) << 46;
constexpr int64_t kMaxLine = int64_t(1) << 16;
// No chip has less than a million of anything in a second: a rate below that was
// told in a larger unit. What is divided by them stays a number, and so does its
// square.
constexpr double kMinRate = 1e6, kMaxRate = 1e24;

constexpr std::string_view kInFlight = "in_flight_is_hit";
constexpr std::string_view kPartitions = "both_partitions";

template <typename T> struct Row {
  ChipField field;
  void (*setCount)(T &, int64_t) = nullptr;
  void (*setRate)(T &, double) = nullptr;
  std::optional<int64_t> (*count)(const T &) = nullptr;
  std::optional<double> (*rate)(const T &) = nullptr;
};

// The levels of which the flat fields speak. They are there when one of their
// fields is set: `setChipField` sees to it.
template <typename T> auto &l1(T &spec) { return *spec.find("l1"); }
template <typename T> auto &l2(T &spec) { return *spec.find("l2"); }
template <typename T> auto &llc(T &spec) { return *spec.find("llc"); }

void setLastLevelBytes(HardwareSpec &spec, int64_t bytes) {
  auto isLast = [](const CacheLevel &level) { return level.name == "llc"; };
  if (bytes == 0) {
    spec.levels.erase(
        std::remove_if(spec.levels.begin(), spec.levels.end(), isLast),
        spec.levels.end());
    return;
  }
  addLastLevel(spec).bytes = bytes;
}

constexpr ChipField count(std::string_view key, int64_t minimum,
                          int64_t maximum, std::string_view meaning) {
  return {key, FieldKind::Count, false, false, minimum, maximum, meaning};
}
constexpr ChipField required(std::string_view key, int64_t maximum,
                             std::string_view meaning) {
  return {key, FieldKind::Count, true, false, 1, maximum, meaning};
}
constexpr ChipField power(std::string_view key, int64_t maximum,
                          std::string_view meaning, bool isRequired = false) {
  return {key, FieldKind::Count, isRequired, true, 1, maximum, meaning};
}
constexpr ChipField rate(std::string_view key, std::string_view meaning) {
  return {key, FieldKind::Rate, false, false, 0, 0, meaning};
}

// How a number is set and told.
#define COUNT(EXPR)                                                            \
  [](HardwareSpec &s, int64_t v) { EXPR = v; }, nullptr,                       \
      [](const HardwareSpec &s) { return std::optional<int64_t>(EXPR); }
#define RATE(EXPR)                                                             \
  nullptr, [](HardwareSpec &s, double v) { EXPR = v; }, nullptr,               \
      [](const HardwareSpec &s) { return std::optional<double>(EXPR); }

const Row<HardwareSpec> kRows[] = {
    {required("num_xcds", kMaxDies, "dies that have an L2 of their own"),
     COUNT(s.numDies)},
    {required("cus_per_xcd", kMaxUnits, "compute units of one die"),
     COUNT(s.unitsPerDie)},
    {power("wave_size", 1024, "threads that step together", true),
     COUNT(s.waveSize)},
    {count("dispatch_chunk", 1, kMaxUnits,
           "consecutive workgroups that one die gets before the next one"),
     [](HardwareSpec &s, int64_t v) { s.dispatchChunk = v; }, nullptr,
     [](const HardwareSpec &s) { return s.knownDispatchChunk(); }},

    {count("l1_bytes", 1, kMaxBytes,
           "first-level cache of one compute unit, in bytes"),
     COUNT(l1(s).bytes)},
    {count("effective_l1_bytes", 1, kMaxBytes,
           "first-level cache as it fits measurements, in bytes"),
     COUNT(l1(s).effectiveBytes)},
    {power("l1_line_bytes", kMaxLine,
           "line of the first-level cache, in bytes"),
     COUNT(l1(s).lineBytes)},
    {power("l1_sector_bytes", kMaxLine,
           "part of a first-level line that is fetched by itself, in bytes"),
     COUNT(l1(s).sectorBytes)},
    {count("l1_ways", 1, kMaxUnits, "ways of the first-level cache"),
     COUNT(l1(s).ways)},
    {rate("l1_bandwidth",
          "all first-level caches together, in bytes per second"),
     RATE(l1(s).bandwidth)},

    {count("l2_bytes", 1, kMaxBytes,
           "L2 of one die as the vendor reports it, in bytes"),
     COUNT(l2(s).bytes)},
    {count("effective_l2_bytes", 1, kMaxBytes,
           "L2 of one die as it fits measurements, in bytes"),
     COUNT(l2(s).effectiveBytes)},
    {power("line_bytes", kMaxLine, "line of the L2, in bytes"),
     COUNT(l2(s).lineBytes)},
    {power("l2_sector_bytes", kMaxLine,
           "part of an L2 line that is fetched by itself, in bytes"),
     COUNT(l2(s).sectorBytes)},
    {count("l2_ways", 1, kMaxUnits, "ways of the L2"), COUNT(l2(s).ways)},
    {count("l2_partitions", 1, kMaxDies,
           "parts of one L2 that keep copies of each other's lines"),
     COUNT(l2(s).partitions)},
    {rate("l2_bandwidth", "all L2s together, in bytes per second"),
     RATE(l2(s).bandwidth)},

    {count("llc_bytes", 0, kMaxBytes,
           "last-level cache of the chip as the vendor reports it, in bytes; 0 "
           "if it has none"),
     setLastLevelBytes, nullptr,
     [](const HardwareSpec &s) { return llc(s).bytes; }},
    {count("effective_llc_bytes", 1, kMaxBytes,
           "last-level cache as it fits measurements, in bytes"),
     COUNT(llc(s).effectiveBytes)},
    {power("llc_line_bytes", kMaxLine,
           "line of the last-level cache, in bytes"),
     COUNT(llc(s).lineBytes)},
    {power("llc_sector_bytes", kMaxLine,
           "part of a last-level line that is fetched by itself, in bytes"),
     COUNT(llc(s).sectorBytes)},
    {count("llc_ways", 1, kMaxUnits, "ways of the last-level cache"),
     COUNT(llc(s).ways)},
    {rate("llc_bandwidth", "the last-level cache, in bytes per second"),
     RATE(llc(s).bandwidth)},

    {{"hit_definition", FieldKind::Word, false, false, 0, 0,
      "how the vendor's profiler counts look-ups in the L2"}},

    {rate("dram_bandwidth",
          "peak of the memory as the vendor states it, in bytes per second"),
     nullptr,
     [](HardwareSpec &s, double v) {
       s.dramBandwidth = s.peakDramBandwidth = v;
     },
     nullptr, [](const HardwareSpec &s) { return s.peakDramBandwidth; }},
    {rate("effective_dram_bandwidth",
          "what the memory sustains, in bytes per second"),
     RATE(s.dramBandwidth)},
    {rate("clock_hz", "engine clock, in cycles per second"), RATE(s.clockHz)},
    {rate("vector_flops",
          "fp32 operations of the vector units, whole chip, per second"),
     RATE(s.vectorFlops)},
    {rate("tensor_flops",
          "dense fp16 operations of the matrix units, whole chip, per second"),
     RATE(s.tensorFlops)},

    {count("lds_bytes", 1, kMaxBytes,
           "workgroup memory of one compute unit, in bytes"),
     COUNT(s.workgroupMemoryPerUnit)},
    {count("lds_banks", 1, kMaxUnits, "banks of the workgroup memory"),
     COUNT(s.workgroupMemoryBanks)},
    {power("lds_bank_bytes", kMaxLine,
           "bytes that one bank of the workgroup memory serves at a time"),
     COUNT(s.workgroupMemoryBankBytes)},
    {count("lds_bytes_per_clock", 1, kMaxLine,
           "bytes that the workgroup memory of one compute unit serves in a "
           "clock"),
     COUNT(s.workgroupMemoryBytesPerClock)},
    {count("issue_per_clock", 1, kMaxUnits,
           "instructions of waves that one compute unit issues in a clock"),
     COUNT(s.issuePerClock)},
    {count("threads_per_cu", 1, kMaxUnits,
           "threads that fit on one compute unit at a time"),
     COUNT(s.threadsPerUnit)},
    {count("workgroups_per_cu", 1, kMaxUnits,
           "workgroups that fit on one compute unit at a time"),
     COUNT(s.workgroupsPerUnit)},
    {count("registers_per_cu", 1, kMaxBytes,
           "32-bit vector registers of one compute unit"),
     COUNT(s.registersPerUnit)},
};

#undef COUNT
#undef RATE

#define COUNT(MEMBER)                                                          \
  [](CacheLevel &l, int64_t v) { l.MEMBER = v; }, nullptr,                     \
      [](const CacheLevel &l) { return l.MEMBER; }
#define RATE(MEMBER)                                                           \
  nullptr, [](CacheLevel &l, double v) { l.MEMBER = v; }, nullptr,             \
      [](const CacheLevel &l) { return l.MEMBER; }

const Row<CacheLevel> kLevelRows[] = {
    {count("cus_per_cluster", 1, kMaxUnits,
           "compute units that share one cache; only with scope \"cluster\""),
     COUNT(unitsPerCluster)},
    {count("bytes", 1, kMaxBytes,
           "one cache as the vendor reports it, in bytes"),
     COUNT(bytes)},
    {count("effective_bytes", 1, kMaxBytes,
           "one cache as it fits measurements, in bytes"),
     COUNT(effectiveBytes)},
    {power("line_bytes", kMaxLine, "a line, in bytes"), COUNT(lineBytes)},
    {power("sector_bytes", kMaxLine,
           "part of a line that is fetched by itself, in bytes"),
     COUNT(sectorBytes)},
    {count("ways", 1, kMaxUnits, "ways"), COUNT(ways)},
    {count("partitions", 1, kMaxDies,
           "parts of one cache that keep copies of each other's lines"),
     COUNT(partitions)},
    {rate("bandwidth", "all caches of the level together, in bytes per second"),
     RATE(bandwidth)},
};

#undef COUNT
#undef RATE

template <typename T, size_t N>
std::vector<ChipField> fieldsOf(const Row<T> (&rows)[N]) {
  std::vector<ChipField> fields;
  for (const Row<T> &row : rows)
    fields.push_back(row.field);
  return fields;
}

/// The value as it is shown in a message.
std::string show(const FieldValue &value) {
  if (auto *integer = std::get_if<int64_t>(&value))
    return std::to_string(*integer);
  if (auto *number = std::get_if<double>(&value)) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.6g", *number);
    // 7.0 is no integer, and must not look like one.
    std::string_view digits = text;
    bool looksWhole = digits.find_first_not_of("-0123456789") == digits.npos;
    return looksWhole ? std::string(text) + ".0" : text;
  }
  return "\"" + std::get<std::string>(value) + "\"";
}

std::string text(int64_t number) { return std::to_string(number); }

bool isPowerOfTwo(int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

/// Sets one number by its row; what is wrong with it, or "".
template <typename T>
std::string setNumber(T &target, const Row<T> &row, const FieldValue &value,
                      const std::string &key) {
  const ChipField &field = row.field;
  auto invalid = [&] {
    return key + ": " + show(value) + " is not allowed; it must be " +
           describeAllowed(field) + " (" + std::string(field.meaning) + ")";
  };
  auto *integer = std::get_if<int64_t>(&value);
  if (field.kind == FieldKind::Rate) {
    double number = 0;
    if (integer)
      number = double(*integer);
    else if (auto *real = std::get_if<double>(&value))
      number = *real;
    // The negated form also catches a value that is not a number.
    if (!(number >= kMinRate && number <= kMaxRate))
      return invalid();
    row.setRate(target, number);
    return "";
  }
  if (!integer || *integer < field.minimum || *integer > field.maximum ||
      (field.powerOfTwo && !isPowerOfTwo(*integer)))
    return invalid();
  row.setCount(target, *integer);
  return "";
}

} // namespace

const std::vector<ChipField> &chipFields() {
  static const std::vector<ChipField> fields = fieldsOf(kRows);
  return fields;
}

const std::vector<ChipField> &levelFields() {
  static const std::vector<ChipField> fields = fieldsOf(kLevelRows);
  return fields;
}

const ChipField *findChipField(std::string_view key) {
  for (const ChipField &field : chipFields())
    if (field.key == key)
      return &field;
  return nullptr;
}

std::string flatKey(std::string_view level, std::string_view field) {
  std::string name(level);
  if (field == "effective_bytes")
    return "effective_" + name + "_bytes";
  if (level == "l2" && field == "line_bytes")
    return "line_bytes";
  return name + "_" + std::string(field);
}

std::string_view levelOf(const ChipField &field) {
  for (std::string_view level : {"l1", "l2", "llc"})
    for (const ChipField &one : levelFields())
      if (flatKey(level, one.key) == field.key)
        return level;
  return "";
}

std::string sourceKey(const ChipField &field) {
  std::string level(levelOf(field));
  for (const ChipField &one : levelFields())
    if (!level.empty() && flatKey(level, one.key) == field.key)
      return level + "." + std::string(one.key);
  return std::string(field.key);
}

std::string_view toString(CacheScope scope) {
  constexpr std::string_view names[] = {"compute_unit", "cluster", "die",
                                        "device"};
  return names[size_t(scope)];
}

std::string_view toString(CachePolicy policy) {
  return policy == CachePolicy::WriteBack ? "write_back" : "write_through";
}

std::string_view toString(HitDefinition definition) {
  return definition == HitDefinition::BothPartitions ? kPartitions : kInFlight;
}

std::optional<CacheScope> readScope(std::string_view word) {
  for (CacheScope scope : {CacheScope::ComputeUnit, CacheScope::Cluster,
                           CacheScope::Die, CacheScope::Device})
    if (word == toString(scope))
      return scope;
  return std::nullopt;
}

std::optional<CachePolicy> readPolicy(std::string_view word) {
  for (CachePolicy policy : {CachePolicy::WriteThrough, CachePolicy::WriteBack})
    if (word == toString(policy))
      return policy;
  return std::nullopt;
}

CacheLevel &addLastLevel(HardwareSpec &spec) {
  if (CacheLevel *there = spec.find("llc"))
    return *there;
  CacheLevel last;
  last.name = "llc";
  last.scope = CacheScope::Device;
  last.policy = CachePolicy::WriteBack;
  return spec.levels.emplace_back(std::move(last));
}

std::string describeAllowed(const ChipField &field) {
  switch (field.kind) {
  case FieldKind::Word:
    return "\"" + std::string(kInFlight) + "\" or \"" +
           std::string(kPartitions) + "\"";
  case FieldKind::Rate:
    return "a number from 1e6 to 1e24";
  case FieldKind::Count:
    break;
  }
  return (field.powerOfTwo ? "a power of two from " : "an integer from ") +
         text(field.minimum) + " to " + text(field.maximum);
}

std::string setChipField(HardwareSpec &spec, const ChipField &field,
                         const FieldValue &value) {
  std::string key(field.key);
  std::string_view level = levelOf(field);
  if (field.key != "llc_bytes" && !level.empty() && !spec.find(level))
    return key + ": " + show(value) + " is given, but the chip has no " +
           (level == "llc" ? "last-level cache; set llc_bytes, or leave this "
                             "out"
                           : "level called " + std::string(level));
  if (field.kind == FieldKind::Word) {
    auto *word = std::get_if<std::string>(&value);
    if (!word || (*word != kInFlight && *word != kPartitions))
      return key + ": " + show(value) + " is not allowed; it must be " +
             describeAllowed(field) + " (" + std::string(field.meaning) + ")";
    spec.hitDefinition = *word == kInFlight ? HitDefinition::InFlightIsHit
                                            : HitDefinition::BothPartitions;
    return "";
  }
  for (const Row<HardwareSpec> &row : kRows)
    if (row.field.key == field.key)
      return setNumber(spec, row, value, key);
  return key + ": unknown field";
}

std::string setLevelField(CacheLevel &level, const ChipField &field,
                          const FieldValue &value) {
  std::string key = level.name + "." + std::string(field.key);
  for (const Row<CacheLevel> &row : kLevelRows)
    if (row.field.key == field.key)
      return setNumber(level, row, value, key);
  return key + ": unknown field";
}

namespace {

/// The number of a row, if it is known.
template <typename T>
std::optional<FieldValue> numberOf(const Row<T> &row, const T &from) {
  if (row.count)
    if (std::optional<int64_t> count = row.count(from))
      return *count;
  if (row.rate)
    if (std::optional<double> rate = row.rate(from))
      return *rate;
  return std::nullopt;
}

} // namespace

std::optional<FieldValue> getChipField(const HardwareSpec &spec,
                                       const ChipField &field) {
  if (field.kind == FieldKind::Word)
    return spec.hitDefinition ? std::optional<FieldValue>(
                                    std::string(toString(*spec.hitDefinition)))
                              : std::nullopt;
  std::string_view level = levelOf(field);
  if (!level.empty() && !spec.find(level))
    return std::nullopt;
  for (const Row<HardwareSpec> &row : kRows)
    if (row.field.key == field.key)
      return numberOf(row, spec);
  return std::nullopt;
}

std::optional<FieldValue> getLevelField(const CacheLevel &level,
                                        const ChipField &field) {
  for (const Row<CacheLevel> &row : kLevelRows)
    if (row.field.key == field.key)
      return numberOf(row, level);
  return std::nullopt;
}

void scaleToUnits(HardwareSpec &spec, int64_t units) {
  double factor = double(spec.numUnits()) / double(units);
  auto scale = [&](std::optional<double> &rate) {
    if (rate)
      *rate *= factor;
  };
  for (CacheLevel &level : spec.levels)
    if (level.scope != CacheScope::Device)
      scale(level.bandwidth);
  scale(spec.vectorFlops);
  scale(spec.tensorFlops);
}

std::string kfdTopologyFolder() {
  const char *folder = std::getenv("SWIZZLE_KFD_TOPOLOGY");
  return folder ? folder : "/sys/class/kfd/kfd/topology";
}

void forgetDispatchOrder(HardwareSpec &spec) {
  spec.dispatchOrder.clear();
  spec.sources.erase(std::string(kDispatchOrder));
}

} // namespace swizzle
