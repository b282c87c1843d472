//===- WriteLLVM.cpp - Orders that were found, in LLVM IR -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What was tuned is an import, which cannot be written back: it lacks metadata.
// So the orders go the way that they would take later on: into a database, and
// from there, proved anew, into the module as it was.
//
//===----------------------------------------------------------------------===//

#include "WriteLLVM.h"

#include "swizzle/LLVMPass/RemapModule.h"
#include "swizzle/Support/NewFile.h"
#include "swizzle/Support/ReadModule.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace swizzle {

namespace {
/// Keeps errors; remarks are in the report.
struct Collector : DiagnosticHandler {
  explicit Collector(std::string &errors) : errors(errors) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error)
      return true;
    raw_string_ostream os(errors);
    DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    return true;
  }
  std::string &errors;
};
} // namespace

/// What was told of the tuned kernel, for the pass on LLVM IR. Not as its text
/// of options, in which a path with a semicolon would be two.
static Expected<llvmpass::PassSettings> settingsFor(const TuneOptions &options,
                                                    StringRef database) {
  PassOptionTexts texts;
  texts.agent = "database";
  texts.database = database.str();
  texts.hardwareFile = options.plan.hardwareFile;
  Expected<PassOptions> read = readPassOptions(texts);
  if (!read)
    return read.takeError();
  llvmpass::PassSettings settings;
  settings.chip = options.plan.chip;
  settings.hardwareFile = options.plan.hardwareFile;
  settings.planning = std::move(read->planning);
  if (options.plan.grid)
    settings.claim.grids.push_back(*options.plan.grid);
  settings.claim.block = options.plan.block;
  settings.claim.registers = options.plan.registers;
  settings.claim.dynamicWorkgroupBytes = options.plan.dynamicWorkgroupBytes;
  return std::move(settings);
}

/// Fails if a kernel of `records` has a formula and was not remapped.
static Error checkApplied(const llvmpass::ModuleOutcome &outcome,
                          ArrayRef<DatabaseRecord> records) {
  for (const DatabaseRecord &record : records) {
    if (record.formula.empty())
      continue;
    for (const PlannedKernel &kernel : outcome.kernels)
      if (kernel.facts.name == record.kernel && !kernel.decision.remap)
        return createStringError("the order that was found for kernel '" +
                                 record.kernel +
                                 "' is not applied: " + kernel.decision.reason);
  }
  return Error::success();
}

std::optional<Grid> guessBlock(const std::string &file) {
  LLVMContext context;
  SMDiagnostic problem; // whoever imports the file says what is wrong
  std::unique_ptr<Module> module = readModuleFile(file, problem, context);
  return module ? llvmpass::guessBlock(*module) : std::nullopt;
}

Expected<std::string> applyToLLVM(const TuneOptions &options,
                                  ArrayRef<DatabaseRecord> records) {
  Expected<NewFile> file = NewFile::createTemporary("swizzle-tune", ".db");
  if (!file)
    return createStringError("no temporary file: " +
                             toString(file.takeError()));
  // Whoever writes a database leaves a file to lock beside it.
  const std::string &database = file->path();
  FileRemover lockRemover(database + ".lock");
  if (Error error = addToDatabase(database, records))
    return std::move(error);
  Expected<llvmpass::PassSettings> settings = settingsFor(options, database);
  if (!settings)
    return settings.takeError();
  std::string errors;
  LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<Collector>(errors));
  SMDiagnostic problem;
  std::unique_ptr<Module> module =
      readModuleFile(options.file, problem, context);
  if (!module)
    return createStringError(options.file + ": " + problem.getMessage());
  llvmpass::ModuleOutcome outcome =
      llvmpass::remapModule(*module, "", *settings, /*isReported=*/false);
  if (!errors.empty())
    return createStringError(errors);
  if (Error error = checkApplied(outcome, records))
    return std::move(error);
  std::string text;
  raw_string_ostream os(text);
  module->print(os, nullptr);
  return text;
}

} // namespace swizzle
