//===- Json.cpp - Reading untrusted JSON ----------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A check of the nesting before LLVM's reader runs, and shorthands.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/Json.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <map>

using namespace llvm;

namespace swizzle {

namespace {

/// No format read here nests deeper; the stack has room for much more.
constexpr unsigned kMaxDepth = 100;

void write(json::OStream &os, const json::Value &value, StringRef schema) {
  if (const json::Array *array = value.getAsArray()) {
    os.array([&] {
      for (const json::Value &element : *array)
        write(os, element, schema);
    });
    return;
  }
  const json::Object *object = value.getAsObject();
  if (!object) {
    os.value(value);
    return;
  }
  std::map<StringRef, const json::Value *> members;
  for (const auto &[name, member] : *object)
    members[name] = &member;
  os.object([&] {
    for (const auto &[name, member] : members) {
      os.attributeBegin(name);
      if ((name == "schema" || name == "answer_schema") &&
          member->kind() == json::Value::Null)
        os.rawValue(schema);
      else
        write(os, *member, schema);
      os.attributeEnd();
    }
  });
}

} // namespace

size_t walkOutsideStrings(StringRef text,
                          function_ref<bool(size_t, char)> visit) {
  bool inString = false;
  size_t at = 0;
  for (; at < text.size(); ++at) {
    char c = text[at];
    if (inString && c == '\\')
      ++at;
    else if (c == '"')
      inString = !inString;
    else if (!inString && !visit(at, c))
      break;
  }
  return std::min(at, text.size());
}

bool isTooDeep(StringRef text, unsigned most) {
  unsigned depth = 0;
  walkOutsideStrings(text, [&](size_t, char c) {
    if (c == '[' || c == '{')
      return ++depth <= most;
    if ((c == ']' || c == '}') && depth)
      --depth;
    return true;
  });
  return depth > most;
}

std::optional<std::string> findRepeatedKey(StringRef text) {
  std::vector<StringSet<>> objects;
  std::optional<std::string> repeated;
  size_t after = 0; // the last character that is no space
  walkOutsideStrings(text, [&](size_t at, char c) {
    if (c == '{')
      objects.emplace_back();
    else if (c == '}' && !objects.empty())
      objects.pop_back();
    StringRef key = text.slice(after, at).trim();
    if (c == ':' && !objects.empty() && !objects.back().insert(key).second)
      repeated = key.drop_front().drop_back().str();
    if (!isSpace(c))
      after = at + 1;
    return !repeated;
  });
  return repeated;
}

Expected<json::Value> parseJson(StringRef text) {
  if (isTooDeep(text, kMaxDepth))
    return createStringError("nested deeper than " + Twine(kMaxDepth) +
                             " levels");
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return createStringError(excerpt(toString(value.takeError())));
  return value;
}

Expected<json::Value> parseStrictJson(StringRef text) {
  Expected<json::Value> value = parseJson(text);
  if (!value)
    return value.takeError();
  if (std::optional<std::string> key = findRepeatedKey(text))
    return createStringError("the key '" + excerpt(*key, 60) +
                             "' stands twice in one object");
  return value;
}

json::Value splitLines(StringRef text) {
  json::Array lines;
  SmallVector<StringRef> parts;
  text.split(parts, '\n');
  for (StringRef part : parts)
    lines.push_back(json::fixUTF8(part));
  return lines;
}

std::optional<std::string> joinLines(const json::Value *lines) {
  const json::Array *array = lines ? lines->getAsArray() : nullptr;
  if (!array)
    return std::nullopt;
  std::string text;
  bool first = true;
  for (const json::Value &line : *array) {
    std::optional<StringRef> part = line.getAsString();
    if (!part)
      return std::nullopt;
    if (!first)
      text += '\n';
    first = false;
    text += *part;
  }
  return text;
}

std::string toText(const json::Value &value) {
  std::string text;
  raw_string_ostream(text) << value;
  return text;
}

std::string toText(const json::Value &value, StringRef schema) {
  // In one line: no string of JSON has a line end inside.
  std::string line;
  while (!schema.empty()) {
    auto [head, rest] = schema.split('\n');
    line += head.ltrim();
    schema = rest;
  }
  std::string text;
  raw_string_ostream stream(text);
  json::OStream os(stream);
  write(os, value, line.empty() ? "null" : StringRef(line));
  return text;
}

std::string excerpt(StringRef text, size_t limit) {
  bool cut = text.size() > limit;
  std::string line = json::fixUTF8(text.take_front(limit).trim());
  for (char &c : line)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = ' ';
  return cut ? line + "..." : line;
}

} // namespace swizzle
