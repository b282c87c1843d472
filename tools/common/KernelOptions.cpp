//===- KernelOptions.cpp - Options and files of tools on kernels ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every refusal names the option and what it takes.
//
//===----------------------------------------------------------------------===//

#include "KernelOptions.h"

#include "Settings.h"
#include "swizzle/Formula/Syntax/Catalogue.h"
#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Import/ImportModule.h"
#include "swizzle/Support/ReadFile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace swizzle {

KernelOptions::KernelOptions(cl::OptionCategory &category,
                             const char *formulaUse)
    : kernel("kernel", cl::value_desc("name"),
             cl::desc("only this kernel (`k`, or `module::k`)"),
             cl::cat(category)),
      chip("chip", cl::value_desc("name"),
           cl::desc("the chip: mi300x, h100, ...; by default the module says"),
           cl::cat(category)),
      hardwareFile("hardware-file", cl::value_desc("path"),
                   cl::desc("a chip described by a file of your own"),
                   cl::cat(category)),
      formula("formula", cl::value_desc("TEXT | @name"), cl::desc(formulaUse),
              cl::cat(category)),
      file("formula-file", cl::value_desc("path"),
           cl::desc("the same, from a file (`-` is standard input)"),
           cl::cat(category)),
      grid("grid", cl::value_desc("XxYxZ"),
           cl::desc("the grid, where the module leaves it open"),
           cl::cat(category)),
      block("block", cl::value_desc("XxYxZ"),
            cl::desc("the block, where the module leaves it open"),
            cl::cat(category)),
      settings("set", cl::value_desc("name=number"),
               cl::desc("fixes a parameter of the formula: G=4"),
               cl::cat(category)) {}

Error KernelOptions::check() const {
  if (!formula.empty() && !file.empty())
    return createStringError("give either --formula or --formula-file");
  if (!settings.empty() && !namesFormula())
    return createStringError("--set=" + settings.front() +
                             " needs --formula or --formula-file");
  if (!chip.empty() && !hardwareFile.empty())
    return createStringError("give either --chip or --hardware-file");
  return Error::success();
}

Expected<Formula> KernelOptions::readFormula() const {
  return file.empty() ? readFormulaOption(formula) : readFormulaFile(file);
}

Expected<ParamValues> KernelOptions::readParams(const Formula &formula) const {
  Expected<ParamValues> params =
      readSettings("set", {settings.begin(), settings.end()});
  if (!params)
    return params.takeError();
  if (Error error = checkParams(formula, *params))
    return std::move(error);
  return std::move(*params);
}

Error KernelOptions::readSizes(std::optional<Grid> &gridInto,
                               std::optional<Grid> &blockInto) const {
  if (Error error = readKnownGrid(grid, gridInto))
    return createStringError("--grid: " + toString(std::move(error)));
  if (Error error = readKnownGrid(block, blockInto))
    return createStringError("--block: " + toString(std::move(error)));
  return Error::success();
}

Error readKnownGrid(StringRef text, std::optional<Grid> &into) {
  if (text.empty())
    return Error::success();
  Expected<Grid> parsed = parseGrid(text);
  if (!parsed)
    return parsed.takeError();
  if (!parsed->isStatic())
    return createStringError("`" + text + "`: every extent must be known");
  into = *parsed;
  return Error::success();
}

mlir::DialectRegistry makeKernelRegistry() {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<SwizzleDialect>();
  return registry;
}

mlir::OwningOpRef<mlir::ModuleOp> parseModule(StringRef tool,
                                              const std::string &path,
                                              mlir::MLIRContext &context) {
  if (isLLVMFile(path)) {
    Expected<mlir::OwningOpRef<mlir::ModuleOp>> imported =
        importFile(path, context);
    if (imported)
      return std::move(*imported);
    errs() << tool << ": " << toString(imported.takeError()) << '\n';
    return nullptr;
  }
  Expected<std::unique_ptr<MemoryBuffer>> buffer = readModuleText(path);
  if (!buffer) {
    errs() << tool << ": " << toString(buffer.takeError()) << '\n';
    return nullptr;
  }
  SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), SMLoc());
  return mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
}

mlir::OwningOpRef<mlir::ModuleOp> readKernels(StringRef tool,
                                              const std::string &path,
                                              mlir::MLIRContext &context) {
  auto module = parseModule(tool, path, context);
  if (!module)
    return module;
  bool launches = false;
  module->walk([&](mlir::gpu::LaunchOp) { launches = true; });
  if (!launches)
    return module;
  mlir::PassManager manager(&context);
  manager.addPass(mlir::createGpuKernelOutliningPass());
  if (mlir::succeeded(manager.run(*module)))
    return module;
  module->emitError("its launches cannot be outlined");
  return nullptr;
}

} // namespace swizzle
