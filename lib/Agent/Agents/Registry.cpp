//===- Registry.cpp - Agents by name --------------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The list of all agents. `agent=a,b` names some of them; they take turns.
//
//===----------------------------------------------------------------------===//

#include "Agents.h"
#include "Exchange/Exchange.h"

#include "swizzle/Agent/Agents/DatabaseAgent.h"
#include "swizzle/Agent/Agents/NeighbourAgent.h"
#include "swizzle/Agent/Agents/PlannerAgent.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace swizzle {

using namespace agent;

namespace {

Expected<std::unique_ptr<Agent>> makePlanner(const AgentOptions &) {
  return makePlannerAgent();
}

Expected<std::unique_ptr<Agent>> makeNeighbours(const AgentOptions &) {
  return makeNeighbourAgent();
}

Expected<std::unique_ptr<Agent>> makeDatabase(const AgentOptions &options) {
  if (options.database.empty())
    return makeAgentError(AgentErrorKind::Configuration,
                          "the agent 'database' needs a file: option "
                          "'database'");
  OnMiss onMiss = options.databaseMiss == "planner" ? OnMiss::Planner
                  : options.databaseMiss == "error" ? OnMiss::Error
                                                    : OnMiss::Keep;
  return makeDatabaseAgent(options.database, onMiss,
                           onMiss == OnMiss::Planner ? makePlannerAgent()
                                                     : nullptr);
}

/// In step with `kMakers`.
constexpr AgentInfo kAgents[] = {
    {"planner", "the built-in search: offline, deterministic"},
    {"neighbours",
     "goes on from the fastest attempts: other shapes, and orders "
     "near them"},
    {"database", "what was found before, from a tuning database"},
    {"command", "any program: JSON request on stdin, JSON answer on stdout",
     true},
    {"openai",
     "a server of OpenAI's Chat Completions, also llama.cpp, vLLM, "
     "Ollama and gateways",
     true},
    {"anthropic", "a server of Anthropic's Messages", true},
    {"replay", "answers that were recorded"},
    {"human", "a person at the terminal"},
};

MakeAgent *const kMakers[] = {
    makePlanner,     makeNeighbours,     makeDatabase,    makeCommandAgent,
    makeOpenAIAgent, makeAnthropicAgent, makeReplayAgent, makeHumanAgent,
};
static_assert(std::size(kAgents) == std::size(kMakers));

/// A recording of which nobody would notice that it is not there.
Error checkRecording(ArrayRef<StringRef> names, const AgentOptions &options) {
  bool isRecorded = !options.recordPath.empty();
  if (!isRecorded && options.replayPath.empty())
    return Error::success();
  std::vector<StringRef> able;
  for (const AgentInfo &info : kAgents)
    if (info.converses || (!isRecorded && info.name == "replay"))
      able.push_back(info.name);
  if (any_of(names, [&](StringRef name) { return is_contained(able, name); }))
    return Error::success();
  return makeAgentError(AgentErrorKind::Configuration,
                        Twine(isRecorded ? "record" : "replay") +
                            ": no agent of '" + join(names, ",") +
                            "' asks anybody anything; it is for " +
                            join(able, ", "));
}

std::string describeUnknown(StringRef name) {
  auto names =
      map_range(kAgents, [](const AgentInfo &info) { return info.name; });
  return "there is no agent '" + name.str() +
         "'; available: " + join(names, ", ");
}

} // namespace

ArrayRef<AgentInfo> agentInfos() { return kAgents; }

Expected<std::unique_ptr<Agent>> makeAgent(StringRef name,
                                           const AgentOptions &options) {
  name = name.trim();
  for (auto [info, make] : zip_equal(kAgents, kMakers)) {
    if (info.name != name)
      continue;
    AgentOptions complete = options;
    if (!complete.ledger)
      complete.ledger =
          std::make_shared<Ledger>(options.tokenBudget, options.moneyBudget);
    if (!complete.clock)
      complete.clock = makeSystemClock();
    return make(complete);
  }
  return makeAgentError(AgentErrorKind::Configuration, describeUnknown(name));
}

Error checkAgentNames(StringRef names) {
  SmallVector<StringRef> parts;
  names.split(parts, ',');
  for (StringRef part : parts)
    if (none_of(kAgents, [&](const AgentInfo &info) {
          return info.name == part.trim();
        }))
      return makeAgentError(AgentErrorKind::Configuration,
                            describeUnknown(part.trim()));
  return Error::success();
}

Expected<std::vector<std::unique_ptr<Agent>>>
makeAgents(StringRef names, const AgentOptions &options) {
  AgentOptions shared = options;
  if (!shared.ledger)
    shared.ledger =
        std::make_shared<Ledger>(options.tokenBudget, options.moneyBudget);
  std::vector<std::unique_ptr<Agent>> agents;
  SmallVector<StringRef> parts;
  names.split(parts, ',');
  for (StringRef &part : parts)
    part = part.trim();
  if (Error error = checkAgentNames(names))
    return std::move(error);
  if (Error error = checkRecording(parts, shared))
    return std::move(error);
  if (Error error = checkPromptDirectory(options.promptDirectory))
    return makeAgentError(AgentErrorKind::Configuration,
                          toString(std::move(error)));
  for (StringRef part : parts) {
    Expected<std::unique_ptr<Agent>> agent = makeAgent(part, shared);
    if (!agent)
      return agent.takeError();
    agents.push_back(std::move(*agent));
  }
  return agents;
}

} // namespace swizzle
