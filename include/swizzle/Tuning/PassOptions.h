//===- PassOptions.h - The options of a pass that plans ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What people type for a planning pass, whatever IR it runs on, read and
// checked in one place.
//
//   PassOptionTexts texts;
//   texts.agent = "openai";  texts.agentConfig = "agents.json";
//   Expected<PassOptions> options = readPassOptions(texts);
//   options->planning.advisers    the loop with one agent
//   options->warnings             "there is no tuning database 'x.jsonl': ..."
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TUNING_PASSOPTIONS_H
#define SWIZZLE_TUNING_PASSOPTIONS_H

#include "swizzle/Planning/Planning.h"

namespace swizzle {

/// As they were typed; empty: not given. docs/reference/Passes.md explains each.
struct PassOptionTexts {
  std::string formula, formulaFile;
  std::string agent, model, baseUrl, command, database, rounds, agentConfig;
  std::string onFailure = "keep";
  std::string simulate, maxSeconds;
  std::string grid, block;
  std::string report; ///< path; not written here
  bool strict = false;
};

struct PassOptions {
  PlanningOptions planning;
  std::optional<Grid> grid, block;
  std::vector<std::string> warnings; ///< said once a run
};

/// Reads files and makes agents as the options say. Agents that cannot be made
/// are an error only if `onFailure` is "error".
llvm::Expected<PassOptions> readPassOptions(const PassOptionTexts &texts);

/// The message of an option parser, "no such option retries", with what became
/// of the option if it is a key of the file of agents.
std::string explainMovedOption(llvm::StringRef message);

} // namespace swizzle

#endif // SWIZZLE_TUNING_PASSOPTIONS_H
