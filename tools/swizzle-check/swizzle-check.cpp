//===- swizzle-check.cpp - Checks a variant of a kernel on the host -------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thin main around `check`: reads two files, finds out which formula the
// variant claims to be made with, prints what was found. Exit status: 0 passed,
// 1 failed, 3 unchecked, 2 cannot be read or used.
//
//===----------------------------------------------------------------------===//

#include "../common/About.h"
#include "../common/KernelOptions.h"
#include "../common/Range.h"
#include "../common/StandardOutput.h"
#include "Argument.h"
#include "Limits.h"
#include "Noted.h"
#include "PrintCheck.h"
#include "PrintRaces.h"
#include "RunLaunch.h"
#include "swizzle/Bundle/Job.h"
#include "swizzle/Formula/Lowering/Lowering.h"
#include "swizzle/IR/AppliedTag.h"
#include "swizzle/IR/CompiledFor.h"
#include "swizzle/IR/HardwareAttr.h"
#include "swizzle/Kernel/LaunchSizes.h"
#include "swizzle/Support/FileRoles.h"

#include "llvm/Support/FormatVariadic.h"

using namespace swizzle;
namespace cl = llvm::cl;

static cl::OptionCategory category("swizzle-check options");

static cl::opt<std::string> originalFile(cl::Positional, cl::Required,
                                         cl::desc("ORIGINAL.mlir"),
                                         cl::cat(category));
static cl::opt<std::string>
    variantFile(cl::Positional, cl::desc("VARIANT.mlir"), cl::cat(category));
static KernelOptions
    kernelOptions(category,
                  "the formula that the variant shall follow; by default the "
                  "one that it says it was made with");
static cl::opt<std::string> assumedGridText(
    "assumed-grid", cl::value_desc("XxYxZ"),
    cl::desc("the grid that the variant was made for; on any other it must be "
             "the original"),
    cl::cat(category));
static cl::opt<std::string>
    assumedBlockText("assumed-block", cl::value_desc("XxYxZ"),
                     cl::desc("the same of the threads of a workgroup"),
                     cl::cat(category));
static cl::list<std::string> arguments(
    "argument", cl::value_desc("N=4096x64 | N=17 | N=@file"),
    cl::desc("shape of memref argument N, value of number N, or contents of "
             "buffer N"),
    cl::cat(category));
static cl::opt<uint64_t>
    seed("seed", cl::init(1),
         cl::desc("of the buffers' contents and of the sample"),
         cl::cat(category));
static cl::opt<int64_t>
    allUpTo("all-up-to", cl::init(CheckOptions().allUpTo), cl::value_desc("N"),
            cl::desc("runs all workgroups of a grid with no more than N"),
            cl::cat(category));
static cl::opt<int64_t>
    sample("sample", cl::init(CheckOptions().sample), cl::value_desc("N"),
           cl::desc("workgroups at random of a larger grid, beside corners and "
                    "tails"),
           cl::cat(category));
static cl::opt<int64_t> budget(
    "budget", cl::init(CheckOptions().accessBudget), cl::value_desc("N"),
    cl::desc("the sample ends after so many accesses, though not before all "
             "corners were run"),
    cl::cat(category));
static cl::opt<double>
    tolerance("tolerance", cl::init(CheckOptions().atomicTolerance),
              cl::desc("largest relative difference of what floating-point "
                       "atomics touch"),
              cl::cat(category));
static cl::opt<int64_t>
    subgroupSize("subgroup-size", cl::init(0), cl::value_desc("N"),
                 cl::desc("by default that of the target, else 32"),
                 cl::cat(category));
static cl::opt<int64_t>
    dynamicBytes("dynamic-workgroup-bytes", cl::init(0), cl::value_desc("N"),
                 cl::desc("workgroup memory that the launch adds, where the "
                          "module does not say"),
                 cl::cat(category));
static cl::opt<bool>
    compareModel("model",
                 cl::desc("compares what workgroups of the original "
                          "touch with the analysis's model of it"),
                 cl::cat(category));
static cl::opt<bool>
    races("races",
          cl::desc("looks for two workgroups of the original that touch one "
                   "byte, one of them writing"),
          cl::cat(category));
static cl::opt<std::string> runFolder(
    "run", cl::value_desc("FOLDER"),
    cl::desc("runs all workgroups of the original on what --argument gives, "
             "and writes its buffers to FOLDER/arg0, FOLDER/arg1, ..."),
    cl::cat(category));
static cl::opt<int64_t> maxSteps(
    "max-steps", cl::init(0), cl::value_desc("N"),
    cl::desc("ends, unchecked, when a workgroup has branched back so many "
             "times; with --races, all workgroups together"),
    cl::cat(category));
static cl::opt<double>
    timeLimit("time-limit", cl::init(0), cl::value_desc("SECONDS"),
              cl::desc("ends, unchecked, after so long; by default never"),
              cl::cat(category));
static cl::opt<bool> json("json",
                          cl::desc("prints JSON (schema swizzle-check/1)"),
                          cl::cat(category));

static constexpr const char *kOverview =
    "runs workgroups of a variant and of the original on the host and compares "
    "what they write\n\n"
    "  swizzle-check original.mlir variant.mlir\n"
    "  swizzle-check original.mlir variant.mlir --formula=@super-group "
    "--set=G=8\n"
    "  swizzle-check original.mlir --model\n"
    "  swizzle-check original.mlir --races\n"
    "  swizzle-check original.mlir --argument=0=@in --argument=1=@out "
    "--run=folder\n\n"
    "  Exit status: 0 passed, 1 failed, 3 unchecked, 2 cannot be read or "
    "used.\n";

static int fail(llvm::Error error) {
  llvm::errs() << "swizzle-check: " << llvm::toString(std::move(error)) << '\n';
  return 2;
}

/// Fails if a number is none that its option can have.
static llvm::Error checkNumbers() {
  if (subgroupSize && !llvm::isPowerOf2_64(subgroupSize))
    return llvm::createStringError("--subgroup-size must be a power of two, "
                                   "not " +
                                   llvm::Twine(subgroupSize));
  return checkRanges({{"subgroup-size", double(subgroupSize), 0, 1024},
                      {"dynamic-workgroup-bytes", double(dynamicBytes), 0,
                       double(kMostDynamicBytes)},
                      {"all-up-to", double(allUpTo)},
                      {"sample", double(sample)},
                      {"budget", double(budget)},
                      {"max-steps", double(maxSteps)},
                      {"tolerance", tolerance, 0, kMostTolerance},
                      {"time-limit", timeLimit, 0, kLongestSeconds}});
}

static llvm::Expected<CheckOptions> readOptions() {
  if (llvm::Error error = checkNumbers())
    return std::move(error);
  CheckOptions options;
  options.allUpTo = allUpTo;
  options.sample = sample;
  options.accessBudget = budget;
  options.atomicTolerance = tolerance;
  options.host.seed = seed;
  options.host.subgroupSize = subgroupSize;
  options.host.dynamicWorkgroupBytes = dynamicBytes;
  if (maxSteps)
    options.host.maxSteps = maxSteps;
  if (llvm::Error error =
          kernelOptions.readSizes(options.host.grid, options.host.block))
    return error;
  for (const std::string &argument : arguments)
    if (llvm::Error error = readArgument(argument, options.host))
      return error;
  return options;
}

static llvm::Expected<BoundFormula> bindIdentity(const Grid &grid) {
  llvm::Expected<Formula> formula = Formula::parse("return x, y, z");
  if (!formula)
    return formula.takeError();
  Environment environment;
  environment.grid = grid;
  return BoundFormula::bind(*formula, environment);
}

/// Workgroups of the largest grid on which a variant that was made for any grid
/// follows its formula: beyond, its arithmetic of 32 bits does not hold, and a
/// guard in it keeps the order. INT64_MAX if it needs no such guard.
static int64_t largestGrid(mlir::Operation *variant, const Grid &grid) {
  if (kernelOptions.namesFormula() || variant->hasAttr("known_grid_size"))
    return INT64_MAX;
  auto noted = readNoted(variant, grid, kernelOptions);
  if (!noted) {
    // `findFormula` has said it.
    llvm::consumeError(noted.takeError());
    return INT64_MAX;
  }
  if (!*noted || (*noted)->second.grid.isStatic())
    return INT64_MAX;
  llvm::Expected<LoweredFormula> lowered =
      lower((*noted)->first, (*noted)->second);
  if (!lowered) {
    // It was made for one grid.
    llvm::consumeError(lowered.takeError());
    return INT64_MAX;
  }
  return lowered->maxExtentProduct ? lowered->maxExtentProduct : INT64_MAX;
}

/// The formula of the options, else the variant's own, else the identity;
/// `source` says which.
static llvm::Expected<BoundFormula> findFormula(mlir::Operation *variant,
                                                const CheckedSizes &sizes,
                                                std::string &source) {
  const Grid &grid = sizes.grid;
  std::optional<Grid> assumedGrid, assumedBlock;
  for (auto [name, text, assumed] :
       {std::tuple("grid", &assumedGridText, &assumedGrid),
        std::tuple("block", &assumedBlockText, &assumedBlock)})
    if (llvm::Error error = readKnownGrid(*text, *assumed))
      return llvm::createStringError("--assumed-" + llvm::Twine(name) + ": " +
                                     llvm::toString(std::move(error)));
  for (auto [assumed, checked, name] :
       {std::tuple(assumedGrid, sizes.grid, "grid"),
        std::tuple(assumedBlock, sizes.block, "block")})
    if (assumed && *assumed != checked) {
      source =
          std::string("identity: the variant was made for another ") + name;
      return bindIdentity(grid);
    }
  if (!kernelOptions.namesFormula()) {
    auto noted = readNoted(variant, grid, kernelOptions);
    if (!noted)
      return noted.takeError();
    if (!*noted) {
      source = timesRemapped(variant)
                   ? "identity: the variant was made for other grids"
                   : "identity: the variant names no formula";
      return bindIdentity(grid);
    }
    source = "the variant";
    (*noted)->second.grid = grid;
    return BoundFormula::bind((*noted)->first, (*noted)->second);
  }
  source = "option";
  llvm::Expected<Formula> formula = kernelOptions.readFormula();
  if (!formula)
    return formula.takeError();
  Environment environment;
  environment.grid = grid;
  auto choice =
      chooseChip(kernelOptions.chip, kernelOptions.hardwareFile, variant);
  if (!choice)
    return choice.takeError();
  if (*choice) {
    const HardwareSpec &hardware = (*choice)->hardware;
    if (llvm::Error error =
            checkVendor(variant, hardware.vendor, hardware.name))
      return std::move(error);
    environment.hardware = (*choice)->hardware.formulaConstants();
    environment.chip = (*choice)->hardware.name;
  }
  llvm::Expected<ParamValues> params = kernelOptions.readParams(*formula);
  if (!params)
    return params.takeError();
  environment.params = std::move(*params);
  return BoundFormula::bind(*formula, environment);
}

/// Why the two may differ although the variant is what it shall be: it was
/// compared with another kernel, or on another grid, than it was made from.
static std::string explainFailure(mlir::Operation *original,
                                  mlir::Operation *variant) {
  if (kernelOptions.namesFormula())
    return "";
  int64_t before = original ? timesRemapped(original) : 0;
  int64_t times = timesRemapped(variant);
  if (times > before + 1)
    return "; the variant was remapped " + std::to_string(times) +
           " times (compose), and the formula that it names is the last one "
           "alone: compare it with the kernel that was remapped last, or give "
           "the whole map with --formula";
  if (!times)
    return "; the variant names no formula: if it was remapped, give the "
           "formula with --formula-file=FILE or --formula, and with "
           "--chip=NAME if this reads the chip's numbers";
  // A known grid is nobody's assumption.
  if (assumedGridText.empty() && !variant->hasAttr("known_grid_size"))
    return "; if the variant was made for an assumed grid, and is the original "
           "on any other, give that grid with --assumed-grid, and a block "
           "with --assumed-block";
  return "";
}

static int exitStatus(CheckStatus status) {
  return status == CheckStatus::Passed   ? 0
         : status == CheckStatus::Failed ? 1
                                         : 3;
}

/// --model: compares the kernel's model with what the kernel touches.
static int runModel(mlir::ModuleOp module, const CheckOptions &options) {
  ModelComparison result =
      compareWithModel(module, kernelOptions.kernel, options);
  printComparison(result, seed, json);
  return exitStatus(result.status);
}

/// --races: no variant, but two workgroups of the original.
static int runRaces(mlir::ModuleOp module, const CheckOptions &check) {
  auto kernel = findKernel(module, kernelOptions.kernel);
  if (!kernel)
    return fail(kernel.takeError());
  RaceOptions options;
  options.host = check.host;
  if (maxSteps)
    options.maxSteps = maxSteps;
  if (allUpTo.getNumOccurrences())
    options.allUpTo = allUpTo;
  if (sample.getNumOccurrences())
    options.sample = sample;
  RaceResult result = findRaces(*kernel, options);
  if (result.unusable)
    return fail(llvm::createStringError(result.reason));
  printRaces(result, json);
  return result.outcome == RaceOutcome::NoRace ? 0
         : result.outcome == RaceOutcome::Race ? 1
                                               : 3;
}

/// --run: no comparison, but what a launch of the original computes.
static int runWhole(mlir::ModuleOp module, const HostOptions &options) {
  auto kernel = findKernel(module, kernelOptions.kernel);
  if (!kernel)
    return fail(kernel.takeError());
  auto run = runLaunch(*kernel, options, runFolder);
  if (run) {
    llvm::outs() << llvm::formatv(
        "done\n  all {0} workgroups run, grid {1}, block {2}, {3} accesses\n",
        run->grid.count(), toString(run->grid), toString(run->block),
        run->accesses);
    return 0;
  }
  int status = 2;
  llvm::Error other = llvm::handleErrors(
      run.takeError(),
      [&](const HostFault &fault) {
        status = fault.isLimit() ? 3 : 1;
        llvm::outs() << (fault.isLimit() ? "unchecked: " : "failed: ")
                     << fault.message << '\n';
      },
      [&](const UncheckedError &error) {
        status = 3;
        llvm::outs() << "unchecked: " << error.message << '\n';
      });
  return other ? fail(std::move(other)) : status;
}

/// The check on a grid that the variant's guard is expected to leave in order:
/// the identity, if the variant is that.
static std::optional<BoundFormula>
checkKeepsOrder(mlir::ModuleOp original, mlir::ModuleOp variant,
                const Grid &grid, int64_t largest, const CheckOptions &options,
                CheckResult &result) {
  auto identity = bindIdentity(grid);
  if (!identity) {
    // A grid that cannot be enumerated: the formula is checked, as elsewhere.
    llvm::consumeError(identity.takeError());
    return std::nullopt;
  }
  result = check(original, variant, kernelOptions.kernel, *identity, options);
  if (result.status == CheckStatus::Failed)
    return std::nullopt;
  std::string more = "more than " + std::to_string(largest) + " workgroups";
  result.notes.push_back("on grids of " + more +
                         ", which its arithmetic of 32 bits does not hold, the "
                         "variant keeps the original's order");
  return std::move(*identity);
}

/// How "unchecked" is said when nothing but a write can be relied on.
static LimitText limitText() {
  if (!json)
    return {"unchecked: ", "\n"};
  llvm::StringRef mode = races ? "-races" : compareModel ? "-model" : "";
  return {llvm::formatv("{{\n  \"schema\": \"swizzle-check{0}/1\",\n  "
                        "\"{1}\": \"unchecked\",\n  \"{2}\": \"",
                        mode, races ? "outcome" : "status",
                        races ? "reason" : "message"),
          "\"\n}\n"};
}

/// Fails if options exclude each other, or two files are standard input.
static llvm::Error checkUsage() {
  if (llvm::Error error = kernelOptions.check())
    return error;
  if (llvm::Error error = checkDistinct(
          {{"the original", originalFile},
           {"the variant", variantFile},
           {"the formula's file", kernelOptions.formulaFile()},
           {"the chip's description", kernelOptions.hardwareFile}}))
    return error;
  bool runs = runFolder.getNumOccurrences();
  if (!variantFile.empty() + compareModel + races + runs != 1)
    return llvm::createStringError(
        "give ORIGINAL and VARIANT, or ORIGINAL and --model, "
        "or ORIGINAL and --races, or ORIGINAL and --run");
  if (runs && json)
    return llvm::createStringError(
        "--json goes with verdicts, and --run has none");
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  InitTool init(argc, argv, "swizzle-check");
  About about("swizzle-check", category);
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &llvm::errs()))
    return 2;
  if (llvm::Error error = checkEmpty(argc, argv))
    return fail(std::move(error));
  if (llvm::Error error = checkUsage())
    return fail(std::move(error));
  auto options = readOptions();
  if (!options)
    return fail(options.takeError());

  installLimits(limitText(), timeLimit);
  mlir::MLIRContext context(makeKernelRegistry());
  auto original = readKernels("swizzle-check", originalFile, context);
  if (original && compareModel)
    return runModel(*original, *options);
  if (original && races)
    return runRaces(*original, *options);
  if (original && runFolder.getNumOccurrences())
    return runWhole(*original, options->host);
  auto variant =
      original ? readKernels("swizzle-check", variantFile, context) : nullptr;
  if (!variant)
    return 2; // the parser said why
  auto kernel = findKernel(*variant, kernelOptions.kernel);
  if (!kernel)
    return fail(llvm::joinErrors(llvm::createStringError(variantFile),
                                 kernel.takeError()));
  auto sizes = findCheckedSizes(*original, kernelOptions.kernel, *options);
  if (!sizes)
    return fail(llvm::joinErrors(llvm::createStringError(originalFile),
                                 sizes.takeError()));
  const Grid &grid = sizes->grid;
  std::string source;
  auto formula = findFormula(*kernel, *sizes, source);
  if (!formula)
    return fail(formula.takeError());
  CheckResult result;
  std::optional<BoundFormula> kept;
  int64_t largest = largestGrid(*kernel, grid);
  llvm::Expected<std::string> why =
      sizes->gridIsNominal && !kernelOptions.namesFormula()
          ? whyNotFollowed(*kernel, grid)
          : llvm::Expected<std::string>("");
  if (!why)
    return fail(why.takeError());
  if (!why->empty())
    result.message = *why;
  else if (grid.count() > largest)
    kept =
        checkKeepsOrder(*original, *variant, grid, largest, *options, result);
  if (kept) {
    formula = std::move(*kept);
    source = "identity: the grid has more than " + std::to_string(largest) +
             " workgroups";
  } else if (why->empty()) {
    result =
        check(*original, *variant, kernelOptions.kernel, *formula, *options);
  }
  if (result.status == CheckStatus::Failed) {
    auto before = findKernel(*original, kernelOptions.kernel);
    mlir::Operation *from = nullptr;
    if (before)
      from = *before;
    else // not possible: it was compared
      llvm::consumeError(before.takeError());
    result.message += explainFailure(from, *kernel);
  }
  printCheck(result, {formula->formula().print(), source}, tolerance, json);
  return exitStatus(result.status);
}
