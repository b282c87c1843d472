//===- Exchange.h - One question, one answer --------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What lies between an agent that talks (to a language model, to a program) and
// whoever answers: a conversation goes in, text comes out. Recording and replay
// are exchanges too, around or instead of a real one, so that they work alike
// for every agent.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_AGENT_EXCHANGE_EXCHANGE_H
#define SWIZZLE_LIB_AGENT_EXCHANGE_EXCHANGE_H

#include "swizzle/Agent/Core/Options.h"
#include "swizzle/Agent/Prompt/Prompt.h"
#include "llvm/Support/JSON.h"
#include <algorithm>

namespace swizzle::agent {

/// What the second turn of a conversation carries: the answer that could not be
/// used, why, and how that is put to a language model.
struct Repair {
  std::string answer, error, text;
};

struct Conversation {
  const AgentContext &context;
  const Prompt &prompt;
  std::optional<Repair> repair;
  /// What the budget of seconds leaves for the answer; nullopt: no limit.
  std::optional<int64_t> leftMs = std::nullopt;

  /// Milliseconds that the answer may take where `most` is the longest; 0: no
  /// limit.
  int64_t answerMs(int64_t most) const {
    if (!leftMs)
      return most;
    return std::max<int64_t>(1, most ? std::min(*leftMs, most) : *leftMs);
  }

  /// The option that `answerMs(most)` comes from, for messages.
  llvm::StringRef answerLimit(int64_t most) const {
    return leftMs && (!most || *leftMs < most) ? "max-seconds"
                                               : "total-timeout-ms";
  }
};

struct Reply {
  std::string text;
  Usage usage;
};

class Exchange {
public:
  virtual ~Exchange();

  /// Fails with an `AgentError` whose `usage` says what was spent all the same.
  virtual llvm::Expected<Reply> send(const Conversation &conversation) = 0;

  /// What of its set-up changes the answer: model, temperature. Part of the key
  /// of a recording; never a credential, a URL or a path.
  virtual llvm::json::Object settings() const { return {}; }

  /// The agent that gave these answers once, if they are replayed and it was
  /// one: later questions name it. Empty otherwise.
  virtual std::string author() const { return {}; }
};

/// The command of `options`, or an error that asks for one.
llvm::Expected<std::unique_ptr<Exchange>>
makeCommandExchange(const AgentOptions &options);

/// The JSON that a command reads, schema `swizzle-request/1`: the prompt's
/// texts, the answer's schema (null here: `toText` puts its text in), the
/// repair turn if this is one, and the context as plain data.
llvm::json::Object toRequestJson(const Conversation &conversation);

/// An `AgentError` as `llvm::Error`.
llvm::Error makeAgentError(AgentErrorKind kind, const llvm::Twine &message,
                           Usage usage = {});

} // namespace swizzle::agent

#endif // SWIZZLE_LIB_AGENT_EXCHANGE_EXCHANGE_H
