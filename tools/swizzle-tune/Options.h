//===- Options.h - The options of swizzle-tune ------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One struct with everything that the command line says.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_SWIZZLE_TUNE_OPTIONS_H
#define SWIZZLE_TOOLS_SWIZZLE_TUNE_OPTIONS_H

#include "Measuring.h"
#include "swizzle/Agent/Core/Options.h"
#include "swizzle/Driver/Build.h"
#include "swizzle/Driver/Driver.h"

namespace swizzle {

struct TuneOptions {
  std::string file, output, report, kernel;
  PlanSettings plan;
  std::string agents, profiler;
  MeasuringOptions measuring;
  DriverOptions driver;
  AgentOptions agent;
  bool plannerFirst = true; ///< it is asked before agents that only propose
  bool showPrompt = false;
  std::string checkpoint, from;
  std::string config, manual; ///< files of agents, and of what they are told
  BuildOptions build;
  std::string journal;
  bool resume = false;
  bool json = false;
  /// All that steer the loop, as given: what a journal is compared by.
  std::map<std::string, std::string> steering;
};

/// Reads the command line; on failure the exit status.
std::optional<int> readOptions(int argc, char **argv, TuneOptions &options);

} // namespace swizzle

#endif // SWIZZLE_TOOLS_SWIZZLE_TUNE_OPTIONS_H
