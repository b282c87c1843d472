//===- Agent.h - Who proposes formulas -------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one interface between the loop and whoever has ideas: the planner, a
// language model, a person, a database. An agent is never trusted: what it
// proposes is text, parsed and proved by the loop.
//
//   std::unique_ptr<Agent> agent = makePlannerAgent();
//   Expected<Answer> answer = agent->propose(context); // kernel, chip, history
//   answer->proposals[0].formula                        // "... return ..., y"
//   answer->finished                                    // true: has no more
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_AGENT_CORE_AGENT_H
#define SWIZZLE_AGENT_CORE_AGENT_H

#include "swizzle/Agent/Core/Context.h"
#include "swizzle/Records/Answer.h"

namespace swizzle {

class AgentError : public llvm::ErrorInfo<AgentError> {
public:
  static char ID;

  AgentError(AgentErrorKind kind, std::string message, Usage usage = {})
      : kind(kind), message(std::move(message)), usage(usage) {}

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  AgentErrorKind kind;
  /// One sentence: what happened, where, what would help. Never a credential.
  std::string message;
  Usage usage; ///< what was spent all the same
};

/// What stands behind an agent's answer, which decides how it is used.
enum class AgentRole : uint8_t {
  Proposes,  ///< ideas: the loop measures them and tells what came of them
  Searches,  ///< a search of its own: asked alone, its answer is taken
  Remembers, ///< a record: its answer is taken, and on a miss others are asked
};

class Agent {
public:
  virtual ~Agent();

  virtual AgentRole role() const { return AgentRole::Proposes; }

  /// As it is called in `agent=`, in reports and journals: "planner", "openai".
  virtual std::string name() const = 0;

  /// Proposes up to `context.proposals` formulas, best first. Fails with an
  /// `AgentError`.
  virtual llvm::Expected<Answer> propose(const AgentContext &context) = 0;
};

} // namespace swizzle

#endif // SWIZZLE_AGENT_CORE_AGENT_H
