//===- PlainJson.cpp - JSON without LLVM ----------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nlohmann_json reports errors by exceptions; none leaves this file.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/PlainJson.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

using nlohmann::json;

namespace swizzle::plain {

namespace {

/// "line 3, column 7" of a byte offset; both start at 1.
std::string position(std::string_view text, size_t offset) {
  std::string_view before = text.substr(0, offset);
  size_t line = std::count(before.begin(), before.end(), '\n') + 1;
  size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

/// What follows `mark` in `text`; all of it if there is no mark.
std::string_view after(std::string_view text, std::string_view mark) {
  size_t at = text.find(mark);
  return at == text.npos ? text : text.substr(at + mark.size());
}

/// Where in a tree the parser is, and the first key that stands twice.
class Place {
public:
  void see(json::parse_event_t event, const json &parsed) {
    switch (event) {
    case json::parse_event_t::object_start:
    case json::parse_event_t::array_start:
      open.emplace_back();
      if (event == json::parse_event_t::object_start)
        open.back().object = std::make_unique<Object>();
      return;
    case json::parse_event_t::key: {
      Object &object = *open.back().object;
      object.key = parsed.get<std::string>();
      if (!object.keys.insert(object.key).second && twice.empty())
        twice = name();
      return;
    }
    case json::parse_event_t::object_end:
    case json::parse_event_t::array_end:
      open.pop_back();
      break;
    case json::parse_event_t::value:
      break;
    }
    if (!open.empty())
      ++open.back().index;
  }

  /// "levels[1].ways.value"; of what lies deep, the innermost steps.
  std::string name() const {
    constexpr size_t most = 6;
    std::string text;
    for (size_t i = open.size() - std::min(open.size(), most); i < open.size();
         ++i)
      text += open[i].object ? (text.empty() ? "" : ".") + open[i].object->key
                             : "[" + std::to_string(open[i].index) + "]";
    return text;
  }

  std::string twice;

private:
  struct Object {
    std::string key; ///< the latest one
    std::set<std::string> keys;
  };
  /// Small: a wrong file may open millions of arrays.
  struct Step {
    std::unique_ptr<Object> object; ///< none: an array
    size_t index = 0;               ///< of an array's element
  };
  std::vector<Step> open;
};

/// A number that no double can hold; the library tells its text in quotes.
std::string describeTooLarge(const Place &place, std::string_view what) {
  constexpr size_t longest = 60;
  std::string number(after(what, "'"));
  number.resize(std::min(number.size(), number.rfind('\'')));
  if (number.size() > longest)
    number = number.substr(0, longest) + "...";
  std::string name = place.name();
  return name + (name.empty() ? "" : ": ") + number +
         " is too large a number; at most 1.797e308 can be read";
}

} // namespace

std::string parse(std::string_view text, json &root) {
  Place place;
  auto callback = [&](int, json::parse_event_t event, json &parsed) {
    place.see(event, parsed);
    return true;
  };
  try {
    root = json::parse(text.begin(), text.end(), callback);
  } catch (const json::parse_error &error) {
    // The library counts the byte that it could not read from 1.
    size_t offset = error.byte ? error.byte - 1 : 0;
    std::string_view reason = after(error.what(), "] ");
    if (reason.substr(0, 11) == "parse error")
      reason = after(reason, ": ");
    return position(text, offset) + ": malformed JSON: " + std::string(reason);
  } catch (const json::out_of_range &error) {
    return describeTooLarge(place, error.what());
  } catch (const std::exception &error) {
    return std::string("malformed JSON: ") + error.what();
  }
  if (!place.twice.empty())
    return place.twice + ": given twice; each key may stand once";
  return "";
}

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

std::string print(const nlohmann::ordered_json &value) {
  return value.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string printLine(const nlohmann::ordered_json &value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

} // namespace swizzle::plain
