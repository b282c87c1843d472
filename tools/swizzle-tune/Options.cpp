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

#include "../common/About.h"
#include "../common/Range.h"
#include "swizzle/Import/ImportModule.h"
#include "swizzle/Kernel/LaunchSizes.h"
#include "swizzle/Support/Hash.h"
#include "swizzle/Support/WriteFile.h"
#include "swizzle/Tuning/Config.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

namespace cl = llvm::cl;

namespace swizzle {

static cl::OptionCategory category("swizzle-tune options");
/// Options that a resumed run must repeat.
static cl::OptionCategory steering("swizzle-tune options that steer the loop");

template <typename T> using Option = cl::opt<T>;

static Option<std::string> file(cl::Positional, cl::Required,
                                cl::desc("FILE.mlir | FILE.ll | FILE.bc | -"),
                                cl::cat(category));
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
static Option<unsigned>
    registers("registers", cl::init(0), cl::value_desc("number"),
              cl::desc("registers of a thread as the kernel is assembled, 1 "
                       "to 1024; estimated if nothing is said"),
              cl::cat(steering));
static Option<unsigned> dynamicBytes(
    "dynamic-workgroup-bytes", cl::init(0), cl::value_desc("number"),
    cl::desc("workgroup memory that the launch adds"), cl::cat(steering));
static Option<bool>
    strict("strict",
           cl::desc("refuses kernels whose independence rests on an "
                    "assumption"),
           cl::cat(steering));
static Option<bool> compose("compose",
                            cl::desc("goes on from a remap that a kernel "
                                     "already carries"),
                            cl::cat(steering));
static Option<std::string> profiler("profiler", cl::init("simulator"),
                                    cl::value_desc("name"),
                                    cl::desc("what measures: simulator, cuda, "
                                             "hip, bundle:DIR (written; "
                                             "measured elsewhere) or "
                                             "command:PROGRAM (called with "
                                             "each bundle)"),
                                    cl::cat(steering));
static Option<std::string>
    measure("measure", cl::init("finalists"),
            cl::value_desc("finalists | throughout | search"),
            cl::desc("with a GPU: the best few of what was simulated, every "
                     "order that is decided on, or the best few and others "
                     "near what is fastest, until --device-seconds are spent"),
            cl::cat(steering));
static Option<unsigned> measured("measured", cl::init(6),
                                 cl::value_desc("count"),
                                 cl::desc("how many orders are measured to the "
                                          "end beside the kernel as it is (6)"),
                                 cl::cat(steering));
static Option<double>
    deviceSeconds("device-seconds", cl::init(60), cl::value_desc("seconds"),
                  cl::desc("a kernel's time on the GPU, at most (60)"),
                  cl::cat(steering));
static Option<std::string>
    launch("launch", cl::value_desc("path"),
           cl::desc("a job.json whose launches start the kernel, where its IR "
                    "does not tell the sizes of buffers"),
           cl::cat(steering));
static Option<double>
    energySeconds("energy-seconds", cl::init(0), cl::value_desc("seconds"),
                  cl::desc("runs each measured order this long to read its "
                           "energy (0: not at all)"),
                  cl::cat(steering));
static Option<bool> counters("counters",
                             cl::desc("with cuda or hip: counts L2 hits and "
                                      "bytes of memory, too"),
                             cl::cat(steering));
static Option<bool> warm("warm",
                         cl::desc("decides by the time with warm caches; both "
                                  "are measured"),
                         cl::cat(steering));
static Option<double>
    tolerance("tolerance", cl::init(0), cl::value_desc("relative"),
              cl::desc("by how much measured outputs may differ, for atomic "
                       "additions of floats (0: not by a bit)"),
              cl::cat(steering));

static Option<bool> plannerFirst(
    "planner-first", cl::init(true),
    cl::desc("asks the planner before agents that only propose, who are told "
             "what it found (default true)"),
    cl::cat(steering));

static Option<std::string>
    compileFor("compile", cl::init("auto"),
               cl::value_desc("auto | off | target"),
               cl::desc("compiles each variant for the chip's target (if that "
                        "is AMD's or NVIDIA's), for another one (gfx942, "
                        "sm_90), or not at all"),
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
static Option<std::string>
    config("config", cl::value_desc("path"),
           cl::desc("reads all that concerns agents from this file "
                    "(--help-config lists its keys); options override it"),
           cl::cat(category));
static Option<std::string> from("from", cl::value_desc("name"),
                                cl::desc("goes on from a checkpoint"),
                                cl::cat(steering));

/// How patient one is, and where one writes, does not steer the loop.
static bool isFree(llvm::StringRef name) {
  static constexpr llvm::StringLiteral free[] = {
      "record",           "connect-timeout-ms", "idle-timeout-ms",
      "total-timeout-ms", "max-body-bytes",     "retries"};
  return llvm::is_contained(free, name);
}

/// The fields of the file of agents, as options.
using ConfigFlags = std::vector<std::unique_ptr<Option<std::string>>>;

static ConfigFlags makeConfigFlags() {
  // Options keep references to these texts. The table has sentences; here
  // options are explained in lower case.
  static std::vector<ConfigField> fields = configFields();
  static std::vector<std::string> helps;
  helps.reserve(fields.size());
  ConfigFlags flags;
  for (const ConfigField &field : fields) {
    helps.push_back(field.help.str());
    helps.back()[0] = llvm::toLower(helps.back()[0]);
    flags.push_back(std::make_unique<Option<std::string>>(
        field.name, cl::value_desc(field.operand), cl::desc(helps.back()),
        cl::cat(isFree(field.name) ? category : steering)));
    if (field.kind == ConfigKind::Flag)
      flags.back()->setValueExpectedFlag(cl::ValueOptional);
  }
  for (const FormerName &one : formerNames())
    flags.push_back(std::make_unique<Option<std::string>>(
        llvm::StringRef(one.former), cl::desc("a former name"), cl::Hidden,
        cl::cat(steering)));
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

/// Where credentials may stand: told apart by a hash, never repeated.
static std::string hideSecrets(llvm::StringRef name, const std::string &value) {
  bool mayHold =
      name == "base-url" || name == "extra-body" || name == "command";
  if (mayHold)
    return hashText(value);
  constexpr llvm::StringLiteral program("command:"); // of --profiler
  llvm::StringRef rest = value;
  if (name == "profiler" && rest.consume_front(program))
    return (program + hashText(rest)).str();
  return value;
}

/// Notes options for agents that were not asked for: of the command line alone,
/// since a file may serve several runs.
static void noteUnused(const ConfigFlags &flags, TuningConfig &read) {
  llvm::SmallVector<llvm::StringRef> asked;
  llvm::StringRef(read.agents).split(asked, ',');
  for (const std::unique_ptr<Option<std::string>> &flag : flags) {
    llvm::StringRef name = currentName(flag->ArgStr);
    bool isCommand = name == "command";
    if (!flag->getNumOccurrences() ||
        (!isCommand && name != "model" && name != "base-url"))
      continue;
    std::vector<llvm::StringRef> able;
    for (const AgentInfo &info : agentInfos())
      if (info.converses && (info.name == "command") == isCommand)
        able.push_back(info.name);
    bool isUsed = llvm::any_of(asked, [&](llvm::StringRef one) {
      return llvm::is_contained(able, one.trim());
    });
    if (!isUsed)
      read.notes.push_back(("--" + name + " is not used: it is for --agent=" +
                            llvm::join(able, " or --agent="))
                               .str());
  }
}

/// Reads the file of --config, and then the options that override it.
static std::optional<int> readConfig(const ConfigFlags &flags,
                                     TuneOptions &options) {
  TuningConfig read;
  if (!config.empty()) {
    llvm::Expected<ConfigTexts> texts = readConfigFile(config, read);
    if (!texts)
      return fail("--config: " + llvm::toString(texts.takeError()));
    // As if they were options: a journal may be resumed with either.
    for (const auto &[name, value] : *texts)
      if (!isFree(name))
        options.steering[name] = hideSecrets(name, value);
  }
  for (const std::unique_ptr<Option<std::string>> &flag : flags) {
    if (!flag->getNumOccurrences())
      continue;
    llvm::StringRef name = currentName(flag->ArgStr);
    if (name != flag->ArgStr)
      read.notes.push_back(
          ("--" + flag->ArgStr + " is called --" + name + " now").str());
    if (llvm::Error error = setConfigField(read, name, *flag))
      return fail("--" + llvm::toString(std::move(error)));
  }
  noteUnused(flags, read);
  for (const std::string &note : read.notes)
    llvm::errs() << "swizzle-tune: note: " << note << '\n';
  options.agents = std::move(read.agents);
  options.agent = std::move(read.agent);
  options.driver.briefing = std::move(read.briefing);
  options.config = config;
  options.manual = std::move(read.manualFile);
  options.driver.tuning = read.tuning;
  TuningBudget &budget = options.driver.tuning.budget;
  budget.tokens = options.agent.tokenBudget;
  budget.money = options.agent.moneyBudget;
  return std::nullopt;
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
    options.steering[currentName(name).str()] = hideSecrets(name, given);
  }
}

/// What somebody says of the launch.
static std::optional<int> readLaunch(TuneOptions &options) {
  if (auto status = readSize("grid", grid, options.plan.grid))
    return status;
  if (auto status = readSize("block", block, options.plan.block))
    return status;
  if (registers.getNumOccurrences())
    if (llvm::Error error = checkRanges(
            {{"registers", double(registers), 1, double(kMostRegisters)}}))
      return fail(llvm::toString(std::move(error)));
  if (llvm::Error error =
          checkRanges({{"dynamic-workgroup-bytes", double(dynamicBytes), 0,
                        double(kMostDynamicBytes)}}))
    return fail(llvm::toString(std::move(error)));
  options.plan.registers = registers;
  options.plan.dynamicWorkgroupBytes = dynamicBytes;
  return std::nullopt;
}

static std::optional<int> readMeasuring(TuneOptions &options) {
  MeasuringOptions &measuring = options.measuring;
  if (llvm::Error error = readProfiler(profiler, measuring))
    return fail(llvm::toString(std::move(error)));
  if (measure != "finalists" && measure != "throughout" && measure != "search")
    return fail("--measure=" + measure +
                ": it takes finalists, throughout or search");
  constexpr double mostMeasured = 10000;
  if (llvm::Error error =
          checkRanges({{"measured", double(measured), 1, mostMeasured},
                       {"tolerance", tolerance, 0, kMostTolerance}}))
    return fail(llvm::toString(std::move(error)));
  auto isFine = [](double value) { return value >= 0 && value < 1e9; };
  if (!isFine(deviceSeconds) || !isFine(energySeconds))
    return fail("--device-seconds and --energy-seconds must be numbers from 0 "
                "on");
  if (!measuring.simulatorAlone && measure != "throughout" &&
      deviceSeconds > 0 && energySeconds * (measured + 1) >= deviceSeconds)
    return fail("--energy-seconds for each of " + llvm::utostr(measured + 1) +
                " orders, the original among them, takes all of "
                "--device-seconds");
  if (!measuring.simulatorAlone && !options.build.compile)
    return fail("--profiler=" + profiler +
                " needs compiled variants, but --compile=off is given");
  for (const cl::Option *option : std::initializer_list<const cl::Option *>{
           &measure, &measured, &deviceSeconds, &energySeconds, &tolerance,
           &counters, &warm})
    if (measuring.simulatorAlone && option->getNumOccurrences())
      return fail("--" + option->ArgStr +
                  " is about measurements, and the simulator makes none: give "
                  "--profiler=cuda or hip");
  if (counters && measuring.how != Place::Program)
    return fail("--counters needs --profiler=cuda or hip");
  measuring.throughout = measure == "throughout";
  measuring.search = measure == "search";
  measuring.patience = options.driver.tuning.patience;
  measuring.launch = launch;
  measuring.deviceSeconds = deviceSeconds;
  measuring.counters = counters;
  measuring.finalists.count = measured;
  measuring.finalists.margin = options.driver.tuning.margin;
  measuring.finalists.job.measure.energySeconds = energySeconds;
  measuring.finalists.job.measure.cold = !warm;
  measuring.finalists.job.check.relative = tolerance;
  if (!measuring.simulatorAlone)
    options.build.compilerRequired = true;
  return std::nullopt;
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
      "  used; 3 none of the agents that were asked for ever answered; 4 "
      "kernels wait in\n"
      "  --profiler=bundle:DIR to be measured; 130 ended by Ctrl-C (143: by "
      "SIGTERM,\n"
      "  129: by SIGHUP).\n";
  ConfigFlags flags = makeConfigFlags();
  cl::opt<bool> helpConfig(
      "help-config", cl::desc("prints what the file of --config may hold"),
      cl::cat(category), cl::cb<void, bool>([](bool) {
        llvm::outs() << printConfigReference();
        std::exit(0);
      }));
  About about("swizzle-tune", category);
  cl::HideUnrelatedOptions({&category, &steering});
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs()))
    return 2;
  // The fields of the file of agents have readers of their own, and an empty
  // one takes back what the file says.
  std::vector<llvm::StringRef> fields;
  for (const std::unique_ptr<Option<std::string>> &flag : flags)
    fields.push_back(flag->ArgStr);
  if (llvm::Error error = checkEmpty(argc, argv, fields))
    return fail(llvm::toString(std::move(error)));
  options.file = file;
  auto placeOf = [](const std::string &path) {
    return isStandardOutput(path) ? "-" : path;
  };
  options.output = placeOf(output);
  options.report = placeOf(report);
  options.kernel = kernel;
  options.plan.planning.agent = "tuner"; // in messages
  options.plan.chip = chip;
  options.plan.hardwareFile = hardwareFile;
  options.plan.planning.strict = strict;
  options.plan.compose = compose;
  options.profiler = hideSecrets("profiler", profiler);
  options.plannerFirst = plannerFirst;
  if (auto status = readConfig(flags, options))
    return status;
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
  if (auto status = readLaunch(options))
    return status;
  if (auto status = readMeasuring(options))
    return status;
  if (json + (options.output == "-") + (options.report == "-") > 1)
    return fail("only one of --json, -o - and --report=- can have standard "
                "output");
  if (resume && journal.empty())
    return fail("--resume needs --journal");
  collectSteering(argc, argv, options);
  return std::nullopt;
}

} // namespace swizzle
