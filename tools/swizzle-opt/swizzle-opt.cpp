//===- swizzle-opt.cpp - mlir-opt with the swizzle passes -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every upstream dialect and pass, and ours. What mlir-opt does is left to it;
// here the output is held back until the run has succeeded, so that a run that
// fails leaves all files as they were.
//
//===----------------------------------------------------------------------===//

#include "../common/About.h"
#include "../common/StandardOutput.h"
#include "Run.h"
#include "swizzle/Hardware/Schema.h"
#include "swizzle/Import/ImportModule.h"
#include "swizzle/InitAll.h"
#include "swizzle/Support/ReadFile.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/Process.h"

using namespace swizzle;

static constexpr const char *kOverview =
    R"(swizzle-opt: gives GPU kernels a better order of their workgroups

It reads MLIR, finds each kernel, looks for an order in which workgroups that
share data meet in one cache, proves that the order is a permutation, and rewrites
the kernel's workgroup ids. What may not or need not be changed leaves as it came.

  swizzle-opt kernel.mlir --hw-aware-swizzle=chip=mi300x -o remapped.mlir
  swizzle-opt kernel.mlir --hw-aware-swizzle="chip=h100 report=report.json" -o out.mlir
  swizzle-opt kernel.mlir --hw-aware-swizzle="formula='return gx - 1 - x, y'" -o out.mlir

One line about each kernel goes to standard error. Exit status: 0 done, 1 not; then
no file is written. --list-chips lists the chips, --version says who this is.

The options of --hw-aware-swizzle:
)";

static bool asksForHelp(int argc, char **argv) {
  return llvm::any_of(llvm::ArrayRef(argv, argc), [](llvm::StringRef word) {
    return word == "--help" || word == "-help" || word == "-h" ||
           word == "--help-hidden";
  });
}

static void printOwnHelp() {
  llvm::outs() << kOverview;
  // The pipeline's options are those of its first pass.
  if (const mlir::PassInfo *plan = mlir::PassInfo::lookup("swizzle-plan"))
    plan->printHelpStr(/*indent=*/2, /*descIndent=*/60);
  llvm::outs() << "\nOptions of mlir-opt, and all passes:\n\n";
}

/// A misspelt option that the parser would take for `-h` with something behind
/// it, and answer with the help; empty if there is none.
static std::string findMisspelt(int argc, char **argv) {
  auto &known = llvm::cl::getRegisteredOptions();
  for (llvm::StringRef word : llvm::ArrayRef(argv, argc).drop_front()) {
    if (word == "--")
      break;
    llvm::StringRef name = word.ltrim('-').split('=').first;
    if (!word.starts_with("-") || !name.starts_with("h") || name == "h" ||
        known.count(name))
      continue;
    std::vector<std::string> names;
    for (auto &option : known)
      if (option.first.starts_with("h"))
        names.push_back(option.first.str());
    std::string near = nearestSpelling(name.str(), names);
    return "there is no option '" + word.str() + "'" +
           (near.empty() ? "" : "; did you mean '--" + near + "'?");
  }
  return "";
}

static int fail(const llvm::Twine &message) {
  llvm::errs() << "swizzle-opt: error: " << message << '\n';
  return 1;
}

/// The module of LLVM IR at `path` as text of the llvm dialect, cleaned as the
/// analysis reads it.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readLLVM(const std::string &path) {
  mlir::MLIRContext context;
  auto imported = importFile(path, context);
  if (!imported)
    return imported.takeError();
  std::string text;
  llvm::raw_string_ostream stream(text);
  (*imported)->print(stream, mlir::OpPrintingFlags().enableDebugInfo());
  return llvm::MemoryBuffer::getMemBufferCopy(text, path);
}

/// Runs the passes; the output and the reports are written if they succeed.
static int runPasses(const std::string &input, const std::string &output,
                     mlir::DialectRegistry &registry,
                     const mlir::MlirOptMainConfig &config) {
  Run run({{"the input", input, false},
           {"the output", output, true},
           {"the file of remarks", config.getRemarksOutputFile(), true}});
  if (llvm::Error error = run.check({}))
    return fail(toString(std::move(error)));
  run.listenIn(registry);
  if (input == "-" &&
      llvm::sys::Process::FileDescriptorIsDisplayed(fileno(stdin)))
    llvm::errs() << "(reading from standard input)\n";
  auto buffer = isLLVMFile(input) ? readLLVM(input) : readModuleText(input);
  if (!buffer)
    return fail(toString(buffer.takeError()));
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (failed(MlirOptMain(stream, std::move(*buffer), registry, config)))
    return 1;
  if (llvm::Error error = run.finish({"the output", output, std::move(text)}))
    return fail(toString(std::move(error)));
  return 0;
}

int main(int argc, char **argv) {
  InitTool init(argc, argv, "swizzle-opt", /*status=*/1);
  mlir::registerAllPasses();
  swizzle::registerAllPasses();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  swizzle::registerAllDialects(registry);
  About about("swizzle-opt", llvm::cl::getGeneralCategory());
  if (asksForHelp(argc, argv))
    printOwnHelp();
  std::string header = mlir::registerCLIOptions("swizzle-opt", registry);
  if (std::string misspelt = findMisspelt(argc, argv); !misspelt.empty())
    return fail(misspelt);
  auto [input, output] = mlir::parseCLIOptions(argc, argv, header);
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(argc, argv, input, output, registry));
  return runPasses(input, output, registry, config);
}
