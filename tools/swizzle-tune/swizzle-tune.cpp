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

#include "Options.h"
#include "swizzle/Agent/PlannerAgent.h"
#include "swizzle/Agent/Prompt.h"
#include "swizzle/InitAll.h"
#include "swizzle/Transforms/Report.h"
#include "swizzle/Tuning/Simulate.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"

#include <atomic>
#include <csignal>

using namespace swizzle;

using Agents = std::vector<std::unique_ptr<Agent>>;

/// Set by the first Ctrl-C; the second one ends the process.
static std::atomic<bool> cancelled{false};

extern "C" void noteInterrupt(int) { cancelled = true; }

static void catchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = noteInterrupt;
  action.sa_flags = SA_RESETHAND;
  ::sigaction(SIGINT, &action, nullptr);
}

static int fail(llvm::Error error, int status) {
  llvm::errs() << "swizzle-tune: " << llvm::toString(std::move(error)) << '\n';
  return status;
}

namespace {
/// Prints what an agent would be sent, and has nothing to say itself.
class PromptPrinter : public Agent {
public:
  explicit PromptPrinter(std::string directory)
      : directory(std::move(directory)) {}

  std::string name() const override { return "show-prompt"; }
  llvm::Expected<Answer> propose(const AgentContext &context) override {
    llvm::Expected<Prompt> prompt = renderPrompt(context, directory);
    if (!prompt)
      return llvm::make_error<AgentError>(AgentErrorKind::Configuration,
                                          llvm::toString(prompt.takeError()));
    llvm::outs() << showPrompt(*prompt);
    Answer answer;
    answer.finished = true;
    return answer;
  }

private:
  std::string directory;
};
} // namespace

static llvm::Expected<Agents> makeTunerAgents(const TuneOptions &options) {
  Agents agents;
  if (options.showPrompt) {
    agents.push_back(std::make_unique<PromptPrinter>(options.promptDirectory));
    return std::move(agents);
  }
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(options.agents).split(names, ',');
  for (llvm::StringRef name : names) {
    if (name != "planner")
      return llvm::createStringError("there is no agent '" + name +
                                     "'; there is: planner");
    agents.push_back(makePlannerAgent());
  }
  return std::move(agents);
}

static llvm::Expected<std::unique_ptr<Journal>>
openJournal(const TuneOptions &options, const TuningSession &session) {
  if (options.journal.empty() || options.showPrompt)
    return std::unique_ptr<Journal>();
  JournalHeader header;
  header.toolVersion = SWIZZLE_VERSION;
  header.compiler = "off";
  header.inputHash = session.inputHash();
  std::string hashes;
  for (const KernelPlan &plan : session.kernels())
    if (plan.hardware && header.chip.empty()) {
      header.chip = plan.hardware->name;
      header.chipHash = hashOf(*plan.hardware);
    }
  header.options = options.steering;
  return options.resume ? Journal::resume(options.journal, header)
                        : Journal::create(options.journal, header);
}

static void printEvent(const TuningEvent &event, llvm::StringRef kernel) {
  llvm::outs() << llvm::formatv("{0}\n",
                                llvm::json::Value(toJSON(event, kernel)));
  llvm::outs().flush();
}

/// Writes the module and the report that were asked for.
static llvm::Error writeResults(const TuneOptions &options,
                                mlir::ModuleOp module,
                                const TuningReport &report) {
  if (!options.output.empty()) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module.print(os);
    os << '\n';
    if (options.output == "-")
      llvm::outs() << text;
    else if (llvm::Error error = writeFileWhole(options.output, text))
      return llvm::createStringError("cannot write " + options.output + ": " +
                                     llvm::toString(std::move(error)));
  }
  if (!options.report.empty()) {
    std::string text =
        llvm::formatv("{0:2}\n", llvm::json::Value(toJSON(report)));
    if (llvm::Error error = writeFileWhole(options.report, text))
      return llvm::createStringError("cannot write " + options.report + ": " +
                                     llvm::toString(std::move(error)));
  }
  return llvm::Error::success();
}

static int run(TuneOptions &options) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  swizzle::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceFile<mlir::ModuleOp>(options.file, &context);
  if (!module)
    return 2; // the parser said why
  auto session = TuningSession::create(*module, options.plan, options.kernel);
  if (!session)
    return fail(session.takeError(), 2);
  // Whoever cannot be asked is known before anything is spent.
  if (auto agents = makeTunerAgents(options); !agents)
    return fail(agents.takeError(), 2);
  auto journal = openJournal(options, **session);
  if (!journal)
    return fail(journal.takeError(), 2);

  // Standard output may be taken by the module.
  llvm::raw_ostream &people =
      options.output == "-" ? llvm::errs() : llvm::outs();
  Progress progress(llvm::errs(), llvm::sys::Process::StandardErrIsDisplayed());
  DriverOptions &driver = options.driver;
  driver.journal = journal->get();
  driver.cancelled = [] { return cancelled.load(); };
  driver.bench = [](size_t, const AgentContext &context) {
    return Workbench{{}, makeSimulator(context)};
  };
  if (options.json) {
    driver.event = printEvent;
  } else if (!options.showPrompt) {
    driver.begin = [&](llvm::StringRef kernel) { progress.begin(kernel); };
    driver.event = [&](const TuningEvent &event, llvm::StringRef) {
      progress.show(event);
    };
  }
  auto tunings =
      tuneKernels(**session, [&] { return makeTunerAgents(options); }, driver);
  if (!tunings)
    return fail(tunings.takeError(), 2);
  if (options.showPrompt)
    return 0;
  if (llvm::Error error = (*session)->rewrite())
    return fail(std::move(error), 1);
  TuningReport report;
  report.toolVersion = SWIZZLE_VERSION;
  report.inputHash = (*session)->inputHash();
  report.profiler = options.profiler;
  report.agents = options.agents;
  report.output = options.output == "-" ? "" : options.output;
  report.kernels = std::move(*tunings);
  if (llvm::Error error = writeResults(options, *module, report))
    return fail(std::move(error), 1);
  if (!options.json)
    for (const KernelTuning &tuning : report.kernels)
      printTable(tuning, people);
  if (*journal)
    if (llvm::Error error = (*journal)->takeError())
      return fail(std::move(error), 1);
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  TuneOptions options;
  if (std::optional<int> status = readOptions(argc, argv, options))
    return *status;
  catchInterrupts();
  return run(options);
}
