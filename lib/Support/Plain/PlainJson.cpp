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

} // namespace

std::string parse(std::string_view text, json &root) {
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
    // The library counts the byte that it could not read from 1.
    size_t offset = error.byte ? error.byte - 1 : 0;
    std::string_view reason = after(error.what(), "] ");
    if (reason.substr(0, 11) == "parse error")
      reason = after(reason, ": ");
    return position(text, offset) + ": malformed JSON: " + std::string(reason);
  } catch (const std::exception &error) {
    return std::string("malformed JSON: ") + error.what();
  }
  if (!twice.empty())
    return twice + ": given twice; each key may stand once";
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
