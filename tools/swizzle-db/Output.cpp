//===- Output.cpp - What swizzle-db prints --------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names come from other people's kernels: what could move a cursor or break a
// row is escaped.
//
//===----------------------------------------------------------------------===//

#include "Output.h"

#include "swizzle/Hardware/Database.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace llvm;

namespace swizzle {

static std::string clean(StringRef text) {
  std::string result;
  raw_string_ostream os(result);
  for (unsigned char c : text)
    if (c >= 0x20 && c != 0x7f)
      os << c;
    else
      os << format("\\x%02x", unsigned(c));
  return result;
}

/// The formula on one line, and the values of its parameters.
static std::string wordFormula(const DatabaseRecord &record) {
  if (record.formula.empty())
    return "(as it is)";
  std::string text;
  for (StringRef rest = StringRef(record.formula).rtrim(); !rest.empty();) {
    auto [line, next] = rest.split('\n');
    text += (text.empty() ? "" : "; ") + line.trim().str();
    rest = next;
  }
  std::string params;
  for (const auto &[name, value] : record.params)
    params +=
        (params.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  return clean(text + (params.empty() ? "" : "  with " + params));
}

static std::string wordGain(const DatabaseRecord &record) {
  std::optional<double> gain = record.gain();
  if (!gain)
    return "?";
  return std::isfinite(*gain) ? formatv("{0:f2}", *gain).str() : "inf";
}

std::string wordChip(const DatabaseKey &key) {
  StringRef hash = StringRef(key.chipHash).split(':').second;
  return clean(key.chip) + (hash.empty() ? "" : "#" + hash.take_front(8).str());
}

void printRecords(ArrayRef<const DatabaseRecord *> records, bool json,
                  raw_ostream &os) {
  if (json) {
    for (const DatabaseRecord *record : records)
      os << printRecord(*record) << "\n";
    return;
  }
  std::vector<std::array<std::string, 7>> rows = {
      {"kernel", "hash", "grid", "chip", "gain", "of", "origin"}};
  std::vector<std::string> formulas = {"formula"};
  for (const DatabaseRecord *record : records) {
    rows.push_back({clean(record->kernel), record->key.kernelHash.substr(0, 8),
                    record->key.grid, wordChip(record->key), wordGain(*record),
                    toString(record->objective).str(),
                    std::string(toString(record->origin))});
    formulas.push_back(wordFormula(*record));
  }
  std::array<size_t, 7> widths{};
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  for (size_t r = 0; r < rows.size(); ++r) {
    for (size_t i = 0; i < rows[r].size(); ++i)
      os << rows[r][i] << std::string(widths[i] - rows[r][i].size() + 2, ' ');
    os << formulas[r] << "\n";
  }
}

static std::string wordKey(const DatabaseRecord &record) {
  return clean(record.kernel) + " " + record.key.kernelHash.substr(0, 8) +
         " on " + record.key.grid + ", " + wordChip(record.key) + ", version " +
         clean(record.key.toolVersion);
}

bool printDifferences(const TuningDatabase &before, const TuningDatabase &after,
                      raw_ostream &os) {
  bool differ = false;
  for (const DatabaseRecord &record : before.records()) {
    const DatabaseRecord *other = after.find(record.key);
    if (other && printRecord(*other) == printRecord(record))
      continue;
    differ = true;
    if (!other) {
      os << "- " << wordKey(record) << ": " << wordFormula(record) << "\n";
      continue;
    }
    os << "~ " << wordKey(record) << ": gain " << wordGain(record) << " ("
       << toString(record.origin) << ") -> " << wordGain(*other) << " ("
       << toString(other->origin) << ")\n";
    if (wordFormula(record) != wordFormula(*other))
      os << "    " << wordFormula(record) << "\n -> " << wordFormula(*other)
         << "\n";
  }
  for (const DatabaseRecord &record : after.records())
    if (!before.find(record.key)) {
      differ = true;
      os << "+ " << wordKey(record) << ": " << wordFormula(record) << "\n";
    }
  return differ;
}

static void writeFigures(json::OStream &json, const RecordFigures &figures) {
  auto write = [&](StringRef name, const std::optional<double> &value) {
    if (value)
      json.attribute(name, *value);
  };
  write("time_us", figures.timeUs);
  write("l2_hit_rate", figures.l2HitRate);
  write("dram_bytes", figures.dramBytes);
  write("energy_joules", figures.energyJoules);
}

/// What was known before anything was proposed.
static void writeContext(json::OStream &json, const DatabaseRecord &record) {
  json.attribute("kernel_hash", record.key.kernelHash);
  json.attribute("kernel", record.kernel);
  json.attribute("signature", record.signature);
  json.attribute("grid", record.key.grid);
  json.attribute("chip", record.key.chip);
  if (!record.key.chipHash.empty()) {
    json.attribute("chip_hash", record.key.chipHash);
  } else if (Expected<HardwareSpec> hardware = findChip(record.key.chip)) {
    // The chip's numbers, where this version knows it.
    json.attributeObject("hardware", [&] {
      for (const auto &[name, value] : hardware->formulaConstants())
        if (value)
          json.attribute(name, *value);
    });
  } else { // a chip that was described by a file: its name stands above
    consumeError(hardware.takeError());
  }
  json.attribute("objective", toString(record.objective));
  json.attributeObject("baseline",
                       [&] { writeFigures(json, record.baseline); });
}

static void writeProposal(json::OStream &json, const DatabaseRecord &record) {
  if (record.formula.empty())
    json.attribute("formula", nullptr);
  else
    json.attribute("formula", record.formula);
  json.attributeObject("params", [&] {
    for (const auto &[name, value] : record.params)
      json.attribute(name, value);
  });
}

/// Figures and their origin; `record.best` holds what was found.
static void writeFound(json::OStream &json, const DatabaseRecord &record) {
  writeFigures(json, record.best);
  // JSON has no infinity; the figures say what a null is.
  std::optional<double> gain = record.gain();
  if (gain && std::isfinite(*gain))
    json.attribute("gain", *gain);
  else
    json.attribute("gain", nullptr);
  json.attribute("origin", toString(record.origin));
  json.attribute("device", record.device);
}

static void writeWho(json::OStream &json, const DatabaseRecord &record) {
  json.attribute("agent", record.agent);
  json.attribute("tool_version", record.key.toolVersion);
}

void exportRecord(const DatabaseRecord &record, raw_ostream &os) {
  json::OStream json(os);
  json.object([&] {
    json.attribute("schema", "swizzle-row/1");
    json.attribute("source", "database");
    json.attributeObject("context", [&] { writeContext(json, record); });
    writeProposal(json, record);
    json.attributeObject("outcome", [&] {
      json.attribute("verdict", "best");
      writeFound(json, record);
      writeWho(json, record);
    });
  });
  os << "\n";
}

/// What the agent said about its proposal.
static void writeSaid(json::OStream &json, const Attempt &attempt) {
  for (auto [name, text] : {std::pair("critique", &attempt.critique),
                            std::pair("limits", &attempt.limits),
                            std::pair("change", &attempt.change),
                            std::pair("expect", &attempt.expectation)})
    if (!text->empty())
      json.attribute(name, *text);
}

static void writeVerdict(json::OStream &json, const Attempt &attempt) {
  bool measured = attempt.status == AttemptStatus::Profiled;
  json.attribute("verdict",
                 measured ? StringRef(attempt.code) : toString(attempt.status));
  if (!measured && !attempt.code.empty())
    json.attribute("code", attempt.code);
  if (!attempt.message.empty())
    json.attribute("message", attempt.message);
  if (!attempt.counterexample.empty())
    json.attribute("counterexample", attempt.counterexample);
  if (attempt.status == AttemptStatus::Duplicate)
    json.attribute("same_as", attempt.sameAs);
  if (attempt.unchecked)
    json.attribute("unchecked", true);
}

void exportAttempt(const JournalRow &row, raw_ostream &os) {
  const Attempt &attempt = row.attempt;
  if (attempt.formula.empty())
    return;
  DatabaseRecord record = row.about;
  record.formula = attempt.formula;
  record.params = attempt.params;
  record.agent = attempt.agent;
  if (attempt.measurement) {
    record.best = figuresOf(*attempt.measurement);
    record.origin = attempt.measurement->from.origin;
    record.device = attempt.measurement->from.device;
  }
  json::OStream json(os);
  json.object([&] {
    json.attribute("schema", "swizzle-row/1");
    json.attribute("source", "journal");
    json.attribute("attempt", attempt.number);
    json.attribute("round", attempt.round);
    json.attributeObject("context", [&] { writeContext(json, record); });
    writeProposal(json, record);
    json.attributeObject("said", [&] { writeSaid(json, attempt); });
    json.attributeObject("outcome", [&] {
      writeVerdict(json, attempt);
      if (attempt.measurement)
        writeFound(json, record);
      writeWho(json, record);
    });
  });
  os << "\n";
}

} // namespace swizzle
