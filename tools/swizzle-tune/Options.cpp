//===- Options.cpp - The options of swizzle-tune --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declared once here; what steers the loop is marked so, as a journal can only
// be resumed with the same.
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "swizzle/Records/HistoryJSON.h"
#include "swizzle/Formula/Syntax/Catalogue.h"
#include "swizzle/Support/Hash.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"

namespace cl = llvm::cl;

namespace swizzle {

static cl::OptionCategory category("swizzle-tune options");
/// Options that a resumed run must repeat.
static cl::OptionCategory steering("swizzle-tune options that steer the loop");

template <typename T> using Option = cl::opt<T>;

static Option<std::string> file(cl::Positional, cl::Required,
                                cl::desc("FILE.mlir | -"), cl::cat(category));
static Option<std::string> output("o", cl::value_desc("path"),
                                  cl::desc("writes the module with the best "
                                           "orders; - is standard output"),
                                  cl::cat(category));
static Option<std::string>
    report("report", cl::value_desc("path"),
           cl::desc("writes a JSON report (schema swizzle-tuning/1); - is "
                    "standard output"),
           cl::cat(category));
static Option<std::string>
    journal("journal", cl::value_desc("path"),
            cl::desc("keeps every answer and evaluation in this file"),
            cl::cat(category));
static Option<bool> resume("resume",
                           cl::desc("goes on from what --journal holds"),
                           cl::cat(category));
static Option<bool> json("json",
                         cl::desc("prints events as JSON, one a line, instead "
                                  "of progress and table"),
                         cl::cat(category));
static Option<bool> showPrompt("show-prompt",
                               cl::desc("prints what would be sent to a "
                                        "language model, and sends nothing"),
                               cl::cat(category));

static Option<std::string>
    chip("chip", cl::value_desc("name"),
         cl::desc("the chip: mi300x, h100, ...; by default the module says"),
         cl::cat(steering));
static Option<std::string>
    hardwareFile("hardware-file", cl::value_desc("path"),
                 cl::desc("a chip described by a file of your own"),
                 cl::cat(steering));
static Option<std::string>
    kernel("kernel", cl::value_desc("name"),
           cl::desc("only this kernel (`k`, or `module::k`)"),
           cl::cat(steering));
static Option<std::string>
    grid("grid", cl::value_desc("XxYxZ"),
         cl::desc("the grid, where the module leaves it open; compared at run "
                  "time"),
         cl::cat(steering));
static Option<std::string>
    block("block", cl::value_desc("XxYxZ"),
          cl::desc("the block, where the module leaves it open"),
          cl::cat(steering));
static Option<bool>
    strict("strict",
           cl::desc("refuses kernels whose independence rests on an "
                    "assumption"),
           cl::cat(steering));
static Option<bool> compose("compose",
                            cl::desc("goes on from a remap that a kernel "
                                     "already carries"),
                            cl::cat(steering));
static Option<std::string> agent("agent", cl::init("planner"),
                                 cl::value_desc("name[,name...]"),
                                 cl::desc("who proposes, in turns"),
                                 cl::cat(steering));
static Option<std::string> profiler("profiler", cl::init("simulator"),
                                    cl::value_desc("name"),
                                    cl::desc("what measures: simulator"),
                                    cl::cat(steering));
static Option<std::string>
    objective("objective", cl::init("auto"),
              cl::desc("auto, time, l2-hit-rate, dram-bytes or energy"),
              cl::cat(steering));
static Option<unsigned> rounds("rounds", cl::init(4),
                               cl::desc("rounds of questions, at most"),
                               cl::cat(steering));
static Option<unsigned> proposals("proposals", cl::init(3),
                                  cl::desc("proposals a round"),
                                  cl::cat(steering));
static Option<unsigned>
    patience("patience", cl::init(2),
             cl::desc("rounds without a gain after which it ends; 0: all"),
             cl::cat(steering));
static Option<unsigned>
    maxEvaluations("max-evaluations", cl::init(0),
                   cl::desc("simulations and runs, at most; 0: no limit"),
                   cl::cat(steering));
static Option<double> maxSeconds("max-seconds", cl::init(0),
                                 cl::desc("seconds, at most; 0: no limit"),
                                 cl::cat(steering));
static Option<unsigned>
    searchPoints("search-points", cl::init(24),
                 cl::desc("parameter sets of one template that are looked at "
                          "cheaply"),
                 cl::cat(steering));
static Option<unsigned>
    finalists("finalists", cl::init(1),
              cl::desc("how many of them are measured carefully"),
              cl::cat(steering));
static Option<std::string>
    contextText("context", cl::init("filtered"),
                cl::value_desc("filtered | none | manual:FILE"),
                cl::desc("what agents are told about the hardware"),
                cl::cat(steering));
static Option<std::string> hint("hint", cl::value_desc("text"),
                                cl::desc("advice that agents are given"),
                                cl::cat(steering));

static Option<std::string>
    compileFor("compile", cl::init("auto"),
               cl::value_desc("auto | off | target"),
               cl::desc("compiles each variant for the chip's target, for "
                        "another one (gfx942, sm_90), or not at all"),
               cl::cat(steering));
static Option<std::string>
    checkText("check", cl::init("on"), cl::value_desc("on | off"),
              cl::desc("runs workgroups of each variant on the host and "
                       "compares them with the original"),
              cl::cat(steering));
static Option<std::string>
    checkpoint("checkpoint", cl::value_desc("name"),
               cl::desc("saves what was tried and what was best under a name"),
               cl::cat(category));
static Option<std::string> from("from", cl::value_desc("name"),
                                cl::desc("goes on from a checkpoint"),
                                cl::cat(steering));

/// The options of the agents, by the table that the pass has too.
using AgentFlags = std::vector<std::unique_ptr<Option<std::string>>>;

static AgentFlags makeAgentFlags() {
  // How patient one is, and where one writes, does not steer the loop.
  static constexpr llvm::StringLiteral free[] = {
      "record",           "connect-timeout-ms", "idle-timeout-ms",
      "total-timeout-ms", "max-body-bytes",     "retries"};
  // Written as sentences for the pass; here options are explained in lower
  // case.
  static std::vector<std::string> helps;
  for (const AgentOptionInfo &info : agentOptionInfos()) {
    helps.push_back(info.help.str());
    helps.back()[0] = llvm::toLower(helps.back()[0]);
  }
  AgentFlags flags;
  for (const AgentOptionInfo &info : agentOptionInfos()) {
    cl::OptionCategory &where =
        llvm::is_contained(free, info.name) ? category : steering;
    flags.push_back(std::make_unique<Option<std::string>>(
        info.name, cl::value_desc(info.operand), cl::desc(helps[flags.size()]),
        cl::cat(where)));
    if (info.operand == "BOOL")
      flags.back()->setValueExpectedFlag(cl::ValueOptional);
  }
  return flags;
}

static int fail(const llvm::Twine &message) {
  llvm::errs() << "swizzle-tune: " << message << '\n';
  return 2;
}

static std::optional<int> readSize(const char *name, const std::string &text,
                                   std::optional<Grid> &result) {
  if (text.empty())
    return std::nullopt;
  llvm::Expected<Grid> parsed = parseGrid(text);
  if (!parsed)
    return fail("--" + llvm::Twine(name) + ": " +
                llvm::toString(parsed.takeError()));
  result = *parsed;
  return std::nullopt;
}

static std::optional<int> readContext(DriverOptions &driver) {
  llvm::StringRef text = contextText;
  if (text == "filtered")
    return std::nullopt;
  if (text == "none") {
    driver.briefing.mode = ContextMode::None;
    return std::nullopt;
  }
  if (!text.consume_front("manual:"))
    return fail("--context=" + contextText +
                ": it takes filtered, none or manual:FILE");
  auto buffer = llvm::MemoryBuffer::getFile(text, /*IsText=*/true);
  if (!buffer)
    return fail("--context: cannot read " + text + ": " +
                buffer.getError().message());
  driver.briefing.mode = ContextMode::Manual;
  driver.briefing.manual = (*buffer)->getBuffer().str();
  return std::nullopt;
}

/// Where credentials may stand: told apart by a hash, never repeated.
static bool mayHoldSecrets(llvm::StringRef name) {
  return name == "base-url" || name == "extra-body" || name == "command";
}

/// The options of `steering` that were given, by name, as they were written.
static void collectSteering(int argc, char **argv, TuneOptions &options) {
  auto &known = cl::getRegisteredOptions();
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef word = argv[i];
    if (word == "--")
      return;
    if (!word.consume_front("--") && !word.consume_front("-"))
      continue;
    auto [name, value] = word.split('=');
    auto it = known.find(name);
    if (it == known.end() ||
        !llvm::is_contained(it->second->Categories, &steering))
      continue;
    bool separate = !word.contains('=') && i + 1 < argc &&
                    it->second->getValueExpectedFlag() != cl::ValueOptional;
    std::string given = separate ? argv[++i] : value.str();
    options.steering[name.str()] =
        mayHoldSecrets(name) ? hashText(given) : given;
  }
}

std::optional<int> readOptions(int argc, char **argv, TuneOptions &options) {
  static constexpr const char *overview =
      "finds the best order of workgroups: asks agents, proves, builds, "
      "measures\n\n"
      "  swizzle-tune kernel.mlir --chip=mi300x -o best.mlir\n"
      "  swizzle-tune kernel.mlir --chip=mi300x --agent=planner,command "
      "--command=./ask\n\n"
      "  Figures are simulated unless a profiler measures them. Ctrl-C ends "
      "with the\n"
      "  best so far, written out, and --resume goes on from the journal. Exit "
      "status:\n"
      "  0 done; 1 the result could not be made; 2 input or options cannot be "
      "read or\n"
      "  used; 3 no agent ever answered, so that kernels stay as they are; 130 "
      "ended by\n"
      "  Ctrl-C (143: by SIGTERM).\n";
  AgentFlags flags = makeAgentFlags();
  cl::HideUnrelatedOptions({&category, &steering});
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs()))
    return 2;
  options.file = file;
  options.output = output;
  options.report = report;
  options.kernel = kernel;
  options.plan.planning.agent = "tuner"; // in messages
  options.plan.chip = chip;
  options.plan.hardwareFile = hardwareFile;
  options.plan.planning.strict = strict;
  options.plan.compose = compose;
  options.agents = agent;
  options.profiler = profiler;
  for (const std::unique_ptr<Option<std::string>> &flag : flags)
    if (flag->getNumOccurrences())
      if (llvm::Error error =
              setAgentOption(options.agent, flag->ArgStr, *flag))
        return fail("--" + llvm::toString(std::move(error)));
  if (checkText != "on" && checkText != "off")
    return fail("--check=" + checkText + ": it takes on or off");
  options.build.check = checkText == "on";
  options.build.compile = compileFor != "off";
  if (compileFor != "auto" && compileFor != "off") {
    options.build.target = compileFor;
    options.build.compilerRequired = true;
  }
  options.checkpoint = checkpoint;
  options.from = from;
  options.showPrompt = showPrompt;
  options.journal = journal;
  options.resume = resume;
  options.json = json;
  if (auto status = readSize("grid", grid, options.plan.grid))
    return status;
  if (auto status = readSize("block", block, options.plan.block))
    return status;
  if (profiler != "simulator")
    return fail("--profiler=" + profiler + ": there is: simulator");
  if ((json && output == "-") || (json && report == "-") ||
      (output == "-" && report == "-"))
    return fail("only one of --json, -o - and --report=- can have standard "
                "output");
  if (resume && journal.empty())
    return fail("--resume needs --journal");
  DriverOptions &driver = options.driver;
  if (auto status = readContext(driver))
    return status;
  driver.briefing.hint = hint;
  std::optional<Objective> wanted = readObjective(objective);
  if (!wanted)
    return fail("--objective=" + objective +
                ": it takes auto, time, l2-hit-rate, dram-bytes or energy");
  TuningOptions &tuning = driver.tuning;
  tuning.objective = *wanted;
  tuning.rounds = rounds;
  tuning.proposals = proposals;
  tuning.patience = patience;
  tuning.searchPoints = searchPoints;
  tuning.finalists = finalists;
  tuning.budget.evaluations = maxEvaluations;
  tuning.budget.seconds = maxSeconds;
  tuning.budget.tokens = options.agent.tokenBudget;
  tuning.budget.money = options.agent.moneyBudget;
  if (rounds == 0 || proposals == 0 || finalists == 0)
    return fail("--rounds, --proposals and --finalists must be at least 1");
  if (maxSeconds < 0)
    return fail("--max-seconds cannot be negative");
  collectSteering(argc, argv, options);
  return std::nullopt;
}

} // namespace swizzle
