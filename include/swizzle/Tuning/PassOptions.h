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
#include "swizzle/Support/FileRoles.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace swizzle {

/// As they were typed; empty: not given. docs/reference/Passes.md explains
/// each.
struct PassOptionTexts {
  std::string formula, formulaFile;
  std::string agent, model, baseUrl, command, database, rounds, agentConfig;
  std::string onFailure, simulate, maxSeconds;
  std::string grid, block, registers, dynamicWorkgroupBytes;
  std::string report, hardwareFile; ///< paths; not opened here
  bool strict = false;
};

/// Whether files may be used in these roles; `checkDistinct`, or what a host
/// has to say beyond.
using FileCheck = llvm::function_ref<llvm::Error(std::vector<FileRole>)>;

struct PassOptions {
  PlanningOptions planning;
  std::optional<Grid> grid, block;
  int64_t registers = 0;             ///< of a thread; 0 if nobody says
  int64_t dynamicWorkgroupBytes = 0; ///< that launches add
  std::vector<std::string> warnings; ///< said once a run
};

/// Reads files and makes agents as the options say. Names that nobody has are
/// errors; agents that cannot be made, or a database that cannot be read, only
/// if `onFailure` is "error". `check` is asked before any file is written to.
llvm::Expected<PassOptions> readPassOptions(const PassOptionTexts &texts,
                                            FileCheck check = nullptr);

/// Registers of a thread: a number from 1 to 1024.
llvm::Expected<int64_t> readRegisters(llvm::StringRef text);

/// Bytes of workgroup memory that a launch adds, `49152`, at most a GiB.
llvm::Expected<int64_t> readDynamicWorkgroupBytes(llvm::StringRef text);

/// The message of an option parser, "no such option retries", with what became
/// of the option if it is a key of the file of agents.
std::string explainMovedOption(llvm::StringRef message);

} // namespace swizzle

#endif // SWIZZLE_TUNING_PASSOPTIONS_H
