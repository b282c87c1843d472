//===- Schema.cpp - The fields of a chip's description --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table row per field: its name, its limits, and where it goes. Everything
// that reads descriptions walks this table, so a field is added in one place.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Hardware/Schema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;

namespace swizzle {

namespace {

/// Sanity limits: far beyond any device, near enough that products of two
/// fields cannot overflow.
constexpr int64_t kMaxDies = 1024;
constexpr int64_t kMaxUnits = int64_t(1) << 16;
constexpr int64_t kMaxBytes = int64_t(1) << 46;
constexpr int64_t kMaxLine = int64_t(1) << 16;
constexpr double kMaxRate = 1e24;

constexpr StringLiteral kInFlight = "in_flight_is_hit";
constexpr StringLiteral kPartitions = "both_partitions";

struct Row {
  ChipField field;
  void (*setCount)(HardwareSpec &, int64_t) = nullptr;
  void (*setRate)(HardwareSpec &, double) = nullptr;
};

constexpr ChipField count(StringLiteral key, int64_t minimum, int64_t maximum,
                          StringLiteral meaning) {
  return {key, FieldKind::Count, false, false, minimum, maximum, meaning};
}
constexpr ChipField required(StringLiteral key, int64_t maximum,
                             StringLiteral meaning) {
  return {key, FieldKind::Count, true, false, 1, maximum, meaning};
}
constexpr ChipField power(StringLiteral key, int64_t maximum,
                          StringLiteral meaning, bool isRequired = false) {
  return {key, FieldKind::Count, isRequired, true, 1, maximum, meaning};
}
constexpr ChipField rate(StringLiteral key, StringLiteral meaning) {
  return {key, FieldKind::Rate, false, false, 0, 0, meaning};
}

#define COUNT(EXPR) [](HardwareSpec &s, int64_t v) { EXPR = v; }, nullptr
#define RATE(EXPR) nullptr, [](HardwareSpec &s, double v) { EXPR = v; }

const Row kRows[] = {
    {required("num_xcds", kMaxDies, "dies that have an L2 of their own"),
     COUNT(s.numDies)},
    {required("cus_per_xcd", kMaxUnits, "compute units of one die"),
     COUNT(s.unitsPerDie)},
    {power("wave_size", 1024, "threads that step together", true),
     COUNT(s.waveSize)},
    {required("dispatch_chunk", kMaxUnits,
              "consecutive workgroups that one die gets before the next one"),
     COUNT(s.dispatchChunk)},

    {count("l1_bytes", 1, kMaxBytes,
           "first-level cache of one compute unit, in bytes"),
     COUNT(s.l1.bytes)},
    {count("effective_l1_bytes", 1, kMaxBytes,
           "first-level cache as it fits measurements, in bytes"),
     COUNT(s.l1.effectiveBytes)},
    {power("l1_line_bytes", kMaxLine,
           "line of the first-level cache, in bytes"),
     COUNT(s.l1.lineBytes)},
    {power("l1_sector_bytes", kMaxLine,
           "part of a first-level line that is fetched by itself, in bytes"),
     COUNT(s.l1.sectorBytes)},
    {count("l1_ways", 1, kMaxUnits, "ways of the first-level cache"),
     COUNT(s.l1.ways)},
    {rate("l1_bandwidth",
          "all first-level caches together, in bytes per second"),
     RATE(s.l1.bandwidth)},

    {count("l2_bytes", 1, kMaxBytes,
           "L2 of one die as the vendor reports it, in bytes"),
     COUNT(s.l2.bytes)},
    {count("effective_l2_bytes", 1, kMaxBytes,
           "L2 of one die as it fits measurements, in bytes"),
     COUNT(s.l2.effectiveBytes)},
    {power("line_bytes", kMaxLine, "line of the L2, in bytes"),
     COUNT(s.l2.lineBytes)},
    {power("l2_sector_bytes", kMaxLine,
           "part of an L2 line that is fetched by itself, in bytes"),
     COUNT(s.l2.sectorBytes)},
    {count("l2_ways", 1, kMaxUnits, "ways of the L2"), COUNT(s.l2.ways)},
    {count("l2_partitions", 1, kMaxDies,
           "parts of one L2 that keep copies of each other's lines"),
     COUNT(s.l2.partitions)},
    {rate("l2_bandwidth", "all L2s together, in bytes per second"),
     RATE(s.l2.bandwidth)},

    {count("llc_bytes", 0, kMaxBytes,
           "last-level cache of the chip as the vendor reports it, in bytes; 0 "
           "if it has none"),
     [](HardwareSpec &s, int64_t v) {
       if (v == 0)
         return s.llc.reset();
       if (!s.llc)
         s.llc.emplace();
       s.llc->bytes = v;
     },
     nullptr},
    {count("effective_llc_bytes", 1, kMaxBytes,
           "last-level cache as it fits measurements, in bytes"),
     COUNT(s.llc->effectiveBytes)},
    {power("llc_line_bytes", kMaxLine,
           "line of the last-level cache, in bytes"),
     COUNT(s.llc->lineBytes)},
    {power("llc_sector_bytes", kMaxLine,
           "part of a last-level line that is fetched by itself, in bytes"),
     COUNT(s.llc->sectorBytes)},
    {count("llc_ways", 1, kMaxUnits, "ways of the last-level cache"),
     COUNT(s.llc->ways)},
    {rate("llc_bandwidth", "the last-level cache, in bytes per second"),
     RATE(s.llc->bandwidth)},

    {{"hit_definition", FieldKind::Word, false, false, 0, 0,
      "how the vendor's profiler counts look-ups in the L2"}},

    {rate("dram_bandwidth",
          "peak of the memory as the vendor states it, in bytes per second"),
     nullptr,
     [](HardwareSpec &s, double v) {
       s.dramBandwidth = s.peakDramBandwidth = v;
     }},
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

const Row &rowOf(const ChipField &field) {
  return *find_if(kRows,
                  [&](const Row &row) { return row.field.key == field.key; });
}

/// The value as it is shown in a message.
std::string show(const FieldValue &value) {
  if (auto *integer = std::get_if<int64_t>(&value))
    return std::to_string(*integer);
  if (auto *number = std::get_if<double>(&value)) {
    std::string text;
    raw_string_ostream(text) << format("%.6g", *number);
    return text;
  }
  return "\"" + std::get<std::string>(value) + "\"";
}

Error refuse(StringRef where, const Twine &what) {
  return createStringError(Twine(where) + ": " + what);
}

Error checkCache(const CacheSpec &cache, StringRef prefix, StringRef lineKey,
                 StringRef where) {
  auto key = [&](StringRef rest) { return (prefix + "_" + rest).str(); };
  if (!cache.lineBytes)
    return Error::success();
  int64_t line = *cache.lineBytes;
  if (cache.sectorBytes && line % *cache.sectorBytes != 0)
    return refuse(where, key("sector_bytes") + ": " +
                             Twine(*cache.sectorBytes) + " does not divide " +
                             lineKey + " (" + Twine(line) +
                             "); a line holds a whole number of sectors");
  auto checkBytes = [&](const std::optional<int64_t> &bytes,
                        const std::string &name) -> Error {
    if (!bytes)
      return Error::success();
    if (*bytes % line != 0)
      return refuse(where, name + ": " + Twine(*bytes) +
                               " is not a multiple of " + lineKey + " (" +
                               Twine(line) + ")");
    if (cache.partitions && *bytes / line % *cache.partitions != 0)
      return refuse(where, name + ": " + Twine(*bytes / line) +
                               " lines cannot be split evenly into " +
                               Twine(*cache.partitions) + " " +
                               key("partitions"));
    return Error::success();
  };
  if (Error error = checkBytes(cache.bytes, key("bytes")))
    return error;
  if (Error error =
          checkBytes(cache.effectiveBytes, "effective_" + key("bytes")))
    return error;
  if (cache.ways && cache.bytes && *cache.bytes / line % *cache.ways != 0)
    return refuse(where, key("ways") + ": " + Twine(*cache.ways) +
                             " does not divide the " +
                             Twine(*cache.bytes / line) + " lines of " +
                             Twine(line) + " bytes that " + key("bytes") +
                             " (" + Twine(*cache.bytes) + ") holds");
  return Error::success();
}

} // namespace

ArrayRef<ChipField> chipFields() {
  static const std::vector<ChipField> fields = [] {
    std::vector<ChipField> result;
    for (const Row &row : kRows)
      result.push_back(row.field);
    return result;
  }();
  return fields;
}

const ChipField *findChipField(StringRef key) {
  for (const ChipField &field : chipFields())
    if (field.key == key)
      return &field;
  return nullptr;
}

std::string describeAllowed(const ChipField &field) {
  switch (field.kind) {
  case FieldKind::Word:
    return ("\"" + kInFlight + "\" or \"" + kPartitions + "\"").str();
  case FieldKind::Rate:
    return "a number greater than 0";
  case FieldKind::Count:
    break;
  }
  return ((field.powerOfTwo ? "a power of two from " : "an integer from ") +
          Twine(field.minimum) + " to " + Twine(field.maximum))
      .str();
}

Error setChipField(HardwareSpec &spec, const ChipField &field,
                   const FieldValue &value, StringRef where) {
  auto invalid = [&] {
    return refuse(
        where, field.key + ": " + show(value) + " is not allowed; it must be " +
                   describeAllowed(field) + " (" + field.meaning + ")");
  };
  const Row &row = rowOf(field);
  if (field.key.contains("llc") && field.key != "llc_bytes" && !spec.llc)
    return refuse(where, field.key + ": " + show(value) +
                             " is given, but the chip has no last-level cache; "
                             "set llc_bytes, or leave this out");
  switch (field.kind) {
  case FieldKind::Word: {
    auto *word = std::get_if<std::string>(&value);
    if (!word || (*word != kInFlight && *word != kPartitions))
      return invalid();
    spec.hitDefinition = *word == kInFlight ? HitDefinition::InFlightIsHit
                                            : HitDefinition::BothPartitions;
    return Error::success();
  }
  case FieldKind::Rate: {
    double number = 0;
    if (auto *integer = std::get_if<int64_t>(&value))
      number = double(*integer);
    else if (auto *real = std::get_if<double>(&value))
      number = *real;
    // The negated form also catches a value that is not a number.
    if (!(number > 0 && number < kMaxRate))
      return invalid();
    row.setRate(spec, number);
    return Error::success();
  }
  case FieldKind::Count: {
    auto *integer = std::get_if<int64_t>(&value);
    if (!integer || *integer < field.minimum || *integer > field.maximum ||
        (field.powerOfTwo && !isPowerOf2_64(uint64_t(*integer))))
      return invalid();
    row.setCount(spec, *integer);
    return Error::success();
  }
  }
  llvm_unreachable("unknown kind of field");
}

void scaleToUnits(HardwareSpec &spec, int64_t units) {
  double factor = double(spec.numUnits()) / double(units);
  for (std::optional<double> *rate : {&spec.l1.bandwidth, &spec.l2.bandwidth,
                                      &spec.vectorFlops, &spec.tensorFlops})
    if (*rate)
      **rate *= factor;
}

Error checkChip(const HardwareSpec &spec, StringRef where) {
  if (Error error = checkCache(spec.l1, "l1", "l1_line_bytes", where))
    return error;
  if (Error error = checkCache(spec.l2, "l2", "line_bytes", where))
    return error;
  if (spec.llc)
    if (Error error = checkCache(*spec.llc, "llc", "llc_line_bytes", where))
      return error;
  if (spec.hitDefinition == HitDefinition::BothPartitions &&
      spec.l2.partitions.value_or(1) < 2)
    return refuse(where, "hit_definition: \"" + kPartitions +
                             "\" needs l2_partitions to be at least 2");
  if (spec.threadsPerUnit && *spec.threadsPerUnit % spec.waveSize != 0)
    return refuse(where, "threads_per_cu: " + Twine(*spec.threadsPerUnit) +
                             " is not a multiple of wave_size (" +
                             Twine(spec.waveSize) + ")");
  return Error::success();
}

StringRef nearestSpelling(StringRef word, ArrayRef<StringRef> candidates) {
  unsigned limit = std::max<size_t>(2, word.size() / 3);
  StringRef best;
  for (StringRef candidate : candidates) {
    unsigned distance = word.edit_distance(candidate, true, limit);
    if (distance <= limit && (best.empty() || distance < limit)) {
      best = candidate;
      limit = distance;
    }
  }
  return best;
}

} // namespace swizzle
