//===- Session.cpp - A module that is being tuned -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Diagnostics of MLIR become the message of the error that is returned, so that
// a variant that fails is a record and not noise on the terminal.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Driver/Session.h"

#include "swizzle/Analysis/KernelHash.h"
#include "swizzle/Analysis/KernelText.h"
#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Support/Hash.h"
#include "swizzle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace swizzle {

static std::string nameOf(const KernelPlan &plan) {
  return fullName(plan.module, plan.name);
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
    KernelPlan plan = prepareKernel(kernel, settings);
    if (plan.outcome == Outcome::Failed)
      return llvm::createStringError("kernel " + name + ": " + plan.reason);
    if (plan.reasonCode.empty() && !plan.hardware)
      return llvm::createStringError(
          "kernel " + name +
          ": no chip is known: give --chip or --hardware-file");
    session->functions.push_back(kernel);
    session->plans.push_back(std::move(plan));
  }
  return session;
}

AgentContext TuningSession::describe(size_t index) {
  const KernelPlan &plan = plans[index];
  AgentContext context;
  context.module = plan.module;
  context.kernel = plan.name;
  context.kernelText = kernelText(functions[index]);
  context.kernelHash = hashKernel(functions[index], plan.sizes.block);
  context.model = plan.model;
  context.hardware = *plan.hardware;
  context.environment = plan.environment;
  context.reuse = plan.reuse;
  return context;
}

std::string TuningSession::printOriginal() { return print(outlined); }

llvm::Error TuningSession::apply(ModuleOp target,
                                 llvm::ArrayRef<KernelPlan> decided) {
  ErrorCollector errors(target.getContext());
  auto decide = [&](FunctionOpInterface kernel) {
    std::string name = kernelPath(kernel);
    for (const KernelPlan &plan : decided)
      if (nameOf(plan) == name)
        return plan;
    // Not asked for: it stays as it is.
    return KernelPlan(kernel.getLoc());
  };
  auto accept = [](const KernelPlan &) { return success(); };
  std::vector<KernelPlan> applied;
  if (failed(planModule(target, decide, accept, applied)))
    return errors.take("the remap cannot be inserted");
  PassManager manager(target.getContext());
  manager.addPass(createSwizzleMaterializePass());
  if (failed(manager.run(target)))
    return errors.take("the remap cannot be materialised");
  return llvm::Error::success();
}

/// Proves `variant` for a prepared kernel and makes it its plan.
static llvm::Error takeVariant(KernelPlan &plan, const Variant &variant) {
  if (!variant.formula) {
    plan.outcome = Outcome::Kept;
    return llvm::Error::success();
  }
  if (takeProposal(plan, *variant.formula, variant.params, "tuned",
                   "the best that was found"))
    return llvm::Error::success();
  llvm::StringRef more = addedTo(plan.reason, plan.counterexample);
  return llvm::createStringError(plan.reason + (more.empty() ? "" : ": ") +
                                 more);
}

llvm::Expected<std::string>
TuningSession::printVariant(size_t index, const Variant &variant) {
  KernelPlan plan = plans[index];
  if (llvm::Error error = takeVariant(plan, variant))
    return std::move(error);
  OwningOpRef<ModuleOp> copy = cast<ModuleOp>((*outlined)->clone());
  if (llvm::Error error = apply(*copy, plan))
    return std::move(error);
  return print(copy);
}

llvm::Error TuningSession::decide(size_t index, const Variant &best) {
  return takeVariant(plans[index], best);
}

llvm::Error TuningSession::rewrite() { return apply(module, plans); }

//===----------------------------------------------------------------------===//
// Hashes
//===----------------------------------------------------------------------===//

static void add(std::string &text, const CacheSpec &cache) {
  for (const std::optional<int64_t> &number :
       {cache.bytes, cache.effectiveBytes, cache.lineBytes, cache.sectorBytes,
        cache.ways, cache.partitions})
    text += std::to_string(number.value_or(-1)) + ",";
  text += llvm::formatv("{0:E17};", cache.bandwidth.value_or(-1)).str();
}

std::string hashOf(const HardwareSpec &hardware) {
  std::string text = hardware.name + ";" + hardware.target + ";";
  for (int64_t number :
       {hardware.numDies, hardware.unitsPerDie, hardware.waveSize,
        hardware.dispatchChunk, int64_t(hardware.hitDefinition)})
    text += std::to_string(number) + ",";
  add(text, hardware.l1);
  add(text, hardware.l2);
  if (hardware.llc)
    add(text, *hardware.llc);
  for (const std::optional<double> &rate :
       {hardware.dramBandwidth, hardware.peakDramBandwidth, hardware.clockHz,
        hardware.vectorFlops, hardware.tensorFlops})
    text += llvm::formatv("{0:E17},", rate.value_or(-1)).str();
  for (const std::optional<int64_t> &limit :
       {hardware.workgroupMemoryPerUnit, hardware.threadsPerUnit,
        hardware.workgroupsPerUnit, hardware.registersPerUnit})
    text += std::to_string(limit.value_or(-1)) + ",";
  for (const auto &[name, value] : hardware.fitted)
    text += name + llvm::formatv("={0:E17},", value).str();
  return hashText(text);
}

} // namespace swizzle
