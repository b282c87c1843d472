//===- Agents.h - How each agent is made ------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function for each agent that the registry lists. A new one is a function
// here and a line there.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_AGENT_AGENTS_AGENTS_H
#define SWIZZLE_LIB_AGENT_AGENTS_AGENTS_H

#include "swizzle/Agent/Core/Options.h"

namespace swizzle::agent {

using MakeAgent = llvm::Expected<std::unique_ptr<Agent>>(const AgentOptions &);

MakeAgent makeCommandAgent;
MakeAgent makeOpenAIAgent;
MakeAgent makeAnthropicAgent;
MakeAgent makeReplayAgent;
MakeAgent makeHumanAgent;

} // namespace swizzle::agent

#endif // SWIZZLE_LIB_AGENT_AGENTS_AGENTS_H
