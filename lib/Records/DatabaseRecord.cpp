//===- DatabaseRecord.cpp - One line of the tuning database ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fields stand in a fixed order, numbers have six digits, so that a diff shows
// what changed and nothing else. Everything is checked on the way in: the file
// is edited and merged by people.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Records/TuningDatabase.h"
#include "swizzle/Support/Json.h"

#include "swizzle/Formula/Syntax/Catalogue.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace llvm;

namespace swizzle {

static constexpr size_t kMaxLine = 256 * 1024;
static constexpr unsigned kMaxDepth = 8;
/// What `hashText` begins with.
static constexpr StringLiteral kHashPrefix = "blake3:";

static std::string valid(StringRef text) {
  return json::isUTF8(text) ? text.str() : json::fixUTF8(text);
}

/// Six significant digits, and the shortest text that gives them back.
static double rounded(double value) {
  std::string text;
  raw_string_ostream(text) << format("%.6g", value);
  double result = value;
  (void)StringRef(text).getAsDouble(result);
  return result;
}

/// JSON's own printer shows all digits of a double: 0.29999999999999999.
static void writeNumber(json::OStream &json, StringRef key, double value) {
  json.attributeBegin(key);
  json.rawValue([&](raw_ostream &os) { os << format("%.6g", rounded(value)); });
  json.attributeEnd();
}

static void writeFigures(json::OStream &json, StringRef key,
                         const RecordFigures &figures) {
  json.attributeObject(key, [&] {
    auto write = [&](StringRef name, const std::optional<double> &value) {
      if (value && std::isfinite(*value))
        writeNumber(json, name, *value);
    };
    write("time_us", figures.timeUs);
    write("l2_hit_rate", figures.l2HitRate);
    write("dram_bytes", figures.dramBytes);
    write("energy_joules", figures.energyJoules);
  });
}

std::string printRecord(const DatabaseRecord &record) {
  std::string text;
  raw_string_ostream os(text);
  json::OStream json(os);
  json.object([&] {
    json.attribute("kernel_hash", record.key.kernelHash);
    json.attribute("grid", record.key.grid);
    json.attribute("chip", valid(record.key.chip));
    // Versions that know no such field leave these records alone.
    if (!record.key.chipHash.empty())
      json.attribute("chip_hash", record.key.chipHash);
    json.attribute("tool_version", valid(record.key.toolVersion));
    json.attribute("kernel", valid(record.kernel));
    json.attribute("signature", valid(record.signature));
    if (record.formula.empty())
      json.attribute("formula", nullptr);
    else
      json.attribute("formula", valid(record.formula));
    json.attributeObject("params", [&] {
      for (const auto &[name, value] : record.params)
        json.attribute(valid(name), value);
    });
    json.attribute("agent", valid(record.agent));
    json.attribute("objective", toString(record.objective));
    json.attribute("origin", toString(record.origin));
    json.attribute("device", valid(record.device));
    writeFigures(json, "baseline", record.baseline);
    writeFigures(json, "best", record.best);
    json.attribute("schema", kDatabaseSchema);
  });
  return text;
}

namespace {
/// Reads fields of one object; remembers the first thing that is wrong.
class FieldReader {
public:
  FieldReader(const json::Object &object, std::string where)
      : object(object), where(std::move(where)) {}

  std::string text(StringRef key) {
    const json::Value *value = find(key);
    if (!value)
      return "";
    if (std::optional<StringRef> text = value->getAsString())
      return text->str();
    refuse("'" + key.str() + "' is not a text");
    return "";
  }
  /// Empty if there is none.
  std::string textIfAny(StringRef key) {
    known.push_back(key);
    return object.get(key) ? text(key) : "";
  }
  std::optional<double> number(StringRef key) {
    known.push_back(key);
    const json::Value *value = object.get(key);
    if (!value)
      return std::nullopt;
    std::optional<double> number = value->getAsNumber();
    if (!number || !std::isfinite(*number) || *number < 0)
      refuse("'" + key.str() + "' is not a number from 0 upwards");
    return number;
  }
  const json::Value *find(StringRef key) {
    known.push_back(key);
    const json::Value *value = object.get(key);
    if (!value)
      refuse("there is no '" + key.str() + "'");
    return value;
  }
  /// To be called last: an unknown field would be lost on the way out.
  void finish() {
    // Keys in order: an object of LLVM's has none.
    std::vector<StringRef> keys;
    for (const auto &[key, value] : object)
      keys.push_back(key);
    sort(keys);
    for (StringRef key : keys)
      if (!is_contained(known, key))
        refuse("the field '" + key.str() + "' is unknown");
  }
  void refuse(const std::string &what) {
    if (problem.empty())
      problem = where + what;
  }
  std::string problem;

private:
  const json::Object &object;
  std::string where;
  std::vector<StringRef> known;
};
} // namespace

static std::string readFigures(const json::Value &value, StringRef key,
                               RecordFigures &figures) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return "'" + key.str() + "' is not an object";
  FieldReader reader(*object, "in '" + key.str() + "' ");
  figures.timeUs = reader.number("time_us");
  figures.l2HitRate = reader.number("l2_hit_rate");
  figures.dramBytes = reader.number("dram_bytes");
  figures.energyJoules = reader.number("energy_joules");
  if (figures.l2HitRate && *figures.l2HitRate > 1)
    reader.refuse("'l2_hit_rate' is more than 1");
  reader.finish();
  return reader.problem;
}

/// The enumerator of `all` that is called `name`.
template <typename Enum>
static std::optional<Enum> readEnum(StringRef name,
                                    std::initializer_list<Enum> all) {
  for (Enum one : all)
    if (toString(one) == name)
      return one;
  return std::nullopt;
}

/// The object on one line, which may come from anybody.
static Expected<json::Value> readLine(StringRef line) {
  for (StringRef mark : {"<<<<<<<", "=======", ">>>>>>>", "|||||||"})
    if (line.starts_with(mark))
      return createStringError("a mark of a merge that was not finished");
  if (line.size() > kMaxLine)
    return createStringError("the line has " + Twine(line.size()) +
                             " bytes; at most " + Twine(kMaxLine) +
                             " are read");
  if (isTooDeep(line, kMaxDepth))
    return createStringError("lists and objects are nested too deep");
  Expected<json::Value> value = parseJson(line);
  if (!value)
    return createStringError("not a JSON object on one line (" +
                             toString(value.takeError()) + ")");
  if (!value->getAsObject())
    return createStringError("not a JSON object on one line");
  return value;
}

/// The formula, if there is one, and its parameters.
static void readFormula(FieldReader &reader, DatabaseRecord &record) {
  if (const json::Value *formula = reader.find("formula")) {
    if (std::optional<StringRef> text = formula->getAsString())
      record.formula = text->str();
    else if (!formula->getAsNull())
      reader.refuse("'formula' is neither a text nor null");
    if (record.formula.size() > Formula::maxTextBytes)
      reader.refuse("'formula' has more than " +
                    std::to_string(Formula::maxTextBytes) + " bytes");
  }
  if (const json::Value *params = reader.find("params")) {
    if (const json::Object *set = params->getAsObject())
      for (const auto &[name, number] : *set)
        if (std::optional<int64_t> integer = number.getAsInteger())
          record.params[StringRef(name).str()] = *integer;
        else
          reader.refuse("a parameter is not an integer");
    else
      reader.refuse("'params' is not an object");
  }
}

static bool isHash(StringRef text) {
  return text.size() == 32 && all_of(text, [](char c) {
           return isDigit(c) || (c >= 'a' && c <= 'f');
         });
}

/// Refuses a key that this version would not have written.
static Error checkKey(const DatabaseKey &key) {
  if (!isHash(key.kernelHash))
    return createStringError("'kernel_hash' is not 32 hexadecimal digits");
  StringRef chipHash = key.chipHash;
  if (!chipHash.empty() &&
      (!chipHash.consume_front(kHashPrefix) || !isHash(chipHash)))
    return createStringError("'chip_hash' is not " + kHashPrefix +
                             " and 32 hexadecimal digits");
  Expected<Grid> grid = parseGrid(key.grid);
  if (!grid)
    return createStringError("'grid': " + toString(grid.takeError()));
  if (toString(*grid) != key.grid)
    return createStringError("'grid' is '" + key.grid +
                             "', which is written '" + toString(*grid) + "'");
  if (key.chip.empty() || key.toolVersion.empty())
    return createStringError("'chip' or 'tool_version' is empty");
  return Error::success();
}

Expected<DatabaseRecord> parseRecord(StringRef line) {
  auto refuse = [](const Twine &what) -> Error {
    return createStringError(what);
  };
  Expected<json::Value> value = readLine(line);
  if (!value)
    return value.takeError();
  FieldReader reader(*value->getAsObject(), "");
  std::string schema = reader.text("schema");
  if (reader.problem.empty() && schema != kDatabaseSchema)
    return refuse("schema '" + schema + "' is not '" + kDatabaseSchema +
                  "', which this version reads and writes");

  DatabaseRecord record;
  record.key.kernelHash = reader.text("kernel_hash");
  record.key.grid = reader.text("grid");
  record.key.chip = reader.text("chip");
  record.key.chipHash = reader.textIfAny("chip_hash");
  record.key.toolVersion = reader.text("tool_version");
  record.kernel = reader.text("kernel");
  record.signature = reader.text("signature");
  readFormula(reader, record);
  record.agent = reader.text("agent");
  std::string objective = reader.text("objective");
  std::string origin = reader.text("origin");
  record.device = reader.text("device");
  for (auto [key, figures] : {std::pair("baseline", &record.baseline),
                              std::pair("best", &record.best)})
    if (const json::Value *given = reader.find(key)) {
      std::string problem = readFigures(*given, key, *figures);
      if (!problem.empty())
        reader.refuse(problem);
    }
  reader.finish();
  if (!reader.problem.empty())
    return refuse(reader.problem);

  if (auto read =
          readEnum(objective, {Objective::Time, Objective::L2HitRate,
                               Objective::DramBytes, Objective::Energy}))
    record.objective = *read;
  else
    return refuse("'objective' is '" + objective +
                  "'; it takes time, l2-hit-rate, dram-bytes or energy");
  if (auto read = readEnum(origin, {Origin::Simulated, Origin::Measured}))
    record.origin = *read;
  else
    return refuse("'origin' is '" + origin +
                  "'; it takes simulated or measured");
  if (Error error = checkKey(record.key))
    return std::move(error);
  return record;
}

} // namespace swizzle
