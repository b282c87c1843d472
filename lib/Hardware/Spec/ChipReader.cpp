//===- ChipReader.cpp - A chip from JSON ----------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and checks the description of one chip. A description is written by
// people, so everything that can be wrong with it gets a message that says
// where, what, and what would be right: malformed JSON (line and column), keys
// given twice, unknown keys, numbers without a source. Two versions are read:
//
//   swizzle-hardware/2   "levels": [{"name": "l2", "ways": {...}}, ...]
//   swizzle-chip/1       "l2_ways": {...}; three fixed levels
//
// nlohmann_json reports errors by exceptions; none leaves this file.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Hardware/ChipJSON.h"

#include "Stated.h"
#include "TargetNames.h"
#include "swizzle/Hardware/FittedConstants.h"
#include "swizzle/Support/PlainJson.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using nlohmann::json;

namespace swizzle {

namespace {

/// No description is as long; it bounds the work on a wrong file.
constexpr size_t kMaxFileBytes = size_t(1) << 20;

/// Keys that stand alone, without a source.
constexpr std::string_view kPlainKeys[] = {
    "schema", "name", "description", "vendor", "target", "default_for_target"};
constexpr std::string_view kFitted = "fitted", kLevels = "levels",
                           kLevelsSource = "levels_source";
/// Keys of a level that stand alone.
constexpr std::string_view kLevelKeys[] = {"name", "scope", "policy"};

using plain::show;
using Words = std::vector<std::string>;

std::string join(const Words &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// Ends of lines and the like: the text would not be one line of a terminal.
bool hasControl(const std::string &text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20;
  });
}

bool contains(const Words &words, const std::string &word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Reads one file. Functions return what is wrong, or "".
class ChipReader {
public:
  ChipReader(std::string_view text, HardwareSpec &spec)
      : text(text), spec(spec) {}

  std::string read() {
    if (text.size() > kMaxFileBytes)
      return "the file has " + std::to_string(text.size()) +
             " bytes; a chip's description has at most " +
             std::to_string(kMaxFileBytes);
    json root;
    if (std::string wrong = plain::parse(text, root); !wrong.empty())
      return wrong;
    if (!root.is_object())
      return "a chip's description is one JSON object, not " + show(root);
    auto schema = root.find("schema");
    rows = schema == root.end() || *schema != kChipSchema;
    for (auto step : {&ChipReader::readKeys, &ChipReader::readPlain,
                      &ChipReader::readFields, &ChipReader::readOrder,
                      &ChipReader::readLevels, &ChipReader::readFitted})
      if (std::string wrong = (this->*step)(root); !wrong.empty())
        return wrong;
    return "";
  }

  /// How messages on this file spell the fields of a level.
  Spelling spelling() const { return rows ? Spelling::Rows : Spelling::Flat; }

private:
  /// True for the fields that stand outside of `levels` in this version.
  bool isTopLevel(const ChipField &field) const {
    return !rows || levelOf(field).empty();
  }

  /// Refuses keys that mean nothing, lists those that are missing.
  std::string readKeys(const json &root) {
    Words known(std::begin(kPlainKeys), std::end(kPlainKeys));
    for (const ChipField &field : chipFields())
      if (isTopLevel(field))
        known.emplace_back(field.key);
    if (rows)
      for (std::string_view key : {kLevels, kLevelsSource, kDispatchOrder})
        known.emplace_back(key);
    known.emplace_back(kFitted);
    Words missing;
    for (std::string_view key : kPlainKeys)
      if (key != "default_for_target" && !root.contains(std::string(key)))
        missing.emplace_back(key);
    // Of a file that does not say what it is, the rest is not judged.
    if (!contains(missing, "schema"))
      if (std::string wrong = readSchema(root); !wrong.empty())
        return wrong;
    for (auto it = root.begin(); it != root.end(); ++it)
      if (!contains(known, it.key()))
        return describeUnknown(it.key(), known);
    for (const ChipField &field : chipFields())
      if (field.required && !root.contains(std::string(field.key)))
        missing.emplace_back(field.key);
    if (rows && !root.contains(std::string(kLevels)))
      missing.emplace_back(kLevels);
    return missing.empty() ? "" : "missing: " + join(missing);
  }

  std::string describeUnknown(const std::string &key, const Words &known) {
    const ChipField *flat = rows ? findChipField(key) : nullptr;
    if (flat) {
      std::string level(levelOf(*flat));
      return key + ": a field of " + std::string(kChipSchema) + "; in " +
             std::string(kHardwareSchema) + " it stands in the row \"" + level +
             "\" of \"levels\"";
    }
    std::string near = nearestSpelling(key, known);
    if (!near.empty())
      return key + ": unknown field; did you mean " + near + "?";
    return key + ": unknown field; the fields are " + join(known);
  }

  std::string readSchema(const json &root) {
    std::string schema;
    std::string allowed = "\"" + std::string(kHardwareSchema) + "\" or \"" +
                          std::string(kChipSchema) + "\"";
    if (std::string wrong = readString(root, "schema", schema, allowed);
        !wrong.empty())
      return wrong;
    if (schema != kChipSchema && schema != kHardwareSchema)
      return "schema: " + show(schema) +
             " is not allowed; this version reads " + allowed;
    return "";
  }

  /// The string at `key`; must not be empty.
  std::string readString(const json &object, const std::string &key,
                         std::string &out, std::string_view allowed) {
    const json &value = object.at(key);
    if (!value.is_string() || value.get_ref<const std::string &>().empty() ||
        hasControl(value.get_ref<const std::string &>()))
      return key + ": " + show(value) + " is not allowed; it must be " +
             std::string(allowed);
    out = value.get<std::string>();
    return "";
  }

  std::string readPlain(const json &root) {
    constexpr std::string_view names =
        "a word of small letters, digits, '-', '_' and '.'";
    constexpr std::string_view vendors = "\"amd\", \"nvidia\" or \"other\"";
    struct {
      const char *key;
      std::string &out;
      std::string_view allowed;
    } strings[] = {
        {"name", spec.name, names},
        {"description", spec.description, "a line of text"},
        {"vendor", spec.vendor, vendors},
        {"target", spec.target, "a compiler target such as \"gfx942\""}};
    for (auto &[key, out, allowed] : strings)
      if (std::string wrong = readString(root, key, out, allowed);
          !wrong.empty())
        return wrong;
    if (!isName(spec.name, "-_.") || spec.name == "native")
      return "name: " + show(spec.name) + " is not allowed; it must be " +
             std::string(names) + ", and not \"native\"";
    if (spec.vendor != "amd" && spec.vendor != "nvidia" &&
        spec.vendor != "other")
      return "vendor: " + show(spec.vendor) + " is not allowed; it must be " +
             std::string(vendors);
    if (std::string allowed = targetsOf(spec.vendor, spec.target);
        !allowed.empty())
      return "target: " + show(spec.target) + " is not allowed for vendor " +
             show(spec.vendor) + "; it must be " + allowed;
    if (auto it = root.find("default_for_target"); it != root.end()) {
      if (!it->is_boolean())
        return "default_for_target: " + show(*it) +
               " is not allowed; it must be true or false";
      spec.defaultForTarget = it->get<bool>();
    }
    if (auto it = root.find(std::string(kLevelsSource)); it != root.end())
      return readString(root, std::string(kLevelsSource),
                        spec.sources[std::string(kLevels)],
                        "where the list of levels comes from");
    return "";
  }

  /// Checks the shape {"value": V, "source": S} or {"value": null, "reason": R}
  /// and keeps the note under `sourceKey`.
  std::string readEntry(const json &entry, const std::string &key,
                        const std::string &sourceKey) {
    if (!entry.is_object())
      return key + ": " + show(entry) + " stands alone; write {\"value\": " +
             (entry.is_primitive() ? show(entry) : "...") +
             ", \"source\": \"where it comes from\"}";
    auto value = entry.find("value");
    if (value == entry.end())
      return key + ": has no \"value\"";
    std::string noteKey = value->is_null() ? "reason" : "source";
    for (auto it = entry.begin(); it != entry.end(); ++it)
      if (it.key() != "value" && it.key() != noteKey)
        return key + ": unknown key \"" + it.key() +
               "\"; allowed here are \"value\" and \"" + noteKey + "\"";
    auto note = entry.find(noteKey);
    if (note == entry.end() || !note->is_string() ||
        note->get_ref<const std::string &>().empty())
      return key + (value->is_null()
                        ? ": is null without a reason; add \"reason\": why "
                          "the number is unknown"
                        : ": has no source; add \"source\": where the "
                          "number comes from");
    spec.sources[sourceKey] =
        (value->is_null() ? std::string(kUnknownSource) : "") +
        note->get<std::string>();
    return "";
  }

  static std::string refuseValue(const std::string &key, const json &value,
                                 const ChipField &field) {
    return key + ": " + show(value) + " is not allowed; it must be " +
           describeAllowed(field) + " (" + std::string(field.meaning) + ")";
  }

  /// JSON value to the value that the schema checks.
  static bool readValue(const json &value, FieldValue &out) {
    bool tooLarge = value.is_number_unsigned() &&
                    value.get<uint64_t>() > uint64_t(INT64_MAX);
    if (value.is_string())
      out = value.get<std::string>();
    else if (value.is_number_integer() && !tooLarge)
      out = value.get<int64_t>();
    else if (value.is_number_float())
      out = value.get<double>();
    else
      return false;
    return true;
  }

  std::string readFields(const json &root) {
    for (const ChipField &field : chipFields()) {
      std::string key(field.key);
      auto it = root.find(key);
      if (it == root.end())
        continue;
      if (std::string wrong = readEntry(*it, key, sourceKey(field));
          !wrong.empty())
        return wrong;
      const json &value = it->at("value");
      if (value.is_null()) {
        if (field.required)
          return refuseValue(key, value, field);
        // A last-level cache of unknown size is there all the same.
        if (key == "llc_bytes")
          addLastLevel(spec);
        continue;
      }
      FieldValue checked;
      if (!readValue(value, checked))
        return refuseValue(key, value, field);
      if (std::string wrong = setChipField(spec, field, checked);
          !wrong.empty())
        return wrong;
      // The first version says so by a size of 0; here there is no such row.
      if (key == "llc_bytes" && !spec.find("llc")) {
        spec.sources["levels"] = spec.sources["llc.bytes"];
        spec.sources.erase("llc.bytes");
      }
    }
    return "";
  }

  std::string readOrder(const json &root) {
    std::string key(kDispatchOrder);
    auto it = root.find(key);
    if (!rows || it == root.end())
      return "";
    if (std::string wrong = readEntry(*it, key, key); !wrong.empty())
      return wrong;
    const json &list = it->at("value");
    if (list.is_null())
      return "";
    if (!list.is_array() || list.empty())
      return key + ": " + (list.is_array() ? "an empty list" : show(list)) +
             " is not allowed; it must be a list of compute units, in the "
             "order in which workgroups first reach them";
    FieldValue unit;
    for (const json &one : list) {
      if (!readValue(one, unit) || !std::holds_alternative<int64_t>(unit))
        return key + "[" + std::to_string(spec.dispatchOrder.size()) +
               "]: " + show(one) +
               " is not allowed; it must be the number of a compute unit";
      spec.dispatchOrder.push_back(std::get<int64_t>(unit));
    }
    return "";
  }

  std::string readLevels(const json &root) {
    if (!rows)
      return "";
    const json &list = root.at(std::string(kLevels));
    if (!list.is_array() || list.empty())
      return "levels: " + (list.is_array() ? "an empty list" : show(list)) +
             " is not allowed; it must be a list of caches, from the compute "
             "units to memory";
    spec.levels.clear();
    for (const json &row : list) {
      std::string where = "levels[" + std::to_string(spec.levels.size()) + "]";
      if (std::string wrong = readLevel(row, where); !wrong.empty())
        return wrong;
    }
    return "";
  }

  std::string readLevel(const json &row, const std::string &where) {
    if (!row.is_object())
      return where + ": " + show(row) +
             " is not allowed; it must be an object that describes one cache";
    Words known(std::begin(kLevelKeys), std::end(kLevelKeys));
    for (const ChipField &field : levelFields())
      known.emplace_back(field.key);
    for (auto it = row.begin(); it != row.end(); ++it)
      if (!contains(known, it.key())) {
        std::string near = nearestSpelling(it.key(), known);
        return where + "." + it.key() + ": unknown field; " +
               (near.empty() ? "the fields are " + join(known)
                             : "did you mean " + near + "?");
      }
    for (std::string_view key : kLevelKeys)
      if (!row.contains(std::string(key)))
        return where + ": missing: " + std::string(key);
    CacheLevel level;
    auto word = [&](const char *key) {
      return row[key].is_string() ? row[key].get<std::string>() : "";
    };
    level.name = word("name");
    if (!isName(level.name, "_"))
      return where + ".name: " + show(row["name"]) +
             " is not allowed; it must be a word of small letters, digits and "
             "'_'";
    std::optional<CacheScope> scope = readScope(word("scope"));
    if (!scope)
      return level.name + ".scope: " + show(row["scope"]) +
             " is not allowed; it must be \"compute_unit\", \"cluster\", "
             "\"die\" or \"device\"";
    std::optional<CachePolicy> policy = readPolicy(word("policy"));
    if (!policy)
      return level.name + ".policy: " + show(row["policy"]) +
             " is not allowed; it must be \"write_through\" or "
             "\"write_back\"";
    level.scope = *scope;
    level.policy = *policy;
    for (const ChipField &field : levelFields())
      if (std::string wrong = readLevelField(row, field, level); !wrong.empty())
        return wrong;
    spec.levels.push_back(std::move(level));
    return "";
  }

  std::string readLevelField(const json &row, const ChipField &field,
                             CacheLevel &level) {
    auto it = row.find(std::string(field.key));
    if (it == row.end())
      return "";
    std::string key = level.name + "." + std::string(field.key);
    if (std::string wrong = readEntry(*it, key, key); !wrong.empty())
      return wrong;
    const json &value = it->at("value");
    if (value.is_null())
      return "";
    FieldValue checked;
    if (!readValue(value, checked))
      return refuseValue(key, value, field);
    return setLevelField(level, field, checked);
  }

  std::string readFitted(const json &root) {
    std::string name(kFitted);
    auto it = root.find(name);
    if (it == root.end())
      return "";
    if (!it->is_object())
      return name + ": " + show(*it) +
             " is not allowed; it must be an object of constants, each with "
             "value and source";
    for (auto entry = it->begin(); entry != it->end(); ++entry) {
      std::string key = name + "." + entry.key();
      if (std::string wrong = readEntry(entry.value(), key, key);
          !wrong.empty())
        return wrong;
      const json &value = entry.value().at("value");
      std::optional<double> number;
      if (value.is_number())
        number = value.get<double>();
      if (std::string wrong =
              setFittedConstant(spec, entry.key(), number, show(value));
          !wrong.empty())
        return key + ": " + wrong;
    }
    return "";
  }

  std::string_view text;
  HardwareSpec &spec;
  bool rows = true; ///< levels are rows, not flat fields
};

} // namespace

/// Reads a file and checks it with one of `checkStated` and `checkChip`.
static std::string readAndCheck(std::string_view text, HardwareSpec &spec,
                                std::string (*check)(const HardwareSpec &,
                                                     Spelling)) {
  spec = HardwareSpec();
  try {
    ChipReader reader(text, spec);
    std::string wrong = reader.read();
    return wrong.empty() ? check(spec, reader.spelling()) : wrong;
  } catch (const std::exception &error) {
    return error.what();
  }
}

std::string readUsualHardware(std::string_view text, HardwareSpec &spec) {
  return readAndCheck(text, spec, checkStated);
}

std::string readHardware(std::string_view text, HardwareSpec &spec) {
  return readAndCheck(text, spec, checkChip);
}

} // namespace swizzle
