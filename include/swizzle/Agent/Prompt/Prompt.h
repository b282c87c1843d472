//===- Prompt.h - From a context to text and back --------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Renders an `AgentContext` as the text that a language model reads, and reads
// its answer back. The wording lives in text files (prompts/*.txt), embedded at
// build time; a folder given by the user takes precedence file by file.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_AGENT_PROMPT_PROMPT_H
#define SWIZZLE_AGENT_PROMPT_PROMPT_H

#include "swizzle/Agent/Core/Agent.h"

namespace swizzle {

struct Prompt {
  std::string system, user;
  std::string schema;  ///< of the answer, JSON Schema text
  std::string picture; ///< PNG, empty if none is attached
};

/// Fails if `directory`, which may be empty, is not a folder, or holds a `.txt`
/// file that is none of ours: a misspelt file would be ignored in silence.
llvm::Error checkPromptDirectory(llvm::StringRef directory);

/// `directory`: overrides the embedded texts, may be empty. Fails on a file
/// that cannot be read or names an unknown placeholder.
llvm::Expected<Prompt> renderPrompt(const AgentContext &context,
                                    llvm::StringRef directory = "");

/// The JSON Schema that `renderPrompt` asks for; strict, with the properties in
/// the order in which they shall be written.
std::string answerSchema(const AgentContext &context);

/// What a repair turn says after an answer that could not be read; `problem` is
/// the message of `readAnswer`, `schema` that of the answer.
llvm::Expected<std::string> renderRepair(llvm::StringRef problem,
                                         llvm::StringRef schema,
                                         llvm::StringRef directory = "");

/// The mapping as PNG, for `AgentContext::picture`: as it is on the left, under
/// the best formula so far on the right. Fails if the grid is not known or too
/// large to be enumerated, or a picture cannot be written.
llvm::Expected<std::string> renderPicture(const AgentContext &context);

/// Everything that would be sent, for people: `--show-prompt`.
std::string showPrompt(const Prompt &prompt);

/// Reads an answer: JSON, also in a fence or with chatter around it. Judges the
/// shape only; formulas are parsed and proved by the loop. The error says what
/// is wrong and what would be right, in words that a repair turn can carry; its
/// kind is `Schema`, or `TooLarge` for more than a MiB. Missing prose is no
/// error, a missing formula is.
llvm::Expected<Answer> readAnswer(llvm::StringRef text,
                                  const AgentContext &context);

} // namespace swizzle

#endif // SWIZZLE_AGENT_PROMPT_PROMPT_H
