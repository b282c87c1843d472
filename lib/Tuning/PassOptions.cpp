//===- PassOptions.cpp - The options of a pass that plans -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options that cannot be met are errors that name the option.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Tuning/PassOptions.h"

#include "swizzle/Formula/Syntax/Catalogue.h"
#include "swizzle/Kernel/LaunchSizes.h"
#include "swizzle/Records/TuningDatabase.h"
#include "swizzle/Tuning/Advisers.h"
#include "swizzle/Tuning/Config.h"

#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace swizzle {

/// How many variants the loop inside of a compilation may simulate, unless the
/// file of agents says otherwise.
static constexpr unsigned kEvaluations = 64;

static Error refuse(const Twine &message) {
  return createStringError(message.str());
}

static Expected<OnFailure> readOnFailure(StringRef text) {
  if (text == "keep")
    return OnFailure::Keep;
  if (text == "planner")
    return OnFailure::Planner;
  if (text == "error")
    return OnFailure::Error;
  return refuse("option 'on-failure' is '" + text +
                "'; it takes keep, planner or error");
}

static Expected<std::optional<SimulationLevel>> readSimulate(StringRef text) {
  if (text.empty())
    return std::nullopt;
  if (text == "off")
    return SimulationLevel::Off;
  if (text == "fast")
    return SimulationLevel::Fast;
  if (text == "full")
    return SimulationLevel::Full;
  return refuse("option 'simulate' is '" + text +
                "'; it takes off, fast or full");
}

/// Refuses to ask somebody who decides by simulation, without any.
static Error checkSimulates(const PlanningOptions &planning) {
  if (planning.formula || planning.simulate != SimulationLevel::Off)
    return Error::success();
  std::string who;
  if (planning.agent != "database")
    who = "agent '" + planning.agent + "' decides";
  else if (planning.onFailure == OnFailure::Planner)
    who = "the planner, which 'on-failure' names, decides";
  if (who.empty())
    return Error::success();
  return refuse("option 'simulate' is 'off', but " + who +
                " by simulation; give a formula or agent=database, or "
                "simulate=fast");
}

/// The file of agents, and the options that override it.
static Expected<TuningConfig> readConfig(const PassOptionTexts &texts) {
  TuningConfig config;
  config.tuning.budget.evaluations = kEvaluations;
  if (!texts.agentConfig.empty()) {
    Expected<ConfigTexts> read = readConfigFile(texts.agentConfig, config);
    if (!read)
      return refuse("option 'agent-config': " + toString(read.takeError()));
  }
  const std::pair<StringRef, StringRef> typed[] = {
      {"agent", texts.agent},           {"model", texts.model},
      {"base-url", texts.baseUrl},      {"command", texts.command},
      {"database", texts.database},     {"rounds", texts.rounds},
      {"max-seconds", texts.maxSeconds}};
  for (auto [name, value] : typed)
    if (!value.empty())
      if (Error error = setConfigField(config, name, value))
        return refuse("option '" + name + "': " + toString(std::move(error)));
  if (config.tuning.objective == Objective::Energy)
    return refuse("the key 'objective' is 'energy', which nothing here "
                  "measures");
  return config;
}

/// What is wrong with a tuning database that exists; empty if nothing is.
static std::string findProblem(StringRef path) {
  Expected<TuningDatabase> database = TuningDatabase::read(path);
  if (!database)
    return "cannot be read, so that no kernel will be found in it: " +
           toString(database.takeError());
  if (database->problems().empty())
    return "";
  return "has " + std::to_string(database->problems().size()) +
         " lines that cannot be read, the first: " +
         database->problems().front().message;
}

/// Makes the agents; what is wrong with them is noted.
static Error makeAdvisersOf(TuningConfig config, PassOptions &options) {
  PlanningOptions &planning = options.planning;
  // What a miss means is up to `on-failure`, and to who comes next.
  config.agent.databaseMiss = "error";
  const std::string &database = config.agent.database;
  // A mistake in a build file shall not turn all remaps off without a message.
  bool usesDatabase =
      StringRef(config.agents).contains("database") && !database.empty();
  if (usesDatabase && !sys::fs::exists(database))
    options.warnings.push_back("there is no tuning database '" + database +
                               "': no kernel will be found in it");
  else if (usesDatabase)
    if (std::string problem = findProblem(database); !problem.empty())
      options.warnings.push_back("the tuning database '" + database + "' " +
                                 problem);
  auto made = makeAgents(config.agents, config.agent);
  if (made) {
    planning.advisers = makeAdvisers(std::move(*made), config.tuning);
    return Error::success();
  }
  Advice failure = Advice::fail(made.takeError());
  planning.problemCode = std::move(failure.code);
  planning.problem = std::move(failure.reason);
  // Said once, not once a kernel.
  std::string message =
      "agent '" + planning.agent + "' cannot be asked: " + planning.problem;
  if (planning.onFailure == OnFailure::Error)
    return refuse(message);
  options.warnings.push_back(message +
                             (planning.onFailure == OnFailure::Planner
                                  ? "; the planner is asked instead"
                                  : "; all kernels stay as they are"));
  return Error::success();
}

static Expected<std::optional<Formula>>
readFormula(const PassOptionTexts &texts) {
  if (texts.formula.empty() && texts.formulaFile.empty())
    return std::nullopt;
  if (!texts.formula.empty() && !texts.formulaFile.empty())
    return refuse("options 'formula' and 'formula-file' exclude each other");
  Expected<Formula> formula = texts.formula.empty()
                                  ? readFormulaFile(texts.formulaFile)
                                  : readFormulaOption(texts.formula);
  if (!formula)
    return formula.takeError();
  return std::move(*formula);
}

static Expected<std::optional<Grid>> readSize(StringRef name, StringRef text) {
  if (text.empty())
    return std::nullopt;
  Expected<Grid> grid = parseGrid(text);
  if (!grid)
    return refuse("option '" + name + "': " + toString(grid.takeError()));
  for (unsigned axis = 0; axis < 3; ++axis)
    if ((*grid)[axis] == 0)
      return refuse("option '" + name + "' is '" + text +
                    "'; each extent must be at least 1");
  return *grid;
}

/// Moves what was read into `place`.
template <typename T, typename Place>
static Error take(Expected<T> read, Place &place) {
  if (!read)
    return read.takeError();
  place = std::move(*read);
  return Error::success();
}

/// All files that the options and the file of agents name.
static std::vector<FileRole> listFiles(const PassOptionTexts &texts,
                                       const TuningConfig &config) {
  return {{"the formula", texts.formulaFile, false},
          {"the chip's description", texts.hardwareFile, false},
          {"the file of agents", texts.agentConfig, false},
          {"the manual", config.manualFile, false},
          {"the database", config.agent.database, false},
          {"the recording that is replayed", config.agent.replayPath, false},
          {"the recording", config.agent.recordPath, true},
          {"the report", texts.report, true}};
}

Expected<PassOptions> readPassOptions(const PassOptionTexts &texts,
                                      FileCheck check) {
  PassOptions options;
  PlanningOptions &planning = options.planning;
  planning.strict = texts.strict;
  TuningConfig config;
  if (Error error = take(readSimulate(texts.simulate), planning.simulate))
    return std::move(error);
  if (Error error = take(readConfig(texts), config))
    return std::move(error);
  options.warnings = config.notes;
  StringRef onFailure = texts.onFailure;
  if (onFailure.empty())
    onFailure = config.agent.databaseMiss;
  if (Error error = take(readOnFailure(onFailure), planning.onFailure))
    return std::move(error);
  planning.maxSeconds = config.tuning.budget.seconds;
  if (planning.maxSeconds > 0 && planning.maxSeconds < 1e6)
    config.agent.totalTimeoutMs =
        std::min(config.agent.totalTimeoutMs,
                 std::max<int64_t>(1, planning.maxSeconds * 1e3));
  // A pass does not know whether the module goes there.
  if (texts.report == "-")
    return refuse("option 'report' is '-', but standard output is the "
                  "module's; name a file, or /dev/stdout if the module goes to "
                  "a file of its own (-o FILE)");
  std::vector<FileRole> files = listFiles(texts, config);
  if (Error error = check ? check(std::move(files)) : checkDistinct(files))
    return std::move(error);
  if (Error error = take(readFormula(texts), planning.formula))
    return std::move(error);
  if (Error error = take(readSize("grid", texts.grid), options.grid))
    return std::move(error);
  if (Error error = take(readSize("block", texts.block), options.block))
    return std::move(error);
  if (!texts.registers.empty()) {
    Expected<int64_t> registers = readRegisters(texts.registers);
    if (!registers)
      return refuse("option 'registers': " + toString(registers.takeError()));
    options.registers = *registers;
  }
  if (!texts.dynamicWorkgroupBytes.empty()) {
    Expected<int64_t> bytes =
        readDynamicWorkgroupBytes(texts.dynamicWorkgroupBytes);
    if (!bytes)
      return refuse("option 'dynamic-workgroup-bytes': " +
                    toString(bytes.takeError()));
    options.dynamicWorkgroupBytes = *bytes;
  }
  // A name that is misspelt is not an agent that fails.
  if (Error error = checkAgentNames(config.agents))
    return refuse("option 'agent': " + toString(std::move(error)));
  planning.agent = config.agents;
  planning.briefing = config.briefing;
  if (Error error = checkSimulates(planning))
    return std::move(error);
  if (!planning.formula)
    if (Error error = makeAdvisersOf(std::move(config), options))
      return std::move(error);
  return options;
}

Expected<int64_t> readRegisters(StringRef text) {
  int64_t registers = 0;
  if (text.getAsInteger(10, registers) || registers < 1 ||
      registers > kMostRegisters)
    return createStringError("'" + text +
                             "' is no number of registers of a "
                             "thread, from 1 to " +
                             Twine(kMostRegisters));
  return registers;
}

Expected<int64_t> readDynamicWorkgroupBytes(StringRef text) {
  int64_t bytes = 0;
  if (text.getAsInteger(10, bytes) || bytes < 0 || bytes > kMostDynamicBytes)
    return createStringError("'" + text +
                             "' is no number of bytes, from 0 to " +
                             Twine(kMostDynamicBytes));
  return bytes;
}

std::string explainMovedOption(StringRef message) {
  message = message.trim();
  for (const ConfigField &field : configFields())
    if (message.ends_with(("option " + field.name).str()))
      return (message + ": '" + field.name +
              "' is a key of the file that agent-config names")
          .str();
  return message.str();
}

} // namespace swizzle
