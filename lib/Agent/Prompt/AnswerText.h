//===- AnswerText.h - Find the JSON in an answer -------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some servers ignore the schema, and models write sentences around JSON. This
// half of reading an answer finds the JSON values in a text: the whole of it,
// what stands in a fence, or objects and lists between sentences. Small slips
// that leave no doubt about what was meant (raw line ends in strings, trailing
// commas) are mended; nothing is guessed.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_AGENT_PROMPT_ANSWERTEXT_H
#define SWIZZLE_LIB_AGENT_PROMPT_ANSWERTEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace swizzle::agent {

/// Objects and lists found in an answer, in the order of the text.
struct FoundValues {
  std::vector<llvm::json::Value> values;
  /// Where each was found: its first byte, and the one behind its last.
  std::vector<std::pair<size_t, size_t>> places;
  /// Why the most promising place was not JSON; empty if nothing looked like
  /// it.
  std::string problem;
  /// A key that one of them has twice; empty if there is none.
  std::string repeatedKey;
};

/// Longest answer that is read, in bytes.
inline constexpr size_t kMaxAnswerBytes = size_t(1) << 20;
/// Deepest nesting of lists and objects; an answer needs five.
inline constexpr unsigned kMaxAnswerDepth = 32;

FoundValues findValues(llvm::StringRef text);

/// What a model thought before it answered is no part of the answer: `text`
/// behind its last "</think>". One within a JSON value is a part of a text
/// there.
llvm::StringRef dropThoughts(llvm::StringRef text);

} // namespace swizzle::agent

#endif // SWIZZLE_LIB_AGENT_PROMPT_ANSWERTEXT_H
