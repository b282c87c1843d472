//===- AnswerText.cpp - Find the JSON in an answer ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk over the text. At each opening bracket outside of what was found
// already, the matching closing one is looked for, with strings skipped; what
// lies between is parsed. Brackets that never close are not tried again from
// the inside: the walk that failed has seen how far they reach, and the total
// work is bounded.
//
//===----------------------------------------------------------------------===//

#include "AnswerText.h"
#include "swizzle/Support/Json.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace swizzle::agent {

/// Characters that may be walked, as a multiple of the text's length.
static constexpr size_t kWorkFactor = 8, kWorkFloor = 1 << 16;

namespace {
/// A bracketed piece of text.
struct Piece {
  size_t end = 0; ///< behind the closing bracket; 0: it does not close
  bool tooDeep = false;
};
} // namespace

/// Finds the bracket that closes the one at `start`; what is walked for it is
/// taken from `work`.
static Piece matchBracket(StringRef text, size_t start, size_t &work) {
  SmallVector<char, kMaxAnswerDepth> open;
  Piece piece;
  StringRef rest = text.drop_front(start).take_front(work);
  work -= walkOutsideStrings(rest, [&](size_t at, char c) {
    if (c == '{' || c == '[') {
      piece.tooDeep = open.size() == kMaxAnswerDepth;
      open.push_back(c == '{' ? '}' : ']');
      return !piece.tooDeep;
    }
    if (c != '}' && c != ']')
      return true;
    if (open.pop_back_val() != c)
      return false;
    if (open.empty())
      piece.end = start + at + 1;
    return !open.empty();
  });
  return piece;
}

/// Escapes control characters within strings and drops commas before a closing
/// bracket.
static std::string mend(StringRef text) {
  std::string result;
  raw_string_ostream os(result);
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      if (c == '\\' && i + 1 < text.size()) {
        os << c << text[++i];
        continue;
      }
      inString = c != '"';
      if (c == '\n')
        os << "\\n";
      else if ((unsigned char)c < 0x20)
        os << format("\\u%04x", unsigned((unsigned char)c));
      else
        os << c;
      continue;
    }
    inString = c == '"';
    if (c == ',') {
      size_t next = text.find_first_not_of(" \t\r\n", i + 1);
      if (next != StringRef::npos && (text[next] == '}' || text[next] == ']'))
        continue;
    }
    os << c;
  }
  return result;
}

FoundValues findValues(StringRef text) {
  FoundValues found;
  size_t work = std::max(kWorkFloor, text.size() * kWorkFactor);
  size_t at = 0;
  while (work) {
    at = text.find_first_of("{[", at);
    if (at == StringRef::npos)
      break;
    Piece piece = matchBracket(text, at, work);
    if (piece.tooDeep)
      found.problem = "lists and objects are nested more than " +
                      std::to_string(kMaxAnswerDepth) + " deep";
    if (!piece.end) {
      // A bracket of a sentence, or an answer that was cut off.
      if (!piece.tooDeep && found.problem.empty())
        found.problem = "a bracket is never closed";
      ++at;
      continue;
    }
    work -= std::min(work, piece.end - at);
    std::string mended = mend(text.slice(at, piece.end));
    Expected<json::Value> value = parseJson(mended);
    if (!value) {
      // "[1, 3)" in a sentence is no answer; what looks like an object is.
      std::string message = toString(value.takeError());
      if (text[at] == '{' || found.problem.empty())
        found.problem = message;
      ++at;
      continue;
    }
    if (std::optional<std::string> key = findRepeatedKey(mended))
      found.repeatedKey = std::move(*key);
    found.values.push_back(std::move(*value));
    found.places.push_back({at, piece.end});
    at = piece.end;
  }
  return found;
}

StringRef dropThoughts(StringRef text) {
  constexpr StringLiteral tag = "</think>";
  size_t at = text.rfind(tag);
  if (at == StringRef::npos)
    return text;
  FoundValues found = findValues(text);
  for (; at != StringRef::npos; at = text.take_front(at).rfind(tag))
    if (none_of(found.places, [&](std::pair<size_t, size_t> place) {
          return place.first < at && at < place.second;
        }))
      return text.drop_front(at + tag.size());
  return text;
}

} // namespace swizzle::agent
