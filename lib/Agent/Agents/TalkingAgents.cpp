//===- TalkingAgents.cpp - Agents that are asked in words -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Command, replay and the language-model servers: each is an exchange below the
// same agent, and recording and replay go around or in place of any of them.
//
//===----------------------------------------------------------------------===//

#include "Agents.h"
#include "Chat/ChatExchange.h"
#include "Chat/Metering.h"
#include "ConversationAgent.h"
#include "Exchange/Recording.h"

#include "swizzle/Support/Hash.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace swizzle::agent {

namespace {

/// A replay costs what the recorded exchange did. What is set aside before a
/// question is estimated from its texts, not from a server's request, so that
/// near its end a budget may stop a replay elsewhere than that run.
Expected<std::unique_ptr<Exchange>> replayMetered(StringRef name,
                                                  json::Object settings,
                                                  const AgentOptions &options) {
  Expected<std::unique_ptr<Exchange>> exchange =
      replayExchange(name, std::move(settings), options);
  if (!exchange)
    return exchange.takeError();
  return meterExchange(options, std::move(*exchange));
}

/// The agent `name` over `exchange`, with recording or replay as asked.
Expected<std::unique_ptr<Agent>>
assemble(StringRef name, const AgentOptions &options,
         Expected<std::unique_ptr<Exchange>> exchange) {
  if (!exchange)
    return exchange.takeError();
  if (!options.recordPath.empty() && !options.replayPath.empty())
    return makeAgentError(AgentErrorKind::Configuration,
                          "record and replay exclude each other");
  if (!options.replayPath.empty())
    exchange = replayMetered(name, (*exchange)->settings(), options);
  else if (!options.recordPath.empty())
    exchange = recordExchange(name, options, std::move(*exchange));
  if (!exchange)
    return exchange.takeError();
  return std::make_unique<ConversationAgent>(name.str(), options,
                                             std::move(*exchange));
}

} // namespace

Expected<std::unique_ptr<Agent>> makeCommandAgent(const AgentOptions &options) {
  AgentOptions complete = options;
  if (complete.replayPath.empty()) {
    if (Error error = checkPrices("command", options))
      return std::move(error);
  } else if (complete.command.empty()) {
    // A replay runs no program.
    complete.command = "false";
  }
  Expected<std::unique_ptr<Exchange>> exchange = makeCommandExchange(complete);
  if (exchange && complete.replayPath.empty())
    exchange = meterExchange(complete, std::move(*exchange));
  return assemble("command", complete, std::move(exchange));
}

Expected<std::unique_ptr<Agent>> makeOpenAIAgent(const AgentOptions &options) {
  return assemble("openai", options,
                  makeChatExchange(makeOpenAIChat(), options));
}

Expected<std::unique_ptr<Agent>>
makeAnthropicAgent(const AgentOptions &options) {
  return assemble("anthropic", options,
                  makeChatExchange(makeAnthropicMessages(), options));
}

Expected<std::unique_ptr<Agent>> makeReplayAgent(const AgentOptions &options) {
  if (options.replayPath.empty())
    return makeAgentError(AgentErrorKind::Configuration,
                          "agent 'replay' needs a recording: replay=PATH");
  Expected<std::unique_ptr<Exchange>> exchange =
      replayMetered("", json::Object(), options);
  if (!exchange)
    return exchange.takeError();
  // Later questions quote who proposed what: under another name they would be
  // new.
  std::string author = (*exchange)->author();
  return std::make_unique<ConversationAgent>(author.empty() ? "replay" : author,
                                             options, std::move(*exchange));
}

} // namespace swizzle::agent

std::map<std::string, std::string>
swizzle::environmentOf(StringRef names, const AgentOptions &options) {
  SmallVector<StringRef> parts;
  names.split(parts, ',');
  std::map<std::string, std::string> found;
  for (auto make : {agent::makeOpenAIChat, agent::makeAnthropicMessages}) {
    std::unique_ptr<agent::ChatServer> server = make();
    if (none_of(parts,
                [&](StringRef name) { return name.trim() == server->name(); }))
      continue;
    auto add = [&](StringRef option, const std::string &given,
                   StringRef variable, auto print) {
      std::string value = options.lookUp(variable).value_or("");
      if (given.empty() && !value.empty())
        found[(option + " (" + variable + ")").str()] = print(value);
    };
    const agent::ChatDefaults &defaults = server->defaults();
    add("model", options.model, defaults.modelVariable,
        [](const std::string &text) { return text; });
    add("base-url", options.baseUrl, defaults.urlVariable, hashText);
  }
  return found;
}
