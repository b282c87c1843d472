//===- Config.h - One file about agents -------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything about agents, servers, budgets and recordings that is not typed
// every day stands in one JSON file, which the pass (`agent-config=FILE`) and
// `swizzle-tune --config=FILE` read alike; options override single fields.
// docs/reference/AgentConfig.md lists the keys; secrets are none of them.
//
//   {"schema": "swizzle-agents/1", "agent": "openai", "model": "qwen3:32b",
//    "base-url": "http://localhost:11434/v1", "rounds": 6, "retries": 2}
//
//   TuningConfig config;
//   readConfigFile("agents.json", config)      config.tuning.rounds == 6
//   setConfigField(config, "rounds", "7")      as an option does
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TUNING_CONFIG_H
#define SWIZZLE_TUNING_CONFIG_H

#include "swizzle/Agent/Core/Options.h"
#include "swizzle/Tuning/Tuner.h"

namespace swizzle {

/// The version of the file format, value of the key `schema`.
inline constexpr llvm::StringLiteral kAgentsSchema = "swizzle-agents/1";

struct TuningConfig {
  std::string agents = "planner"; ///< names, in turns
  std::vector<std::string> notes; ///< about former names that were used
  AgentOptions agent;
  Briefing briefing;
  std::string manualFile; ///< that `briefing.manual` was read from
  TuningOptions tuning;
};

/// What a field holds in JSON.
enum class ConfigKind : uint8_t { Text, Number, Flag, Object };

struct ConfigField {
  llvm::StringRef name;    ///< "base-url", in the file and as an option
  llvm::StringRef operand; ///< "URL"
  llvm::StringRef help;    ///< one sentence
  ConfigKind kind;
};

/// Fields that had another name once, which is still understood.
struct FormerName {
  llvm::StringLiteral former, current;
};
llvm::ArrayRef<FormerName> formerNames();

/// What `name` is called now, if it is a former name; else `name`.
llvm::StringRef currentName(llvm::StringRef name);

/// All fields, those of the loop first, then those of the agents.
std::vector<ConfigField> configFields();

/// Sets the field called `name` from text. The error says what would be right.
llvm::Error setConfigField(TuningConfig &config, llvm::StringRef name,
                           llvm::StringRef value);

/// The fields that stand in a file, by name, as options would give them.
using ConfigTexts = std::map<std::string, std::string>;

/// Reads JSON `text`; `fileName` is for messages. Unknown keys, values of the
/// wrong kind and a missing schema are errors; nothing is set then.
llvm::Expected<ConfigTexts> parseConfig(llvm::StringRef text,
                                        llvm::StringRef fileName);

/// Sets the fields that the file at `path` holds, and returns them.
llvm::Expected<ConfigTexts> readConfigFile(llvm::StringRef path,
                                           TuningConfig &config);

/// The reference page, in Markdown.
std::string printConfigReference();

} // namespace swizzle

#endif // SWIZZLE_TUNING_CONFIG_H
