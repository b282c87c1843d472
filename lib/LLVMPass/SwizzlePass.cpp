//===- SwizzlePass.cpp - Workgroup remaps in LLVM's pipelines -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels are rewritten early in a pipeline, when helpers that read ids are
// inlined and before AMD's Attributor has derived what a kernel does not read.
//
//===----------------------------------------------------------------------===//

#include "swizzle/LLVMPass/SwizzlePass.h"

#include "PlanFunctions.h"
#include "Remarks.h"
#include "WriteReport.h"
#include "swizzle/Import/ImportModule.h"
#include "swizzle/LLVMPass/RemapModule.h"

#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace swizzle::llvmpass {

class EarlyCopy {
public:
  void keep(const Module &module) { bitcode = copyAsBitcode(module); }
  std::string take() { return std::exchange(bitcode, ""); }

private:
  std::string bitcode;
};

namespace {
/// Keeps a copy of a module that has kernels.
class KeepCopyPass : public PassInfoMixin<KeepCopyPass> {
public:
  explicit KeepCopyPass(std::shared_ptr<EarlyCopy> early)
      : early(std::move(early)) {}
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    if (isForGpu(module) && !findKernels(module).empty())
      early->keep(module);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  std::shared_ptr<EarlyCopy> early;
};
} // namespace

SwizzlePass::SwizzlePass(PassSettings settings,
                         std::shared_ptr<EarlyCopy> early)
    : settings(std::move(settings)), early(std::move(early)) {}

PreservedAnalyses SwizzlePass::run(Module &module, ModuleAnalysisManager &) {
  std::string before = early ? early->take() : "";
  bool isReported = !settings.report.empty() && !findKernels(module).empty();
  std::string report;
  if (isReported) {
    Expected<std::string> path = prepareReport(module, settings);
    if (!path) {
      diagnose(module, DS_Error, "swizzle: " + toString(path.takeError()));
      return PreservedAnalyses::all();
    }
    report = std::move(*path);
  }
  ModuleOutcome outcome = remapModule(module, before, settings, isReported);
  if (isReported && !outcome.kernels.empty())
    writeReport(module, outcome, report);
  return outcome.changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

namespace {
/// Options that cannot be used: an error of each module that has kernels.
class ComplainPass : public PassInfoMixin<ComplainPass> {
public:
  explicit ComplainPass(std::string problem) : problem(std::move(problem)) {}
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    if (!findKernels(module).empty())
      diagnose(module, DS_Error, problem);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  std::string problem;
};
} // namespace

/// Adds the pass with `settings` to the default pipelines.
static void addToPipelines(PassBuilder &builder, const PassSettings &settings) {
  auto early = std::make_shared<EarlyCopy>();
  builder.registerPipelineStartEPCallback(
      [early](ModulePassManager &passes, OptimizationLevel) {
        passes.addPass(KeepCopyPass(early));
      });
  builder.registerOptimizerEarlyEPCallback(
      [early, settings](ModulePassManager &passes, OptimizationLevel,
                        ThinOrFullLTOPhase) {
        passes.addPass(SwizzlePass(settings, early));
      });
}

void registerSwizzlePasses(PassBuilder &builder) {
  builder.registerPipelineParsingCallback(
      [](StringRef name, ModulePassManager &passes,
         ArrayRef<PassBuilder::PipelineElement>) {
        if (!PassBuilder::checkParametrizedPassName(name, "swizzle"))
          return false;
        Expected<PassSettings> settings = PassBuilder::parsePassParameters(
            [](StringRef text) { return parseOptions(text); }, name, "swizzle");
        if (!settings) {
          errs() << toString(settings.takeError()) << "\n";
          return false;
        }
        passes.addPass(SwizzlePass(std::move(*settings)));
        return true;
      });
  std::optional<std::string> text = sys::Process::GetEnv("SWIZZLE_OPTIONS");
  // Who sets it to nothing switches the pass off.
  if (!text || StringRef(*text).trim("; \t\n").empty())
    return;
  Expected<PassSettings> settings = parseOptions(*text);
  if (settings)
    return addToPipelines(builder, *settings);
  std::string problem = "in the environment variable SWIZZLE_OPTIONS: " +
                        toString(settings.takeError());
  builder.registerPipelineStartEPCallback(
      [problem](ModulePassManager &passes, OptimizationLevel) {
        passes.addPass(ComplainPass(problem));
      });
}

} // namespace swizzle::llvmpass
