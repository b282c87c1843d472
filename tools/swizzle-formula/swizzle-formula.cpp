//===- swizzle-formula.cpp - Check, print, evaluate and draw formulas -----===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thin main over the formula part. Reads one formula, binds it to a grid and
// a chip, and says whether it is a permutation.
//
//===----------------------------------------------------------------------===//

#include "../common/About.h"
#include "../common/Range.h"
#include "../common/Settings.h"
#include "../common/StandardOutput.h"
#include "Output.h"

#include "swizzle/Hardware/Database.h"
#include "swizzle/Support/FileRoles.h"
#include "swizzle/Support/WriteFile.h"

#include "llvm/Support/CommandLine.h"

using namespace swizzle;
namespace cl = llvm::cl;

static cl::OptionCategory category("swizzle-formula options");

static cl::opt<std::string> file(cl::Positional, cl::desc("[FILE | -]"),
                                 cl::cat(category));
static cl::opt<std::string>
    formulaText("formula", cl::value_desc("TEXT | @name"),
                cl::desc("the formula itself, statements separated by `;`, or "
                         "a catalogue entry"),
                cl::cat(category));
static cl::opt<std::string>
    gridText("grid", cl::value_desc("XxYxZ"),
             cl::desc("the grid, x first: 96x61, 64x64x4, ?x? if unknown"),
             cl::cat(category));
static cl::opt<std::string> chip(
    "chip", cl::value_desc("name"),
    cl::desc("the chip whose numbers the formula reads: mi300x, h100, ..."),
    cl::cat(category));
static cl::opt<std::string>
    hardwareFile("hardware-file", cl::value_desc("path"),
                 cl::desc("a chip described by a file of your own"),
                 cl::cat(category));
static cl::list<std::string>
    hardware("hw", cl::value_desc("name=number"),
             cl::desc("gives a number of the hardware, or overrides the "
                      "chip's: num_xcds=6"),
             cl::cat(category));
static cl::list<std::string>
    settings("set", cl::value_desc("name=number"),
             cl::desc("fixes a parameter: G=4; every combination of the others "
                      "is checked"),
             cl::cat(category));
static cl::opt<std::string>
    evaluateAt("evaluate", cl::value_desc("x,y,z"),
               cl::desc("prints the new id of one workgroup"),
               cl::cat(category));
static cl::opt<bool> table("table",
                           cl::desc("prints the new id of every workgroup"),
                           cl::cat(category));
static cl::opt<bool> print("print",
                           cl::desc("prints the formula in canonical form"),
                           cl::cat(category));
static cl::opt<std::string>
    draw("draw", cl::value_desc("out.svg"),
         cl::desc("draws the grid by die and by time, before and after"),
         cl::cat(category));
static cl::opt<bool> list("list", cl::desc("lists the catalogue"),
                          cl::cat(category));
static cl::opt<bool> json("json",
                          cl::desc("prints JSON (schema "
                                   "swizzle-formula/1)"),
                          cl::cat(category));

static constexpr const char *kOverview =
    "checks, prints, evaluates and draws workgroup remap formulas\n\n"
    "  A formula maps the id of a workgroup to the id that the kernel shall\n"
    "  believe it has; it is legal if it is a permutation of the grid.\n\n"
    "  swizzle-formula remap.swz --grid=96x61 --chip=mi300x\n"
    "  swizzle-formula --formula='return gx - 1 - x, y' --grid=8x8 --table\n"
    "  swizzle-formula --formula=@xcd-balanced --grid=64x64 --hw=num_xcds=8 "
    "--draw=out.svg\n\n"
    "  Exit status: 0 legal, 1 illegal (with a counterexample) or unproved, 2 "
    "cannot be\n"
    "  read or used. A template is legal if every feasible combination of its\n"
    "  parameters is.\n";

/// Most ids that are enumerated, and the cap over all combinations.
static constexpr int64_t kMaxIds = int64_t(1) << 26;

/// What the formula is bound to, from the options.
static llvm::Expected<Environment> readEnvironment() {
  Environment environment;
  llvm::Expected<Grid> grid = parseGrid(gridText);
  if (!grid)
    return llvm::createStringError("--grid: " +
                                   llvm::toString(grid.takeError()));
  environment.grid = *grid;
  if (!chip.empty() && !hardwareFile.empty())
    return llvm::createStringError("give either --chip or --hardware-file");
  if (!chip.empty() || !hardwareFile.empty()) {
    llvm::Expected<HardwareSpec> spec =
        chip.empty() ? readChipFile(hardwareFile) : findChip(chip);
    if (!spec)
      return spec.takeError();
    environment.chip = spec->name;
    environment.hardware = spec->formulaConstants();
  }
  llvm::Expected<ParamValues> numbers =
      readSettings("hw", {hardware.begin(), hardware.end()});
  if (!numbers)
    return numbers.takeError();
  for (const auto &[name, number] : *numbers) {
    if (!llvm::is_contained(knownHardwareNames(), name))
      return llvm::createStringError("--hw: `" + name +
                                     "` is no hardware name; there are " +
                                     llvm::join(knownHardwareNames(), ", "));
    environment.hardware[name] = number;
  }
  llvm::Expected<ParamValues> params =
      readSettings("set", {settings.begin(), settings.end()});
  if (!params)
    return params.takeError();
  environment.params = std::move(*params);
  return environment;
}

/// The workgroup of --evaluate.
static llvm::Expected<WorkgroupId> parseId(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  int64_t value[3] = {0, 0, 0};
  bool good = parts.size() <= 3;
  for (size_t i = 0; good && i < parts.size(); ++i)
    good = !parts[i].trim().getAsInteger(10, value[i]);
  if (!good)
    return llvm::createStringError("--evaluate=" + text + ": expected x,y,z");
  return WorkgroupId{value[0], value[1], value[2]};
}

static llvm::Expected<Formula> readFormula() {
  if (file.empty() == formulaText.empty())
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        file.empty() ? "no formula: give a FILE (`-` is standard input), "
                       "--formula=TEXT or --formula=@name; --list shows the "
                       "catalogue"
                     : "give either a FILE or --formula");
  return file.empty() ? readFormulaOption(formulaText) : readFormulaFile(file);
}

/// Everything after the options; an error means exit status 2.
static llvm::Error run(Report &report) {
  if (llvm::Error error =
          checkDistinct({{"the formula", file, false},
                         {"the chip's description", hardwareFile, false},
                         {"the drawing", draw, true}}))
    return error;
  if (isStandardOutput(draw) && json)
    return llvm::createStringError(
        "only one of --json and --draw=- can have standard output");
  llvm::Expected<Formula> formula = readFormula();
  if (!formula)
    return formula.takeError();
  llvm::StringRef option = llvm::StringRef(formulaText).trim();
  report.label = option.starts_with("@")       ? option.str()
                 : file.empty() || file == "-" ? "a formula given as text"
                                               : file.getValue();
  report.formula = *formula;
  if (print)
    report.printed = true;
  if (gridText.empty()) {
    for (const cl::Option *given : std::initializer_list<const cl::Option *>{
             &chip, &hardwareFile, std::addressof(hardware),
             std::addressof(settings), &table, &evaluateAt, &draw})
      if (print && given->getNumOccurrences())
        return llvm::createStringError("--" + given->ArgStr +
                                       " is about a grid: give --grid=XxYxZ");
    if (print)
      return llvm::Error::success();
    return llvm::createStringError("no grid: give --grid=XxYxZ");
  }
  llvm::Expected<Environment> environment = readEnvironment();
  if (!environment)
    return environment.takeError();
  report.environment = *environment;
  report.withTable = table;
  report.wantsPermutation = table || !draw.empty();
  ProofOptions options;
  options.maxIds = kMaxIds;
  if (llvm::Error error = judge(*formula, options, report))
    return error;
  if (table && report.verdict.legal() && report.permutation.empty())
    return needsKnownGrid("--table");
  if (!evaluateAt.empty()) {
    llvm::Expected<WorkgroupId> id = parseId(evaluateAt);
    if (!id)
      return id.takeError();
    llvm::Expected<BoundFormula> bound =
        BoundFormula::bind(*formula, report.environment);
    if (!bound)
      return bound.takeError();
    llvm::Expected<WorkgroupId> image = bound->evaluate(*id);
    if (!image && report.verdict.legal())
      return image.takeError();
    if (image)
      report.evaluated = {*id, *image};
    else
      llvm::consumeError(image.takeError()); // the verdict says it
  }
  if (draw.empty() || !report.verdict.legal())
    return llvm::Error::success();
  return drawReport(report, draw);
}

int main(int argc, char **argv) {
  InitTool init(argc, argv, "swizzle-formula");
  About about("swizzle-formula", category);
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &llvm::errs()))
    return 2;
  if (list)
    return printCatalogue(json);
  Report report;
  llvm::Error error = checkEmpty(argc, argv);
  if (!error)
    error = run(report);
  if (error) {
    std::string message = llvm::toString(std::move(error));
    printUnusable(message, json);
    return 2;
  }
  printReport(report, json,
              isStandardOutput(draw) ? llvm::errs() : llvm::outs());
  return report.exitStatus();
}
