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
// given twice (which JSON libraries accept in silence), unknown keys, numbers
// without a source. nlohmann_json reports errors by exceptions; none leaves
// this file.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Hardware/Database.h"
#include "swizzle/Hardware/Schema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <nlohmann/json.hpp>
#include <set>

using namespace llvm;
using nlohmann::json;

namespace swizzle {

namespace {

/// No description comes near this; it bounds the work on a wrong file.
constexpr size_t kMaxFileBytes = size_t(1) << 20;

/// Keys that stand alone, without a source.
constexpr StringLiteral kPlainKeys[] = {
    "schema", "name", "description", "vendor", "target", "default_for_target"};
constexpr StringLiteral kFitted = "fitted";

/// A value as a message shows it: short, and never the inside of a container.
std::string show(const json &value) {
  if (value.is_object())
    return "an object";
  if (value.is_array())
    return "an array";
  constexpr size_t longest = 60;
  std::string text = value.dump(-1, ' ', /*ensure_ascii=*/true,
                                json::error_handler_t::replace);
  if (text.size() > longest)
    text = text.substr(0, longest) + "...";
  return text;
}

/// "line 3, column 7" of a byte offset; both start at 1.
std::string position(StringRef text, size_t offset) {
  StringRef before = text.take_front(offset);
  size_t line = before.count('\n') + 1;
  size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  return ("line " + Twine(line) + ", column " + Twine(column)).str();
}

/// "gfx942", "gfx90a", "gfx9-4-generic": digits of LLVM's processor names.
bool isAmdTarget(StringRef target) {
  if (!target.consume_front("gfx"))
    return false;
  auto isSmallHexDigit = [](char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f');
  };
  if (target.consume_back("-generic")) {
    SmallVector<StringRef> parts;
    target.split(parts, '-');
    return all_of(parts, [](StringRef part) {
      return !part.empty() && part.size() <= 2 && all_of(part, isDigit);
    });
  }
  // The version, and one digit each for minor version and stepping.
  return (target.size() == 3 || target.size() == 4) &&
         all_of(target, isSmallHexDigit) &&
         all_of(target.drop_back(2), isDigit);
}

/// "sm_90", "sm_90a", "sm_120f".
bool isNvidiaTarget(StringRef target) {
  if (!target.consume_front("sm_"))
    return false;
  if (!target.empty() && (target.back() == 'a' || target.back() == 'f'))
    target = target.drop_back();
  return (target.size() == 2 || target.size() == 3) && all_of(target, isDigit);
}

class ChipReader {
public:
  ChipReader(StringRef text, StringRef fileName)
      : text(text), fileName(fileName) {}

  Expected<HardwareSpec> read() {
    if (text.size() > kMaxFileBytes)
      return refuse("the file has " + Twine(text.size()) +
                    " bytes; a chip's description has at most " +
                    Twine(kMaxFileBytes));
    json root;
    if (Error error = parse(root))
      return std::move(error);
    if (!root.is_object())
      return refuse("a chip's description is one JSON object, not " +
                    show(root));
    HardwareSpec spec;
    if (Error error = readKeys(root))
      return std::move(error);
    if (Error error = readPlain(root, spec))
      return std::move(error);
    for (const ChipField &field : chipFields())
      if (Error error = readField(root, field, spec))
        return std::move(error);
    if (Error error = readFitted(root, spec))
      return std::move(error);
    if (Error error = checkChip(spec, fileName))
      return std::move(error);
    return spec;
  }

private:
  Error refuse(const Twine &what) const {
    return createStringError(Twine(fileName) + ": " + what);
  }
  Error refuse(StringRef key, const Twine &what) const {
    return refuse(Twine(key) + ": " + what);
  }

  /// Text to tree; malformed text and keys given twice are errors.
  Error parse(json &root) const {
    std::vector<std::set<std::string>> open;
    std::string twice;
    auto callback = [&](int, json::parse_event_t event, json &parsed) {
      if (event == json::parse_event_t::object_start)
        open.emplace_back();
      else if (event == json::parse_event_t::object_end)
        open.pop_back();
      else if (event == json::parse_event_t::key && twice.empty() &&
               !open.back().insert(parsed.get<std::string>()).second)
        twice = parsed.get<std::string>();
      return true;
    };
    try {
      root = json::parse(text.begin(), text.end(), callback);
    } catch (const json::parse_error &error) {
      // The library counts the byte that it stumbled over from 1.
      size_t offset = error.byte ? error.byte - 1 : 0;
      StringRef reason = error.what();
      reason = reason.substr(reason.find("] ") + 2);
      if (reason.consume_front("parse error"))
        reason = reason.substr(reason.find(": ") + 2);
      return refuse(position(text, offset) + ": malformed JSON: " + reason);
    } catch (const std::exception &error) {
      return refuse(Twine("malformed JSON: ") + error.what());
    }
    if (!twice.empty())
      return refuse(twice, "given twice; each key may stand once");
    return Error::success();
  }

  /// Refuses keys that mean nothing, lists those that are missing.
  Error readKeys(const json &root) const {
    std::vector<StringRef> known(std::begin(kPlainKeys), std::end(kPlainKeys));
    for (const ChipField &field : chipFields())
      known.push_back(field.key);
    known.push_back(kFitted);
    for (auto it = root.begin(); it != root.end(); ++it) {
      if (is_contained(known, it.key()))
        continue;
      StringRef near = nearestSpelling(it.key(), known);
      if (!near.empty())
        return refuse(it.key(), "unknown field; did you mean " + near + "?");
      return refuse(it.key(),
                    "unknown field; the fields are " + join(known, ", "));
    }
    std::vector<StringRef> missing;
    for (StringRef key : kPlainKeys)
      if (key != "default_for_target" && !root.contains(key.str()))
        missing.push_back(key);
    for (const ChipField &field : chipFields())
      if (field.required && field.key != "dispatch_chunk" &&
          !root.contains(field.key.str()))
        missing.push_back(field.key);
    if (!missing.empty())
      return refuse("missing: " + join(missing, ", "));
    return Error::success();
  }

  /// The string at `key`; must not be empty.
  Error readString(const json &root, StringRef key, std::string &out,
                   StringRef allowed) const {
    const json &value = root.at(key.str());
    if (!value.is_string() || value.get_ref<const std::string &>().empty())
      return refuse(key,
                    show(value) + " is not allowed; it must be " + allowed);
    out = value.get<std::string>();
    return Error::success();
  }

  Error readPlain(const json &root, HardwareSpec &spec) const {
    std::string schema;
    std::string allowed = ("\"" + kChipSchema + "\"").str();
    if (Error error = readString(root, "schema", schema, allowed))
      return error;
    if (schema != kChipSchema)
      return refuse("schema", show(schema) +
                                  " is not allowed; this version reads " +
                                  allowed);
    constexpr StringLiteral names =
        "a word of small letters, digits, '-', '_' and '.'";
    if (Error error = readString(root, "name", spec.name, names))
      return error;
    auto isNameChar = [](char c) {
      return isLower(c) || isDigit(c) || c == '-' || c == '_' || c == '.';
    };
    if (!all_of(spec.name, isNameChar) || spec.name == "native")
      return refuse("name", show(spec.name) + " is not allowed; it must be " +
                                names + ", and not \"native\"");
    if (Error error =
            readString(root, "description", spec.description, "a line of text"))
      return error;
    constexpr StringLiteral vendors = "\"amd\", \"nvidia\" or \"other\"";
    if (Error error = readString(root, "vendor", spec.vendor, vendors))
      return error;
    if (spec.vendor != "amd" && spec.vendor != "nvidia" &&
        spec.vendor != "other")
      return refuse("vendor", show(spec.vendor) +
                                  " is not allowed; it must be " + vendors);
    if (Error error = readString(root, "target", spec.target,
                                 "a compiler target such as \"gfx942\""))
      return error;
    if (Error error = checkTarget(spec))
      return error;
    if (auto it = root.find("default_for_target"); it != root.end()) {
      if (!it->is_boolean())
        return refuse("default_for_target",
                      show(*it) + " is not allowed; it must be true or false");
      spec.defaultForTarget = it->get<bool>();
    }
    return Error::success();
  }

  /// The form of the target's name. Whether a back end knows it is found out
  /// where something is compiled.
  Error checkTarget(const HardwareSpec &spec) const {
    constexpr StringLiteral amd =
        "gfx and digits as LLVM names the processor, such as \"gfx942\" or "
        "\"gfx90a\"";
    constexpr StringLiteral nvidia =
        "sm_ and digits, such as \"sm_90\" or \"sm_90a\"";
    StringRef target = spec.target;
    auto refuseTarget = [&](const Twine &allowed) {
      return refuse("target",
                    show(spec.target) + " is not allowed for vendor " +
                        show(spec.vendor) + "; it must be " + allowed);
    };
    if (spec.vendor == "amd")
      return isAmdTarget(target) ? Error::success() : refuseTarget(amd);
    if (spec.vendor == "nvidia")
      return isNvidiaTarget(target) ? Error::success() : refuseTarget(nvidia);
    // Names of yet other back ends are theirs to judge.
    if ((target.starts_with("gfx") && !isAmdTarget(target)) ||
        (target.starts_with("sm_") && !isNvidiaTarget(target)))
      return refuseTarget(amd + ", or " + nvidia);
    return Error::success();
  }

  /// The text at `key` of the object that describes `field`.
  Error readNote(const json &entry, StringRef field, StringRef key,
                 std::string &out) const {
    auto it = entry.find(key.str());
    if (it == entry.end() || !it->is_string() ||
        it->get_ref<const std::string &>().empty())
      return refuse(field,
                    key == "source"
                        ? "has no source; add \"source\": where the "
                          "number comes from"
                        : "is null without a reason; add \"reason\": why "
                          "the number is unknown");
    out = it->get<std::string>();
    return Error::success();
  }

  /// Checks the shape {"value": V, "source": S} or {"value": null, "reason": R}
  /// and fills in the note.
  Error readEntry(const json &entry, StringRef field, std::string &note) const {
    if (!entry.is_object())
      return refuse(field, show(entry) + " stands alone; write {\"value\": " +
                               (entry.is_primitive() ? show(entry) : "...") +
                               ", \"source\": \"where it comes from\"}");
    auto value = entry.find("value");
    if (value == entry.end())
      return refuse(field, "has no \"value\"");
    StringRef noteKey = value->is_null() ? "reason" : "source";
    for (auto it = entry.begin(); it != entry.end(); ++it)
      if (it.key() != "value" && it.key() != noteKey)
        return refuse(field, "unknown key \"" + it.key() +
                                 "\"; allowed here are \"value\" and \"" +
                                 noteKey + "\"");
    return readNote(entry, field, noteKey, note);
  }

  /// JSON value to the value that the schema checks.
  Error readValue(const json &value, const ChipField &field,
                  FieldValue &out) const {
    if (value.is_string()) {
      out = value.get<std::string>();
      return Error::success();
    }
    bool tooLarge = value.is_number_unsigned() &&
                    value.get<uint64_t>() > uint64_t(INT64_MAX);
    if (value.is_number_integer() && !tooLarge) {
      out = value.get<int64_t>();
      return Error::success();
    }
    if (value.is_number_float()) {
      out = value.get<double>();
      return Error::success();
    }
    return refuse(field.key, show(value) + " is not allowed; it must be " +
                                 describeAllowed(field) + " (" + field.meaning +
                                 ")");
  }

  Error readField(const json &root, const ChipField &field,
                  HardwareSpec &spec) const {
    auto it = root.find(field.key.str());
    if (it == root.end())
      return Error::success();
    std::string note;
    if (Error error = readEntry(*it, field.key, note))
      return error;
    const json &value = it->at("value");
    if (value.is_null()) {
      if (field.required)
        return refuse(field.key, "null is not allowed; it must be " +
                                     describeAllowed(field) + " (" +
                                     field.meaning + ")");
      // A last-level cache of unknown size is there all the same.
      if (field.key == "llc_bytes")
        spec.llc.emplace();
      spec.sources[field.key.str()] = "unknown: " + note;
      return Error::success();
    }
    spec.sources[field.key.str()] = note;
    FieldValue checked;
    if (Error error = readValue(value, field, checked))
      return error;
    return setChipField(spec, field, checked, fileName);
  }

  Error readFitted(const json &root, HardwareSpec &spec) const {
    auto it = root.find(kFitted.str());
    if (it == root.end())
      return Error::success();
    if (!it->is_object())
      return refuse(kFitted, show(*it) +
                                 " is not allowed; it must be an object "
                                 "of constants, each with value and source");
    for (auto entry = it->begin(); entry != it->end(); ++entry) {
      std::string key = (kFitted + "." + entry.key()).str();
      std::string note;
      if (Error error = readEntry(entry.value(), key, note))
        return error;
      const json &value = entry.value().at("value");
      if (!value.is_number())
        return refuse(key,
                      show(value) + " is not allowed; it must be a number");
      spec.fitted[entry.key()] = value.get<double>();
      spec.sources[key] = note;
    }
    return Error::success();
  }

  StringRef text;
  StringRef fileName;
};

} // namespace

Expected<HardwareSpec> parseChip(StringRef text, StringRef fileName) {
  try {
    return ChipReader(text, fileName).read();
  } catch (const std::exception &error) {
    return createStringError(Twine(fileName) + ": " + error.what());
  }
}

Expected<HardwareSpec> readChipFile(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return createStringError(
        Twine(path) + ": cannot be read: " + buffer.getError().message());
  return parseChip((*buffer)->getBuffer(), path);
}

} // namespace swizzle
