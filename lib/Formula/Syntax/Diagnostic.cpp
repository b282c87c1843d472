//===- Diagnostic.cpp - Errors that point into a formula ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formats a message with its place, and ranks names by spelling.
//
//===----------------------------------------------------------------------===//

#include "Diagnostic.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace swizzle::formula {

namespace {

/// Bytes shown on either side of the caret when a line is long.
constexpr size_t kWindow = 60;

/// The `line`-th line of `text` (from 1), without its end.
llvm::StringRef lineOf(llvm::StringRef text, uint32_t line) {
  while (--line && !text.empty())
    text = text.split('\n').second;
  return text.split('\n').first.rtrim('\r');
}

/// True for the second and later bytes of a UTF-8 sequence.
bool isContinuation(char c) { return (static_cast<uint8_t>(c) & 0xc0) == 0x80; }

} // namespace

llvm::Error errorAt(const SourceText &source, SourcePosition position,
                    const llvm::Twine &message) {
  std::string out;
  llvm::raw_string_ostream os(out);
  os << source.fileName;
  if (!position.line) {
    os << ": error: " << message;
    return llvm::createStringError(out);
  }
  os << ':' << position.line << ':' << position.column << ": error: " << message
     << '\n';

  llvm::StringRef line = lineOf(source.text, position.line);
  size_t caret = std::min<size_t>(position.column - 1, line.size());
  size_t begin = caret > kWindow ? caret - kWindow : 0;
  size_t end = std::min(line.size(), caret + kWindow);
  while (begin && isContinuation(line[begin]))
    --begin;
  while (end < line.size() && isContinuation(line[end]))
    ++end;
  os << "  " << (begin ? "..." : "");
  for (char c : line.slice(begin, end))
    os << (static_cast<uint8_t>(c) < 0x20 || c == 0x7f ? ' ' : c);
  os << (end < line.size() ? "..." : "") << "\n  " << (begin ? "   " : "");
  for (char c : line.slice(begin, caret))
    if (!isContinuation(c))
      os << ' ';
  os << '^';
  return llvm::createStringError(out);
}

std::string nearestFirst(llvm::StringRef name,
                         llvm::ArrayRef<std::string> candidates) {
  std::vector<std::pair<unsigned, size_t>> ranked;
  for (size_t i = 0; i < candidates.size(); ++i)
    ranked.push_back({name.edit_distance_insensitive(candidates[i]), i});
  llvm::sort(ranked);
  return llvm::join(
      llvm::map_range(ranked, [&](auto &r) { return candidates[r.second]; }),
      ", ");
}

std::string nearest(llvm::StringRef name,
                    llvm::ArrayRef<std::string> candidates) {
  std::string best;
  // A guess that shares no letter with the name is no help.
  unsigned bestDistance = std::min<size_t>(name.size(), name.size() / 3 + 2);
  for (const std::string &candidate : candidates) {
    unsigned distance = name.edit_distance_insensitive(candidate);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}

} // namespace swizzle::formula
