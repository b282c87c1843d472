//===- PromptTemplate.cpp - Texts with placeholders -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pass over the lines of a text. Section marks stand alone on their line,
// so a section that is left out leaves no blank behind, and nesting is a stack.
//
//===----------------------------------------------------------------------===//

#include "PromptTemplate.h"

#include "swizzle/Agent/Prompt/Prompt.h"
#include "swizzle/Hardware/Schema.h"
#include "swizzle/Support/ReadFile.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <vector>

using namespace llvm;

namespace swizzle::agent {

namespace {
struct EmbeddedFile {
  StringLiteral name, text;
};
constexpr EmbeddedFile kFiles[] = {
#include "PromptFiles.inc"
};

/// A section that is open: its name, its line, whether its lines stay.
struct Section {
  StringRef name;
  size_t line;
  bool keep;
};
} // namespace

static std::string listFiles() {
  std::string names;
  for (const EmbeddedFile &file : kFiles)
    names += (names.empty() ? "" : ", ") + file.name.str();
  return names;
}

Expected<std::string> readPromptFile(StringRef name, StringRef directory,
                                     std::string &fileName) {
  if (!directory.empty()) {
    SmallString<128> path(directory);
    sys::path::append(path, name);
    fileName = path.str().str();
    if (sys::fs::exists(path)) {
      auto buffer = readWholeFile(path, kTextLimit);
      if (!buffer)
        return createStringError("cannot read the prompt file '" + fileName +
                                 "': " + toString(buffer.takeError()));
      return (*buffer)->getBuffer().str();
    }
  }
  fileName = ("prompts/" + name).str();
  for (const EmbeddedFile &file : kFiles)
    if (file.name == name)
      return file.text.str();
  return createStringError("there is no prompt file '" + name +
                           "'; known: " + listFiles());
}

namespace {
/// One text being filled in.
class Filler {
public:
  Filler(StringRef fileName, const std::map<std::string, std::string> &values)
      : fileName(fileName), values(values) {}

  Expected<std::string> run(StringRef text);

private:
  Error refuse(const std::string &what) const {
    return createStringError(fileName + ":" + Twine(number) + ": " + what);
  }
  Error unknown(StringRef name) const;
  /// Opens or closes a section; `mark` stands alone on its line.
  Error readMark(StringRef mark);
  Expected<std::string> fillLine(StringRef line) const;

  StringRef fileName;
  const std::map<std::string, std::string> &values;
  size_t number = 0; ///< of the line
  SmallVector<Section> open;
};
} // namespace

Error Filler::unknown(StringRef name) const {
  std::vector<std::string> names;
  std::string known;
  for (const auto &[key, value] : values) {
    names.push_back(key);
    known += (known.empty() ? "" : ", ") + key;
  }
  std::string near = nearestSpelling(name, names);
  std::string what = "unknown placeholder '" + name.str() + "'";
  if (!near.empty())
    what += "; did you mean '" + near + "'?";
  return refuse(what + (near.empty() ? "; known: " : " Known: ") + known);
}

static bool isMark(StringRef text) {
  return text.size() > 5 && text.starts_with("{{") && text.ends_with("}}") &&
         StringRef("#^/").contains(text[2]);
}

Error Filler::readMark(StringRef mark) {
  StringRef name = mark.drop_front(3).drop_back(2).trim();
  auto found = values.find(name.str());
  if (found == values.end())
    return unknown(name);
  if (mark[2] != '/') {
    bool wanted = found->second.empty() == (mark[2] == '^');
    bool outer = open.empty() || open.back().keep;
    open.push_back({name, number, wanted && outer});
    return Error::success();
  }
  if (open.empty())
    return refuse("'" + mark.str() + "' closes a section that is not open");
  if (open.back().name != name)
    return refuse("'" + mark.str() + "' meets the section '" +
                  open.back().name.str() + "', opened in line " +
                  std::to_string(open.back().line));
  open.pop_back();
  return Error::success();
}

Expected<std::string> Filler::fillLine(StringRef line) const {
  std::string filled;
  for (;;) {
    size_t start = line.find("{{");
    filled += line.take_front(start);
    if (start == StringRef::npos)
      return filled;
    size_t end = line.find("}}", start);
    if (end == StringRef::npos)
      return refuse("'{{' without '}}' in the same line");
    StringRef name = line.slice(start + 2, end).trim();
    if (!name.empty() && StringRef("#^/").contains(name[0]))
      return refuse("'{{" + name.str() + "}}' must stand alone on its line");
    auto found = values.find(name.str());
    if (found == values.end())
      return unknown(name);
    filled += found->second;
    line = line.drop_front(end + 2);
  }
}

Expected<std::string> Filler::run(StringRef text) {
  std::string result;
  while (!text.empty()) {
    ++number;
    auto [line, rest] = text.split('\n');
    bool ended = line.size() < text.size();
    text = rest;
    if (StringRef mark = line.trim(); isMark(mark)) {
      if (Error error = readMark(mark))
        return std::move(error);
      continue;
    }
    // Placeholders are read where they are left out, too, so that an error in
    // a text is found whether its section is needed or not.
    Expected<std::string> filled = fillLine(line);
    if (!filled)
      return filled.takeError();
    if (open.empty() || open.back().keep)
      result += *filled + (ended ? "\n" : "");
  }
  if (open.empty())
    return result;
  number = open.back().line;
  return refuse("the section '" + open.back().name.str() + "' is never closed");
}

Expected<std::string> fillIn(StringRef text, StringRef fileName,
                             const std::map<std::string, std::string> &values) {
  return Filler(fileName, values).run(text);
}

} // namespace swizzle::agent

Error swizzle::checkPromptDirectory(StringRef directory) {
  if (directory.empty())
    return Error::success();
  std::error_code failure;
  sys::fs::directory_iterator entry(directory, failure), end;
  std::vector<std::string> unknown;
  for (; !failure && entry != end; entry.increment(failure)) {
    StringRef name = sys::path::filename(entry->path());
    if (name.ends_with(".txt") &&
        none_of(agent::kFiles,
                [&](const agent::EmbeddedFile &f) { return f.name == name; }))
      unknown.push_back(name.str());
  }
  if (failure)
    return createStringError("cannot read the prompt folder '" + directory +
                             "': " + failure.message());
  if (unknown.empty())
    return Error::success();
  // The order of a folder's entries is not deterministic.
  sort(unknown);
  return createStringError("'" + unknown.front() + "' in the prompt folder '" +
                           directory +
                           "' replaces no text; known: " + agent::listFiles());
}
