//===- swizzle-sim.cpp - Simulate the caches under a workgroup order ------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thin main: reads kernels in MLIR, builds their models, and simulates each
// in the order of the hardware, under a formula, or both.
//
//===----------------------------------------------------------------------===//

#include "../common/About.h"
#include "../common/KernelOptions.h"
#include "../common/Range.h"
#include "../common/Settings.h"
#include "../common/StandardOutput.h"
#include "swizzle/Analysis/Describe/Kernels.h"
#include "swizzle/Analysis/Describe/NoteClaims.h"
#include "swizzle/Analysis/Describe/ReadFacts.h"
#include "swizzle/Codegen/Host/RecordTrace.h"
#include "swizzle/Formula/Draw/Draw.h"
#include "swizzle/Formula/Lowering/Lowering.h"
#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/IR/AppliedTag.h"
#include "swizzle/IR/HardwareAttr.h"
#include "swizzle/Planner/OrderSimulator.h"
#include "swizzle/Simulation/Print.h"
#include "swizzle/Support/FileRoles.h"
#include "swizzle/Support/ReadFile.h"
#include "swizzle/Support/WriteFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace swizzle;
namespace cl = llvm::cl;

static cl::OptionCategory category("swizzle-sim options");

static cl::opt<std::string> file(cl::Positional, cl::Required,
                                 cl::desc("FILE.mlir | FILE.ll | FILE.bc | -"),
                                 cl::cat(category));
static KernelOptions kernelOptions(category,
                                   "simulates the order of this formula");
static cl::opt<bool> compare("compare",
                             cl::desc("simulates the original order as well"),
                             cl::cat(category));
static cl::opt<unsigned>
    sample("sample", cl::init(1), cl::value_desc("N"),
           cl::desc("simulates one line in N, a power of two up to 1024"),
           cl::cat(category));
static cl::opt<double>
    prefix("prefix", cl::init(1), cl::value_desc("share"),
           cl::desc("simulates this share of the workgroups, from the first"),
           cl::cat(category));
static cl::opt<unsigned>
    launches("launches", cl::init(1), cl::value_desc("N"),
             cl::desc("simulates the N-th of N launches in a row, with caches "
                      "as the others leave them"),
             cl::cat(category));
static cl::opt<bool> sensitivity(
    "sensitivity",
    cl::desc("repeats with caches a third smaller and a tenth larger, with "
             "another skew, and with younger workgroups that fall behind"),
    cl::cat(category));
static cl::opt<unsigned>
    registers("registers", cl::init(0), cl::value_desc("number"),
              cl::desc("registers of a thread as the kernel is assembled, 1 "
                       "to 1024; estimated if nothing is said"),
              cl::cat(category));
static cl::opt<unsigned> dynamicBytes(
    "dynamic-workgroup-bytes", cl::init(0), cl::value_desc("number"),
    cl::desc("workgroup memory that the launch adds"), cl::cat(category));
static cl::opt<std::string>
    args("args", cl::value_desc("?+4096+{?:64}+..."),
         cl::desc("what a launch passes, one an argument: a size, map:... of a "
                  "tensor map, {...} of a structure, or ?"),
         cl::cat(category));
static cl::opt<bool>
    record("record",
           cl::desc("simulates what the kernel touches when it runs "
                    "on the host, not the model of it"),
           cl::cat(category));
static cl::opt<std::string>
    matrixFile("matrix", cl::value_desc("M.mtx"),
               cl::desc("records the product with this sparse matrix"),
               cl::cat(category));
static cl::opt<std::string>
    draw("draw", cl::value_desc("out.svg"),
         cl::desc("draws the grid of the one kernel by die and by time"),
         cl::cat(category));
enum class Detail { Full, Fast };
static cl::opt<Detail> howMuch(
    "simulate", cl::init(Detail::Full), cl::desc("how much is simulated"),
    cl::values(clEnumValN(Detail::Full, "full",
                          "all, or what --sample and --prefix say (default)"),
               clEnumValN(Detail::Fast, "fast",
                          "as much as the planner simulates of an order that "
                          "it decides on")),
    cl::cat(category));
static cl::opt<double>
    maxSeconds("max-seconds", cl::init(0), cl::value_desc("seconds"),
               cl::desc("ends with status 2 if it is not done by then; 0: no "
                        "limit"),
               cl::cat(category));
static cl::opt<bool> json("json",
                          cl::desc("prints JSON (schema swizzle-sim/1)"),
                          cl::cat(category));

static constexpr const char *kOverview =
    "simulates the caches of a chip under an order of workgroups\n\n"
    "  swizzle-sim kernel.mlir --chip=mi300x\n"
    "  swizzle-sim kernel.mlir --chip=mi300x --formula=@xcd-balanced "
    "--compare\n\n"
    "  Every figure is simulated, none is measured: docs/simulator.md says "
    "how\n"
    "  far to trust them. Exit status: 0 done, 1 the formula is illegal, 2\n"
    "  cannot be read or used.\n";

namespace {
/// A formula that is legal on the grid of a kernel.
struct LegalOrder {
  BoundFormula formula;
  std::vector<uint32_t> tiles; ///< of each workgroup; empty: too many
};
} // namespace

/// The order of the formula that is given on the grid of `model`; `illegal` is
/// set if it is no permutation.
static llvm::Expected<LegalOrder> readOrder(const KernelModel &model,
                                            const HardwareSpec &hardware,
                                            SimulationReport &report,
                                            bool &illegal) {
  llvm::Expected<Formula> formula = kernelOptions.readFormula();
  if (!formula)
    return formula.takeError();
  Environment environment;
  environment.grid = model.grid;
  environment.hardware = hardware.formulaConstants();
  environment.chip = hardware.name;
  llvm::Expected<ParamValues> params = kernelOptions.readParams(*formula);
  if (!params)
    return params.takeError();
  environment.params = std::move(*params);
  ProofOptions options;
  options.maxIds = int64_t(1) << 26;
  if (environment.params.empty() && !formula->params().empty()) {
    TemplateVerdict first = firstLegal(*formula, environment, options);
    environment.params = first.params;
  }
  std::vector<uint32_t> tiles;
  Verdict verdict = prove(*formula, environment, options, tiles);
  if (!verdict.legal()) {
    const Refusal &refusal = *verdict.refusal;
    illegal = !isUnusable(refusal.code);
    std::string text = refusal.message;
    if (llvm::StringRef more = addedTo(text, refusal.counterexample);
        !more.empty())
      text += ": " + more.str();
    if (llvm::is_contained(model.gridKnown, false))
      text += "; the grid " + toString(model.grid) +
              " is assumed where nobody says it, --grid does";
    return llvm::createStringError(text + " [" + refusal.code + "]");
  }
  report.formula = formula->print();
  report.params.insert(environment.params.begin(), environment.params.end());
  if (llvm::Expected<LoweredFormula> lowered = lower(*formula, environment))
    report.remapInstructions = estimateCost(*lowered);
  else
    report.assumed.push_back("what the remap itself costs is left out: " +
                             toString(lowered.takeError()));
  // Of more workgroups only a part can be simulated, and nothing drawn.
  if (tiles.empty() && (howMuch == Detail::Full || !draw.empty()))
    return llvm::createStringError(
        "an order of more than " + llvm::Twine(options.maxIds) +
        " workgroups is not simulated in full, or drawn: --simulate=fast "
        "simulates a part, --grid takes a smaller grid");
  llvm::Expected<BoundFormula> bound =
      BoundFormula::bind(*formula, environment);
  if (!bound)
    return bound.takeError();
  return LegalOrder{std::move(*bound), std::move(tiles)};
}

/// Runs `kernel` on the host, with the matrix if there is one.
static llvm::Expected<Trace> recordKernel(mlir::FunctionOpInterface kernel,
                                          std::optional<Grid> grid,
                                          std::optional<Grid> block,
                                          const HardwareSpec &hardware) {
  HostOptions options;
  options.grid = grid;
  options.block = block;
  options.subgroupSize = hardware.waveSize;
  if (!matrixFile.empty()) {
    auto file = readWholeFile(matrixFile, kDataLimit);
    if (!file)
      return llvm::createStringError("cannot read " + matrixFile + ": " +
                                     toString(file.takeError()));
    auto matrix = readMatrixMarket((*file)->getBuffer(), matrixFile);
    if (!matrix)
      return matrix.takeError();
    if (llvm::Error error = giveMatrix(kernel, *matrix, options))
      return error;
  }
  return recordTrace(kernel, options);
}

/// What is told of the kernel and the chip before anything is simulated.
static void describe(const KernelModel &model, const ChipChoice &choice,
                     const LaunchSizes &sizes, SimulationReport &report) {
  report.module = model.module;
  report.kernel = model.name;
  report.chip = choice.hardware.name;
  report.chipDescription = choice.hardware.description;
  report.chipSource = choice.source;
  report.grid = model.grid;
  report.block = model.block;
  report.residentWorkgroups = occupancy(model, choice.hardware);
  report.assumed = describeAssumptions(model);
  if (choice.source == "target")
    report.assumed.push_back("the chip is " + report.chip +
                             ", the usual one of the kernel's target");
  for (const std::string &note : {sizes.note, sizes.ignoredOption})
    if (!note.empty())
      report.assumed.push_back(note);
  for (const NotModelled *access : model.unseen())
    report.notModelled.push_back(access->what + ": " + access->reason);
  report.options.sampleShift = llvm::Log2_32(sample);
  report.options.prefix = prefix;
  report.options.sensitivity = sensitivity;
  report.options.launches = launches;
}

/// Simulates one order after the other, of each the same part.
class Orders {
public:
  Orders(const KernelModel &model, const std::optional<Trace> &trace,
         const HardwareSpec &hardware, const Deadline &deadline)
      : model(model), trace(trace), hardware(hardware),
        fast(model, hardware, SimulatorEffort().decide) {
    fast.setDeadline(deadline);
  }

  /// In the order that is given, or as it is. `remapInstructions`: what a wave
  /// carries out to get its tile.
  llvm::Error simulate(const std::optional<LegalOrder> &order,
                       double remapInstructions, SimulationReport &report,
                       std::optional<Metrics> &into) {
    report.options.remapInstructions = remapInstructions;
    llvm::ArrayRef<uint32_t> permutation;
    if (order)
      permutation = order->tiles;
    llvm::Expected<Metrics> metrics =
        howMuch == Detail::Fast
            ? order ? fast.simulate(order->formula, remapInstructions)
                    : fast.simulate({})
        : trace
            ? swizzle::simulate(*trace, hardware, permutation, report.options)
            : swizzle::simulate(model, hardware, permutation, report.options);
    if (metrics.errorIsA<Interrupted>()) {
      llvm::consumeError(metrics.takeError()); // said with what to do
      return llvm::createStringError(
          "the time was up; more of it (--max-seconds), or less "
          "to do (--simulate=fast, --sample, --prefix)");
    }
    if (!metrics)
      return metrics.takeError();
    into = std::move(*metrics);
    if (howMuch == Detail::Fast) {
      report.options = fast.options();
      report.isWithin = true;
    }
    return llvm::Error::success();
  }

private:
  const KernelModel &model;
  const std::optional<Trace> &trace;
  const HardwareSpec &hardware;
  OrderSimulator fast;
};

/// Fails if options exclude each other, or a file that is read is written.
static llvm::Error checkOptions() {
  constexpr unsigned mostSample = 1u << kMostSampleShift;
  if (!llvm::isPowerOf2_32(sample) || sample > mostSample)
    return llvm::createStringError("--sample must be a power of two, 1 to " +
                                   llvm::Twine(mostSample));
  if (llvm::Error error = kernelOptions.check())
    return error;
  if (launches < 1 || launches > kMostLaunches)
    return llvm::createStringError("--launches must be 1 to " +
                                   llvm::Twine(kMostLaunches));
  if (launches > 1 && prefix < 1)
    return llvm::createStringError(
        "--launches repeats whole launches: it excludes --prefix");
  if (compare && !kernelOptions.namesFormula())
    return llvm::createStringError(
        "--compare needs --formula or --formula-file");
  if (llvm::Error error =
          checkRanges({{"max-seconds", maxSeconds, 0, kLongestSeconds},
                       {"dynamic-workgroup-bytes", double(dynamicBytes), 0,
                        double(kMostDynamicBytes)}}))
    return error;
  if (registers.getNumOccurrences())
    if (llvm::Error error = checkRanges(
            {{"registers", double(registers), 1, double(kMostRegisters)}}))
      return error;
  if (!draw.empty() && !kernelOptions.namesFormula())
    return llvm::createStringError("--draw needs --formula or --formula-file");
  if (isStandardOutput(draw) && json)
    return llvm::createStringError(
        "only one of --json and --draw=- can have standard output");
  if (howMuch == Detail::Fast &&
      (sample.getNumOccurrences() || prefix.getNumOccurrences() ||
       sensitivity || record || launches > 1 || !matrixFile.empty()))
    return llvm::createStringError(
        "--simulate=fast settles what is left out: it excludes "
        "--sample, --prefix, --launches, --sensitivity, --record "
        "and --matrix");
  if (llvm::Error error =
          checkDistinct({{"the input", file},
                         {"the formula's file", kernelOptions.formulaFile()},
                         {"the chip's description", kernelOptions.hardwareFile},
                         {"the matrix", matrixFile},
                         {"the drawing", draw, true}}))
    return error;
  // Before minutes are spent on what is drawn.
  if (!draw.empty() && draw != "-")
    if (llvm::Error error = checkWritable(draw))
      return llvm::createStringError("cannot write the drawing '" + draw +
                                     "': " + llvm::toString(std::move(error)));
  return llvm::Error::success();
}

/// Notes what --args says on the arguments of the kernel.
static llvm::Error noteArgs(mlir::FunctionOpInterface kernel) {
  if (!args.getNumOccurrences())
    return llvm::Error::success();
  llvm::Expected<ArgumentClaims> claims = readArgumentClaims(args);
  if (!claims)
    return llvm::createStringError("--args: " +
                                   llvm::toString(claims.takeError()));
  std::vector<std::string> problems = noteClaims(kernel, *claims);
  if (problems.empty())
    return llvm::Error::success();
  return llvm::createStringError("--args: " + llvm::join(problems, "; "));
}

/// Simulates one kernel into `report`.
static llvm::Error run(mlir::FunctionOpInterface kernel,
                       const Deadline &deadline, SimulationReport &report,
                       bool &illegal) {
  std::optional<Grid> grid, block;
  if (llvm::Error error = kernelOptions.readSizes(grid, block))
    return error;
  llvm::Expected<std::optional<ChipChoice>> choice =
      chooseChip(kernelOptions.chip, kernelOptions.hardwareFile, kernel);
  if (!choice)
    return choice.takeError();
  if (!*choice)
    return makeNoChipError("the simulator");
  if (llvm::Error error = noteArgs(kernel))
    return error;
  const HardwareSpec &hardware = (*choice)->hardware;
  FactsOptions options;
  options.grid = grid;
  options.block = block;
  options.subgroup = hardware.waveSize;
  options.registers = registers;
  options.dynamicWorkgroupBytes = dynamicBytes;
  KernelFacts facts = readFacts(kernel, options).facts;
  const LaunchSizes &sizes = facts.sizes;
  KernelModel model = std::move(facts.model);
  std::optional<Trace> trace;
  if (record || !matrixFile.empty()) {
    llvm::Expected<Trace> recorded =
        recordKernel(kernel, grid, block, hardware);
    if (!recorded)
      return recorded.takeError();
    trace = std::move(*recorded);
    model = trace->kernel;
    model.assumed.push_back("accesses are those of a recording; arithmetic is "
                            "left out of the time");
  }
  // The arithmetic of a remap is made to be cheap, not to be read again.
  if (!trace && isQuiet(model.body) && timesRemapped(kernel) > 0)
    return llvm::createStringError(
        "the kernel has a new order already (" + kAppliedAttrName +
        "), and its accesses cannot be read any more: simulate "
        "the original with --formula or --formula-file, or what "
        "the kernel touches with --record");

  describe(model, **choice, sizes, report);
  if (std::string other = describeOtherTarget(kernel, hardware); !other.empty())
    report.assumed.push_back(std::move(other));
  std::optional<LegalOrder> order;
  if (kernelOptions.namesFormula()) {
    llvm::Expected<LegalOrder> legal =
        readOrder(model, hardware, report, illegal);
    if (!legal)
      return legal.takeError();
    order = std::move(*legal);
  }
  report.options.deadline = deadline;
  Orders orders(model, trace, hardware, deadline);
  if (!order || compare)
    if (llvm::Error error =
            orders.simulate(std::nullopt, 0, report, report.original))
      return error;
  // Of a recording, all arithmetic is left out.
  double cost = trace ? 0 : double(report.remapInstructions.value_or(0));
  if (order)
    if (llvm::Error error =
            orders.simulate(order, cost, report, report.remapped))
      return error;
  if (draw.empty())
    return llvm::Error::success();
  Drawing drawing;
  drawing.title = "kernel " + model.name + " on " + hardware.name;
  drawing.grid = model.grid;
  if (order)
    drawing.permutation = order->tiles;
  drawing.numDies = hardware.numDies;
  drawing.dispatchChunk = hardware.dispatchChunk;
  return writeFilesWhole({{"the drawing", draw, drawSVG(drawing)}});
}

static int fail(llvm::Error error, int status) {
  llvm::errs() << "swizzle-sim: " << llvm::toString(std::move(error)) << '\n';
  return status;
}

int main(int argc, char **argv) {
  InitTool init(argc, argv, "swizzle-sim");
  About about("swizzle-sim", category);
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &llvm::errs()))
    return 2;
  if (llvm::Error error = checkEmpty(argc, argv))
    return fail(std::move(error), 2);
  if (llvm::Error error = checkOptions())
    return fail(std::move(error), 2);
  Deadline deadline = maxSeconds > 0 ? Deadline::after(maxSeconds) : Deadline();

  mlir::MLIRContext context(makeKernelRegistry());
  auto module = readKernels("swizzle-sim", file, context);
  if (!module)
    return 2; // the parser said why
  auto kernels = selectKernels(*module, kernelOptions.kernel);
  if (!kernels)
    return fail(kernels.takeError(), 2);
  if (!draw.empty() && kernels->size() > 1)
    return fail(llvm::createStringError(
                    "--draw shows one kernel: choose it with --kernel"),
                2);

  llvm::json::Array all;
  for (mlir::FunctionOpInterface kernel : *kernels) {
    SimulationReport report;
    bool illegal = false;
    if (llvm::Error error = run(kernel, deadline, report, illegal))
      return fail(llvm::createStringError("kernel " + kernel.getName() + ": " +
                                          llvm::toString(std::move(error))),
                  illegal ? 1 : 2);
    if (json)
      all.push_back(toJSON(report));
    else
      printReport(report, isStandardOutput(draw) ? llvm::errs() : llvm::outs());
  }
  if (json)
    llvm::outs() << llvm::formatv(
        "{0:2}\n",
        llvm::json::Value(llvm::json::Object{{"schema", "swizzle-sim/1"},
                                             {"tool_version", SWIZZLE_VERSION},
                                             {"kernels", std::move(all)}}));
  return 0;
}
