//===- Options.h - Agents by name -------------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How agents are chosen and set up: `agent=planner,openai`, and one plain
// struct with everything that any of them can be told. The pass and the tuner
// expose the same options under the same names, from the table below.
//
// A key is never an option: options travel through command lines, process lists
// and journals. What is an option is the name of the environment variable that
// holds it.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_AGENT_CORE_OPTIONS_H
#define SWIZZLE_AGENT_CORE_OPTIONS_H

#include "swizzle/Agent/Core/Agent.h"
#include "swizzle/Agent/Core/Clock.h"
#include "swizzle/Agent/Core/Ledger.h"
#include "swizzle/Support/Secrets.h"
#include <atomic>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>

namespace swizzle {

/// What a language-model server is asked to do about the shape of the answer.
/// It is validated here all the same.
enum class StructuredOutput : uint8_t {
  Schema, ///< to follow the answer's JSON schema
  Json,   ///< to write JSON of any shape
  None,   ///< nothing; for servers that refuse a request that asks
};

/// Looks an environment variable up; nullopt if it is not set.
using EnvironmentFunction =
    std::function<std::optional<std::string>(llvm::StringRef)>;

struct AgentOptions {
  /// \name A language model's server
  /// Empty: the dialect's environment variable (`OPENAI_BASE_URL`,
  /// `OPENAI_MODEL`, `ANTHROPIC_BASE_URL`, ...), and after that, of the URL,
  /// its maker's own.
  /// @{
  std::string baseUrl, model;
  /// Name of the environment variable that holds the key; empty: the dialect's
  /// (`OPENAI_API_KEY`, `ANTHROPIC_API_KEY`).
  std::string keyVariable;
  std::optional<double> temperature; ///< sent only if set
  int64_t answerTokens = 8192;       ///< of one answer
  /// `max_tokens` or `max_completion_tokens`; empty: the second for OpenAI's
  /// own server, the first for any other.
  std::string answerTokensField;
  StructuredOutput structuredOutput = StructuredOutput::Schema;
  /// A JSON object whose members are added to the request, for what one model
  /// or server wants: `{"reasoning_effort": "low"}`.
  std::string extraBody;
  /// @}

  /// \name Limits
  /// @{
  int64_t connectTimeoutMs = 5000;
  /// Longest time in which next to nothing arrives. Answers are not streamed,
  /// so this covers the model's thinking.
  int64_t idleTimeoutMs = 300 * 1000;
  /// For one question: all attempts and the waits between them together. Also
  /// for one run of a command.
  int64_t totalTimeoutMs = 900 * 1000;
  int64_t maxBodyBytes = 8 << 20; ///< of a server's or a command's answer
  unsigned retries = 4;           ///< after the first attempt
  uint64_t seed = 0;              ///< of the jitter between attempts
  /// Per million tokens, in any currency; 0: not counted.
  double inputPrice = 0, outputPrice = 0;
  int64_t tokenBudget = 0; ///< of all agents together; 0: none
  double moneyBudget = 0;  ///< of all agents together; 0: none
  /// @}

  std::string promptDirectory; ///< texts that replace the embedded ones
  bool attachPicture = false;  ///< the mapping as PNG

  /// JSONL file (`*.jsonl`) or folder that exchanges are written to, or taken
  /// from instead of asking anybody. At most one of the two.
  std::string recordPath, replayPath;

  std::string command; ///< of `agent=command`, for `/bin/sh -c`

  std::string database;              ///< file of `agent=database`
  std::string databaseMiss = "keep"; ///< keep, planner, error

  /// \name Not options: what the caller provides
  /// @{
  /// Set from elsewhere (a signal handler) to make a running request end soon.
  const std::atomic<bool> *cancel = nullptr;
  /// Shared by agents that draw on one budget; null: a new one with
  /// `tokenBudget` and `moneyBudget`.
  std::shared_ptr<Ledger> ledger;
  std::shared_ptr<Clock> clock;             ///< null: the real one
  EnvironmentFunction environment;          ///< null: the process's
  std::istream *humanInput = nullptr;       ///< null: standard input
  llvm::raw_ostream *humanOutput = nullptr; ///< null: standard error
  /// @}

  /// The variable's value, from `environment` or the process.
  std::optional<std::string> lookUp(llvm::StringRef variable) const;
};

/// What nobody shall read: the keys of all servers, and of
/// `options.keyVariable`, that are set, the values in the queries of their
/// URLs, and the texts of `options.extraBody` that may be keys.
Secrets findSecrets(const AgentOptions &options);

/// One option as the pass and the tuner expose it.
struct AgentOptionInfo {
  llvm::StringRef name;    ///< "base-url"
  llvm::StringRef operand; ///< "URL"
  llvm::StringRef help;
};
llvm::ArrayRef<AgentOptionInfo> agentOptionInfos();

/// Sets the option called `name` from text. The error says what would be right.
llvm::Error setAgentOption(AgentOptions &options, llvm::StringRef name,
                           llvm::StringRef value);

struct AgentInfo {
  llvm::StringRef name, summary;
  bool converses = false; ///< it asks questions that can be recorded
};
/// Every agent that can be asked for, in the order in which help lists them.
llvm::ArrayRef<AgentInfo> agentInfos();

/// Fails as `makeAgent` does if one of a comma-separated list is no agent.
llvm::Error checkAgentNames(llvm::StringRef names);

/// What the agents of a comma-separated list take from the environment where
/// `options` do not say it, by name: "model (OPENAI_MODEL)", and of a base URL,
/// which may hold a password, a hash.
std::map<std::string, std::string> environmentOf(llvm::StringRef names,
                                                 const AgentOptions &options);

/// Makes one agent. Fails with an `AgentError` (Configuration) if there is no
/// such agent, naming those that there are, or if it lacks what it needs: a
/// model, a key, a command.
llvm::Expected<std::unique_ptr<Agent>> makeAgent(llvm::StringRef name,
                                                 const AgentOptions &options);

/// Makes the agents of a comma-separated list, in its order; they share one
/// ledger. Fails, too, if a recording is asked for and none of them converses.
llvm::Expected<std::vector<std::unique_ptr<Agent>>>
makeAgents(llvm::StringRef names, const AgentOptions &options);

} // namespace swizzle

#endif // SWIZZLE_AGENT_CORE_OPTIONS_H
