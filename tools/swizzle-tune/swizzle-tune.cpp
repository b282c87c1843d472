//===- swizzle-tune.cpp - Find the best order in a closed loop ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thin main: reads the module and the options, runs the driver, writes what
// came out. Every file is written beside and renamed, so that none is ever half
// there.
//
//===----------------------------------------------------------------------===//

#include "../common/KernelOptions.h"
#include "../common/StandardOutput.h"
#include "Compiling.h"
#include "Files.h"
#include "Interrupt.h"
#include "Options.h"
#include "Outcome.h"
#include "ShowPrompt.h"
#include "WriteLLVM.h"
#include "swizzle/Agent/Agents/PlannerAgent.h"
#include "swizzle/Agent/Core/ContextRecord.h"
#include "swizzle/Agent/Core/Ledger.h"
#include "swizzle/Hardware/ChipHash.h"
#include "swizzle/Import/ImportModule.h"
#include "swizzle/Kernel/Signature.h"
#include "swizzle/Profiling/SimulatorProfiler.h"
#include "swizzle/Records/Checkpoint.h"
#include "swizzle/Support/WriteFile.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"

using namespace swizzle;

using Agents = std::vector<std::unique_ptr<Agent>>;

static int fail(llvm::Error error, int status) {
  llvm::handleAllErrors(std::move(error), [](const llvm::ErrorInfoBase &one) {
    llvm::errs() << "swizzle-tune: " << one.message() << '\n';
  });
  return status;
}

namespace {
/// One run of the tool.
class Tuner {
public:
  explicit Tuner(TuneOptions &options)
      : options(options), secrets(findSecrets(options.agent)),
        context(makeKernelRegistry()),
        people(options.output == "-" || options.report == "-" ? llvm::errs()
                                                              : llvm::outs()),
        progress(llvm::errs(), llvm::sys::Process::StandardErrIsDisplayed()) {}

  int run();

private:
  llvm::Error prepareImport(mlir::ModuleOp module);
  llvm::Error prepare(mlir::ModuleOp module);
  llvm::Error readStart();
  llvm::Error openJournal();
  llvm::Expected<Agents> makeTunerAgents();
  void connect();
  Workbench makeBench(size_t kernel, const AgentContext &context);
  MeasureFunction measureOnGpu(size_t kernel, const AgentContext &context,
                               MeasureFunction simulator);
  void remember(AgentContext &context);
  void show(const TuningEvent &event, llvm::StringRef kernel);
  llvm::Error write(mlir::ModuleOp module, const TuningReport &report);

  /// True if what is written is LLVM IR.
  bool writesLLVM() const {
    return !options.output.empty() && isLLVMFile(options.file);
  }
  llvm::Expected<std::string> printModule(mlir::ModuleOp module) const;

  /// What a checkpoint or a journal of this run is about.
  Checkpoint identify() const;
  std::string compiler() const {
    return options.build.compile ? "llvm " LLVM_VERSION_STRING : "off";
  }

  TuneOptions &options;
  const Secrets secrets;     ///< in nothing that is written
  mlir::MLIRContext context; ///< outlives all that is made in it
  llvm::raw_ostream &people; ///< standard output may be taken by the module
  Progress progress;
  std::optional<PromptDisplay> display; ///< with --show-prompt
  std::unique_ptr<TuningSession> session;
  std::unique_ptr<Journal> journal;
  Checkpoint start;
  std::optional<CheckpointKeeper> keeper;
  std::optional<TuningDatabase> database;
  std::vector<DatabaseRecord> found;
  bool plannerAdded = false; ///< nobody asked for it, see `goesFirst`
  std::optional<CompileService> service;
  std::vector<std::unique_ptr<VariantBuilder>> builders;
  std::optional<Measuring> measuring;
};
} // namespace

llvm::Expected<Agents> Tuner::makeTunerAgents() {
  Agents agents;
  if (display && !options.resume) {
    agents = display->makeAgents({"show-prompt"});
  } else {
    llvm::Expected<Agents> real = makeAgents(options.agents, options.agent);
    if (!real)
      return real.takeError();
    agents = std::move(*real);
  }
  plannerAdded = options.plannerFirst && goesFirst(agents);
  if (display && options.resume)
    for (std::unique_ptr<Agent> &agent : agents)
      if (agent->role() != AgentRole::Searches)
        agent = std::move(display->makeAgents({agent->name()}).front());
  if (plannerAdded)
    agents.insert(agents.begin(), makePlannerAgent());
  return agents;
}

Checkpoint Tuner::identify() const {
  Checkpoint checkpoint;
  checkpoint.toolVersion = SWIZZLE_VERSION;
  checkpoint.inputHash = session->inputHash();
  for (const PlannedKernel &planned : session->kernels())
    if (planned.chip.hardware) {
      checkpoint.chip = planned.chip.hardware->name;
      checkpoint.chipHash = hashOf(*planned.chip.hardware);
      break;
    }
  return checkpoint;
}

/// Reads what `--from` names, and gets `--checkpoint` ready.
llvm::Error Tuner::readStart() {
  if (!options.from.empty()) {
    llvm::Expected<std::string> path = checkpointPath(options.from);
    if (!path)
      return path.takeError();
    llvm::Expected<Checkpoint> checkpoint = readCheckpoint(*path);
    if (!checkpoint)
      return checkpoint.takeError();
    if (llvm::Error error = compareCheckpoint(*checkpoint, identify()))
      return error;
    start = std::move(*checkpoint);
  }
  if (options.checkpoint.empty() || display)
    return llvm::Error::success();
  llvm::Expected<std::string> path = checkpointPath(options.checkpoint);
  if (!path)
    return path.takeError();
  if (llvm::Error error = checkReplaceable(*path))
    return error;
  keeper.emplace(*path, identify(), secrets);
  return llvm::Error::success();
}

llvm::Error Tuner::openJournal() {
  // A question changes nothing: a journal is only read for it.
  if (options.journal.empty() || (display && !options.resume))
    return llvm::Error::success();
  if (options.resume && !llvm::sys::fs::exists(options.journal))
    llvm::errs() << "swizzle-tune: note: there is no journal "
                 << options.journal << " to go on from: this run starts anew"
                 << (display ? "" : " and writes it") << '\n';
  Checkpoint what = identify();
  JournalHeader header;
  header.toolVersion = what.toolVersion;
  header.compiler = compiler();
  header.inputHash = what.inputHash;
  header.chip = what.chip;
  header.chipHash = what.chipHash;
  header.options = options.steering;
  // Variables of the environment steer as options do.
  header.options.merge(environmentOf(options.agents, options.agent));
  if (llvm::Error error = addContents(options, header.options))
    return error;
  uint64_t size = 0; // of one that is not there, too
  (void)llvm::sys::fs::file_size(options.journal, size);
  auto open = display          ? Journal::view
              : options.resume ? Journal::resume
                               : Journal::create;
  auto opened = open(options.journal, header, secrets);
  if (!opened)
    return opened.takeError();
  journal = std::move(*opened);
  // What lies beside a journal that begins here is of another run.
  return size ? llvm::Error::success() : measuring->startAnew();
}

/// Everything that can be refused is refused here, before anything is spent.
llvm::Error Tuner::prepare(mlir::ModuleOp module) {
  if (llvm::Error error = checkFiles(options))
    return error;
  auto created = TuningSession::create(module, options.plan, options.kernel);
  if (!created)
    return created.takeError();
  session = std::move(*created);
  for (const PlannedKernel &planned : session->kernels())
    if (!planned.facts.sizes.ignoredOption.empty())
      llvm::errs() << "swizzle-tune: warning: kernel '" << planned.facts.name
                   << "': " << planned.facts.sizes.ignoredOption << '\n';
  if (llvm::Error error = chooseCompiling(options, *session))
    return error;
  if (!options.showPrompt)
    if (llvm::Error error = checkOutputs(options))
      return error;
  if (options.showPrompt)
    display.emplace(options.agent.promptDirectory,
                    session->kernels().size() > 1, llvm::outs());
  options.agent.cancel = options.build.cancel = cancelFlag();
  // Beside the journal, a killed run finds again what it measured.
  measuring.emplace(options.measuring,
                    options.journal.empty() ? "" : options.journal + ".bundles",
                    cancelFlag());
  if (llvm::Error error = measuring->prepare())
    return error;
  for (const PlannedKernel &planned : session->kernels())
    if (llvm::Error error = measuring->checkLaunches(planned.facts))
      return error;
  // A run that goes on may have measured all that it needs.
  if (!options.showPrompt && !options.resume)
    if (llvm::Error error = measuring->checkPlace())
      return error;
  options.agent.ledger = std::make_shared<Ledger>(options.agent.tokenBudget,
                                                  options.agent.moneyBudget);
  if (llvm::Expected<Agents> agents = makeTunerAgents(); !agents)
    return agents.takeError();
  const std::string &path = options.agent.database;
  if (!path.empty() && llvm::sys::fs::exists(path)) {
    llvm::Expected<TuningDatabase> read = TuningDatabase::read(path);
    if (!read)
      return read.takeError();
    database = std::move(*read);
  }
  if (llvm::Error error = readStart())
    return error;
  return openJournal();
}

/// The profiler that was asked for. What keeps a kernel from being started is
/// said by its first measurement.
MeasureFunction Tuner::measureOnGpu(size_t kernel, const AgentContext &context,
                                    MeasureFunction simulator) {
  auto made = measuring->profilerOf(kernel, context, std::move(simulator));
  if (made)
    return std::move(*made);
  return [why = llvm::toString(made.takeError())](
             const MeasureRequest &) -> llvm::Expected<Metrics> {
    return llvm::createStringError(why);
  };
}

Workbench Tuner::makeBench(size_t kernel, const AgentContext &context) {
  Workbench bench{{},
                  makeSimulatorProfiler(
                      {context.model, context.hardware, context.environment})};
  if (!display)
    bench.measure = measureOnGpu(kernel, context, std::move(bench.measure));
  if (!options.build.compile && !options.build.check)
    return bench;
  if (display) {
    // Nothing is built for a question, but what a journal says of it counts.
    bench.build = [](const Variant &) { return BuildResult(); };
    return bench;
  }
  if (!service) {
    CompileServiceOptions serviceOptions;
    serviceOptions.cancel = cancelFlag();
    service.emplace(serviceOptions);
  }
  BuildOptions build = options.build;
  if (build.target.empty())
    build.target =
        isCompilable(context.hardware) ? context.hardware.target : "";
  builders.push_back(
      std::make_unique<VariantBuilder>(*session, kernel, &*service, build));
  bench.build = [builder = builders.back().get()](const Variant &variant) {
    return builder->build(variant);
  };
  return bench;
}

/// Adds what a checkpoint and the database know.
void Tuner::remember(AgentContext &context) {
  auto it = start.kernels.find(fullName(context.module, context.kernel));
  if (it != start.kernels.end()) {
    context.history = it->second.attempts;
    context.best = it->second.best;
  }
  constexpr size_t records = 3;
  if (!database)
    return;
  DatabaseKey key = databaseKeyOf(context);
  context.nearest = toNearRecords(
      database->nearest(key, accessSignature(context.model), records), key);
}

void Tuner::show(const TuningEvent &event, llvm::StringRef kernel) {
  bool best = event.kind == TuningEvent::Tried && event.attempt->best;
  if (keeper && (best || event.kind == TuningEvent::Ended))
    keeper->note(kernel, {event.result.attempts, event.result.best.attempt});
  if (display) {
    display->note(event);
  } else if (options.json) {
    llvm::outs() << llvm::formatv(
        "{0}\n", llvm::json::Value(secrets.redactTexts(toJSON(event, kernel))));
    llvm::outs().flush();
  } else {
    progress.show(event);
  }
}

/// Hands the driver everything that it calls back.
void Tuner::connect() {
  DriverOptions &driver = options.driver;
  driver.tuning.attachPicture = options.agent.attachPicture;
  driver.journal = journal.get();
  driver.cancel = cancelFlag();
  driver.replayed = [this](const Usage &usage) {
    options.agent.ledger->book(usage);
  };
  driver.remember = [this](AgentContext &context) { remember(context); };
  if (!display)
    driver.measure = [this](size_t kernel, const AgentContext &context,
                            const Workbench &bench, TuningResult &result) {
      double seconds = options.driver.tuning.budget.seconds;
      auto measured = measuring->measureBest(
          kernel, {context, bench.build, bench.measure}, result,
          (seconds > 0 ? Deadline::after(seconds - result.seconds.total)
                       : Deadline())
              .orOnce(cancelFlag()));
      if (keeper && measured && *measured)
        keeper->note(fullName(context.module, context.kernel),
                     {result.attempts, result.best.attempt});
      return measured;
    };
  driver.bench = [this](size_t kernel, const AgentContext &context) {
    return makeBench(kernel, context);
  };
  driver.event = [this](const TuningEvent &event, llvm::StringRef kernel) {
    show(event, kernel);
  };
  if (display)
    driver.begin = [this](llvm::StringRef kernel) { display->begin(kernel); };
  else if (!options.json)
    driver.begin = [this](llvm::StringRef kernel) { progress.begin(kernel); };
  if (!options.agent.database.empty() || writesLLVM())
    driver.done = [this](const AgentContext &context,
                         const TuningResult &result,
                         const std::optional<MeasuredFinalists> &measured) {
      if (std::optional<DatabaseRecord> record =
              makeRecord(context, result, measured))
        found.push_back(std::move(*record));
    };
}

/// What -o writes.
llvm::Expected<std::string> Tuner::printModule(mlir::ModuleOp module) const {
  if (writesLLVM())
    return applyToLLVM(options, found);
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  os << '\n';
  return text;
}

/// Writes the module, the report and the records that were asked for. The
/// module and the report are written both or not at all; nothing else keeps
/// others from being.
llvm::Error Tuner::write(mlir::ModuleOp module, const TuningReport &report) {
  llvm::Error result = llvm::Error::success();
  auto note = [&](llvm::Error error) {
    result = llvm::joinErrors(std::move(result), std::move(error));
  };
  std::vector<WholeFile> files;
  bool isMade = true;
  if (!options.output.empty()) {
    llvm::Expected<std::string> text = printModule(module);
    isMade = bool(text);
    if (text)
      files.push_back({"", options.output, std::move(*text)});
    else
      note(text.takeError());
  }
  if (!options.report.empty() && isMade)
    files.push_back(
        {"", options.report,
         llvm::formatv("{0:2}\n", llvm::json::Value(
                                      secrets.redactTexts(toJSON(report))))});
  note(writeFilesWhole(files));
  if (!found.empty() && !options.agent.database.empty())
    note(addToDatabase(options.agent.database, found));
  if (keeper)
    note(keeper->takeError());
  if (journal)
    note(journal->takeError());
  return result;
}

/// What is different about kernels of LLVM IR.
llvm::Error Tuner::prepareImport(mlir::ModuleOp module) {
  options.plan.imported = true;
  if (!options.plan.block)
    options.plan.block = guessBlock(options.file);
  bool isRead = false;
  module.walk([&](mlir::FunctionOpInterface function) {
    isRead |= function.getName().starts_with(kPtxMarker);
  });
  if (!isRead || !options.build.compile)
    return llvm::Error::success();
  if (options.build.compilerRequired)
    return llvm::createStringError(
        "kernels with inline PTX are read, not compiled: orders of them can be "
        "simulated here, and measured by swizzle.triton");
  options.build.compile = false;
  return llvm::Error::success();
}

int Tuner::run() {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      parseModule("swizzle-tune", options.file, context);
  if (!module)
    return 2; // the parser said why
  if (isLLVMFile(options.file))
    if (llvm::Error error = prepareImport(*module))
      return fail(std::move(error), 2);
  if (llvm::Error error = prepare(*module))
    return fail(std::move(error), 2);
  connect();
  catchInterrupts();
  auto tunings = tuneKernels(
      *session, [this] { return makeTunerAgents(); }, options.driver);
  if (interruptSignal() && !display)
    explainInterrupt(options.journal);
  if (!tunings) {
    constexpr int waiting = 4;
    llvm::Error error = tunings.takeError();
    int status = error.isA<ResultsMissing>() ? waiting : 2;
    return fail(std::move(error), status);
  }
  if (display) {
    for (const KernelTuning &tuning : *tunings)
      display->note(tuning);
    llvm::Error error = display->takeError();
    return error ? fail(std::move(error), 2) : 0;
  }
  if (llvm::Error error = session->rewrite())
    return fail(std::move(error), 1);
  for (auto [tuning, planned] : llvm::zip_equal(*tunings, session->kernels()))
    tuning.irDifference = planned.irDifference;
  TuningReport report;
  report.toolVersion = SWIZZLE_VERSION;
  report.inputHash = session->inputHash();
  report.compiler = compiler();
  report.profiler = options.profiler;
  report.agents = options.agents;
  report.output = options.output == "-" ? "" : options.output;
  report.kernels = std::move(*tunings);
  llvm::Error error = write(*module, report);
  for (const KernelTuning &tuning : report.kernels)
    if (!options.json)
      printTable(tuning, people);
    else if (!tuning.result)
      llvm::outs() << llvm::formatv("{0}\n",
                                    llvm::json::Value(toRefusalEvent(tuning)));
  for (const KernelTuning &tuning : report.kernels)
    if (!tuning.notMeasured.empty())
      error = llvm::joinErrors(
          std::move(error),
          llvm::createStringError(
              "kernel " + fullName(tuning.module, tuning.kernel) +
              ": the best few were not measured: " + tuning.notMeasured));
  if (error)
    return fail(std::move(error), 1);
  if (int signal = interruptSignal())
    return 128 + signal; // as a shell counts
  return statusOf(report.kernels, plannerAdded);
}

int main(int argc, char **argv) {
  noteNohup();
  InitTool init(argc, argv, "swizzle-tune");
  TuneOptions options;
  if (std::optional<int> status = readOptions(argc, argv, options))
    return *status;
  return Tuner(options).run();
}
