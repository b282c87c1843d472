//===- PlanModule.cpp - Decide about all kernels, then rewrite ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All kernels are decided about before anything is changed: launches are
// outlined on a copy of the module to be judged, and only those that get a
// remap are outlined in the module itself. So a module without any remap leaves
// as it came, to the byte.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Transforms/PlanModule.h"

#include "Outline.h"
#include "UndoRemap.h"
#include "swizzle/Analysis/Describe/Kernels.h"
#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Support/Deadline.h"
#include "swizzle/Support/Hash.h"
#include "swizzle/Transforms/InsertRemap.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace swizzle {

std::string hashOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return hashText(text);
}

static void apply(FunctionOpInterface kernel, const PlannedKernel &planned) {
  if (!planned.decision.remap)
    return;
  const ProvedRemap &remap = *planned.decision.remap;
  const KernelFacts &facts = planned.facts;
  // It worked on a clone already.
  if (planned.decision.replaces)
    (void)undoRemap(kernel);
  insertRemap(
      kernel,
      getFormulaAttr(kernel.getContext(), remap.formula, remap.environment),
      remap.environment.grid, facts.gridIsGuarded(),
      facts.blockIsGuarded() ? std::optional<Grid>(facts.blockToCompare())
                             : std::nullopt);
}

namespace {
/// As `DecideFunction`, given who uses the functions of the kernel's module.
using DecideWithFacts = llvm::function_ref<FailureOr<PlannedKernel>(
    FunctionOpInterface, const ModuleFacts &)>;

class ModulePlanner {
public:
  ModulePlanner(ModuleOp module, DecideWithFacts decide,
                std::vector<PlannedKernel> &planned, StringRef wanted)
      : module(module), decide(decide), planned(planned), wanted(wanted) {}

  LogicalResult planKernels();
  LogicalResult planLaunches();

private:
  LogicalResult plan(FunctionOpInterface kernel, const ModuleFacts &facts) {
    if (!wanted.empty() && !isCalled(kernel, wanted)) {
      planned.emplace_back(); // stays as it is
      return success();
    }
    FailureOr<PlannedKernel> decided = decide(kernel, facts);
    if (failed(decided))
      return failure();
    planned.push_back(std::move(*decided));
    return success();
  }
  LogicalResult fail(const Twine &message) {
    return emitError(module.getLoc()) << message;
  }

  ModuleOp module;
  DecideWithFacts decide;
  std::vector<PlannedKernel> &planned;
  StringRef wanted;
};
} // namespace

/// A module whose kernels are all functions already.
LogicalResult ModulePlanner::planKernels() {
  SmallVector<FunctionOpInterface> kernels = findKernels(module);
  if (!wanted.empty()) {
    auto selected = selectKernels(module, wanted);
    if (!selected)
      return fail(llvm::toString(selected.takeError()));
    kernels = std::move(*selected);
  }
  ModuleFacts facts(module);
  for (FunctionOpInterface kernel : kernels)
    if (failed(plan(kernel, facts)))
      return failure();
  for (auto [kernel, decided] : llvm::zip(kernels, planned))
    apply(kernel, decided);
  return success();
}

/// A module with `gpu.launch` ops: judged on an outlined copy.
LogicalResult ModulePlanner::planLaunches() {
  SmallVector<FunctionOpInterface> before = findKernels(module);
  size_t numLaunches = findLaunchOps(module).size();
  OwningOpRef<ModuleOp> copy = cast<ModuleOp>(module->clone());
  // Kernels of the copy that are functions in the module too, in its order.
  SmallVector<FunctionOpInterface> functions = findKernels(*copy);
  SmallVector<gpu::GPUFuncOp> outlined;
  SmallVector<bool> all(numLaunches, true);
  if (failed(outlineLaunches(*copy, all, outlined)))
    return fail("the launches of the module cannot be outlined");

  // What was no function is launched by nobody who is not seen.
  for (gpu::GPUFuncOp kernel : outlined)
    if (kernel)
      SymbolTable::setSymbolVisibility(
          kernel->getParentOfType<gpu::GPUModuleOp>(),
          SymbolTable::Visibility::Private);

  SmallVector<bool> remapped(numLaunches, false);
  ModuleFacts facts(*copy);
  for (FunctionOpInterface kernel : functions)
    if (failed(plan(kernel, facts)))
      return failure();
  for (auto [index, kernel] : llvm::enumerate(outlined)) {
    if (!kernel) { // it lies in what MLIR does not know, and stays
      planned.emplace_back();
      continue;
    }
    if (failed(plan(cast<FunctionOpInterface>(kernel.getOperation()), facts)))
      return failure();
    remapped[index] = planned.back().decision.remap.has_value();
  }
  if (!wanted.empty() && llvm::all_of(planned, [](const PlannedKernel &one) {
        return one.facts.name.empty();
      }))
    return fail("no kernel is called " + wanted);

  for (auto [index, kernel] : llvm::enumerate(before))
    apply(kernel, planned[index]);
  if (!llvm::is_contained(remapped, true))
    return success();
  SmallVector<gpu::GPUFuncOp> kernels;
  if (failed(outlineLaunches(module, remapped, kernels)))
    return fail("the launches of the module cannot be outlined");
  for (auto [index, kernel] : llvm::enumerate(kernels)) {
    if (!kernel)
      continue;
    PlannedKernel &decided = planned[before.size() + index];
    decided.facts.module =
        kernel->getParentOfType<gpu::GPUModuleOp>().getName().str();
    decided.facts.name = kernel.getName().str();
    apply(cast<FunctionOpInterface>(kernel.getOperation()), decided);
  }
  return success();
}

static LogicalResult planWithFacts(ModuleOp module, DecideWithFacts decide,
                                   std::vector<PlannedKernel> &planned,
                                   StringRef wanted) {
  ModulePlanner planner(module, decide, planned, wanted);
  if (failed(findLaunchOps(module).empty() ? planner.planKernels()
                                           : planner.planLaunches()))
    return failure();
  // Those that nobody asked about.
  llvm::erase_if(
      planned, [](const PlannedKernel &one) { return one.facts.name.empty(); });
  return success();
}

LogicalResult planModule(ModuleOp module, DecideFunction decide,
                         std::vector<PlannedKernel> &planned,
                         StringRef wanted) {
  auto withoutFacts = [&](FunctionOpInterface kernel, const ModuleFacts &) {
    return decide(kernel);
  };
  return planWithFacts(module, withoutFacts, planned, wanted);
}

LogicalResult planModule(ModuleOp module, PlanSettings settings,
                         std::vector<PlannedKernel> &planned,
                         StringRef wanted) {
  Deadline deadline;
  double &seconds = settings.planning.maxSeconds;
  if (seconds > 0)
    deadline = Deadline::after(seconds);
  size_t left = findKernels(module).size() + findLaunchOps(module).size();
  auto decide = [&](FunctionOpInterface kernel,
                    const ModuleFacts &facts) -> FailureOr<PlannedKernel> {
    if (deadline)
      seconds = std::max(1e-9, deadline.secondsLeft() /
                                   double(std::max<size_t>(1, left)));
    left -= left > 0;
    LocatedKernel read = readForPlanning(kernel, settings, facts);
    Decision decision = plan(read.facts, read.chip, settings.planning,
                             read.carried ? &*read.carried : nullptr);
    PlannedKernel decided{std::move(read.facts), std::move(read.chip),
                          std::move(decision)};
    // Somebody gave a formula: it shall not be without effect silently.
    bool askedFor = settings.planning.formula.has_value();
    if (failed(emitDecision(read.location, decided, askedFor)))
      return failure();
    return decided;
  };
  if (failed(planWithFacts(module, decide, planned, wanted)))
    return failure();
  if (planned.empty())
    emitWarning(module.getLoc())
        << "no kernel was found: " << explainNoKernels(module);
  return success();
}

OwningOpRef<ModuleOp> cloneOutlined(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = cast<ModuleOp>(module->clone());
  size_t numLaunches = findLaunchOps(*copy).size();
  SmallVector<gpu::GPUFuncOp> outlined;
  SmallVector<bool> all(numLaunches, true);
  if (numLaunches && failed(outlineLaunches(*copy, all, outlined)))
    return nullptr;
  return copy;
}

} // namespace swizzle
