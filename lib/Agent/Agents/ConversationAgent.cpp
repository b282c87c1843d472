//===- ConversationAgent.cpp - An agent that is asked in words ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some versions of servers that promise to follow a schema ignore it and do not
// say so. So every answer is validated here, and what the validator
// says is the second question. There is no third.
//
//===----------------------------------------------------------------------===//

#include "ConversationAgent.h"
#include "swizzle/Support/Json.h"

#include <chrono>

using namespace llvm;

namespace swizzle::agent {

namespace {

/// How much of an answer a repair turn quotes.
constexpr size_t kLongestQuote = 16 * 1024;

/// `error` with what was spent before it added.
Error addUsage(Error error, const Usage &before) {
  return handleErrors(std::move(error),
                      [&](std::unique_ptr<AgentError> failure) -> Error {
                        failure->usage += before;
                        return Error(std::move(failure));
                      });
}

/// Decoding may have put together what was none of the `secrets` before.
void redact(Answer &answer, const Secrets &secrets) {
  for (Proposal &proposal : answer.proposals) {
    for (std::string *text :
         {&proposal.formula, &proposal.critique, &proposal.limits,
          &proposal.change, &proposal.expectation})
      *text = secrets.redact(*text);
    for (ParamValues &set : proposal.params) {
      ParamValues redacted;
      for (const auto &[name, value] : set)
        redacted.emplace(secrets.redact(name), value);
      set = std::move(redacted);
    }
  }
  answer.reason = secrets.redact(answer.reason);
}

} // namespace

Expected<Answer> ConversationAgent::propose(const AgentContext &context) {
  Expected<Prompt> prompt = renderPrompt(context, promptDirectory);
  if (!prompt)
    return makeAgentError(AgentErrorKind::Configuration,
                          toString(prompt.takeError()));
  Conversation conversation{context, *prompt, std::nullopt};
  auto start = std::chrono::steady_clock::now();
  Usage usage;
  for (;;) {
    if (context.allowance.seconds) {
      std::chrono::duration<double, std::milli> spent =
          std::chrono::steady_clock::now() - start;
      double left = *context.allowance.seconds * 1e3 - spent.count();
      conversation.leftMs = int64_t(std::clamp(left, 0.0, 1e15));
      if (*conversation.leftMs == 0)
        return makeAgentError(AgentErrorKind::Timeout,
                              "the budget of seconds is spent", usage);
    }
    Expected<Reply> reply = exchange->send(conversation);
    if (!reply)
      return addUsage(reply.takeError(), usage);
    usage += reply->usage;
    // Before anybody reads it: it is proposed, shown, written and asked about.
    reply->text = secrets.redact(reply->text);
    Expected<Answer> answer = readAnswer(reply->text, context);
    if (answer) {
      redact(*answer, secrets);
      answer->usage = usage;
      return answer;
    }
    AgentErrorKind kind = AgentErrorKind::Schema;
    std::string error;
    handleAllErrors(
        answer.takeError(),
        [&](const AgentError &failure) {
          kind = failure.kind;
          error = failure.message;
        },
        [&](const ErrorInfoBase &failure) { error = failure.message(); });
    error = secrets.redact(error);
    if (kind != AgentErrorKind::Schema)
      return makeAgentError(kind, excerpt(error, 1000), usage);
    if (conversation.repair)
      return makeAgentError(AgentErrorKind::Schema,
                            "the answer cannot be used, and the repaired one "
                            "neither: " +
                                excerpt(error, 1000),
                            usage);
    Expected<std::string> text =
        renderRepair(error, prompt->schema, promptDirectory);
    if (!text)
      return makeAgentError(AgentErrorKind::Configuration,
                            toString(text.takeError()), usage);
    // What makes an answer useless stands at its beginning; the rest would only
    // cost tokens.
    reply->text.resize(std::min(reply->text.size(), kLongestQuote));
    conversation.repair =
        Repair{std::move(reply->text), std::move(error), std::move(*text)};
  }
}

} // namespace swizzle::agent
