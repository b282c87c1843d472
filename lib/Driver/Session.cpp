//===- Session.cpp - A module that is being tuned -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Diagnostics of MLIR become the message of the error that is returned, so that
// a variant that fails is recorded, and nothing is printed.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Driver/Session.h"

#include "swizzle/Analysis/Describe/Kernels.h"
#include "swizzle/IR/CompiledFor.h"
#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Transforms/IRDifference.h"
#include "swizzle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace swizzle {

static std::string nameOf(const PlannedKernel &planned) {
  return fullName(planned.facts.module, planned.facts.name);
}

template <typename T> static std::string print(T &op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os);
  os << '\n';
  return text;
}

namespace {
/// Collects the errors of a context while it lives.
class ErrorCollector {
public:
  explicit ErrorCollector(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            text += (text.empty() ? "" : "; ") + diagnostic.str();
          return success();
        }) {}
  llvm::Error take(const llvm::Twine &otherwise) {
    return llvm::createStringError(text.empty() ? otherwise.str() : text);
  }

private:
  std::string text;
  ScopedDiagnosticHandler handler;
};
} // namespace

llvm::Expected<std::unique_ptr<TuningSession>>
TuningSession::create(ModuleOp module, const PlanSettings &settings,
                      StringRef wanted) {
  module.getContext()
      ->loadDialect<SwizzleDialect, gpu::GPUDialect, arith::ArithDialect,
                    scf::SCFDialect, cf::ControlFlowDialect, DLTIDialect,
                    ub::UBDialect>();
  std::unique_ptr<TuningSession> session(new TuningSession(module, settings));
  session->hash = hashOf(module);
  session->outlined = cloneOutlined(module);
  if (!session->outlined)
    return llvm::createStringError(
        "the launches of the module cannot be outlined");
  auto kernels = selectKernels(*session->outlined, wanted);
  if (!kernels)
    return kernels.takeError();
  for (FunctionOpInterface kernel : *kernels) {
    std::string name = kernelPath(kernel);
    LocatedKernel read = readForPlanning(kernel, settings);
    if (const std::optional<HardwareSpec> &chip = read.chip.hardware)
      if (llvm::Error error = checkVendor(kernel, chip->vendor, chip->name))
        return llvm::createStringError("kernel " + name + ": " +
                                       llvm::toString(std::move(error)));
    Decision decision =
        decideWithoutAsking(read.facts, read.chip, settings.planning);
    if (decision.outcome == Outcome::Failed)
      return llvm::createStringError("kernel " + name + ": " + decision.reason);
    session->planned.push_back(
        {std::move(read.facts), std::move(read.chip), std::move(decision)});
  }
  return session;
}

std::string TuningSession::printOriginal() { return print(outlined); }

llvm::Error TuningSession::apply(ModuleOp target,
                                 llvm::ArrayRef<PlannedKernel> decided) {
  ErrorCollector errors(target.getContext());
  auto decide = [&](FunctionOpInterface kernel) -> FailureOr<PlannedKernel> {
    std::string name = kernelPath(kernel);
    for (const PlannedKernel &one : decided)
      if (nameOf(one) == name)
        return one;
    // Not asked for: it stays as it is.
    return PlannedKernel();
  };
  std::vector<PlannedKernel> applied;
  if (failed(planModule(target, decide, applied)))
    return errors.take("the remap cannot be inserted");
  PassManager manager(target.getContext());
  manager.addPass(createSwizzleMaterializePass());
  if (failed(manager.run(target)))
    return errors.take("the remap cannot be materialised");
  return llvm::Error::success();
}

/// Proves `variant` for a kernel and makes it what is decided.
static llvm::Error takeVariant(PlannedKernel &planned, const Variant &variant) {
  if (!variant.formula) {
    planned.decision.outcome = Outcome::Kept;
    return llvm::Error::success();
  }
  planned.decision =
      proveRemap(planned.facts, planned.chip, *variant.formula, variant.params,
                 "tuned", "the best that was found");
  const Decision &decision = planned.decision;
  if (decision.remap)
    return llvm::Error::success();
  llvm::StringRef more = addedTo(decision.reason, decision.counterexample);
  return llvm::createStringError(decision.reason + (more.empty() ? "" : ": ") +
                                 more);
}

llvm::Expected<std::string>
TuningSession::printVariant(size_t index, const Variant &variant) {
  PlannedKernel kernel = planned[index];
  if (llvm::Error error = takeVariant(kernel, variant))
    return std::move(error);
  OwningOpRef<ModuleOp> copy = cast<ModuleOp>((*outlined)->clone());
  if (llvm::Error error = apply(*copy, kernel))
    return std::move(error);
  return print(copy);
}

llvm::Error TuningSession::decide(size_t index, const Variant &best) {
  return takeVariant(planned[index], best);
}

llvm::Error TuningSession::rewrite() {
  KernelTexts before = printKernels(module);
  if (llvm::Error error = apply(module, planned))
    return error;
  auto differences = differencesFrom(before, module);
  for (PlannedKernel &one : planned)
    one.irDifference = differences[nameOf(one)];
  return llvm::Error::success();
}

} // namespace swizzle
