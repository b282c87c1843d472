//===- ConversationAgent.h - An agent that is asked in words ----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Language models and commands: renders the prompt, sends it, reads the answer,
// and gives one repair turn to an answer that does not fit the schema. Who
// answers is an `Exchange`.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_AGENT_AGENTS_CONVERSATIONAGENT_H
#define SWIZZLE_LIB_AGENT_AGENTS_CONVERSATIONAGENT_H

#include "Exchange/Exchange.h"

namespace swizzle::agent {

class ConversationAgent : public Agent {
public:
  ConversationAgent(std::string name, const AgentOptions &options,
                    std::unique_ptr<Exchange> exchange)
      : agentName(std::move(name)), promptDirectory(options.promptDirectory),
        secrets(findSecrets(options)), exchange(std::move(exchange)) {}

  std::string name() const override { return agentName; }
  llvm::Expected<Answer> propose(const AgentContext &context) override;

private:
  std::string agentName, promptDirectory;
  Secrets secrets;
  std::unique_ptr<Exchange> exchange;
};

} // namespace swizzle::agent

#endif // SWIZZLE_LIB_AGENT_AGENTS_CONVERSATIONAGENT_H
