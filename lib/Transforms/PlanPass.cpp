//===- PlanPass.cpp - Find, prove and record a remap per kernel -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass decides about all kernels before it changes anything: launches are
// outlined on a copy of the module to be judged, and only those that get a
// remap are outlined in the module itself. So a module without any remap leaves
// as it came, to the byte.
//
//===----------------------------------------------------------------------===//

#include "KernelPlan.h"
#include "Outline.h"
#include "Report.h"
#include "swizzle/Formula/Catalogue.h"
#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Transforms/InsertRemap.h"
#include "swizzle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

using namespace mlir;

namespace swizzle {

#define GEN_PASS_DEF_SWIZZLEPLANPASS
#include "swizzle/Transforms/Passes.h.inc"

/// "blake3:<hex>" of the module's text.
static std::string hashOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  llvm::BLAKE3 hasher;
  hasher.update(text);
  auto digest = hasher.final();
  return "blake3:" + llvm::toHex(digest, /*LowerCase=*/true);
}

namespace {
struct SwizzlePlanPass : impl::SwizzlePlanPassBase<SwizzlePlanPass> {
  using SwizzlePlanPassBase::SwizzlePlanPassBase;

  void runOnOperation() override;

private:
  /// Reads the options; errors are emitted.
  std::optional<PlanSettings> readSettings();
  LogicalResult planKernels(const PlanSettings &settings);
  LogicalResult planLaunches(const PlanSettings &settings);
  LogicalResult accept(const KernelPlan &plan);
  LogicalResult fail(const Twine &message) {
    return emitError(getOperation().getLoc()) << message;
  }

  std::vector<KernelPlan> plans;
};
} // namespace

std::optional<PlanSettings> SwizzlePlanPass::readSettings() {
  PlanSettings settings;
  settings.chip = chip;
  settings.hardwareFile = hardwareFile;
  settings.agent = agent;
  settings.strict = strict;
  settings.compose = compose;
  auto refuse = [&](const Twine &message) {
    (void)fail(message);
    return std::nullopt;
  };
  if (onFailure == "keep")
    settings.onFailure = OnFailure::Keep;
  else if (onFailure == "planner")
    settings.onFailure = OnFailure::Planner;
  else if (onFailure == "error")
    settings.onFailure = OnFailure::Error;
  else
    return refuse("option 'on-failure' is '" + onFailure +
                  "'; it takes keep, planner or error");
  if (!formula.empty() && !formulaFile.empty())
    return refuse("options 'formula' and 'formula-file' exclude each other");
  auto takeFormula = [&](llvm::Expected<Formula> parsed) {
    if (!parsed) {
      (void)fail(toString(parsed.takeError()));
      return false;
    }
    settings.formula = std::move(*parsed);
    return true;
  };
  if (!formula.empty() && !takeFormula(readFormulaOption(formula)))
    return std::nullopt;
  if (!formulaFile.empty() && !takeFormula(readFormulaFile(formulaFile)))
    return std::nullopt;
  auto takeGrid = [&](StringRef name, StringRef text,
                      std::optional<Grid> &result) {
    if (text.empty())
      return true;
    llvm::Expected<Grid> grid = parseGrid(text);
    if (!grid) {
      (void)fail("option '" + name + "': " + toString(grid.takeError()));
      return false;
    }
    for (unsigned axis = 0; axis < 3; ++axis)
      if ((*grid)[axis] == 0) {
        (void)fail("option '" + name + "' is '" + text +
                   "'; each extent must be at least 1");
        return false;
      }
    result = *grid;
    return true;
  };
  if (!takeGrid("grid", grid, settings.grid) ||
      !takeGrid("block", block, settings.block))
    return std::nullopt;
  return settings;
}

/// Takes note of `plan`; fails if it asks for an error.
LogicalResult SwizzlePlanPass::accept(const KernelPlan &plan) {
  if (plan.outcome == Outcome::Failed) {
    InFlightDiagnostic error = emitError(plan.location)
                               << "kernel '" << plan.name
                               << "': " << plan.reason;
    if (!plan.counterexample.empty())
      error.attachNote() << plan.counterexample;
    return error;
  }
  emitRemarks(plan);
  plans.push_back(plan);
  return success();
}

static SmallVector<FunctionOpInterface> findKernels(ModuleOp module) {
  SmallVector<FunctionOpInterface> kernels;
  module.walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    if (isKernel(function))
      kernels.push_back(function);
  });
  return kernels;
}

static void apply(FunctionOpInterface kernel, const KernelPlan &plan) {
  if (plan.outcome != Outcome::Remapped)
    return;
  insertRemap(
      kernel,
      getFormulaAttr(kernel.getContext(), *plan.formula, plan.environment),
      plan.environment.grid, plan.guarded);
}

/// A module whose kernels are all functions already.
LogicalResult SwizzlePlanPass::planKernels(const PlanSettings &settings) {
  SmallVector<FunctionOpInterface> kernels = findKernels(getOperation());
  for (FunctionOpInterface kernel : kernels)
    if (failed(accept(planKernel(kernel, settings))))
      return failure();
  for (auto [kernel, plan] : llvm::zip(kernels, plans))
    apply(kernel, plan);
  return success();
}

/// A module with `gpu.launch` ops: judged on an outlined copy.
LogicalResult SwizzlePlanPass::planLaunches(const PlanSettings &settings) {
  ModuleOp module = getOperation();
  SmallVector<FunctionOpInterface> before = findKernels(module);
  size_t numLaunches = findLaunchOps(module).size();
  OwningOpRef<ModuleOp> copy = cast<ModuleOp>(module->clone());
  // Kernels of the copy that are functions in the module too, in its order.
  SmallVector<FunctionOpInterface> functions = findKernels(*copy);
  SmallVector<gpu::GPUFuncOp> outlined;
  SmallVector<bool> all(numLaunches, true);
  if (failed(outlineLaunches(*copy, all, outlined)))
    return fail("the launches of the module cannot be outlined");

  SmallVector<bool> wanted(numLaunches, false);
  for (FunctionOpInterface kernel : functions)
    if (failed(accept(planKernel(kernel, settings))))
      return failure();
  for (auto [index, kernel] : llvm::enumerate(outlined)) {
    if (!kernel)
      return fail("a launch of the module was not outlined");
    auto function = cast<FunctionOpInterface>(kernel.getOperation());
    if (failed(accept(planKernel(function, settings))))
      return failure();
    wanted[index] = plans.back().outcome == Outcome::Remapped;
  }

  for (auto [index, kernel] : llvm::enumerate(before))
    apply(kernel, plans[index]);
  if (!llvm::is_contained(wanted, true))
    return success();
  SmallVector<gpu::GPUFuncOp> kernels;
  if (failed(outlineLaunches(module, wanted, kernels)))
    return fail("the launches of the module cannot be outlined");
  for (auto [index, kernel] : llvm::enumerate(kernels)) {
    if (!kernel)
      continue;
    KernelPlan &plan = plans[before.size() + index];
    plan.module = kernel->getParentOfType<gpu::GPUModuleOp>().getName().str();
    plan.name = kernel.getName().str();
    apply(cast<FunctionOpInterface>(kernel.getOperation()), plan);
  }
  return success();
}

void SwizzlePlanPass::runOnOperation() {
  plans.clear();
  std::optional<PlanSettings> settings = readSettings();
  if (!settings)
    return signalPassFailure();
  if (settings->agent != "planner" && !settings->formula) {
    std::string message =
        "agent '" + settings->agent + "' is not built in; available: planner";
    if (settings->onFailure == OnFailure::Error) {
      (void)fail(message);
      return signalPassFailure();
    }
    emitWarning(getOperation().getLoc())
        << message
        << (settings->onFailure == OnFailure::Planner
                ? "; the planner is asked instead"
                : "; all kernels stay as they are");
    if (settings->onFailure == OnFailure::Keep)
      settings->agentAvailable = false;
    else
      settings->agent = "planner";
  }
  std::string inputHash;
  if (!report.empty())
    inputHash = hashOf(getOperation());
  bool hasLaunches = !findLaunchOps(getOperation()).empty();
  if (failed(hasLaunches ? planLaunches(*settings) : planKernels(*settings)))
    return signalPassFailure();
  if (report.empty())
    return;
  if (llvm::Error error =
          writeFileWhole(report, printReport(plans, inputHash))) {
    (void)fail("cannot write the report '" + report +
               "': " + toString(std::move(error)));
    signalPassFailure();
  }
}

} // namespace swizzle
